"""Tests of the choice among the pictures of a step."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stma_ros.components.visual_memory.recent_views import (
    View,
    heading_of_travel,
    in_direction_of,
    retaken,
    spread_views,
    towards,
)
from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.transforms import camera_mount, message_of
from stma_ros.sensing.camera_frame import DepthView
from stma_ros.types.exploration import Snapshot
from stma_ros.types.standard import Point
from support.mapping.poses import planar_pose

CAMERA = PinholeCamera.from_horizontal_fov(80, 60, math.pi / 2)


def view(name: str, x: float = 0.0, y: float = 0.0, degrees: float = 0.0, depth_mm: int = 5000) -> View:
    pose = planar_pose(x, y, math.radians(degrees)) @ camera_mount(0.0, 0.0, 1.2)
    depth = np.full((60, 80), depth_mm, np.uint16)
    return View(Snapshot(id=name), DepthView(depth, CAMERA, pose))


def names(views: list[View]) -> list[str]:
    return [each.snapshot.id for each in views]


def turn(x: float = 0.0) -> list[View]:
    """Returns the views of a full turn at x [m] on the map's x axis."""
    return [view(str(degrees), x, 0.0, degrees) for degrees in range(0, 360, 60)]


def test_views_ahead_and_to_both_sides_are_chosen_at_the_end_of_a_step():
    views = [view("under way", -1.0), *turn()]
    assert names(spread_views(views, 3, math.radians(60), heading=0.0)) == ["0", "60", "300"]
    assert names(spread_views(views, 3, math.radians(60), heading=math.pi)) == ["120", "180", "240"]


def test_a_view_is_chosen_once_where_there_are_fewer_than_wanted():
    assert names(spread_views(turn(), 7, math.radians(40), heading=None)) == [
        "0",
        "60",
        "120",
        "240",
        "300",
    ]
    assert spread_views([], 3, 1.0, None) == []


def test_direction_of_travel_is_known_once_the_robot_has_moved():
    assert heading_of_travel((0.0, -1.0), turn()) == pytest.approx(math.pi / 2)
    assert heading_of_travel((0.1, 0.0), turn()) is None
    assert heading_of_travel(None, turn()) is None


def test_frontier_is_shown_by_the_view_with_it_nearest_to_the_middle():
    point = Point(3.0 * math.cos(0.9), 3.0 * math.sin(0.9), 0.2)  # 52 degrees to the left
    best = towards(point, turn())
    assert best is not None
    assert best.snapshot.id == "60"


def test_frontier_behind_a_surface_or_the_camera_is_not_shown():
    assert towards(Point(3.0, 0.0, 1.2), [view("wall", depth_mm=2000)]) is None
    assert towards(Point(3.0, 0.0, 1.2), [view("behind", degrees=180)]) is None
    assert towards(Point(3.0, 0.0, 1.2), [view("no depth", depth_mm=0)]) is not None


def test_view_in_the_direction_of_a_hidden_frontier_stands_for_it():
    hidden = in_direction_of(Point(0.0, 4.0, 0.0), turn())
    assert hidden is not None
    assert hidden.snapshot.id in ("60", "120")
    assert in_direction_of(Point(0.0, 4.0, 0.0), []) is None


def test_picture_is_taken_again_by_the_view_that_looks_most_nearly_as_it_does():
    earlier = Snapshot(camera=message_of(view("", degrees=110.0).depth.camera_pose))
    best = retaken([view("under way", -1.0, degrees=110.0), *turn()], earlier)
    assert best is not None
    assert best.snapshot.id == "120"
    assert retaken([], earlier) is None
