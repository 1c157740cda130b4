"""Draws the scene graph as a tree for each room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from stma_ros.types import vocabulary as words
from stma_ros.types.message import Message
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.visual import colours, paths
from stma_ros.visual.drawables import Drawn, GraphView
from stma_ros.visual.drawing_context import DrawingContext
from stma_ros.visual.naming import labels

_EDGES = (words.IN_ROOM, words.IN, words.ON, words.NEAR, words.HELD_BY)
_UPWARD = (words.HELD_BY, words.IN, words.ON, words.IN_ROOM)  # relations to the parent, the first that holds
_ROBOT_COLOUR: colours.RGB = (220, 70, 70)
_INDENT = 1.5  # rows
_COLUMN_WIDTH = 9.0  # width of a name in rows
_COLUMN_HEIGHT = 30  # in rows; a tree that would end below begins a new column


class SceneAsGraph:
    """Draws a view for each scene graph; an object in or on another one is its child, and not also the room's."""

    def __init__(self, context: DrawingContext) -> None:
        self._context = context

    def take(self, topic: str, message: Message) -> Iterator[Drawn]:
        if isinstance(message, SceneGraph):
            yield self._context.unplaced(paths.GRAPH, _view(message))


def _view(graph: SceneGraph) -> GraphView:
    names = labels(graph)
    nodes: dict[str, tuple[str, colours.RGB]] = {}
    if any(triple.predicate == words.HELD_BY for triple in graph.relations):
        nodes[words.ROBOT] = "the hand", _ROBOT_COLOUR
    for index, room in enumerate(graph.rooms):
        nodes[room.id] = names[room.id], colours.of_room(index)
    for node in graph.objects:
        nodes[node.id] = ", ".join((names[node.id], *node.state_names)), colours.seen(node.color)
    edges = [
        (triple.subject, triple.predicate, triple.object)
        for triple in graph.relations
        if triple.predicate in _EDGES and {triple.subject, triple.object} <= nodes.keys()
    ]
    parents = _parents(edges)
    return GraphView(
        tuple(nodes),
        tuple(label for label, _ in nodes.values()),
        colours.rows(colour for _, colour in nodes.values()),
        tuple(edge for edge in edges if edge[1] == words.NEAR or parents.get(edge[0]) == edge[2]),
        _positions(tuple(nodes), parents),
    )


def _parents(edges: Sequence[tuple[str, str, str]]) -> dict[str, str]:
    """Returns the parent of each object. Never a cycle, even where two objects each seem to lie on the other."""
    parents: dict[str, str] = {}
    for predicate in _UPWARD:
        for subject, stated, other in edges:
            if stated == predicate and subject not in parents and not _hangs_on(other, subject, parents):
                parents[subject] = other
    return parents


def _hangs_on(thing: str, other: str, parents: Mapping[str, str]) -> bool:
    while thing != other and thing in parents:
        thing = parents[thing]
    return thing == other


def _positions(ids: Sequence[str], parents: Mapping[str, str]) -> NDArray[np.float32]:
    """Returns positions (N, 2) as indented lists in columns: a row for each node, below its parent."""
    children: dict[str, list[str]] = {}
    for child in ids:
        if child in parents:
            children.setdefault(parents[child], []).append(child)
    places: dict[str, tuple[float, float]] = {}
    column, row = 0, 0
    for root in (id_ for id_ in ids if id_ not in parents):
        if row > 0 and row + _size(root, children) > _COLUMN_HEIGHT:
            column, row = column + 1, 0
        waiting = [(root, 0)]
        while waiting:
            id_, depth = waiting.pop()
            places[id_] = column * _COLUMN_WIDTH + depth * _INDENT, float(row)
            row += 1
            waiting += [(child, depth + 1) for child in reversed(children.get(id_, []))]
    return np.array([places[id_] for id_ in ids], np.float32).reshape(-1, 2)


def _size(root: str, children: Mapping[str, Sequence[str]]) -> int:
    count, waiting = 0, [root]
    while waiting:
        count += 1
        waiting += children.get(waiting.pop(), ())
    return count
