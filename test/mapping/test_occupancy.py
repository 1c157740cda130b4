"""Tests of the occupancy slices of the voxel map."""

from __future__ import annotations

import numpy as np
import pytest

from stma_ros.mapping.distance import distance_field, snap, traversable
from stma_ros.mapping.occupancy import (
    FREE,
    OCCUPIED,
    UNKNOWN,
    IncrementalSlice,
    OccupancySlice,
    mark_robot_footprint,
    navigable_slice,
    wall_slice,
)
from stma_ros.mapping.voxel_grid import VoxelGrid, VoxelGridConfig
from support.mapping.box_world import DOOR, FLAT_ROOMS, flat, map_of, table, two_rooms, visit


def _cells(occupancy, x0, y0, x1, y1):
    (row0, col0), (row1, col1) = occupancy.geometry.cell(x0, y0), occupancy.geometry.cell(x1, y1)
    return occupancy.data[row0:row1, col0:col1]


def _truly_blocked(boxes, points):
    """Whether each point (N, 2) lies in a box that reaches into the robot's heights."""
    return np.any(
        [
            ((points > (x0, y0)) & (points < (x1, y1))).all(axis=1)
            for x0, y0, z0, x1, y1, z1 in boxes
            if z1 > 0.1 and z0 < 1.4
        ],
        axis=0,
    )


@pytest.mark.parametrize("resolution", [0.05, 0.1])
def test_navigable_slice_shows_a_furnished_room(resolution):
    boxes = two_rooms() + table(2.6, 3.0)
    voxels = map_of(boxes, [(1.0, 1.0), (3.0, 1.2), (1.0, 3.2)], VoxelGrid(VoxelGridConfig(resolution)))
    occupancy = navigable_slice(voxels)
    free = np.argwhere(occupancy.data == FREE)
    wrong = _truly_blocked(boxes, occupancy.geometry.centers(free))
    assert wrong.mean() < 0.001
    assert (_cells(occupancy, 2.1, 2.7, 3.1, 3.3) == OCCUPIED).all()  # the table's top
    assert (_cells(occupancy, 0.4, 0.4, 3.6, 2.4) == FREE).mean() > 0.99  # the floor


@pytest.mark.parametrize("resolution", [0.05, 0.1])
def test_space_behind_walls_stays_unknown(resolution):
    voxels = map_of(
        two_rooms(door=None), [(2.0, 2.0), (3.4, 0.6), (0.6, 3.4)], VoxelGrid(VoxelGridConfig(resolution))
    )
    occupancy = navigable_slice(voxels)
    assert (_cells(occupancy, 4.3, 0.0, 8.0, 4.0) == UNKNOWN).all()
    assert (_cells(occupancy, -2.0, -1.0, -0.3, 5.0) == UNKNOWN).all()
    passable = traversable(occupancy)
    field = distance_field(passable, [snap(passable, occupancy.geometry, 2.0, 2.0)], resolution)
    points = occupancy.geometry.centers(np.argwhere(np.isfinite(field)))
    assert points.min() > 0.2
    assert points.max() < 3.8


@pytest.mark.parametrize("resolution", [0.05, 0.1])
@pytest.mark.parametrize("offset", [0.0, 0.03])
def test_doorway_of_90_cm_is_traversable(resolution, offset):
    door = (DOOR[0] + offset, DOOR[1] + offset)
    voxels = map_of(two_rooms(door), [(2.0, 2.0), (6.0, 2.0)], VoxelGrid(VoxelGridConfig(resolution)))
    occupancy = navigable_slice(voxels)
    passable = traversable(occupancy)
    field = distance_field(passable, [snap(passable, occupancy.geometry, 2.0, 2.0)], resolution)
    assert field[occupancy.geometry.cell(6.0, 2.0)] == pytest.approx(4.1, abs=0.3)


def test_robot_can_leave_its_place_after_the_first_view():
    voxels = VoxelGrid()
    visit(voxels, two_rooms(), 2.0, 2.0, yaws=(0.0,))
    occupancy = navigable_slice(voxels)
    passable = traversable(occupancy)
    field = distance_field(passable, [snap(passable, occupancy.geometry, 2.0, 2.0)], 0.05)
    assert field[occupancy.geometry.cell(3.4, 2.0)] == pytest.approx(1.4, abs=0.1)


def test_robot_footprint_changes_unknown_cells_only():
    voxels = map_of(two_rooms(), [(2.0, 2.0)])
    occupied = voxels.occupied
    mark_robot_footprint(voxels, 0.2, 0.2)  # nearer to the wall than a robot can be
    np.testing.assert_array_equal(voxels.occupied, occupied)
    alone = VoxelGrid()
    mark_robot_footprint(alone, -7.0, 3.0)
    occupancy = navigable_slice(alone)
    area = np.count_nonzero(occupancy.data == FREE) * 0.05**2
    assert area == pytest.approx(np.pi * 0.35**2, rel=0.05)
    assert not (occupancy.data == OCCUPIED).any()


def test_floor_behind_a_counter_stays_unknown():
    counter = (2.5, 0.0, 0.0, 3.0, 4.0, 0.9)
    voxels = map_of([*two_rooms(door=None), counter], [(0.6, 2.0)])
    assert (_cells(navigable_slice(voxels), 3.1, 1.0, 3.6, 3.0) != FREE).all()


def test_drop_of_the_floor_is_occupied():
    floor = (-1.0, -2.0, -0.1, 2.0, 2.0, 0.0)
    cellar = (2.0, -2.0, -2.1, 6.0, 2.0, -2.0)
    walls = [
        (6.0, -2.0, -2.0, 6.1, 2.0, 2.5),
        (-1.0, -2.1, -2.0, 6.0, -2.0, 2.5),
        (-1.0, 2.0, -2.0, 6.0, 2.1, 2.5),
    ]
    voxels = map_of([floor, cellar, *walls], [(0.0, 0.0)])
    occupancy = navigable_slice(voxels)
    assert (_cells(occupancy, 1.2, -0.5, 1.8, 0.5) == FREE).all()
    assert (_cells(occupancy, 2.45, -0.5, 2.7, 0.5) == OCCUPIED).all()


def test_wall_slice_does_not_contain_tables():
    voxels = map_of(two_rooms() + table(2.6, 3.0), [(1.0, 1.0), (3.0, 1.2)])
    walls = wall_slice(voxels)
    assert (_cells(walls, 2.1, 2.7, 3.1, 3.3) == FREE).all()
    assert (_cells(walls, 4.01, 0.3, 4.06, 1.4) == OCCUPIED).mean() > 0.9


def test_navigable_slice_is_read_only_and_empty_for_an_empty_map():
    occupancy = navigable_slice(VoxelGrid())
    assert occupancy.data.shape == (0, 0)
    with pytest.raises(ValueError, match="read-only"):
        navigable_slice(map_of(two_rooms(), [(2.0, 2.0)])).data[0, 0] = 0


def _same(one, other):
    assert one.geometry == other.geometry
    np.testing.assert_array_equal(one.data, other.data)


def test_incremental_slices_equal_those_of_the_whole_map_after_every_change():
    boxes, voxels, rng = flat(), VoxelGrid(VoxelGridConfig(0.1)), np.random.default_rng(1000)
    navigable, walls = IncrementalSlice.navigable(), IncrementalSlice.walls()
    for x, y in FLAT_ROOMS.values():
        visit(voxels, boxes, x, y, yaws=rng.uniform(-3, 3, 2))
        voxels.forget((x + 1, y, 1.0), (0.8, 0.3, 1.5), yaw=0.4)
        if rng.random() < 0.5:
            _same(navigable.update(voxels), navigable_slice(voxels))
            _same(walls.update(voxels), wall_slice(voxels))
    _same(navigable.update(voxels), navigable_slice(voxels))
    other = map_of(two_rooms(), [(2.0, 2.0)], VoxelGrid(VoxelGridConfig(0.1)))
    _same(navigable.update(other), navigable_slice(other))


def test_incremental_slice_is_the_same_object_when_nothing_has_changed():
    voxels = map_of(two_rooms(), [(2.0, 2.0)])
    navigable = IncrementalSlice.navigable()
    before = navigable.update(voxels)
    assert navigable.update(voxels) is before
    mark_robot_footprint(voxels, 2.0, 2.0)
    assert navigable.update(voxels) is not before


def test_slice_reads_again_only_what_has_changed():
    voxels = map_of(flat(), FLAT_ROOMS.values(), VoxelGrid(VoxelGridConfig(0.1)))
    navigable = IncrementalSlice.navigable()
    before = navigable.update(voxels)
    voxels.counts[:] = 4  # behind the back of the slice
    mark_robot_footprint(voxels, 7.0, 5.25)
    after = navigable.update(voxels)
    assert (_cells(after, 6.5, 5.0, 7.5, 5.5) == OCCUPIED).all()
    _same(
        OccupancySlice(_cells(after, 11.5, -1.0, 14.0, 12.0), after.geometry),
        OccupancySlice(_cells(before, 11.5, -1.0, 14.0, 12.0), before.geometry),
    )
