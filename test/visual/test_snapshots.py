"""Tests of where a snapshot's detections and points of the map are in its picture, and of its field of view."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.mapping.camera import PinholeCamera, camera_of
from stma_ros.types.standard import Point, Pose, Quaternion
from stma_ros.visual.snapshots import detections_in_picture, field_of_view, place_across
from support.apps.exploration_run import camera_info, camera_pose, taken

CAMERA = camera_of(camera_info())
CEILING = Pose(Point(0.0, 0.0, 1.0), Quaternion(0.0, 0.0, 0.0, 1.0))  # the optical axis looks up


def test_boxes_of_a_smaller_picture_are_scaled() -> None:
    (sofa,) = detections_in_picture(taken("one", 1, "sofa"), 80, CAMERA)
    roi = sofa.roi
    assert (sofa.category, roi.x_offset, roi.y_offset, roi.width, roi.height) == ("sofa", 30, 20, 20, 20)


def test_boxes_are_unchanged_without_a_camera() -> None:
    (sofa,) = detections_in_picture(taken("one", 1, "sofa"), 80, None)
    assert (sofa.roi.x_offset, sofa.roi.width) == (60, 40)


@pytest.mark.parametrize(
    ("point", "share"),
    [
        (Point(2.0, 0.0, 0.3), 0.5),
        (Point(2.0, 1.0, 0.3), 0.25),
        (Point(2.0, -1.0, 9.0), 0.75),
        (Point(2.0, 3.0, 0.3), None),
        (Point(-2.0, 0.0, 0.3), None),
        (Point(math.nan, 0.0, 0.3), None),
    ],
)
def test_point_is_seen_across_the_picture_by_its_bearing(point: Point, share: float | None) -> None:
    assert place_across(point, camera_pose(), CAMERA) == (share if share is None else pytest.approx(share))


def test_point_is_nowhere_in_a_picture_without_a_pose() -> None:
    assert place_across(Point(2.0, 0.0, 0.3), Pose.none(), CAMERA) is None


@given(st.floats(-3.0, 3.0))
def test_field_of_view_turns_with_the_camera(yaw: float) -> None:
    view = field_of_view(camera_pose(yaw), CAMERA)
    assert view is not None
    place, right, left = view
    assert place == pytest.approx((0.0, 0.0))
    assert left - right == pytest.approx(math.pi / 2, abs=1e-6)
    assert math.remainder((left + right) / 2 - yaw, math.tau) == pytest.approx(0.0, abs=1e-6)


def test_field_of_view_of_a_camera_with_its_axis_beside_the_middle_is_uneven() -> None:
    view = field_of_view(camera_pose(), PinholeCamera(160, 120, 80.0, 80.0, 39.5, 59.5))
    assert view is not None
    _, right, left = view
    assert math.tan(left) == pytest.approx(0.5)
    assert math.tan(right) == pytest.approx(-1.5)


@pytest.mark.parametrize("pose", [Pose.none(), CEILING, Pose(orientation=Quaternion(0, 0, 0, 0))])
def test_camera_without_a_pose_or_a_level_direction_has_no_field_of_view(pose: Pose) -> None:
    assert field_of_view(pose, CAMERA) is None
