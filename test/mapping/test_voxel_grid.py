"""Tests of integrating depth images into the voxel grid."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.mapping.distance import distance_field, snap, traversable
from stma_ros.mapping.occupancy import navigable_slice
from stma_ros.mapping.voxel_grid import BINARY, HIT_MISS, VoxelGrid, VoxelGridConfig
from stma_ros.types.errors import PoseJumpError
from support.mapping.box_world import CAMERA, DOOR, MOUNT, look, map_of, two_rooms, visit
from support.mapping.poses import planar_pose

NOTHING = np.zeros((CAMERA.height, CAMERA.width), np.uint16)


@pytest.mark.parametrize("depth", [0, 65535])
@pytest.mark.parametrize("rule", [HIT_MISS, BINARY])
def test_depth_image_without_a_measured_pixel_changes_nothing(depth, rule):
    voxels = map_of(two_rooms(), [(2.0, 2.0)], VoxelGrid(VoxelGridConfig(resolution=0.2, rule=rule)))
    counts, geometry = voxels.counts.copy(), voxels.geometry
    for x, y, yaw in np.random.default_rng(7).uniform(-50, 50, (20, 3)):
        assert voxels.integrate(NOTHING + np.uint16(depth), CAMERA, planar_pose(x, y, yaw) @ MOUNT) == 0
    assert voxels.geometry == geometry
    np.testing.assert_array_equal(voxels.counts, counts)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.floats(-20, 20), st.floats(-20, 20)), min_size=1, max_size=4))
def test_growing_the_grid_keeps_its_contents_in_place(corners):
    voxels = VoxelGrid(VoxelGridConfig(resolution=0.1))
    voxels.cover(0, 0, 1, 1)
    row, col = voxels.geometry.cell(0.55, 0.75)
    voxels.counts[3, row, col] = 4
    for x, y in corners:
        voxels.cover(x, y, x, y)
        assert voxels.geometry.contains(*voxels.geometry.cell(x, y))
    row, col = voxels.geometry.cell(0.55, 0.75)
    assert voxels.counts[3, row, col] == 4
    assert np.count_nonzero(voxels.counts) == 1


def test_growing_the_grid_before_or_after_a_frame_gives_the_same_map():
    grown, ready = VoxelGrid(), VoxelGrid()
    ready.cover(-12, -12, 12, 12)
    for voxels in (grown, ready):
        visit(voxels, two_rooms(), 2.0, 2.0, yaws=(0.0, 2.0, 4.0))
    row, col = ready.geometry.cell(*(low + 0.01 for low in grown.geometry.origin))
    rows, cols = grown.geometry.shape
    np.testing.assert_array_equal(ready.counts[:, row : row + rows, col : col + cols], grown.counts)


def test_counts_stay_within_limits_and_are_zero_only_where_unobserved():
    voxels = VoxelGrid()
    for _ in range(10):
        visit(voxels, two_rooms(), 2.0, 2.0, yaws=(0.0,))
    assert voxels.counts.min() == -4
    assert voxels.counts.max() == 4
    once = VoxelGrid()
    visit(once, two_rooms(), 2.0, 2.0, yaws=(0.0,))
    np.testing.assert_array_equal(once.unknown, voxels.unknown)


def _other_room_is_reached(voxels):
    occupancy = navigable_slice(voxels)
    passable = traversable(occupancy)
    start = snap(passable, occupancy.geometry, 2.0, 2.0)
    field = distance_field(passable, [start], occupancy.geometry.resolution)
    row, col = occupancy.geometry.cell(4.5, sum(DOOR) / 2)
    return bool(np.isfinite(field[row, col]))


@pytest.mark.parametrize("resolution", [0.05, 0.1])
def test_opened_door_becomes_free_and_closed_door_occupied(resolution):
    voxels = VoxelGrid(VoxelGridConfig(resolution=resolution))
    door = [*two_rooms(), (4.02, DOOR[0], 0.0, 4.06, DOOR[1], 2.05)]
    for _ in range(5):
        visit(voxels, door, 2.0, 2.0, yaws=(0.0,))
    assert not _other_room_is_reached(voxels)
    frames_to_open = 0
    while not _other_room_is_reached(voxels):
        visit(voxels, two_rooms(), 2.0, 2.0, yaws=(0.0,))
        frames_to_open += 1
        assert frames_to_open <= 5
    for _ in range(10):
        visit(voxels, two_rooms(), 2.0, 2.0, yaws=(0.0,))
    for _ in range(2):
        visit(voxels, door, 2.0, 2.0, yaws=(0.0,))
    assert not _other_room_is_reached(voxels)


def test_depth_beyond_the_range_frees_voxels_but_hits_none():
    voxels = VoxelGrid(VoxelGridConfig(max_range=2.0))
    far = np.full_like(NOTHING, 60_000)
    assert voxels.integrate(far, CAMERA, planar_pose(0, 0, 0) @ MOUNT) == 0
    assert voxels.free.any()
    assert not voxels.occupied.any()


@pytest.mark.parametrize("resolution", [0.05, 0.1])
def test_visible_surfaces_are_occupied_and_few_are_carved(resolution):
    voxels = map_of(two_rooms(), [(2.0, 2.0), (1.0, 3.0), (3.0, 1.0)], VoxelGrid(VoxelGridConfig(resolution)))
    row = voxels.geometry.cell(0.0, -0.03)[0]  # just inside the solid of the wall at y = 0
    cols = slice(voxels.geometry.cell(0.3, 0)[1], voxels.geometry.cell(3.7, 0)[1])
    wall = voxels.counts[voxels.layer(0.3) : voxels.layer(1.4), row, cols]
    assert (wall > 0).mean() > 0.99


def test_thin_leg_stays_although_most_rays_pass_it():
    leg = (3.0, -0.02, 0.0, 3.04, 0.02, 1.0)
    room = [(-1, -3, -0.1, 6, 3, 0.0), (5, -3, 0, 5.1, 3, 2.5)]
    voxels = VoxelGrid()
    for y in (0.0, 0.3, -0.3):
        visit(voxels, [*room, leg], 0.5, y, yaws=(0.0, 0.1))
    row, col = voxels.geometry.cell(3.02, 0.0)
    assert (
        (voxels.counts[voxels.layer(0.1) : voxels.layer(0.9), row - 1 : row + 1, col] > 0).any(axis=1).all()
    )


def test_pose_jump_is_refused_and_leaves_the_map_unchanged():
    voxels = map_of(two_rooms(), [(2.0, 2.0)])
    counts, geometry = voxels.counts.copy(), voxels.geometry
    image = look(two_rooms(), planar_pose(2, 2, 0) @ MOUNT)
    with pytest.raises(PoseJumpError, match="no map is larger than 200 m"):
        voxels.integrate(image, CAMERA, planar_pose(1e6, 2, 0) @ MOUNT)
    broken = planar_pose(2, 2, 0)
    broken[0, 3] = np.nan
    with pytest.raises(ValueError, match="finite"):
        voxels.integrate(image, CAMERA, broken)
    assert voxels.geometry == geometry
    np.testing.assert_array_equal(voxels.counts, counts)


@pytest.mark.parametrize(
    ("depth", "camera"),
    [
        (NOTHING.astype(np.float32) + np.nan, CAMERA),
        (NOTHING.astype(np.float32) + np.inf, CAMERA),
        (NOTHING + np.uint16(1500), dataclasses.replace(CAMERA, width=640)),
    ],
)
def test_image_that_is_not_the_cameras_is_refused_and_leaves_the_map_unchanged(depth, camera):
    voxels = map_of(two_rooms(), [(2.0, 2.0)])
    counts = voxels.counts.copy()
    with pytest.raises(ValueError, match="depth image is"):
        voxels.integrate(depth, camera, planar_pose(2, 2, 0) @ MOUNT)
    np.testing.assert_array_equal(voxels.counts, counts)


def test_intrinsics_of_a_view_larger_than_any_place_are_refused_and_leave_the_map_unchanged():
    voxels = map_of(two_rooms(), [(2.0, 2.0)])
    counts, geometry = voxels.counts.copy(), voxels.geometry
    for wrong in (dataclasses.replace(CAMERA, fx=0.5, fy=0.5), dataclasses.replace(CAMERA, cx=1e9)):
        with pytest.raises(PoseJumpError, match="intrinsics are wrong"):
            voxels.integrate(NOTHING + np.uint16(3000), wrong, planar_pose(2, 2, 0) @ MOUNT)
    assert voxels.geometry == geometry
    np.testing.assert_array_equal(voxels.counts, counts)


def test_grid_grows_without_moving_what_it_holds():
    voxels = map_of(two_rooms(), [(2.0, 2.0)])
    before, geometry = voxels.counts, voxels.geometry
    contents = before.copy()
    for x, y in ((30, 40), (-50, 2), (-60, -90)):
        voxels.cover(x, y, x, y)
    row, col = geometry.row0 - voxels.geometry.row0, geometry.col0 - voxels.geometry.col0
    assert min(row, col) > 0
    after = voxels.counts[:, row : row + geometry.rows, col : col + geometry.cols]
    assert after.__array_interface__["data"] == before.__array_interface__["data"]
    np.testing.assert_array_equal(after, contents)
    assert np.count_nonzero(voxels.counts) == np.count_nonzero(contents)


def test_unknown_rule_is_refused():
    with pytest.raises(ValueError, match="hit_miss or binary"):
        VoxelGridConfig(rule="tsdf")


def test_forgetting_a_box_keeps_free_voxels_and_those_outside():
    voxels = VoxelGrid(VoxelGridConfig(resolution=0.1))
    voxels.cover(0, 0, 3, 3)
    layer, (row, col) = voxels.layer(1.0), voxels.geometry.cell(1.05, 1.05)
    voxels.counts[layer, row, col] = 4  # the leaf
    voxels.counts[layer, row, col + 1] = -4  # seen to be free
    voxels.counts[layer, row, col + 8] = 4  # the wall
    voxels.forget((1.1, 1.05, 1.0), (0.4, 0.1, 2.0))
    assert voxels.counts[layer, row, [col, col + 1, col + 8]].tolist() == [0, -4, 4]
    voxels.forget((-8.5, -8.5, 1.0), (1.0, 1.0, 2.0))  # beyond the map there is nothing to forget
