"""Tests of oriented boxes."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.standard import Point, Pose, Quaternion, Vector3


@given(st.floats(-math.pi, math.pi))
def test_an_upright_box_has_the_yaw_it_was_made_with(yaw: float) -> None:
    box = BoundingBox3D.upright(Point(1.0, 2.0, 3.0), Vector3(0.4, 0.2, 0.1), yaw)
    assert math.cos(box.yaw - yaw) == pytest.approx(1.0)


@given(st.floats(-math.pi, math.pi), st.floats(0.1, 10.0))
def test_a_pose_has_its_yaw_also_by_a_quaternion_that_is_not_normalised(yaw: float, norm: float) -> None:
    turn = Quaternion(0.0, 0.0, norm * math.sin(yaw / 2), norm * math.cos(yaw / 2))
    assert math.cos(Pose(orientation=turn).yaw - yaw) == pytest.approx(1.0)


def test_an_upright_box_keeps_its_centre_and_its_own_extents() -> None:
    box = BoundingBox3D.upright(Point(1.0, 2.0, 3.0), Vector3(0.4, 0.2, 0.1), 0.5)
    assert (box.center.position, box.size) == (Point(1.0, 2.0, 3.0), Vector3(0.4, 0.2, 0.1))


def test_an_aligned_box_has_no_yaw() -> None:
    assert BoundingBox3D.aligned(Point(), Vector3(1.0, 1.0, 1.0)).yaw == 0.0
