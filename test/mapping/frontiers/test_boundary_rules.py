"""Tests of finding frontiers on the border of what is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.mapping.distance import distance_field, snap, traversable
from stma_ros.mapping.frontiers.boundary_rules import FrontierConfig, FrontierFinder
from stma_ros.mapping.frontiers.tracker import FrontierTracker
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancySlice, navigable_slice
from stma_ros.mapping.voxel_grid import VoxelGrid
from support.mapping.box_world import DOOR, map_of, two_rooms
from support.mapping.found_frontiers import find_frontiers
from support.mapping.plain_frontiers import plain_frontiers
from support.mapping.random_grids import RandomGrid


def _seen_from(voxels, x, y):
    occupancy = navigable_slice(voxels)
    passable = traversable(occupancy)
    return occupancy, distance_field(passable, [snap(passable, occupancy.geometry, x, y)], 0.05)


def _grid(data, row0=0, col0=0):
    return OccupancySlice(np.asarray(data, np.int8), GridGeometry(0.1, row0, col0, *np.shape(data)))


def _corridor(length=40, known=20, width=10):
    """Returns a grid that is free up to column `known` and unknown beyond, with walls on both sides."""
    data = np.full((width + 2, length), UNKNOWN)
    data[:, :known] = FREE
    data[[0, -1]] = OCCUPIED
    data[:, 0] = OCCUPIED
    return data


def _field(occupancy):
    return distance_field(occupancy.data == FREE, [(5, 5)], 0.1)


def test_end_of_a_corridor_is_one_frontier():
    occupancy = _grid(_corridor(), row0=-30, col0=7)
    (frontier,) = find_frontiers(occupancy, _field(occupancy))
    assert frontier.length == pytest.approx(1.0)
    assert frontier.center == pytest.approx(((7 + 19.5) * 0.1, (-30 + 5.5) * 0.1))
    x, y, yaw = frontier.viewpoint
    assert (x, y) == pytest.approx(frontier.center)
    assert abs(yaw) < 0.1  # along the corridor
    assert frontier.distance == pytest.approx(1.4)
    assert frontier.unknown_area == pytest.approx(2.0, rel=0.1)  # 1 m wide, 2 m of view range, less an arc


def test_frontiers_count_space_beyond_the_grid_as_unknown():
    occupancy = _grid(_corridor(length=20, known=20))
    (frontier,) = find_frontiers(occupancy, _field(occupancy))
    assert frontier.center[0] == pytest.approx(1.95)
    assert frontier.unknown_area > 2.0


def test_frontier_must_be_reachable_and_large_enough():
    data = _corridor()
    data[:, 12] = OCCUPIED
    assert find_frontiers(_grid(data), _field(_grid(data))) == []
    crack = _corridor()
    crack[1:-1, 20] = OCCUPIED
    crack[5, 20] = FREE
    assert find_frontiers(_grid(crack), _field(_grid(crack))) == []
    pocket = _corridor()
    pocket[:, 21:] = OCCUPIED
    occupancy = _grid(pocket)
    assert find_frontiers(occupancy, _field(occupancy), FrontierConfig(min_unknown_area=0.15)) == []
    assert len(find_frontiers(occupancy, _field(occupancy), FrontierConfig(min_unknown_area=0.05))) == 1


def _narrow_end(occupancy):
    """Returns the distances of a robot that reaches the end of `_corridor` in its middle only, at three cells."""
    distance = _field(occupancy)
    distance[:, 18:21] = np.inf
    distance[5, 18] = 1.3
    return distance


def test_short_frontier_counts_when_there_is_no_other():
    occupancy, config = _grid(_corridor()), FrontierConfig(min_length=0.4)
    (frontier,) = find_frontiers(occupancy, _narrow_end(occupancy), config)
    assert frontier.length == pytest.approx(0.3)
    assert frontier.unknown_area > 1.5


def test_short_frontier_at_an_obstacle_is_no_frontier():
    data = _corridor()
    data[4, 20] = OCCUPIED
    occupancy = _grid(data)
    assert find_frontiers(occupancy, _narrow_end(occupancy), FrontierConfig(min_length=0.4)) == []


def test_short_frontier_does_not_count_next_to_a_long_one():
    data = _corridor(known=40)
    data[:, 38:] = UNKNOWN
    data[5, 20] = UNKNOWN  # a spot whose edges are short
    data[1:4, 0:3] = UNKNOWN
    occupancy = _grid(data)
    config = FrontierConfig(min_length=0.7, min_unknown_area=0.01)
    found = find_frontiers(occupancy, _field(occupancy), config)
    assert [round(frontier.center[0], 2) for frontier in found] == [3.75]


def _with_a_blind_strip():
    """Returns `_corridor` with two more columns of free floor behind two unknown ones."""
    data = _corridor()
    data[1:-1, 22:24] = FREE
    return data


def test_unknown_area_of_a_frontier_continues_behind_floor_that_is_cut_off():
    occupancy = _grid(_with_a_blind_strip())
    (frontier,) = find_frontiers(occupancy, _field(occupancy))
    (plain,) = find_frontiers(_grid(_corridor()), _field(_grid(_corridor())))
    assert frontier.viewpoint == pytest.approx(plain.viewpoint, abs=0.1)
    assert frontier.unknown_area == pytest.approx(
        plain.unknown_area - 0.2
    )  # floor that was seen is not unknown


def test_blind_spot_in_front_of_reachable_floor_is_no_frontier():
    data = _with_a_blind_strip()
    data[1, 20:22] = FREE  # a way past the blind spot
    occupancy = _grid(data)
    (frontier,) = find_frontiers(occupancy, _field(occupancy))
    assert frontier.center[0] > 2.2
    closed = data.copy()
    closed[:, 24] = OCCUPIED
    assert find_frontiers(_grid(closed), _field(_grid(closed))) == []


def test_speckles_under_furniture_are_no_frontier():
    data = _corridor()
    data[1:-1, 20:26] = UNKNOWN
    data[[3, 4, 6, 8], [21, 23, 22, 24]] = FREE
    data[:, 26] = OCCUPIED  # the back of it
    data[[2, 5, 9], [20, 22, 24]] = OCCUPIED
    occupancy = _grid(data)
    assert find_frontiers(occupancy, _field(occupancy), FrontierConfig(min_unknown_area=0.6)) == []
    assert len(find_frontiers(occupancy, _field(occupancy), FrontierConfig(min_unknown_area=0.5))) == 1


@settings(deadline=None)
@given(st.sets(st.tuples(st.integers(1, 10), st.integers(21, 38))))
def test_floor_seen_from_afar_reduces_a_frontier_by_its_own_area_only(seen):
    config = FrontierConfig(view_range=3.0, min_unknown_area=0.0)
    data = _corridor()
    data[:, -1] = OCCUPIED
    (before,) = find_frontiers(_grid(data), _field(_grid(data)), config)
    for cell in seen:
        data[cell] = FREE
    (after,) = find_frontiers(_grid(data), _field(_grid(data)), config)
    assert after.cells.tolist() == before.cells.tolist()
    assert after.unknown_area == pytest.approx(before.unknown_area - 0.01 * len(seen))


def test_empty_map_has_no_frontiers():
    occupancy = navigable_slice(VoxelGrid())
    assert find_frontiers(occupancy, np.empty((0, 0), np.float32)) == []


def test_long_frontiers_are_divided_without_losing_a_cell():
    radius = 45
    rows, cols = np.mgrid[-60:61, -60:61]
    data = np.where(
        rows**2 + cols**2 <= radius**2, FREE, UNKNOWN
    )  # free all round, as after a look in a field
    occupancy = _grid(data)
    field = distance_field(occupancy.data == FREE, [(60, 60)], 0.1)
    pieces = find_frontiers(occupancy, field, FrontierConfig(max_length=3.0))
    assert 8 <= len(pieces) <= 24
    for piece in pieces:
        spread = np.ptp(piece.cells, axis=0) * 0.1
        assert np.hypot(*spread) < 3.5
        x, y, yaw = piece.viewpoint
        outward = np.arctan2(y - 6.05, x - 6.05)
        assert np.cos(yaw - outward) > 0.9  # it looks away from what is known
    cells = np.concatenate([piece.cells for piece in pieces])
    whole = find_frontiers(occupancy, field, FrontierConfig(max_length=100.0))
    assert {tuple(cell) for cell in cells.tolist()} == {tuple(cell) for cell in whole[0].cells.tolist()}
    assert len(cells) == len(whole[0].cells)


def test_unexplored_room_is_a_frontier_in_its_doorway():
    voxels = map_of(two_rooms(), [(1.5, 3.4), (1.0, 1.0)])
    occupancy, field = _seen_from(voxels, 1.0, 1.0)
    frontiers = find_frontiers(occupancy, field)
    nearest = min(frontiers, key=lambda frontier: abs(frontier.center[0] - 4.05))
    assert nearest.center[0] > 3.8
    done, field = _seen_from(
        map_of(two_rooms(), [(6.0, 2.0), (7.5, 0.6), (4.7, 3.5), (4.7, 0.6)], voxels), 1.0, 1.0
    )
    assert find_frontiers(done, field) == []


def test_exploring_frontier_by_frontier_maps_both_rooms():
    voxels, boxes = VoxelGrid(), two_rooms()
    x, y = 1.0, 1.0
    tracker = FrontierTracker()
    for _ in range(15):
        map_of(boxes, [(x, y)], voxels)
        occupancy, field = _seen_from(voxels, x, y)
        frontiers = tracker.update(find_frontiers(occupancy, field), occupancy.geometry)
        if not frontiers:
            break
        x, y, _ = min(frontiers, key=lambda frontier: (frontier.distance, frontier.id)).viewpoint
    occupancy = navigable_slice(voxels)
    assert frontiers == []
    for room in ((0.3, 3.7), (4.4, 7.8)):
        (row0, col0), (row1, col1) = (occupancy.geometry.cell(room[k], (0.3, 3.7)[k]) for k in (0, 1))
        assert (occupancy.data[row0:row1, col0:col1] == FREE).mean() > 0.98
    assert occupancy.data[occupancy.geometry.cell(4.05, sum(DOOR) / 2)] == FREE


@pytest.mark.parametrize("degrees", [0, 20, 45, 70])
def test_length_of_a_straight_frontier_does_not_depend_on_its_direction(degrees: float) -> None:
    """A frontier across a corridor is as long as the corridor is wide, however that lies on the grid."""
    rows, cols = np.indices((121, 121)) - 60
    angle = np.deg2rad(degrees)
    along = np.cos(angle) * cols + np.sin(angle) * rows
    across = np.cos(angle) * rows - np.sin(angle) * cols
    data = np.full(rows.shape, OCCUPIED, np.int8)
    data[np.abs(across) <= 20] = UNKNOWN
    data[(np.abs(across) <= 20) & (along <= 0)] = FREE
    occupancy = OccupancySlice(data, GridGeometry(0.05, 0, 0, *data.shape))
    distance = np.where(data == FREE, np.float32(1), np.float32(np.inf))
    found = find_frontiers(occupancy, distance)
    across_corridor = [each for each in found if np.hypot(each.center[0] - 3.0, each.center[1] - 3.0) < 1.1]
    assert sum(each.length for each in across_corridor) == pytest.approx(2.05, rel=0.12)


def _assert_same(found, expected):
    assert [each.cells.tolist() for each in found] == [each.cells.tolist() for each in expected]
    for one, other in zip(found, expected, strict=True):
        assert one.center == other.center
        assert one.viewpoint == pytest.approx(other.viewpoint)
        assert one.distance == other.distance
        assert one.length == pytest.approx(other.length)
        assert one.unknown_area == pytest.approx(other.unknown_area)


_CONFIGS = [
    FrontierConfig(),
    FrontierConfig(min_length=1.5, max_length=0.7, view_range=0.5, min_unknown_area=0.0),
    FrontierConfig(min_length=100.0, max_length=2.0, view_range=1.0),
]


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1), st.sampled_from(_CONFIGS))
def test_found_frontiers_are_those_of_the_rules_as_stated(seed, config):
    grid = RandomGrid(np.random.default_rng(seed), rows=50, cols=45)
    _assert_same(
        find_frontiers(grid.occupancy, grid.distance(), config),
        plain_frontiers(grid.occupancy, grid.distance(), config),
    )


@settings(deadline=None, max_examples=12)
@given(st.integers(0, 2**32 - 1), st.sampled_from(_CONFIGS))
def test_updates_of_a_changing_map_find_what_a_look_at_the_whole_finds(seed, config):
    grid = RandomGrid(np.random.default_rng(seed), rows=110, cols=75)
    finder = FrontierFinder(config)
    for _ in range(8):
        occupancy, distance = grid.occupancy, grid.distance()
        _assert_same(finder.update(occupancy, distance), find_frontiers(occupancy, distance, config))
        grid.change()


def test_updates_follow_a_map_that_grows_and_moves():
    finder = FrontierFinder()
    for geometry_of in (_corridor(), np.pad(_corridor(), 7, constant_values=UNKNOWN), _corridor(length=30)):
        occupancy = _grid(geometry_of, row0=3)
        distance = distance_field(occupancy.data == FREE, np.argwhere(occupancy.data == FREE)[:1], 0.1)
        _assert_same(finder.update(occupancy, distance), find_frontiers(occupancy, distance))
