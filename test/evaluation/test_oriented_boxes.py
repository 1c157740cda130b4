"""Distances between upright boxes of any yaw."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from stma_ros.evaluation.oriented_boxes import gaps, offset_in
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.standard import Point, Pose, Vector3
from stma_ros.worlds.robot.map_frame import MapFrame


def box(x: float, y: float, z: float, size: tuple[float, float, float], yaw: float) -> BoundingBox3D:
    pose = Pose.planar(x, y, yaw)
    return BoundingBox3D(center=Pose(Point(x, y, z), pose.orientation), size=Vector3(*size))


_place, _side, _angle = st.floats(-3, 3), st.floats(0, 2), st.floats(-math.pi, math.pi)
boxes = st.builds(box, _place, _place, _place, st.tuples(_side, _side, _side), _angle)


def test_gaps_of_boxes_along_the_axes_are_those_of_their_sides() -> None:
    size = (1.0, 1.0, 1.0)
    apart = gaps([box(0, 0, 0, size, 0), box(4, 5, 0, size, 0), box(0.5, 0.5, 3.5, size, math.pi / 2)])
    assert apart[0].tolist() == pytest.approx([0.0, 5.0, 2.5])


def test_the_gap_of_a_corner_to_a_side_is_measured_across_the_side() -> None:
    apart = gaps([box(0, 0, 0, (2, 2, 1), 0), box(3, 0, 0, (2, 2, 1), math.pi / 4)])
    assert apart[0, 1] == pytest.approx(2 - math.sqrt(2))


def test_crossing_boxes_touch_though_no_corner_of_one_is_in_the_other() -> None:
    assert gaps([box(0, 0, 0, (4, 0.2, 1), 0.3), box(0, 0, 0, (0.2, 4, 1), 0.5)])[0, 1] == 0


@given(one=boxes, other=boxes)
def test_no_two_points_of_boxes_are_nearer_than_their_gap(one: BoundingBox3D, other: BoundingBox3D) -> None:
    apart = float(gaps([one, other])[0, 1])
    steps = np.linspace(-0.5, 0.5, 9)
    grids = [_points(each, steps) for each in (one, other)]
    nearest = np.linalg.norm(grids[0][:, None] - grids[1][None], axis=2).min()
    spacing = max(max(each.size.x, each.size.y, each.size.z) for each in (one, other)) / 8
    assert apart <= nearest + 1e-9
    assert nearest <= apart + math.sqrt(3) * spacing + 1e-9


@given(one=boxes, other=boxes, yaw=_angle, x=_place, y=_place)
def test_gaps_do_not_depend_on_the_map_frame(
    one: BoundingBox3D, other: BoundingBox3D, yaw: float, x: float, y: float
) -> None:
    frame = MapFrame.of(yaw, x, y)
    turned = [BoundingBox3D(center=frame.pose(each.center), size=each.size) for each in (one, other)]
    assert gaps(turned) == pytest.approx(gaps([one, other]), abs=1e-9)


@given(each=boxes, yaw=_angle)
def test_the_offset_in_a_box_is_along_its_own_axes(each: BoundingBox3D, yaw: float) -> None:
    center = each.center.position
    ahead = Point(center.x + math.cos(each.center.yaw), center.y + math.sin(each.center.yaw), center.z + 1)
    assert offset_in(each, ahead) == pytest.approx((1, 0, 1), abs=1e-9)


def _points(each: BoundingBox3D, steps: NDArray[np.float64]) -> NDArray[np.float64]:
    x, y, z = (grid.ravel() for grid in np.meshgrid(steps, steps, steps))
    cosine, sine = math.cos(each.center.yaw), math.sin(each.center.yaw)
    x, y, z = x * each.size.x, y * each.size.y, z * each.size.z
    at = each.center.position
    return np.stack([at.x + cosine * x - sine * y, at.y + sine * x + cosine * y, at.z + z], axis=1)
