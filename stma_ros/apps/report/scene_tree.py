"""The scene graph as nested lists: rooms, their furniture, and the objects in and on it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from stma_ros.apps.report.svg import css
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import ObjectNode, RoomNode, SceneGraph
from stma_ros.visual.colours import seen
from stma_ros.visual.naming import labels
from stma_ros.visual.provenance import provenance

_SUPPORTS = (words.ON, words.IN)
_UNCONFIRMED = "unconfirmed"


@dataclass(frozen=True)
class Entry:
    """An object with its contents. `swatch`: its mean observed colour (CSS); `note`: further facts."""

    name: str
    states: tuple[str, ...]
    swatch: str
    note: str
    marked: bool
    contents: tuple[tuple[str, tuple[Entry, ...]], ...]  # "on" and "in", with the things

    @property
    def count(self) -> int:
        """The number of objects, contents included."""
        return 1 + sum(entry.count for _, entries in self.contents for entry in entries)


@dataclass(frozen=True)
class RoomTree:
    """One room's part of the graph; `bearers` hold other objects, `others` do not."""

    name: str
    detail: str
    bearers: tuple[Entry, ...]
    others: tuple[Entry, ...]


def room_trees(graph: SceneGraph, marked: Collection[str], begin: float = 0.0) -> list[RoomTree]:
    """Returns a tree for the hand, for each room with objects, for objects in no known room, for missing objects, and
    for those that may not be there.

    Args:
        graph: the scene graph.
        marked: ids of highlighted objects.
        begin: stamp from which times are shown [s].
    """
    return list(_Trees(graph, marked, begin).rooms())


class _Trees:
    def __init__(self, graph: SceneGraph, marked: Collection[str], begin: float) -> None:
        self._graph, self._marked, self._begin = graph, marked, begin
        self._names = labels(graph)
        self._nodes = {node.id: node for node in (*graph.objects, *graph.unconfirmed)}
        self._supports = {t.subject: t for t in graph.relations if t.predicate in _SUPPORTS}
        self._near: dict[str, list[str]] = {}
        for triple in graph.relations:
            if triple.predicate == words.NEAR and {triple.subject, triple.object} <= self._nodes.keys():
                self._near.setdefault(triple.subject, []).append(self._names[triple.object])
                self._near.setdefault(triple.object, []).append(self._names[triple.subject])
        self._children: dict[str, list[str]] = {}
        self._roots: dict[str, list[str]] = {}
        self._sort()

    def rooms(self) -> Iterator[RoomTree]:
        for place, name, detail in self._places():
            entries = [self._entry(thing) for thing in sorted(self._roots.get(place, ()))]
            if entries:
                count = sum(entry.count for entry in entries)
                things = f"{count} object{'s' if count > 1 else ''}"
                bearers = tuple(entry for entry in entries if entry.contents)
                others = tuple(entry for entry in entries if not entry.contents)
                yield RoomTree(name, f"{detail}{things}", bearers, others)

    def _sort(self) -> None:
        rooms = {t.subject: t.object for t in self._graph.relations if t.predicate == words.IN_ROOM}
        held = {t.subject for t in self._graph.relations if t.predicate == words.HELD_BY}
        for node in self._graph.objects:
            support = self._supports.get(node.id)
            if node.id in held:
                self._roots.setdefault(words.HELD_BY, []).append(node.id)
            elif node.is_missing:
                self._roots.setdefault(words.STATE_MISSING, []).append(node.id)
            elif support is not None and support.object in self._nodes and not self._is_circular(node.id):
                self._children.setdefault(support.object, []).append(node.id)
            else:
                self._roots.setdefault(rooms.get(node.id, ""), []).append(node.id)
        self._roots[_UNCONFIRMED] = [node.id for node in self._graph.unconfirmed]

    def _places(self) -> Iterator[tuple[str, str, str]]:
        yield words.HELD_BY, "in the hand", ""
        for room in self._graph.rooms:
            yield room.id, self._names[room.id], self._room_detail(room)
        yield "", "in no known room", ""
        yield words.STATE_MISSING, "no longer where it was", ""
        yield _UNCONFIRMED, "perhaps there, to be seen from near by", ""

    def _room_detail(self, room: RoomNode) -> str:
        identity = room.id.replace("_", " ")
        known = "" if identity == self._names[room.id] else f"{identity}, "
        return f"{known}{room.area:.0f} m², "

    def _is_circular(self, start: str) -> bool:
        """Whether objects form a cycle, such as two that each seem to lie on the other; they are shown side by side."""
        seen = {start}
        current = start
        while current in self._supports:
            current = self._supports[current].object
            if current in seen:
                return True
            seen.add(current)
        return False

    def _entry(self, name: str) -> Entry:
        node = self._nodes[name]
        carried = sorted(self._children.get(name, ()))
        contents = {
            predicate: tuple(self._entry(k) for k in carried if self._supports[k].predicate == predicate)
            for predicate in _SUPPORTS
        }
        return Entry(
            self._names[name],
            tuple(state for state in node.state_names if state != words.STATE_MISSING),
            css(seen(node.color)),
            self._note(node),
            name in self._marked,
            tuple((predicate, entries) for predicate, entries in contents.items() if entries),
        )

    def _note(self, node: ObjectNode) -> str:
        near = ", ".join(self._near.get(node.id, ()))
        said = provenance(node, self._supports.get(node.id))
        first, last = (stamp.seconds - self._begin for stamp in (node.first_seen, node.last_seen))
        return (
            f"seen in {node.keyframes} keyframes, first at {first:.0f} s, last at {last:.0f} s; confidence "
            f"{node.confidence:.2f}{near and f'; near {near}'}{said and f'; {said}'}"
        )
