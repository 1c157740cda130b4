"""Tests of back-projecting depth images, and of camera and base poses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.mapping.camera import PinholeCamera, point_image
from stma_ros.mapping.transforms import apply, camera_mount, inverse, pose_matrix, yaw_of
from support.mapping.poses import planar_pose

CAMERA = PinholeCamera(5, 3, 2.0, 4.0, 2.0, 1.0)


def test_point_image_treats_integer_pixels_as_pixel_centers_in_the_optical_frame():
    depth = np.zeros((3, 5), np.uint16)
    depth[1, 2] = 2000  # the principal point: straight ahead
    depth[2, 4] = 1000  # right and down
    points = point_image(depth, CAMERA)[[1, 2], [2, 4]]
    np.testing.assert_allclose(points, [[0, 0, 2], [1.0, 0.25, 1]], rtol=1e-6)


def test_point_image_has_no_numbers_for_unmeasured_and_far_pixels():
    depth = np.array([[0, 4999, 5000, 5001, 65535]] * 3, np.uint16)
    points = point_image(depth, CAMERA, max_range=5.0)
    assert points[:, 1, 2].tolist() == pytest.approx([4.999] * 3)
    assert np.isnan(points[:, [0, 2, 3, 4]]).all()


def test_point_image_with_a_stride_keeps_every_nth_pixel():
    depth = np.arange(1, 16, dtype=np.uint16).reshape(3, 5) * 100
    whole = point_image(depth, CAMERA)
    np.testing.assert_array_equal(point_image(depth, CAMERA, stride=2), whole[::2, ::2])


@pytest.mark.parametrize("depth", [np.zeros((3, 4), np.uint16), np.zeros((3, 5), np.float32)])
def test_camera_refuses_an_image_of_another_size(depth):
    with pytest.raises(ValueError, match="16UC1"):
        point_image(depth, CAMERA)


def test_camera_without_focal_length_is_refused():
    with pytest.raises(ValueError, match="camera_info"):
        PinholeCamera(5, 3, 0.0, 1.0, 2.0, 1.0)


def test_pitched_camera_looks_down_and_does_not_mirror():
    mount = camera_mount(0.1, 0.0, 1.2, pitch=np.pi / 4)
    np.testing.assert_allclose(apply(mount, (0, 0, np.sqrt(2))), (1.1, 0, 0.2), atol=1e-12)
    np.testing.assert_allclose(apply(mount, (-1, 0, 0)), (0.1, 1, 1.2), atol=1e-12)


@given(st.floats(-5, 5), st.floats(-5, 5), st.floats(-3.1, 3.1))
def test_planar_poses_keep_their_yaw_and_invert(x, y, yaw):
    pose = planar_pose(x, y, yaw)
    assert yaw_of(pose) == pytest.approx(yaw, abs=1e-9)
    np.testing.assert_allclose(inverse(pose) @ pose, np.eye(4), atol=1e-12)


@pytest.mark.parametrize(
    ("position", "quaternion"), [((0, 0, np.nan), (0, 0, 0, 1)), ((0, 0, 0), (0, 0, 0, 0))]
)
def test_pose_matrix_refuses_numbers_that_are_not_a_pose(position, quaternion):
    with pytest.raises(ValueError, match="not a pose"):
        pose_matrix(position, quaternion)
