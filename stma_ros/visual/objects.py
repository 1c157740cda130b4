"""Draws the scene graph in space: objects as boxes, rooms as footprints, relations as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from stma_ros.types.message import Message
from stma_ros.types.scene_graph import ObjectNode, RoomNode, SceneGraph
from stma_ros.types.vocabulary import HELD_BY, IN, NEAR, ON
from stma_ros.visual import colours, paths
from stma_ros.visual.drawables import Boxes, Drawn, Lines
from stma_ros.visual.drawing_context import DrawingContext, is_somewhere, row, yaws
from stma_ros.visual.naming import labels
from stma_ros.visual.provenance import with_detectors

_RELATIONS: Mapping[str, colours.RGB] = {IN: (240, 170, 60), ON: (90, 190, 120), NEAR: (130, 140, 160)}
_RELATION_WIDTH = 0.012  # [m]
_ROOM_WIDTH = 0.04  # [m]
_ROOM_HEIGHT = 0.03  # above the floor, which would hide it [m]
_THINNEST = 0.02  # a surface without thickness must still be visible [m]


class ObjectsInSpace:
    """Draws each scene graph in place of its predecessor."""

    def __init__(self, context: DrawingContext) -> None:
        self._context = context

    def take(self, topic: str, message: Message) -> Iterator[Drawn]:
        if not isinstance(message, SceneGraph):
            return
        self._context.names = labels(message)
        nodes = standing(message)
        yield self._context.placed(paths.OBJECTS, self._boxes(message, nodes))
        yield self._context.placed(paths.RELATIONS, _relations(message, nodes))
        yield self._context.placed(paths.ROOMS, self._rooms(message))

    def _boxes(self, graph: SceneGraph, nodes: Mapping[str, ObjectNode]) -> Boxes:
        carried = {t.subject for t in graph.relations if t.predicate in (IN, ON) and t.object in nodes}
        return Boxes(
            np.array([row(node.center) for node in nodes.values()], np.float32).reshape(-1, 3),
            np.array([_size(node) for node in nodes.values()], np.float32).reshape(-1, 3),
            yaws(node.yaw for node in nodes.values()),
            colours.rows(colours.seen(node.color) for node in nodes.values()),
            tuple(nodes),
            tuple(", ".join((self._context.name(id_), *_told_states(node))) for id_, node in nodes.items()),
            tuple(id_ in carried for id_ in nodes),
        )

    def _rooms(self, graph: SceneGraph) -> Lines:
        # The colour follows the order of all rooms, so that a room's colour does not depend on other rooms' footprints.
        drawn = [(index, room) for index, room in enumerate(graph.rooms) if _is_drawn(room)]
        return Lines(
            tuple(
                np.array([(p.x, p.y, p.z + _ROOM_HEIGHT) for p in (*corners, corners[0])], np.float32)
                for corners in (room.footprint.points for _, room in drawn)
            ),
            colours.rows(colours.of_room(index) for index, _ in drawn),
            tuple(self._context.name(room.id) for _, room in drawn),
            _ROOM_WIDTH,
        )


def standing(graph: SceneGraph) -> dict[str, ObjectNode]:
    """Returns the objects with a place, by id: neither held nor missing."""
    held = {triple.subject for triple in graph.relations if triple.predicate == HELD_BY}
    return {
        node.id: node
        for node in graph.objects
        if is_somewhere(node.center) and node.id not in held and not node.is_missing
    }


def _relations(graph: SceneGraph, nodes: Mapping[str, ObjectNode]) -> Lines:
    drawn = [
        triple
        for triple in graph.relations
        if triple.predicate in _RELATIONS and triple.subject in nodes and triple.object in nodes
    ]
    return Lines(
        tuple(
            np.array([row(nodes[t.subject].center), row(nodes[t.object].center)], np.float32) for t in drawn
        ),
        colours.rows(_RELATIONS[triple.predicate] for triple in drawn),
        tuple(with_detectors(triple.predicate, triple.detectors) for triple in drawn),
        _RELATION_WIDTH,
    )


def _told_states(node: ObjectNode) -> Iterator[str]:
    return (with_detectors(each.state, each.detectors) for each in node.states)


def _size(node: ObjectNode) -> tuple[float, float, float]:
    size = node.size
    x, y, z = np.nan_to_num((size.x, size.y, size.z), nan=0.0).clip(_THINNEST, 100.0)
    return float(x), float(y), float(z)


def _is_drawn(room: RoomNode) -> bool:
    corners = room.footprint.points
    return len(corners) > 2 and bool(np.all(np.isfinite([(p.x, p.y, p.z) for p in corners])))
