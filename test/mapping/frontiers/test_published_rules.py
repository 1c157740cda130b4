"""Tests of finding frontiers by the published rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from stma_ros.mapping.distance import distance_field
from stma_ros.mapping.frontiers.published_rules import PublishedFrontierConfig, PublishedFrontierFinder
from stma_ros.mapping.frontiers.tracker import FrontierTracker
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.voxel_grid import VoxelGrid, VoxelGridConfig

ROBOT = (15, 10)  # row, column
EIGHT = np.ones((3, 3), int)


class Floor:
    """A floor of cells of 0.1 m, with a robot."""

    def __init__(self, navigable, explored, robot=ROBOT, corner=(0, 0)):
        self.navigable = np.array(navigable, bool)
        self.explored = np.array(explored, bool)
        self.geometry = GridGeometry(0.1, *corner, *self.navigable.shape)
        self.robot = robot

    def find(self, finder=None, passable=None):
        distance = distance_field(self.navigable if passable is None else passable, [self.robot], 0.1)
        robot = self.geometry.center(*self.robot)
        finder = finder or PublishedFrontierFinder()
        return finder.update(self.navigable, self.explored, self.geometry, distance, robot)


def _hall(rows=30, cols=60, explored=20):
    """Returns a hall with walls round it, explored up to a column."""
    navigable = np.zeros((rows, cols), bool)
    navigable[1:-1, 1:-1] = True
    seen = np.zeros((rows, cols), bool)
    seen[:, :explored] = True
    return Floor(navigable, seen)


def test_rest_of_a_hall_is_one_frontier_seen_from_the_edge_of_what_was_explored():
    floor = _hall()
    (frontier,) = floor.find()
    rows, cols = frontier.cells.T
    assert (rows.min(), rows.max(), cols.min(), cols.max()) == (
        1,
        28,
        21,
        58,
    )  # column 20 is next to explored ones
    assert len(frontier.cells) == 28 * 38
    assert frontier.unknown_area == pytest.approx(10.64)
    assert floor.geometry.cell(*frontier.center)[1] in (19, 20)
    x, _, yaw = frontier.viewpoint
    assert abs(yaw) < 0.2
    assert frontier.distance == pytest.approx(x - floor.geometry.center(*ROBOT)[0], abs=0.1)


def test_small_regions_are_no_frontiers():
    floor = _hall(explored=60)
    floor.explored[5:9, 40:47] = False  # 2 x 5 cells of it have unexplored neighbours only
    assert floor.find() == []
    floor.explored[5:11, 40:47] = False  # 4 x 5
    (frontier,) = floor.find()
    assert len(frontier.cells) == 20
    assert floor.find(PublishedFrontierFinder(PublishedFrontierConfig(frontier_min_area=0.21))) == []


def test_floor_of_another_island_is_no_frontier():
    floor = _hall()
    floor.navigable[:, 30] = False
    (frontier,) = floor.find()
    assert frontier.cells[:, 1].max() == 29


def test_frontier_whose_edge_the_robot_cannot_get_near_is_dropped():
    floor = _hall()
    passable = floor.navigable.copy()
    passable[:, 11:] = False
    assert floor.find(passable=passable) == []
    passable[:, 11:17] = floor.navigable[:, 11:17]
    (frontier,) = floor.find(passable=passable)
    assert floor.geometry.cell(*frontier.viewpoint[:2])[1] == 16


def test_a_place_at_the_upper_end_of_the_map_is_judged_by_its_uppermost_layer():
    voxels = VoxelGrid(VoxelGridConfig(resolution=0.24))
    voxels.cover(0, 0, 1, 1)
    voxels.counts[:] = 1
    voxels.counts[-1, 0, 0] = -1
    assert voxels.layer(2.0) == len(voxels.counts)
    navigable = PublishedFrontierConfig(frontier_height=2.0).navigable(voxels)
    assert np.argwhere(navigable).tolist() == [[0, 0]]


def test_enclosed_robot_has_no_frontiers():
    floor = _hall()
    assert floor.find(passable=np.zeros_like(floor.navigable)) == []
    floor.navigable[:] = False
    assert floor.find() == []


def test_robot_off_the_free_floor_starts_from_the_nearest_free_cell():
    floor = _hall()
    floor.navigable[10:20, 5:14] = False
    (frontier,) = floor.find(passable=np.ones_like(floor.navigable))
    assert len(frontier.cells) == 28 * 38


@pytest.mark.parametrize(("max_span", "parts"), [(360.0, 1), (170.0, 3), (150.0, 3), (100.0, 4)])
def test_frontier_round_the_robot_is_split_by_bearing(max_span, parts):
    rows, cols = np.indices((61, 61)) - 30
    away = np.hypot(rows, cols)
    floor = Floor(away < 28, away < 12, robot=(30, 30))
    found = floor.find(PublishedFrontierFinder(PublishedFrontierConfig(frontier_max_span=max_span)))
    assert len(found) == parts
    cells = np.concatenate([frontier.cells for frontier in found])
    unexplored = ndimage.correlate((away >= 12).astype(int), EIGHT, mode="constant", cval=1) == 9
    assert {tuple(cell) for cell in cells.tolist()} == {
        tuple(cell) for cell in np.argwhere(unexplored & (away < 28)).tolist()
    }
    assert len(np.unique(cells, axis=0)) == len(cells)


def test_frontier_behind_the_robot_is_not_split_where_bearings_wrap():
    rows, cols = np.indices((61, 61)) - 30
    bearing = np.arctan2(rows, cols)
    floor = Floor(
        np.hypot(rows, cols) < 28, (np.hypot(rows, cols) < 12) | (np.abs(bearing) < 2.0), robot=(30, 30)
    )
    (frontier,) = floor.find()
    assert floor.geometry.center(30, 30)[0] - frontier.center[0] > 1.0


def test_unchanged_frontier_stays_as_it_was_made():
    floor, finder = _hall(), PublishedFrontierFinder()
    (first,) = floor.find(finder)
    floor.robot = (5, 12)
    floor.explored[1, 20:22] = True  # 3 cells less
    (same,) = floor.find(finder)
    assert same.cells.tolist() == first.cells.tolist()
    assert same.center == first.center
    assert same.distance != first.distance
    floor.explored[:, 20:24] = True
    (other,) = floor.find(finder)
    assert len(other.cells) == 28 * 34
    finder.reset()
    floor.explored[10:14, 24] = True
    assert len(floor.find(finder)[0].cells) == 28 * 34 - 6


def test_frontier_stays_while_it_is_in_two_parts_that_cover_it():
    floor, finder = _hall(), PublishedFrontierFinder()
    (whole,) = floor.find(finder)
    floor.navigable[14, 20:59] = False
    (same,) = floor.find(finder)
    assert same.cells.tolist() == whole.cells.tolist()
    assert len(floor.find()) == 2


def test_frontiers_stay_while_they_are_one_that_they_cover():
    floor, finder = _hall(), PublishedFrontierFinder()
    floor.navigable[14, 20:59] = False
    parts = floor.find(finder)
    floor.navigable[14, 20:59] = True
    same = floor.find(finder)
    assert [each.cells.tolist() for each in same] == [each.cells.tolist() for each in parts]
    assert len(floor.find()) == 1


def test_held_frontier_moves_with_the_grid():
    floor, finder = _hall(), PublishedFrontierFinder()
    (first,) = floor.find(finder)
    grown = Floor(np.pad(floor.navigable, 9), np.pad(floor.explored, 9), (24, 19), corner=(-9, -9))
    (same,) = grown.find(finder)
    np.testing.assert_array_equal(same.cells - 9, first.cells)
    assert same.center == pytest.approx(first.center)
    assert same.viewpoint == pytest.approx(first.viewpoint)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_regions_are_the_clusters_of_dbscan_on_floor_among_unexplored_floor(seed):
    rng = np.random.default_rng(seed)
    size = tuple(rng.integers(12, 50, 2))
    navigable = ndimage.uniform_filter(rng.random(size), 3) > 0.42
    explored = ndimage.uniform_filter(rng.random(size), 5) > 0.5
    if not navigable.any():
        return
    robot = tuple(rng.permutation(np.argwhere(navigable))[0].tolist())
    config = PublishedFrontierConfig(frontier_max_span=360.0, frontier_min_area=0.05, frontier_stand_off=9.0)
    found = Floor(navigable, explored, robot).find(PublishedFrontierFinder(config))
    islands, _ = ndimage.label(navigable)
    ring = EIGHT - np.pad([[1]], 1)
    neighbours = ndimage.correlate((~explored).astype(int), ring, mode="constant", cval=1)
    island = islands == islands[robot]
    labels, count = ndimage.label(island & (neighbours == 8))
    expected = [np.argwhere(labels == label).tolist() for label in range(1, count + 1)]
    expected = [cells for cells in expected if len(cells) >= 5]
    if not (island & (neighbours >= 4) & (neighbours <= 6)).any():
        expected = []
    assert [frontier.cells.tolist() for frontier in found] == expected


def test_ids_last_while_a_hall_is_explored():
    floor, finder, tracker = _hall(cols=90), PublishedFrontierFinder(), FrontierTracker()
    ids = []
    for column in range(20, 60, 4):
        floor.explored[:, :column] = True
        floor.robot = (15, column - 8)
        ids += [frontier.id for frontier in tracker.update(floor.find(finder), floor.geometry)]
    assert ids == [1] * 10
