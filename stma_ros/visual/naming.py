"""Labels objects and rooms for people."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from stma_ros.types.scene_graph import ObjectNode, RoomNode, SceneGraph

_NUMBERED = re.compile(r"(?P<kind>\w+)_\d+")


def labels(graph: SceneGraph | None) -> Mapping[str, str]:
    """Returns names by id: "mug 1", "bed 3 (sofa)" where what was first taken for a bed is a sofa, "kitchen"."""
    if graph is None:
        return {}
    kinds = Counter(room.category for room in graph.rooms)
    objects = {node.id: _object_name(node) for node in (*graph.objects, *graph.unconfirmed)}
    return {**objects, **{room.id: _room_name(room, kinds[room.category] > 1) for room in graph.rooms}}


def _object_name(node: ObjectNode) -> str:
    name, numbered = node.id.replace("_", " "), _NUMBERED.fullmatch(node.id)
    is_of_other_kind = (
        numbered and node.category and not numbered["kind"].endswith(node.category.replace(" ", "_"))
    )
    return f"{name} ({node.category})" if is_of_other_kind else name


def _room_name(room: RoomNode, has_namesakes: bool) -> str:
    if not room.category:
        return room.id.replace("_", " ")
    return f"{room.category} {room.id.rsplit('_', 1)[-1]}" if has_namesakes else room.category
