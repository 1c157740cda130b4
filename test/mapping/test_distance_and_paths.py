"""Tests of distance fields, clearance and shortest paths on grids."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import ndimage
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from stma_ros.mapping.distance import bridged, clearance, distance_field, reachable, snap, traversable
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancySlice
from stma_ros.mapping.paths import shortest_path

masks = arrays(
    np.bool_,
    array_shapes(min_dims=2, max_dims=2, max_side=14),
    elements=st.sampled_from([True] * 3 + [False]),
)


def _steps(passable):
    """Yields every allowed step as (from, to, length) by brute force."""
    rows, cols = passable.shape
    for r, c in np.argwhere(passable):
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                s, d = r + dr, c + dc
                if (
                    (dr, dc) != (0, 0)
                    and 0 <= s < rows
                    and 0 <= d < cols
                    and passable[s, d]
                    and passable[r, d]
                    and passable[s, c]
                ):
                    yield r * cols + c, s * cols + d, np.hypot(dr, dc)


@settings(deadline=None)
@given(masks, st.data())
def test_distance_field_equals_dijkstras_algorithm(passable, data):
    cells = np.argwhere(passable)
    if not len(cells):
        return
    start = cells[data.draw(st.integers(0, len(cells) - 1))]
    steps = np.array(list(_steps(passable))).reshape(-1, 3)
    graph = coo_array(
        (steps[:, 2], (steps[:, 0].astype(int), steps[:, 1].astype(int))), shape=(passable.size,) * 2
    )
    expected = dijkstra(graph.tocsr(), indices=start[0] * passable.shape[1] + start[1]).reshape(
        passable.shape
    )
    np.testing.assert_allclose(distance_field(passable, [start], 0.1), expected * 0.1, rtol=1e-5)


@settings(deadline=None)
@given(masks, st.data())
def test_shortest_paths_are_symmetric_and_never_cross_obstacles(passable, data):
    cells = np.argwhere(passable)
    if not len(cells):
        return
    start, goal = (tuple(cells[data.draw(st.integers(0, len(cells) - 1))].tolist()) for _ in range(2))
    there, back = distance_field(passable, [start], 1.0), distance_field(passable, [goal], 1.0)
    assert there[goal] == pytest.approx(back[start], rel=1e-5)
    path = shortest_path(there, goal)
    if path is None:
        assert not reachable(there)[goal]
        return
    assert tuple(path[0]) == start
    assert tuple(path[-1]) == goal
    moves = np.abs(np.diff(path, axis=0))
    assert moves.max(initial=0) <= 1
    assert np.hypot(*moves.T).sum() == pytest.approx(there[goal], rel=1e-5, abs=1e-6)
    for (r, c), (s, d) in pairwise(path):
        assert passable[s, d]
        assert passable[r, d]
        assert passable[s, c]


@settings(deadline=None)
@given(masks)
def test_clearance_is_the_euclidean_distance(mask):
    expected = ndimage.distance_transform_edt(~mask) * 0.05 if mask.any() else np.full(mask.shape, np.inf)
    np.testing.assert_allclose(clearance(mask, 0.05), expected, rtol=1e-6)


def test_clearance_of_a_large_sparse_grid_is_exact():
    mask = np.random.default_rng(3).random((173, 291)) < 0.003
    np.testing.assert_allclose(clearance(mask, 0.1), ndimage.distance_transform_edt(~mask) * 0.1, rtol=1e-6)


@settings(deadline=None)
@given(
    arrays(
        np.int8,
        array_shapes(min_dims=2, max_dims=2, max_side=14),
        elements=st.sampled_from([FREE] * 6 + [OCCUPIED, UNKNOWN]),
    ),
    st.lists(st.sampled_from([-0.05, 0.0, 0.05, 0.1, 0.2, 0.25, 0.7]), min_size=1, max_size=2),
)
def test_traversable_cells_are_free_and_clear_of_obstacles_by_more_than_the_radius(data, radii):
    occupancy = OccupancySlice(data, GridGeometry(0.05, 0, 0, *data.shape))
    radius = np.full(data.shape, radii[0], np.float32)
    radius[: len(data) // 2] = radii[-1]
    expected = (data == FREE) & (clearance(data == OCCUPIED, 0.05) > radius)
    np.testing.assert_array_equal(traversable(occupancy, radius), expected)
    uniform = (data == FREE) & (clearance(data == OCCUPIED, 0.05) > radii[0])
    np.testing.assert_array_equal(traversable(occupancy, radii[0]), uniform)


slices = arrays(
    np.int8,
    array_shapes(min_dims=2, max_dims=2, max_side=12),
    elements=st.sampled_from([FREE] * 3 + [UNKNOWN] * 2 + [OCCUPIED]),
)


def _is_sliver(data, row, col, cells):
    """Whether at most `cells` unknown ones are between two free cells on a line through a cell, by brute force."""
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for before in range(1, cells + 1):
            line = [(row + k * down, col + k * right) for k in range(-before, cells + 2 - before)]
            inside = [0 <= r < data.shape[0] and 0 <= c < data.shape[1] for r, c in line]
            for length in range(before + 2, len(line) + 1):
                if all(inside[:length]):
                    values = [data[at] for at in line[:length]]
                    if values[0] == values[-1] == FREE and set(values[1:-1]) == {UNKNOWN}:
                        return True
    return False


@settings(deadline=None)
@given(slices, st.integers(1, 3))
def test_unknown_slivers_between_free_cells_are_bridged_and_nothing_else_changes(data, cells):
    expected = data.copy()
    for row, col in np.argwhere(data == UNKNOWN):
        if _is_sliver(data, row, col, cells):
            expected[row, col] = FREE
    geometry = GridGeometry(0.05, 0, 0, *data.shape)
    np.testing.assert_array_equal(bridged(OccupancySlice(data, geometry), cells).data, expected)


def test_distance_field_takes_several_starts_and_ignores_unusable_ones():
    passable = np.ones((5, 9), bool)
    passable[:, 4] = False
    field = distance_field(passable, [(2, 0), (2, 4), (-1, 0), (9, 9)], 0.5)
    assert field[2, 3] == pytest.approx(1.5)
    assert np.isinf(field[:, 4:]).all()
    assert np.isinf(distance_field(passable, [], 0.5)).all()
    assert shortest_path(field, (2, 8)) is None
    assert shortest_path(field, (7, 1)) is None


def test_snap_moves_a_start_inside_the_inflation_to_the_nearest_free_cell():
    geometry = GridGeometry(0.1, row0=-5, col0=10, rows=8, cols=8)
    passable = np.zeros(geometry.shape, bool)
    passable[6, 6] = passable[1, 2] = True
    x, y = geometry.center(6, 6)
    assert snap(passable, geometry, x, y) == (6, 6)
    assert snap(passable, geometry, x - 0.3, y) == (6, 6)
    assert snap(passable, geometry, x - 0.3, y, max_distance=0.2) is None
    assert snap(passable, geometry, 100.0, 100.0) is None
    assert snap(np.zeros(geometry.shape, bool), geometry, x, y) is None


@given(st.integers(-40, 40), st.integers(-40, 40), st.sampled_from([0.05, 0.1, 0.25]))
def test_center_of_a_cell_lies_in_that_cell(row, col, resolution):
    geometry = GridGeometry(resolution, row0=-17, col0=23, rows=5, cols=5)
    assert geometry.cell(*geometry.center(row, col)) == (row, col)
    np.testing.assert_allclose(geometry.centers([(row, col)]), [geometry.center(row, col)])
