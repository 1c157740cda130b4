"""Tests of segmenting the map into rooms and of tracking their ids."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import Delaunay

from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancySlice, navigable_slice, wall_slice
from stma_ros.mapping.rooms import RoomTracker, segment_rooms
from stma_ros.mapping.tracking import RegionIds
from stma_ros.mapping.voxel_grid import VoxelGrid, VoxelGridConfig
from support.mapping.box_world import FLAT_ROOMS, flat, map_of, table, two_rooms


def _slices(voxels):
    return navigable_slice(voxels), wall_slice(voxels)


def _room_at(room_map, x, y):
    return int(room_map.labels[room_map.geometry.cell(x, y)])


@pytest.fixture(scope="module", params=[0.05, 0.1])
def exploration(request):
    """Returns the two slices after each stop of a tour of all rooms and both ends of the hall."""
    voxels, tour = VoxelGrid(VoxelGridConfig(request.param)), []
    for stop in (*FLAT_ROOMS.values(), (2.0, 5.25), (12.0, 5.25)):
        map_of(flat(), [stop], voxels)
        tour.append(_slices(voxels))
    return tour


def test_segment_rooms_finds_every_room_of_a_flat(exploration):
    rooms = RoomTracker().update(*exploration[-1])
    ids = [_room_at(rooms, x, y) for x, y in FLAT_ROOMS.values()]
    assert sorted(ids) == [room.id for room in rooms.rooms] == [1, 2, 3, 4, 5, 6]
    area = {
        name: next(room.area for room in rooms.rooms if room.id == room_id)
        for name, room_id in zip(FLAT_ROOMS, ids, strict=True)
    }
    truth = {
        "hall": 14 * 1.3,
        "a": 4.6 * 4.5 - 1.1,
        "b": 4.6 * 4.5,
        "c": 4.6 * 4.5,
        "d": 6.9 * 6,
        "e": 7 * 6 - 0.9,
    }
    assert area == pytest.approx(truth, rel=0.06)


def test_rooms_have_their_ids_after_any_number_of_others(exploration):
    ids = RegionIds()
    ids.next_id = 2**15
    rooms = RoomTracker(ids=ids).update(*exploration[-1])
    assert [room.id for room in rooms.rooms] == list(range(2**15, 2**15 + 6))
    assert set(np.unique(rooms.labels)) == {0, *(room.id for room in rooms.rooms)}


def test_hall_has_an_opening_for_each_room(exploration):
    rooms = RoomTracker().update(*exploration[-1])
    hall = _room_at(rooms, *FLAT_ROOMS["hall"])
    assert {room.id: room.openings for room in rooms.rooms} == {
        room.id: 5 if room.id == hall else 1 for room in rooms.rooms
    }


def test_polygon_of_a_room_contains_its_cells(exploration):
    rooms = RoomTracker().update(*exploration[-1])
    for room in rooms.rooms:
        cells = np.argwhere(rooms.labels == room.id)
        assert (Delaunay(room.polygon).find_simplex(rooms.geometry.centers(cells)) >= 0).all()
        x, y = np.array(room.polygon).T
        hull_area = 0.5 * (x @ np.roll(y, -1) - y @ np.roll(x, -1))  # positive: counter-clockwise
        assert room.area <= hull_area + 1e-6 < room.area * 1.35


def test_room_ids_survive_the_exploration_of_the_flat(exploration):
    tracker = RoomTracker()
    known: dict[str, int] = {}
    for name, slices in zip(FLAT_ROOMS, exploration, strict=False):
        rooms = tracker.update(*slices)
        known[name] = _room_at(rooms, *FLAT_ROOMS[name])
        for seen, room_id in known.items():
            assert _room_at(rooms, *FLAT_ROOMS[seen]) == room_id > 0
    assert len(set(known.values())) == len(FLAT_ROOMS)


@pytest.mark.parametrize("resolution", [0.05, 0.1])
def test_doorway_divides_rooms_and_furniture_does_not(resolution):
    furniture = table(2.0, 2.0, 2.6, 0.9) + table(6.0, 2.0, 0.9, 2.6)
    voxels = map_of(
        two_rooms() + furniture,
        [(1.0, 0.8), (3.3, 3.4), (5.0, 0.6), (7.2, 3.5)],
        VoxelGrid(VoxelGridConfig(resolution)),
    )
    rooms = RoomTracker().update(*_slices(voxels))
    assert [room.area for room in rooms.rooms] == pytest.approx([16.2, 16.2], rel=0.05)


def test_corridor_as_narrow_as_a_door_is_a_room():
    data = np.full((80, 120), OCCUPIED, np.int8)
    data[5:75, 5:45] = FREE  # 4 m x 7 m
    data[36:44, 45:90] = FREE  # 0.8 m x 4.5 m
    data[5:75, 90:115] = FREE  # 2.5 m x 7 m
    grid = OccupancySlice(data, GridGeometry(0.1, 0, 0, 80, 120))
    labels = segment_rooms(grid, grid)
    assert labels.max() == 3
    assert labels[40, 67] not in (0, labels[40, 20], labels[40, 100])
    assert np.array_equal(labels > 0, data == FREE)


def test_small_alcove_belongs_to_the_adjacent_room():
    data = np.full((60, 60), OCCUPIED, np.int8)
    data[5:45, 5:45] = FREE
    data[45:47, 20:28] = FREE  # a passage of 0.8 m into
    data[47:59, 17:31] = FREE  # 1.7 m^2
    grid = OccupancySlice(data, GridGeometry(0.1, 0, 0, 60, 60))
    labels = segment_rooms(grid, grid)
    assert labels.max() == 1
    assert np.array_equal(labels > 0, data == FREE)


def _hall(end, *, divided):
    """Returns the slices of a hall, known to column `end`, in which 2.2 m may be parted off by a wall with a door."""
    data = np.full((80, 160), UNKNOWN, np.int8)
    data[9:61, 9 : end + 1] = OCCUPIED
    data[10:60, 10:end] = FREE
    if divided:
        data[10:60, 32] = OCCUPIED
        data[32:38, 32] = FREE
    grid = GridGeometry(0.1, 0, 0, *data.shape)
    return OccupancySlice(np.full_like(data, UNKNOWN), grid), OccupancySlice(data, grid)


@pytest.mark.parametrize("end", [70, 90, 120])
def test_larger_part_of_a_divided_room_keeps_the_id_while_it_is_explored_further(end):
    tracker = RoomTracker()
    tracker.update(*_hall(70, divided=False))
    rooms = tracker.update(*_hall(end, divided=True))
    assert [int(rooms.labels[35, col]) for col in (60, 15)] == [1, 2]


def test_empty_map_has_no_rooms():
    assert RoomTracker().update(*_slices(VoxelGrid())).rooms == ()
