"""Tests of maps of several floors."""

from __future__ import annotations

import numpy as np
import pytest

from stma_ros.mapping.distance import distance_field, snap, traversable
from stma_ros.mapping.floors import floors, voxels_of
from stma_ros.mapping.frontiers.boundary_rules import find_frontiers
from stma_ros.mapping.occupancy import FREE, navigable_slice
from stma_ros.mapping.transforms import planar_pose
from stma_ros.mapping.voxel_grid import VoxelGrid, VoxelGridConfig
from support.mapping.box_world import ALL_ROUND, CAMERA, MOUNT, look, shell, two_rooms, visit

HEIGHT = 2.8


def _house():
    """Returns two floors, of which the upper one has two rooms and the lower one has one, looked at from one place
    each."""
    voxels = VoxelGrid(VoxelGridConfig(max_height=HEIGHT + 2.2))
    for boxes, height in ((shell(0, 0, 4, 4), 0.0), (two_rooms(), HEIGHT)):
        for yaw in ALL_ROUND:
            pose = planar_pose(1.5, 2.0, float(yaw)) @ MOUNT
            depth = look(boxes, pose)
            pose[2, 3] += height
            voxels.integrate(depth, CAMERA, pose)
    return voxels


def _frontiers(voxels, x, y):
    occupancy = navigable_slice(voxels)
    passable = traversable(occupancy)
    start = snap(passable, occupancy.geometry, x, y, max_distance=2.0)
    return find_frontiers(occupancy, distance_field(passable, [start], 0.05))


def test_frontiers_of_each_floor_are_found_on_its_own_slice():
    lower, upper = floors([HEIGHT, 0.0])
    house = _house()
    below, above = voxels_of(house, lower), voxels_of(house, upper)
    assert any(frontier.center[0] > 3.5 for frontier in _frontiers(above, 1.5, 2.0))  # the doorway
    assert not any(frontier.center[0] > 3.5 for frontier in _frontiers(below, 1.5, 2.0))


def test_band_of_a_floor_is_the_map_of_that_floor_alone():
    upper = floors([0.0, HEIGHT])[1]
    found = navigable_slice(voxels_of(_house(), upper))
    alone = VoxelGrid()
    for yaw in ALL_ROUND:
        pose = planar_pose(1.5, 2.0, float(yaw)) @ MOUNT
        alone.integrate(look(two_rooms(), pose), CAMERA, pose)
    expected = navigable_slice(alone)
    for x, y in ((1.0, 1.0), (3.0, 3.0), (3.9, 2.0), (2.0, 0.5)):
        assert found.data[found.geometry.cell(x, y)] == expected.data[expected.geometry.cell(x, y)]
    assert (found.data == FREE).sum() == pytest.approx((expected.data == FREE).sum(), rel=0.02)


def test_map_of_one_floor_is_its_own_band():
    voxels = VoxelGrid()
    visit(voxels, two_rooms(), 1.5, 2.0)
    (floor,) = floors([0.0])
    band = voxels_of(voxels, floor)
    assert band.config == voxels.config
    np.testing.assert_array_equal(band.counts, voxels.counts)


def test_robot_stands_on_the_floor_whose_band_it_is_in():
    lower, upper = floors([0.0, HEIGHT])
    assert [floor.contains(0.1) for floor in (lower, upper)] == [True, False]
    assert [floor.contains(HEIGHT - 0.1) for floor in (lower, upper)] == [False, True]
    assert lower.contains(1.4)


def test_floors_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="apart"):
        floors([0.0, 1.0])
    with pytest.raises(ValueError, match="max_height"):
        voxels_of(VoxelGrid(), floors([0.0, HEIGHT])[1])
