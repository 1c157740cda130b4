"""The scene graph, drawn room by room: what stands in the room, and what lies in and on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from stma_ros.apps.report.collect import labels
from stma_ros.apps.report.svg import element
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import ObjectNode, SceneGraph

_ROW, _INDENT, _WIDTH, _TOP = 30, 30, 380, 6  # [px]
_NODE_HEIGHT = 22
_ARC_LEFT = _WIDTH - 74


@dataclass(frozen=True)
class RoomGraph:
    """One room's part of the graph."""

    name: str
    detail: str
    figure: Markup


@dataclass(frozen=True)
class _Row:
    node: ObjectNode
    depth: int
    parent: int | None  # index of the row it hangs on
    predicate: str


def room_graphs(graph: SceneGraph, target: str) -> list[RoomGraph]:
    """One figure per room with objects, then one for those in no known room; `target` is an object's id."""
    names = labels(graph)
    supports = {
        t.subject: (t.predicate, t.object) for t in graph.relations if t.predicate in (words.IN, words.ON)
    }
    rooms = {t.subject: t.object for t in graph.relations if t.predicate == words.IN_ROOM}
    nodes = {node.id: node for node in graph.objects}
    children: dict[str, list[str]] = {}
    roots: dict[str, list[str]] = {}
    for node in graph.objects:
        if node.id in supports and supports[node.id][1] in nodes and not _is_circular(node.id, supports):
            children.setdefault(supports[node.id][1], []).append(node.id)
        else:
            roots.setdefault(rooms.get(node.id, ""), []).append(node.id)
    drawn = []
    for room_id, name, detail in _rooms(graph, names):
        rows = list(_rows(roots.get(room_id, []), nodes, children, supports))
        if rows:
            things = f"{len(rows)} object{'s' if len(rows) > 1 else ''}"
            drawn.append(RoomGraph(name, f"{detail}{things}", _figure(name, rows, graph, names, target)))
    return drawn


def _rooms(graph: SceneGraph, names: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for room in graph.rooms:
        identity = room.id.replace("_", " ")
        known = "" if identity == names[room.id] else f"{identity}, "
        yield room.id, names[room.id], f"{known}{room.area:.0f} m², "
    yield "", "in no known room", ""


def _is_circular(start: str, supports: Mapping[str, tuple[str, str]]) -> bool:
    """Two things that each seem to lie on the other are drawn side by side."""
    seen = {start}
    current = start
    while current in supports:
        current = supports[current][1]
        if current in seen:
            return True
        seen.add(current)
    return False


def _rows(
    roots: list[str],
    nodes: Mapping[str, ObjectNode],
    children: Mapping[str, list[str]],
    supports: Mapping[str, tuple[str, str]],
) -> Iterator[_Row]:
    # Those that carry something first, then by name; depth first, so that a thing is below what carries it.
    waiting = [(name, 0, None) for name in sorted(roots, key=lambda n: (n not in children, n), reverse=True)]
    index = 0
    stack: list[tuple[str, int, int | None]] = list(waiting)
    while stack:
        name, depth, parent = stack.pop()
        yield _Row(nodes[name], depth, parent, supports[name][0] if parent is not None else "")
        stack.extend((child, depth + 1, index) for child in sorted(children.get(name, ()), reverse=True))
        index += 1


def _figure(room: str, rows: list[_Row], graph: SceneGraph, names: Mapping[str, str], target: str) -> Markup:
    height = _TOP + _ROW * len(rows)
    places = {row.node.id: index for index, row in enumerate(rows)}
    near = [
        (places[t.subject], places[t.object])
        for t in graph.relations
        if t.predicate == words.NEAR and t.subject in places and t.object in places
    ]
    return element(
        "svg",
        element("title", f"What is in the {room}"),
        *(_near(one, other, rows, names) for one, other in near),
        *(_branch(index, row) for index, row in enumerate(rows)),
        *(_node(index, row, names, row.node.id == target) for index, row in enumerate(rows)),
        viewBox=f"0 0 {_WIDTH} {height}",
        role="img",
        class_="graph",
        aria_label=f"Scene graph of the {room}: " + ", ".join(_sentence(row, rows, names) for row in rows),
    )


def _sentence(row: _Row, rows: list[_Row], names: Mapping[str, str]) -> str:
    if row.parent is None:
        return names[row.node.id]
    return f"{names[row.node.id]} {row.predicate} {names[rows[row.parent].node.id]}"


def _middle(index: int) -> float:
    return _TOP + _ROW * index + _ROW / 2 - 3


def _left(depth: int) -> float:
    return 4 + (_INDENT + 8) * min(depth, 4)


def _branch(index: int, row: _Row) -> Markup:
    if row.parent is None:
        return Markup("")
    x, y = _left(row.depth), _middle(index)
    start = _middle(row.parent) + _NODE_HEIGHT / 2
    trunk = _left(row.depth - 1) + 12
    return element(
        "g",
        element("path", d=f"M{trunk} {start}V{y - 6}Q{trunk} {y} {trunk + 6} {y}H{x - 1}", class_="branch"),
        element("text", row.predicate, x=(trunk + x) / 2 + 2, y=y - 3, class_="predicate"),
    )


def _right(row: _Row, names: Mapping[str, str]) -> float:
    """Where the node's pill ends."""
    return min(_left(row.depth) + 32 + 7.8 * len(names[row.node.id]), _ARC_LEFT)


def _near(one: int, other: int, rows: list[_Row], names: Mapping[str, str]) -> Markup:
    first, last = sorted((one, other))
    ends = [_right(row, names) + (52 if row.node.states else 3) for row in rows[first : last + 1]]
    (x1, y1), (x2, y2) = (ends[0], _middle(first)), (ends[-1], _middle(last))
    # A curve swings out by three quarters of the way to its control points.
    reach = max(x1, x2) + (max(ends) - max(x1, x2) + 6) / 0.75
    tooltip = element("title", f"{names[rows[one].node.id]} near {names[rows[other].node.id]}")
    return element("path", tooltip, d=f"M{x1} {y1}C{reach} {y1} {reach} {y2} {x2} {y2}", class_="near")


def _node(index: int, row: _Row, names: Mapping[str, str], is_target: bool) -> Markup:
    node = row.node
    name = names[node.id]
    x, y = _left(row.depth), _middle(index) - _NODE_HEIGHT / 2
    right = _right(row, names)
    parts = [
        element("title", f"{name}: seen in {node.keyframes} keyframes, confidence {node.confidence:.2f}"),
        element("rect", x=x, y=y, width=right - x, height=_NODE_HEIGHT, rx=_NODE_HEIGHT / 2, class_="node"),
        element("circle", cx=x + 12, cy=y + _NODE_HEIGHT / 2, r=5, fill=_swatch(node), class_="swatch"),
        element("text", name, x=x + 22, y=y + 15.5, class_="node-name"),
    ]
    if node.states:
        state = node.states[0]
        parts.append(element("text", state, x=right + 7, y=y + 15, class_=f"state {state}"))
    return element("g", *parts, class_="entry target" if is_target else "entry")


def _swatch(node: ObjectNode) -> str:
    colour = node.color
    if not colour.a:
        return "#b8bec9"
    return "#" + "".join(
        f"{round(255 * min(max(channel, 0.0), 1.0)):02x}" for channel in (colour.r, colour.g, colour.b)
    )
