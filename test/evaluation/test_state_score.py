"""Tests of scoring the states that a scene graph tells."""

from __future__ import annotations

import math

import pytest

from stma_ros.evaluation.state_score import score_states, was_front_seen
from stma_ros.types import vocabulary as words
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.evidence import StateEstimate
from stma_ros.types.scene_graph import ObjectNode
from stma_ros.types.standard import Point, Point32, Polygon, Pose, Vector3
from stma_ros.types.truth import GroundTruth, GroundTruthObject, GroundTruthRoom

YAW = 0.6
ROOM = GroundTruthRoom(
    name="room_1",
    footprint=Polygon(tuple(Point32(x, y, 0.0) for x, y in ((-4, -4), (4, -4), (4, 4), (-4, 4)))),
)


def cupboard(*states: str) -> GroundTruthObject:
    """A cupboard at the origin, whose front points in the direction YAW."""
    box = BoundingBox3D.upright(Point(0.0, 0.0, 0.9), Vector3(0.5, 0.9, 1.8), YAW)
    return GroundTruthObject(
        name="cupboard_1", category="cupboard", box=box, room="room_1", fixed=True, states=states
    )


def truth(thing: GroundTruthObject, away: float, direction: float = YAW, turned: float = 0.0) -> GroundTruth:
    """The robot stands `away` from the origin in a direction, and looks at it, or `turned` aside."""
    robot = Pose.planar(away * math.cos(direction), away * math.sin(direction), direction + math.pi + turned)
    return GroundTruth(robot=robot, rooms=(ROOM,), objects=(thing,))


def node(*states: str) -> ObjectNode:
    told = tuple(StateEstimate(state=state) for state in states)
    return ObjectNode(id="cupboard_1", category="cupboard", states=told)


@pytest.mark.parametrize(
    ("away", "direction", "turned", "seen"),
    [
        (1.5, YAW, 0.0, True),
        (2.0, YAW + 0.3, 0.3, True),
        (2.6, YAW, 0.0, False),  # too far
        (1.5, YAW + math.pi, 0.0, False),  # behind it
        (1.5, YAW, 1.2, False),  # looking elsewhere
    ],
)
def test_front_is_seen_from_near_and_before_it(
    away: float, direction: float, turned: float, seen: bool
) -> None:
    thing = cupboard(words.STATE_CLOSED)
    assert was_front_seen(thing, [truth(thing, away, direction, turned)]) is seen


def test_front_is_not_seen_from_another_room() -> None:
    thing = cupboard(words.STATE_CLOSED)
    elsewhere = GroundTruth(robot=truth(thing, 1.5).robot, rooms=(), objects=(thing,))
    assert not was_front_seen(thing, [elsewhere])


@pytest.mark.parametrize(
    ("told", "right", "said"), [((words.STATE_CLOSED,), 1, 1), ((words.STATE_OPEN,), 0, 1), ((), 0, 0)]
)
def test_openness_that_could_be_seen_counts_as_told_only_where_it_is_right(
    told: tuple[str, ...], right: int, said: int
) -> None:
    thing = cupboard(words.STATE_CLOSED, words.STATE_OFF)
    score = score_states([(node(*told), thing)], [truth(thing, 1.5)])
    assert (score.openness.right, score.openness.said, score.openness.true) == (right, said, 1)
    assert (score.all.said, score.all.true) == (said, 2)
    assert score.unknown == 1 - said / 2
    assert score.wrong == (said - right) / 2


def test_thing_that_was_not_found_counts_as_not_told() -> None:
    thing = cupboard(words.STATE_OPEN)
    score = score_states([], [truth(thing, 1.5)])
    assert score.openness.recall == 0.0


def test_unknown_openness_is_not_told() -> None:
    thing = cupboard(words.STATE_OPEN)
    score = score_states([(node(words.STATE_UNKNOWN), thing)], [truth(thing, 1.5)])
    assert score.all.said == 0
