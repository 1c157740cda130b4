"""Which actions are allowed with the objects of a scene graph."""

from __future__ import annotations

import pytest

from stma_ros.components.decision.scene_grounding import allowed_actions, find_target
from stma_ros.types import vocabulary as words
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.planning import ArgumentKind, SkillSchema
from stma_ros.types.scene_graph import Frontiers, ObjectNode, RoomNode, SceneGraph
from stma_ros.types.standard import Point, Vector3
from support.components.household_components import HOUSEHOLD

NAVIGATE = SkillSchema(name=words.SKILL_NAVIGATE, arguments=(ArgumentKind.OBJECT,))
TOUCH = SkillSchema(name="touch", arguments=(ArgumentKind.OBJECT,))
NEXT_TO = SkillSchema(name=words.SKILL_PLACE_NEXT_TO, arguments=(ArgumentKind.STANDING,))


def node(name: str, kind: str, middle: float, height: float) -> ObjectNode:
    box = BoundingBox3D.aligned(Point(1.0, 2.0, middle), Vector3(0.5, 0.5, height))
    return ObjectNode(id=name, category=kind, box=box)


@pytest.mark.parametrize("floor", [0.0, 3.0])
def test_things_are_put_next_to_what_stands_on_the_floor_alone(floor: float) -> None:
    graph = SceneGraph(
        objects=(
            node("fridge_1", "fridge", floor + 0.9, 1.8),
            node("armchair_1", "armchair", floor + 0.5, 0.7),  # on legs
            node("ball_1", "ball", floor + 0.1, 0.2),
            node("sink_1", "sink", floor + 0.8, 0.2),
            node("mug_1", "mug", floor + 0.8, 0.1),
        ),
        rooms=(RoomNode(id="room_1", center=Point(0.0, 0.0, floor)),),
    )
    allowed = allowed_actions((NEXT_TO,), graph, Frontiers(), HOUSEHOLD)
    standing = {action.target for action in allowed if action.skill == words.SKILL_PLACE_NEXT_TO}
    assert standing == {"fridge_1", "armchair_1", "ball_1"}


def test_nothing_is_known_to_stand_on_a_floor_that_was_not_seen() -> None:
    graph = SceneGraph(objects=(node("fridge_1", "fridge", 0.9, 1.8),))
    allowed = allowed_actions((NEXT_TO,), graph, Frontiers(), HOUSEHOLD)
    assert words.SKILL_PLACE_NEXT_TO not in {action.skill for action in allowed}


def test_robot_can_only_go_to_what_another_look_must_tell_of() -> None:
    graph = SceneGraph(
        objects=(node("mug_1", "mug", 0.8, 0.1),), unconfirmed=(node("cup_1", "cup", 0.8, 0.1),)
    )
    allowed = allowed_actions((NAVIGATE, TOUCH), graph, Frontiers(), HOUSEHOLD)
    assert [action.skill for action in allowed if action.target == "cup_1"] == [words.SKILL_NAVIGATE]
    assert find_target("cup_1", graph, Frontiers()).size == Vector3(0.5, 0.5, 0.1)
