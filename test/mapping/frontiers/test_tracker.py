"""Tests of the ids of frontiers and of their changes."""

from __future__ import annotations

import numpy as np

from stma_ros.mapping.distance import distance_field
from stma_ros.mapping.frontiers.tracker import FrontierTracker
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancySlice
from support.mapping.found_frontiers import find_frontiers


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


def _track(tracker, occupancy, distance):
    return tracker.update(find_frontiers(occupancy, distance), occupancy.geometry)


def test_frontier_ids_survive_small_changes_and_are_never_reused():
    tracker = FrontierTracker()
    data = _corridor()
    (first,) = _track(tracker, _grid(data), _field(_grid(data)))
    assert (first.id, first.changed) == (1, True)
    (same,) = _track(tracker, _grid(data), _field(_grid(data)))
    assert (same.id, same.changed) == (1, False)
    data[1, 20] = FREE  # one cell more is known
    (nudged,) = _track(tracker, _grid(data), _field(_grid(data)))
    assert (nudged.id, nudged.changed) == (1, False)
    data[1:3, 20:22] = FREE
    (grown,) = _track(tracker, _grid(data), _field(_grid(data)))
    assert (grown.id, grown.changed) == (1, True)
    data[1:-1, 20:35] = FREE  # explored: the old end is gone, a new one appears
    (new,) = _track(tracker, _grid(data), _field(_grid(data)))
    assert (new.id, new.changed) == (2, True)
    assert _track(tracker, _grid(_corridor()[:, :18]), _field(_grid(_corridor()[:, :18])))[0].id == 3


def test_frontier_ids_survive_the_growth_of_the_map():
    tracker = FrontierTracker()
    data = _corridor()
    _track(tracker, _grid(data), _field(_grid(data)))
    grown = np.full((30, 60), UNKNOWN)
    grown[10:22, 12:52] = data
    occupancy = _grid(grown, row0=-10, col0=-12)
    (frontier,) = _track(tracker, occupancy, distance_field(occupancy.data == FREE, [(15, 17)], 0.1))
    assert (frontier.id, frontier.changed) == (1, False)


def test_same_cells_of_another_grid_are_another_frontier():
    tracker = FrontierTracker()
    data = _corridor()
    found = find_frontiers(_grid(data), _field(_grid(data)))
    (first,) = tracker.update(found, GridGeometry(0.1, 0, 0, *data.shape))
    (moved,) = tracker.update(found, GridGeometry(0.1, 30, 0, *data.shape))  # the same cells, 3 m away
    assert (moved.id, moved.changed) == (first.id + 1, True)
    (same,) = tracker.update(found, GridGeometry(0.1, 30, 0, *data.shape))
    assert (same.id, same.changed) == (moved.id, False)
