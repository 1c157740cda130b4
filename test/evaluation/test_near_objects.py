"""Tests of the precision of the objects that the robot has been near."""

from __future__ import annotations

from stma_ros.evaluation.near_objects import NEAR, score_near
from stma_ros.evaluation.scene_graphs import score_graph
from stma_ros.evaluation.tally import Tally
from stma_ros.types import vocabulary as words
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.evidence import StateEstimate
from stma_ros.types.scene_graph import ObjectNode, SceneGraph
from stma_ros.types.standard import Point, Pose, Vector3
from stma_ros.types.truth import GroundTruth, GroundTruthObject


def box_at(x: float) -> BoundingBox3D:
    return BoundingBox3D.aligned(Point(x, 0, 0.8), Vector3(0.1, 0.1, 0.1))


def cup(x: float, hidden: bool = False) -> GroundTruthObject:
    return GroundTruthObject(name=f"cup_{x}", category="cup", box=box_at(x), hidden=hidden)


def node(x: float, *states: str) -> ObjectNode:
    told = tuple(StateEstimate(state=state) for state in states)
    return ObjectNode(id=f"cup_{x}", category="cup", box=box_at(x), states=told)


def near(nodes: list[ObjectNode], things: list[GroundTruthObject], stood: list[float]) -> Tally:
    truths = [GroundTruth(robot=Pose.planar(x, 0, 0), objects=tuple(things)) for x in stood]
    graph = SceneGraph(objects=tuple(nodes))
    return score_near(graph, truths, score_graph(graph, truths[-1]))


def test_only_objects_that_the_robot_was_near_at_some_time_count() -> None:
    invented, far_one = node(3.9), node(NEAR + 10.1)
    assert near([node(0), invented, far_one], [cup(0)], [0.0]) == Tally(1, 2, 1)
    assert near([node(0), invented, far_one], [cup(0)], [0.0, 10.2]) == Tally(1, 3, 1)


def test_hidden_things_and_those_that_are_said_to_be_missing_do_not_count() -> None:
    nodes = [node(0), node(1), node(2, words.STATE_MISSING)]
    assert near(nodes, [cup(0), cup(1, hidden=True)], [0.0]) == Tally(1, 1, 1)
