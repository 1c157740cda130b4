"""Tests of the grounding of an exploration: where the robot may go, and to which pose."""

from __future__ import annotations

import math

import pytest

from stma_ros.components.decision.exploration_grounding import ExplorationGrounding
from stma_ros.components.step_synchronizer import StepInputs
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.exploration import Snapshot, VisualBelief
from stma_ros.types.planning import Action, SkillSchema
from stma_ros.types.scene_graph import Frontier, Frontiers, ObjectNode, Route, SceneGraph
from stma_ros.types.standard import Header, Point, Pose, Quaternion, Time, Vector3
from stma_ros.types.stepped import StepStamp

AT = StepStamp(header=Header(Time(1), "map"), task_id="a", step=1)
ALONG_Y = Quaternion(-math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
"""Orientation of an optical frame, which looks along its z axis."""

STEP = StepInputs(
    {
        topics.FRONTIERS: Frontiers(
            at=AT, frontiers=(Frontier(id="frontier_1", center=Point(3.0, 0.0, 0.0)),)
        ),
        topics.SPATIAL_BELIEF: SpatialBelief(
            at=AT,
            routes=(
                Route(target="frontier_1", goal=Pose.planar(1.0, 0.0, 0.0), length=2.5),
                Route(target="cup_1", goal=Pose.planar(0.0, 1.0, 0.0), length=4.0),
                Route(target="lamp_1", goal=Pose.planar(0.0, 0.1, 0.0), length=0.1),
                Route(target="sofa_1"),
            ),
        ),
        topics.SCENE_GRAPH: SceneGraph(
            at=AT,
            objects=(
                ObjectNode(
                    id="cup_1",
                    category="cup",
                    box=BoundingBox3D.upright(Point(0.0, 5.0, 0.8), Vector3(0.1, 0.1, 0.1), 0.0),
                ),
            ),
        ),
        topics.VISUAL_BELIEF: VisualBelief(
            at=AT, snapshots=(Snapshot(id="snapshot_1", camera=Pose(Point(2.0, -1.0, 1.2), ALONG_Y)),)
        ),
    }
)


def test_robot_may_go_to_frontiers_and_to_where_pictures_were_taken():
    allowed = ExplorationGrounding().allowed_actions((SkillSchema(name=words.SKILL_LOOK_AROUND),), STEP)
    assert Action(words.SKILL_EXPLORE, ("frontier_1",)) in allowed
    assert Action(words.SKILL_EXPLORE, ("snapshot_1",)) in allowed
    assert Action(words.SKILL_EXPLORE, ("snapshot_2",)) not in allowed


def test_robot_may_go_up_to_things_before_which_it_does_not_stand_and_to_which_a_way_is_known():
    allowed = ExplorationGrounding().allowed_actions((), STEP)
    assert Action(words.SKILL_EXPLORE, ("cup_1",)) in allowed
    assert Action(words.SKILL_EXPLORE, ("lamp_1",)) not in allowed
    assert Action(words.SKILL_EXPLORE, ("sofa_1",)) not in allowed
    placement = ExplorationGrounding().place(Action(words.SKILL_EXPLORE, ("cup_1",)), STEP)
    assert placement.base_goal == Pose.planar(0.0, 1.0, 0.0)
    assert (placement.targets[0].category, placement.targets[0].pose.position) == (
        "cup",
        Point(0.0, 5.0, 0.8),
    )


@pytest.mark.parametrize(("base_height", "is_allowed"), [(0.1, True), (2.8, False), (-2.8, False)])
def test_robot_may_not_go_to_where_a_picture_was_taken_on_another_floor(base_height, is_allowed):
    robot = Pose(Point(0.0, 0.0, base_height))
    step = StepInputs({**STEP.messages, topics.SPATIAL_BELIEF: SpatialBelief(at=AT, robot=robot)})
    allowed = ExplorationGrounding().allowed_actions((), step)
    assert (Action(words.SKILL_EXPLORE, ("snapshot_1",)) in allowed) == is_allowed
    assert Action(words.SKILL_EXPLORE, ("frontier_1",)) in allowed


def test_base_goes_a_part_of_the_way_to_a_frontier():
    placement = ExplorationGrounding().place(Action(words.SKILL_EXPLORE, ("frontier_1",)), STEP)
    assert (placement.frame_id, placement.base_goal) == ("map", Pose.planar(1.0, 0.0, 0.0))
    assert placement.targets[0].pose.position == Point(3.0, 0.0, 0.0)


def test_base_goes_below_the_camera_of_a_picture_and_turns_as_it_did():
    placement = ExplorationGrounding().place(Action(words.SKILL_EXPLORE, ("snapshot_1",)), STEP)
    goal = placement.base_goal
    assert (goal.position.x, goal.position.y, goal.position.z) == (2.0, -1.0, 0.0)
    assert goal.yaw == pytest.approx(math.pi / 2)
    assert placement.targets[0].id == "snapshot_1"


def test_place_that_is_not_known_has_no_goal():
    placement = ExplorationGrounding().place(Action(words.SKILL_EXPLORE, ("snapshot_2",)), STEP)
    assert not placement.base_goal.given
    assert ExplorationGrounding().place(Action(words.SKILL_LOOK_AROUND), STEP).targets == ()
