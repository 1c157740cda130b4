"""Tests of the boxes of segments, with and without noise of the camera."""

from __future__ import annotations

import numpy as np
import pytest

from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.depth_noise import depth_noise, noise_level
from stma_ros.mapping.segments import find_segments
from stma_ros.mapping.transforms import camera_mount
from stma_ros.types.planar import off_quarter
from support.mapping.box_world import CAMERA
from support.mapping.segmented_world import FLOOR_ID, WALL_ID, noisy, segment, view

CUP = (1.4, 0.3, 0.75, 1.5, 0.4, 0.87)
SHELF = (2.6, -0.9, 0.0, 3.0, 0.1, 0.7)
THINGS = {7: [CUP], 300: [SHELF]}


def test_segment_has_the_box_of_its_visible_surface() -> None:
    cup = segment(THINGS, 7, 0, 0, 0)
    assert abs(off_quarter(cup.yaw)) < 0.02
    assert cup.center == pytest.approx((1.45, 0.35, 0.81), abs=0.01)
    assert cup.size == pytest.approx((0.1, 0.1, 0.12), abs=0.01)
    assert not cup.truncated


def test_segment_index_gives_the_pixel_of_each_point() -> None:
    depth, ids, pose = view(THINGS, 0, 0, 0)
    for found in find_segments(depth, CAMERA, pose, ids, THINGS, 6.0, 0.0):
        assert set(ids.reshape(-1)[found.index]) == {found.id}
        assert len(found.index) == (ids == found.id).sum()
        away = (found.points - pose[:3, 3]) @ pose[:3, 2]
        assert away * 1000 == pytest.approx(depth.reshape(-1)[found.index], abs=0.1)


def test_find_segments_returns_wanted_ids_only() -> None:
    depth, ids, pose = view(THINGS, 0, 0, 0)
    assert [s.id for s in find_segments(depth, CAMERA, pose, ids, {300, 9}, 6.0, 0.0)] == [300]
    assert find_segments(depth, CAMERA, pose, ids, (), 6.0, 0.0) == []


def test_segment_is_truncated_by_border_range_and_missing_depth() -> None:
    assert segment(THINGS, 300, 1.9, -0.4, 0).truncated  # by the border
    depth, ids, pose = view(THINGS, 0, 0, 0)
    (near,) = find_segments(depth, CAMERA, pose, ids, [300], 2.8, 0.0)
    assert near.truncated  # by range
    depth[::3] = 0  # holes are not an end
    assert not find_segments(depth, CAMERA, pose, ids, [300], 6.0, 0.0)[0].truncated


@pytest.mark.parametrize(("width", "height"), [(255, 256), (256, 256), (257, 256), (320, 224), (128, 128)])
def test_box_has_the_size_of_a_face_of_any_number_of_columns(width: int, height: int) -> None:
    camera = PinholeCamera.from_horizontal_fov(640, 480, np.deg2rad(79))
    depth, ids = np.full((480, 640), 4000, np.uint16), np.zeros((480, 640), np.uint16)
    depth[100 : 100 + height, 100 : 100 + width] = 2000
    ids[100 : 100 + height, 100 : 100 + width] = 7
    (found,) = find_segments(depth, camera, camera_mount(0.0, 0.0, 1.2), ids, [7], 6.0, 0.0)
    assert found.size[:2].max() == pytest.approx(2.0 * width / camera.fx, rel=0.03)


@pytest.mark.parametrize("seed", range(6))
def test_box_is_robust_against_noise_and_flying_pixels(seed: int) -> None:
    depth, ids, pose = view(THINGS, 0, 0, 0)
    measured = noisy(depth, seed)
    level = noise_level(measured)
    for found in find_segments(measured, CAMERA, pose, ids, THINGS, 6.0, level):
        (clean,) = find_segments(depth, CAMERA, pose, ids, [found.id], 6.0, 0.0)
        assert np.linalg.norm(found.center - clean.center) < 0.04
        assert (np.sort(found.size) - np.sort(clean.size) < 0.06).all()


def test_box_is_enlarged_by_flying_pixels_without_the_correction() -> None:
    """Checks the assumption of the test above: the raw pixels of the cup reach to the wall behind it."""
    depth, ids, pose = view(THINGS, 0, 0, 0)
    (cup,) = find_segments(noisy(depth, 0), CAMERA, pose, ids, [7], 6.0, 0.0)
    assert cup.size.max() > 0.5


def test_distant_flat_face_stays_flat() -> None:
    poster = {7: [(5.9, -0.8, 0.8, 6.0, 0.8, 1.6)]}
    depth, ids, pose = view(poster, 1.0, 0, 0)
    rng = np.random.default_rng(0)
    metres = depth * 1e-3
    rough = np.round((metres + rng.normal(0, depth_noise(metres))) * 1000).astype(np.uint16)
    (found,) = find_segments(rough, CAMERA, pose, ids, [7], 6.0, 1.0)
    assert abs(off_quarter(found.yaw)) < 0.02
    assert found.size[:2].min() < 0.06  # sigma is 4 cm there
    assert found.center[0] == pytest.approx(5.9, abs=0.02)
    assert (found.size[:2].max(), found.size[2]) == pytest.approx((1.6, 0.8), abs=0.05)


@pytest.mark.parametrize("share", [0.5, 1.0, 2.0])
def test_noise_level_measures_the_noise_of_an_image(share: float) -> None:
    depth, _, _ = view(THINGS, 0, 0, 0.3)
    metres = depth * 1e-3
    rough = metres + share * np.random.default_rng(1).normal(0, depth_noise(metres))
    assert noise_level(np.round(rough * 1000).astype(np.uint16)) == pytest.approx(share, rel=0.1)


@pytest.mark.parametrize("window", [3, 5, 7])
@pytest.mark.parametrize("step", [0, 1 / 8])
def test_noise_level_counts_errors_that_neighbouring_pixels_share(window: int, step: float) -> None:
    """Stereo and structured light match windows of pixels, and step by a share of a pixel of disparity."""
    metres = view(THINGS, 0, 0, 0.3)[0] * 1e-3
    rng = np.random.default_rng(1)
    height, width = metres.shape
    errors = rng.normal(size=(height // window + 1, width // window + 1))
    shared = np.kron(errors, np.ones((window, window)))[:height, :width]
    rough = metres + shared * depth_noise(metres)
    if step:
        focal_baseline = 575 * 0.075 * width / 640  # of a Kinect [px m]
        rough = focal_baseline / (np.rint(focal_baseline / rough / step) * step)
    assert 0.7 < noise_level(np.round(rough * 1000).astype(np.uint16)) < 2.5


def test_noise_level_of_simulated_depth_is_near_zero() -> None:
    assert noise_level(view(THINGS, 0, 0, 0.3)[0]) < 0.1
    assert noise_level(np.zeros((48, 64), np.uint16)) == 0
    assert noise_level(np.full((3, 2), 900, np.uint16)) == 0


def test_find_segments_refuses_an_image_of_another_camera() -> None:
    depth, ids, pose = view(THINGS, 0, 0, 0)
    other = PinholeCamera.from_horizontal_fov(64, 48, 1.5)
    with pytest.raises(ValueError, match="camera_info"):
        find_segments(depth, other, pose, ids, [7], 6.0, 0.0)


def test_find_segments_treats_floor_and_walls_like_other_segments() -> None:
    depth, ids, pose = view({}, 0, 0, 0)
    found = find_segments(depth, CAMERA, pose, ids, (FLOOR_ID, WALL_ID), 10.0, 0.0)
    assert [s.id for s in found] == [FLOOR_ID, WALL_ID]
    assert found[0].high[2] == pytest.approx(0.0, abs=0.01)
