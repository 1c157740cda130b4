"""The base: shortest paths around obstacles, and collisions that stop it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.worlds.robot.geometry import OrientedRect, Placement, Rect, wrap_angle
from stma_ros.worlds.robot.motion import BASE_RADIUS, Ground, turn, way_length

HALL = Rect(0.0, 0.0, 6.0, 4.0)
OUTER = [
    OrientedRect.of(Rect(-0.1, -0.1, 6.1, 0.0)),
    OrientedRect.of(Rect(-0.1, 4.0, 6.1, 4.1)),
    OrientedRect.of(Rect(-0.1, -0.1, 0.0, 4.1)),
    OrientedRect.of(Rect(6.0, -0.1, 6.1, 4.1)),
]
SCREEN = OrientedRect.of(Rect(2.9, 0.0, 3.1, 3.0))  # leaves a metre at the top


def test_a_path_leads_around_obstacles_and_is_driven_without_contact() -> None:
    ground = Ground.among(HALL, [*OUTER, SCREEN])
    start = Placement(1.0, 1.0, 0.0)
    way = ground.way(start, 5.0, 1.0)
    assert way is not None
    assert way[-1] == (5.0, 1.0)
    shortest = 2 * math.hypot(1.9, 2.28) + 0.2
    assert shortest - 0.1 < way_length(start, way) < shortest * 1.1
    increments = list(ground.follow(start, way))
    assert not any(increment.bumped for increment in increments)
    assert all(not ground.collides(i.pose.x, i.pose.y) for i in increments)
    assert sum(i.driven for i in increments) == pytest.approx(way_length(start, way))


def test_there_is_no_path_through_a_wall() -> None:
    ground = Ground.among(HALL, [*OUTER, OrientedRect.of(Rect(2.9, 0.0, 3.1, 4.0))])
    assert ground.way(Placement(1.0, 1.0, 0.0), 5.0, 1.0) is None


def test_a_path_to_a_goal_in_collision_ends_at_the_nearest_free_place() -> None:
    ground = Ground.among(HALL, OUTER)
    way = ground.way(Placement(1.0, 1.0, 0.0), 5.9, 2.0)
    assert way is not None
    assert BASE_RADIUS <= 6.0 - way[-1][0] < 0.4
    assert abs(way[-1][1] - 2.0) < 0.1


def test_driving_into_a_wall_stops_at_it_with_a_bump() -> None:
    ground = Ground.among(HALL, OUTER)
    last = list(ground.follow(Placement(1.0, 1.0, 0.0), [(1.0, 9.0)]))[-1]
    assert last.bumped
    assert 4.0 - BASE_RADIUS - 0.06 < last.pose.y <= 4.0 - BASE_RADIUS


@given(angle=st.floats(-7, 7), yaw=st.floats(-3, 3))
@settings(max_examples=50, deadline=None, derandomize=True)
def test_a_turn_reaches_its_angle_in_small_steps(angle: float, yaw: float) -> None:
    steps = list(turn(Placement(0.0, 0.0, yaw), angle))
    assert sum(step.turned for step in steps) == pytest.approx(abs(angle))
    assert max(step.turned for step in steps) <= 0.1 + 1e-9
    assert abs(wrap_angle(steps[-1].pose.yaw - yaw - angle)) < 1e-9
