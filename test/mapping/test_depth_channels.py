"""Tests of the channels that depth adds to a colour image."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.depth_channels import depth_channels
from stma_ros.mapping.transforms import camera_mount

CAMERA = PinholeCamera.from_horizontal_fov(40, 30, 1.2)
FLOOR, CEILING, WALL = (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, -1.0, -2.5), (-1.0, 0.0, 0.0, -3.0)
"""Planes n . p = d, with n on the camera's side."""


def depth_of(
    plane: tuple[float, ...], pose: NDArray[np.float64], camera: PinholeCamera = CAMERA
) -> NDArray[np.uint16]:
    """Returns the depth image of a plane [mm], 0 where it is not in view."""
    rows, columns = np.mgrid[: camera.height, : camera.width]
    rays = np.stack(
        ((columns - camera.cx) / camera.fx, (rows - camera.cy) / camera.fy, np.ones(rows.shape)), -1
    )
    normal, offset = np.array(plane[:3]), plane[3]
    depth = (offset - normal @ pose[:3, 3]) / (rays @ pose[:3, :3].T @ normal)
    return np.where((depth > 0) & (depth < 20), np.rint(depth * 1000), 0).astype(np.uint16)


@pytest.mark.parametrize(
    ("plane", "pitch", "height", "up"),
    [(FLOOR, 0.7, 0.0, 1.0), (CEILING, -0.7, 2.5, -1.0), (WALL, 0.1, None, 0.0)],
)
def test_floor_faces_up_the_ceiling_down_and_a_wall_neither(
    plane: tuple[float, ...], pitch: float, height: float | None, up: float
) -> None:
    pose = camera_mount(0.2, -0.1, 1.3, pitch)
    depth = depth_of(plane, pose)
    channels = depth_channels(depth, CAMERA, pose, 0.0)
    near = (depth > 0) & (depth < 6000)
    assert near.sum() > 300
    assert channels[near, 0] == pytest.approx(1000 / depth[near], rel=1e-5)
    if height is not None:
        assert channels[near, 1] == pytest.approx(height, abs=0.01)
    assert channels[near, 2] == pytest.approx(up, abs=0.05)


@given(pitch=st.floats(-0.3, 0.8), level=st.floats(-3, 3), eye=st.floats(0.5, 1.8))
def test_heights_are_those_above_the_floor_whatever_the_pitch_and_the_storey(
    pitch: float, level: float, eye: float
) -> None:
    pose = camera_mount(0.0, 0.0, level + eye, pitch)
    depth = np.full((CAMERA.height, CAMERA.width), 2000, np.uint16)
    channels = depth_channels(depth, CAMERA, pose, level)
    middle = channels[14:16, 19:21].mean(axis=(0, 1))
    assert middle[1] == pytest.approx(eye - 2 * np.sin(pitch), abs=1e-3)
    assert middle[2] == pytest.approx(np.sin(pitch), abs=1e-3)  # it faces the camera


def test_channels_are_zero_where_depth_was_not_measured_and_orientation_is_at_edges() -> None:
    depth = np.full((CAMERA.height, CAMERA.width), 2000, np.uint16)
    depth[10], depth[20] = 0, 65535
    depth[5:8, 5] = 3000  # one column, far behind what is beside it
    channels = depth_channels(depth, CAMERA, camera_mount(0.0, 0.0, 1.2, 0.0), 0.0)
    assert not channels[[10, 20]].any()
    assert channels[6, 5, 2] == 0
    assert channels[6, 5, 0] == pytest.approx(1 / 3)
    assert np.isfinite(channels).all()


@pytest.mark.parametrize("width", [320, 640, 1280])
def test_noise_tilts_a_floor_no_more_at_a_higher_resolution(width: int) -> None:
    camera = PinholeCamera.from_horizontal_fov(width, width * 3 // 4, 1.2)
    pose = camera_mount(0.0, 0.0, 1.2, 0.5)
    exact = depth_of(FLOOR, pose, camera)
    metres = exact / 1000
    noise = 0.0012 + 0.0019 * (metres - 0.4) ** 2  # as of a structured-light camera
    noisy = np.rint(exact + 1000 * noise * np.random.default_rng(0).standard_normal(exact.shape)).astype(
        np.uint16
    )
    up = depth_channels(noisy, camera, pose, 0.0)[(exact > 1500) & (exact < 3000), 2]
    assert np.median(up) > 0.95
    assert np.quantile(up, 0.1) > 0.85


def test_dust_on_the_lens_is_not_told_as_nearer_than_ten_centimetres() -> None:
    depth = np.full((CAMERA.height, CAMERA.width), 2000, np.uint16)
    depth[3, 3] = 1
    assert depth_channels(depth, CAMERA, camera_mount(0.0, 0.0, 1.2, 0.0), 0.0)[3, 3, 0] == pytest.approx(
        10.0
    )


def test_image_of_another_camera_is_refused() -> None:
    with pytest.raises(ValueError, match="depth image is"):
        depth_channels(np.ones((4, 4), np.uint16), CAMERA, np.eye(4), 0.0)


@pytest.mark.parametrize("every", [1, 2, 3, 5])
def test_channels_of_some_pixels_are_those_of_all_at_these_pixels(every: int) -> None:
    depth = np.random.default_rng(0).integers(0, 3000, (CAMERA.height, CAMERA.width)).astype(np.uint16)
    pose = camera_mount(0.0, 0.0, 1.2, 0.2)
    some, everything = (depth_channels(depth, CAMERA, pose, 0.0, step) for step in (every, 1))
    assert np.array_equal(some, everything[every // 2 :: every, every // 2 :: every])
