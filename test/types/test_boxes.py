"""Tests of oriented boxes."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.standard import Point, Vector3


@given(st.floats(-math.pi, math.pi))
def test_an_upright_box_has_the_yaw_it_was_made_with(yaw: float) -> None:
    box = BoundingBox3D.upright(Point(1.0, 2.0, 3.0), Vector3(0.4, 0.2, 0.1), yaw)
    assert math.cos(box.yaw - yaw) == pytest.approx(1.0)


def test_an_upright_box_keeps_its_centre_and_its_own_extents() -> None:
    box = BoundingBox3D.upright(Point(1.0, 2.0, 3.0), Vector3(0.4, 0.2, 0.1), 0.5)
    assert (box.center.position, box.size) == (Point(1.0, 2.0, 3.0), Vector3(0.4, 0.2, 0.1))


def test_an_aligned_box_has_no_yaw() -> None:
    assert BoundingBox3D.aligned(Point(), Vector3(1.0, 1.0, 1.0)).yaw == 0.0
