"""Tests of correcting a map made with drifting odometry when the localisation is corrected."""

from __future__ import annotations

import dataclasses
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from stma_ros.mapping import map_correction
from stma_ros.mapping.map_correction import DepthKeyframe, LocalizationTracker
from stma_ros.mapping.occupancy import FREE
from stma_ros.mapping.spatial_map import SpatialMap, SpatialMapConfig
from stma_ros.mapping.transforms import Pose, apply, inverse, yaw_of
from stma_ros.mapping.voxel_grid import VoxelGrid, VoxelGridConfig
from stma_ros.types.errors import PoseJumpError
from support.mapping.box_world import (
    ALL_ROUND,
    CAMERA,
    DOOR,
    FLAT_ROOMS,
    MOUNT,
    Box,
    flat,
    look,
    shell,
    two_rooms,
)
from support.mapping.poses import planar_pose

BOXES = flat()
STRAIGHT = [(x, 5.25, 0.0) for x in np.arange(1.0, 12.0, 0.5)]


@cache
def view(x: float, y: float, yaw: float) -> NDArray[np.uint16]:
    return look(BOXES, planar_pose(x, y, yaw) @ MOUNT)


SLIP = planar_pose(0.01, 0.015, 0.004)
"""The error of the odometry for each metre driven: it reads long, drifts to the left and turns."""


def odometry(stops: list[tuple[float, float, float]]) -> list[Pose]:
    """Returns the pose of each stop according to the odometry."""
    believed = [planar_pose(*stops[0])]
    for before, now in pairwise(stops):
        moved = inverse(planar_pose(*before)) @ planar_pose(*now)
        way = float(np.hypot(now[0] - before[0], now[1] - before[1]))
        slip = planar_pose(way * SLIP[0, 3], way * SLIP[1, 3], way * yaw_of(SLIP))
        believed.append(believed[-1] @ moved @ slip)
    return believed


class Walk:
    """Maps frames along a path with drifting odometry and a localisation that is corrected at given stops."""

    def __init__(self, stops: list[tuple[float, float, float]], corrected_at: tuple[int, ...]) -> None:
        self.map = SpatialMap()
        self.corrections = {}
        self.odometry = odometry(stops)
        localization = np.eye(4)
        for k, (stop, odom) in enumerate(zip(stops, self.odometry, strict=True)):
            if k in corrected_at:
                localization = planar_pose(*stop) @ inverse(odom)
            base = localization @ odom
            depth = view(*stop)
            correction = self.map.integrate(
                depth, CAMERA, base @ MOUNT, (float(base[0, 3]), float(base[1, 3])), k, localization
            )
            if correction is not None:
                self.corrections[k] = correction


def truth_of(stops: list[tuple[float, float, float]]) -> VoxelGrid:
    spatial = SpatialMap()
    for x, y, yaw in stops:
        pose = planar_pose(x, y, yaw) @ MOUNT
        spatial.integrate(view(x, y, yaw), CAMERA, pose, (x, y))
    return spatial.voxels


def agreement(one: VoxelGrid, other: VoxelGrid) -> float:
    """Share of the occupied voxels above the floor of either map that are occupied in the other."""
    cells = []
    for grid in (one, other):
        layer, row, col = np.nonzero(grid.counts[grid.layer(0.2) :] > 0)
        cells.append(set(zip(layer, row + grid.geometry.row0, col + grid.geometry.col0, strict=True)))
    return len(cells[0] & cells[1]) / len(cells[0] | cells[1])


@pytest.fixture(scope="module")
def truth() -> VoxelGrid:
    return truth_of(STRAIGHT)


def test_correction_straightens_the_map_of_the_way(truth: VoxelGrid) -> None:
    last = len(STRAIGHT) - 1
    drifting = Walk(STRAIGHT, ())
    corrected = Walk(STRAIGHT, (last,))
    assert list(corrected.corrections) == [last]
    assert agreement(drifting.map.voxels, truth) < 0.2
    assert agreement(corrected.map.voxels, truth) > 0.9


def test_successive_corrections_each_move_their_own_part_of_the_way(truth: VoxelGrid) -> None:
    corrected = Walk(STRAIGHT, (6, 14, len(STRAIGHT) - 1))
    assert list(corrected.corrections) == [6, 14, 21]
    assert agreement(corrected.map.voxels, truth) > 0.9


def test_correction_moves_observations_by_their_share_of_the_way() -> None:
    walk = Walk(STRAIGHT, (20,))
    correction = walk.corrections[20]
    point = (0.5, 1.0, 0.5)
    assert np.linalg.norm(apply(walk.odometry[20], point) - apply(planar_pose(*STRAIGHT[20]), point)) > 0.2
    for k in range(20):
        was, really = apply(walk.odometry[k], point), apply(planar_pose(*STRAIGHT[k]), point)
        assert apply(correction.at(k), was) == pytest.approx(really, abs=0.01)
    assert correction.at(20) == pytest.approx(np.eye(4))  # it was made with the new localisation


def test_correction_does_not_move_observations_before_the_last_one() -> None:
    second = Walk(STRAIGHT, (10, 20)).corrections[20]
    assert second.at(9).tolist() == np.eye(4).tolist()
    assert second.at(15)[:2, 3] != pytest.approx((0, 0), abs=0.01)


def test_map_without_corrections_is_identical_with_and_without_localization() -> None:
    followed, plain = SpatialMap(), SpatialMap()
    for k, (x, y, yaw) in enumerate(STRAIGHT):
        pose = planar_pose(x, y, yaw) @ MOUNT
        depth = view(x, y, yaw)
        followed.integrate(depth, CAMERA, pose, (x, y), k, np.eye(4))
        plain.integrate(depth, CAMERA, pose, (x, y))
    assert followed.voxels.geometry == plain.voxels.geometry
    assert np.array_equal(followed.voxels.counts, plain.voxels.counts)


def test_map_is_not_moved_when_odometry_is_reset() -> None:
    spatial = SpatialMap()
    for k, (x, y, yaw) in enumerate(STRAIGHT[:10]):
        pose = planar_pose(x, y, yaw) @ MOUNT
        localization = np.eye(4) if k < 5 else planar_pose(x, y, yaw)
        assert spatial.integrate(view(x, y, yaw), CAMERA, pose, (x, y), k, localization) is None
    assert agreement(spatial.voxels, truth_of(STRAIGHT[:10])) == 1.0


@pytest.mark.parametrize("degrees", [40.0, -25.0])
def test_map_begins_anew_when_its_frame_jumps(degrees: float) -> None:
    spatial = SpatialMap()
    frame = planar_pose(0.5, -0.5, np.deg2rad(degrees))
    for k, (x, y, yaw) in enumerate(STRAIGHT[:6]):
        localization = np.eye(4) if k < 5 else frame
        pose = localization @ planar_pose(x, y, yaw) @ MOUNT
        base = (float(pose[0, 3]), float(pose[1, 3]))
        assert spatial.integrate(view(x, y, yaw), CAMERA, pose, base, k, localization) is None
    alone = SpatialMap()
    alone.integrate(view(*STRAIGHT[5]), CAMERA, pose, base)
    assert spatial.restarts == 1
    assert agreement(spatial.voxels, alone.voxels) == 1.0


def test_rooms_and_frontiers_keep_their_ids_over_a_correction() -> None:
    walk = Walk(STRAIGHT[:16], ())
    here = STRAIGHT[15]
    before = walk.map.snapshot(here[:2])
    localization = planar_pose(*here) @ inverse(walk.odometry[15])
    pose = planar_pose(*here) @ MOUNT
    assert walk.map.integrate(look(BOXES, pose), CAMERA, pose, here[:2], 16, localization) is not None
    after = walk.map.snapshot(here[:2])
    assert after.room_at(*here[:2]) == before.room_at(*here[:2]) > 0
    known = {room.id for room in after.rooms.rooms} & {room.id for room in before.rooms.rooms}
    assert len(known) >= 0.7 * len(before.rooms.rooms) >= 2
    common = {frontier.id for frontier in after.frontiers} & {frontier.id for frontier in before.frontiers}
    assert len(common) >= 0.7 * len(before.frontiers) >= 3


@pytest.mark.parametrize("degrees", [2.0, 5.0, -5.0])
def test_a_frontier_keeps_its_id_when_a_correction_turns_what_is_far_away(degrees: float) -> None:
    corridor = shell(-3.0, -0.9, 30.0, 0.9)
    spatial, turn = SpatialMap(), planar_pose(0.0, 0.0, np.deg2rad(degrees))
    for k, yaw in enumerate(ALL_ROUND):
        pose = planar_pose(0.0, 0.0, yaw) @ MOUNT
        spatial.integrate(look(corridor, pose), CAMERA, pose, (0.0, 0.0), k, np.eye(4))
    (before,) = spatial.snapshot((0.0, 0.0)).frontiers
    depth = look(corridor, MOUNT)
    assert spatial.integrate(depth, CAMERA, turn @ MOUNT, (0.0, 0.0), len(ALL_ROUND), turn) is not None
    (after,) = spatial.snapshot((0.0, 0.0)).frontiers
    assert after.id == before.id


@pytest.mark.parametrize("is_loaded", [False, True], ids=["seen since the start", "loaded"])
def test_a_door_that_was_opened_stays_open_over_a_correction(is_loaded: bool) -> None:
    leaf: Box = (4.03, DOOR[0], 0.01, 4.07, DOOR[1], 2.04)
    spatial, still, near = SpatialMap(), np.eye(4), (3.3, 1.95)
    for k, yaw in enumerate((0.0, 0.3, -0.3)):
        pose = planar_pose(2.0, 1.9, yaw) @ MOUNT
        spatial.integrate(look([*two_rooms(), leaf], pose), CAMERA, pose, (2.0, 1.9), k, still)
    if is_loaded:
        spatial = SpatialMap.restored(SpatialMapConfig(), spatial.saved())
    low, high = np.array(leaf[:3]), np.array(leaf[3:])
    spatial.forget((low + high) / 2, high - low, 0.0, near)
    for k, localization in enumerate((still, planar_pose(0.06, 0.0, 0.0)), start=3):
        pose = (
            localization @ planar_pose(*near, 0.0) @ MOUNT
        )  # the camera does not see the lower part of the doorway
        base = (float(pose[0, 3]), near[1])
        correction = spatial.integrate(look(two_rooms(), pose), CAMERA, pose, base, k, localization)
    assert correction is not None
    after = spatial.snapshot(near)
    assert np.isfinite(after.distance[after.occupancy.geometry.cell(5.6, 1.8)])


def test_a_place_where_the_robot_stood_without_a_picture_moves_with_a_correction() -> None:
    spatial = SpatialMap()
    pose = planar_pose(*STRAIGHT[0]) @ MOUNT
    spatial.integrate(view(*STRAIGHT[0]), CAMERA, pose, STRAIGHT[0][:2], 0, np.eye(4))
    spatial.mark_robot((-3.0, 5.25))  # behind the camera
    spatial.mark_robot((-3.0, 5.3))
    moved = planar_pose(0.0, 0.25, 0.0)
    assert spatial.integrate(view(*STRAIGHT[0]), CAMERA, moved @ pose, (1.0, 5.5), 1, moved) is not None
    occupancy = spatial.occupancy()
    free = occupancy.geometry.centers(np.argwhere(occupancy.data == FREE))
    behind = free[free[:, 0] < -2.0]
    assert behind.mean(axis=0) == pytest.approx((-3.0, 5.5), abs=0.03)


def _small_map(max_extent: float) -> SpatialMap:
    return SpatialMap(SpatialMapConfig(voxels=VoxelGridConfig(max_extent=max_extent)))


def test_a_correction_is_returned_although_the_frame_with_it_is_too_far_away_for_the_map() -> None:
    spatial, moved = _small_map(14.0), planar_pose(0.0, 0.25, 0.0)
    first, second = (planar_pose(x, 5.25, 0.0) @ MOUNT for x in (1.0, 12.0))
    spatial.integrate(view(*STRAIGHT[0]), CAMERA, first, (1.0, 5.25), 0, np.eye(4))
    depth = look(BOXES, second)
    correction = spatial.integrate(depth, CAMERA, moved @ second, (12.0, 5.5), 1, moved)
    assert correction is not None
    assert correction.end == 1
    with pytest.raises(PoseJumpError):
        spatial.integrate(depth, CAMERA, moved @ second, (12.0, 5.5), 2, moved)


def test_a_correction_leaves_out_keyframes_that_it_moves_beyond_the_largest_map() -> None:
    poses = [planar_pose(x, 5.25, 0.0) @ MOUNT for x in (1.0, 9.5, 1.0)]
    moved = planar_pose(1.6, 0.0, 0.0)
    poses[2] = moved @ poses[2]
    localizations = (np.eye(4), np.eye(4), moved)
    empty = np.full((CAMERA.height, CAMERA.width), 9000, np.uint16)
    alone = SpatialMap()
    for pose in poses[:2]:
        alone.integrate(empty, CAMERA, pose, None)
    largest = max(alone.voxels.geometry.shape) * alone.voxels.config.resolution
    spatial = _small_map(largest)
    for k, (pose, localization) in enumerate(zip(poses, localizations, strict=True)):
        correction = spatial.integrate(empty, CAMERA, pose, None, k, localization)
    assert correction is not None
    assert apply(correction.at(1), (0.0, 0.0, 0.0)) == pytest.approx((0.8, 0.0, 0.0))
    assert spatial.voxels.geometry == alone.voxels.geometry


def test_number_of_keyframes_is_bounded() -> None:
    tracker = LocalizationTracker()
    rng = np.random.default_rng(0)
    depth = np.ones((480, 640), np.uint16)
    camera = dataclasses.replace(CAMERA, width=640, height=480)
    for k in range(400):
        x, y, yaw = rng.uniform((0, 0, -3), (10, 10, 3))
        tracker.add_keyframe(DepthKeyframe.compact(k, depth, camera, planar_pose(x, y, yaw), (x, y)))
    assert len(tracker.keyframes) == map_correction.MAX_KEYFRAMES
    assert sum(keyframe.depth_mm.nbytes for keyframe in tracker.keyframes) < 15e6
    assert [keyframe.stamp for keyframe in tracker.keyframes] == sorted(k.stamp for k in tracker.keyframes)
    assert tracker.keyframes[-1].stamp == 399


def test_robot_that_stands_still_stores_one_keyframe() -> None:
    tracker = LocalizationTracker()
    for k in range(50):
        depth = np.ones((120, 160), np.uint16)
        camera = dataclasses.replace(CAMERA, width=160, height=120)
        tracker.add_keyframe(DepthKeyframe.compact(k, depth, camera, planar_pose(1, 1, 0), (1, 1)))
    assert [keyframe.stamp for keyframe in tracker.keyframes] == [49]


@given(st.integers(1, 1300))
def test_compact_keyframe_looks_along_the_same_rays(width: int) -> None:
    camera = dataclasses.replace(CAMERA, width=width, height=3)
    depth = np.arange(3 * width, dtype=np.uint16).reshape(3, width)
    thin = DepthKeyframe.compact(0, depth, camera, np.eye(4), (0, 0))
    assert thin.depth_mm.shape == (thin.camera.height, thin.camera.width)
    assert thin.camera.width <= map_correction.COMPACT_WIDTH
    u = thin.camera.width - 1
    whole = int(thin.depth_mm[0, u])  # the column that it came from
    assert (u - thin.camera.cx) / thin.camera.fx == pytest.approx((whole - camera.cx) / camera.fx)


def test_saved_map_is_restored_unchanged() -> None:
    walk = Walk(STRAIGHT, (20,))
    before = walk.map.snapshot(STRAIGHT[-1][:2])
    config = SpatialMapConfig()
    back = SpatialMap.restored(config, walk.map.saved())
    after = back.snapshot(STRAIGHT[-1][:2])
    again = walk.map.snapshot(STRAIGHT[-1][:2])
    assert np.array_equal(after.occupancy.data, before.occupancy.data)
    assert np.array_equal(after.rooms.labels, before.rooms.labels)
    assert after.frontiers == again.frontiers
    x, y, yaw = FLAT_ROOMS["a"] + (0.0,)
    pose = planar_pose(x, y, yaw) @ MOUNT
    for spatial in (back, walk.map):
        spatial.integrate(view(x, y, yaw), CAMERA, pose, (x, y))
    one, other = back.saved(), walk.map.saved()
    assert one.geometry == other.geometry
    assert np.array_equal(one.counts, other.counts)
    assert one.frontiers.next_id == other.frontiers.next_id


def test_restored_map_is_not_moved_by_later_corrections() -> None:
    first = Walk(STRAIGHT, ())
    back = SpatialMap.restored(SpatialMapConfig(), first.map.saved())
    pose = planar_pose(12.3, 7.5, 0.0) @ MOUNT
    depth = look(BOXES, pose)
    back.integrate(depth, CAMERA, pose, (12.3, 7.5), 100, np.eye(4))
    moved = planar_pose(0.0, 0.2, 0.0)
    assert back.integrate(depth, CAMERA, moved @ pose, (12.3, 7.7), 101, moved) is not None
    unmoved = SpatialMap.restored(SpatialMapConfig(), first.map.saved())
    unmoved.integrate(depth, CAMERA, moved @ pose, (12.3, 7.7))
    unmoved.integrate(depth, CAMERA, moved @ pose, (12.3, 7.7))
    assert agreement(back.voxels, unmoved.voxels) > 0.95


def test_restoring_a_map_with_other_voxels_is_refused() -> None:
    saved = SpatialMap().saved()
    coarse = SpatialMapConfig(voxels=dataclasses.replace(saved.voxels, resolution=0.1))
    with pytest.raises(ValueError, match="made with"):
        SpatialMap.restored(coarse, saved)
