"""Labels objects and rooms for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from stma_ros.types.scene_graph import RoomNode, SceneGraph


def labels(graph: SceneGraph | None) -> Mapping[str, str]:
    """Returns names by id: "mug 1", "kitchen"."""
    if graph is None:
        return {}
    kinds = Counter(room.category for room in graph.rooms)
    objects = {node.id: node.id.replace("_", " ") for node in (*graph.objects, *graph.unconfirmed)}
    return {**objects, **{room.id: _room_name(room, kinds[room.category] > 1) for room in graph.rooms}}


def _room_name(room: RoomNode, has_namesakes: bool) -> str:
    if not room.category:
        return room.id.replace("_", " ")
    return f"{room.category} {room.id.rsplit('_', 1)[-1]}" if has_namesakes else room.category
