"""The floor that an object stands on, and its sides."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from stma_ros.mapping.footprint import SIDES, Footprint, Side
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancySlice
from stma_ros.types.planar import turned

CELL = 0.05
YAWS = st.floats(-math.pi, math.pi)
PLACES = st.tuples(st.floats(-1, 1), st.floats(-1, 1))
GEOMETRY = GridGeometry(CELL, -80, -80, 160, 160)
CENTRES = GEOMETRY.centers(np.argwhere(np.ones(GEOMETRY.shape, np.bool_)))


def floor(*solids: tuple[tuple[float, float], tuple[float, float], float]) -> NDArray[np.int8]:
    """Returns free floor on which rectangles stand: middle, sides [m] and heading of each."""
    cells = np.full(GEOMETRY.shape, FREE, np.int8)
    for middle, sides, yaw in solids:
        inside = np.all(np.abs(turned(CENTRES - middle, -yaw)) <= np.array(sides) / 2, axis=1)
        cells[inside.reshape(cells.shape)] = OCCUPIED
    return cells


def footprint(
    cells: NDArray[np.int8], at: tuple[float, float], sides: tuple[float, float], yaw: float
) -> Footprint:
    return Footprint.of(OccupancySlice(cells, GEOMETRY), (*at, 0.4), (*sides, 0.8), yaw)


@given(yaw=YAWS, at=PLACES)
def test_footprint_of_a_closed_object_is_its_box(yaw: float, at: tuple[float, float]) -> None:
    body = footprint(floor((at, (0.6, 0.9), yaw)), at, (0.6, 0.9), yaw)
    assert body.high - body.low == pytest.approx([0.6, 0.9], abs=2 * CELL)


@given(yaw=YAWS, at=PLACES, side=st.sampled_from(SIDES))
def test_footprint_leaves_out_free_floor_and_a_leaf_at_any_side_of_the_box(
    yaw: float, at: tuple[float, float], side: Side
) -> None:
    body, more = np.array([0.6, 0.7]), 0.5
    axis, sign = side
    shift = np.zeros(2)
    shift[axis] = sign * (body[axis] + more) / 2
    shift[1 - axis] = body[1 - axis] / 2 - 0.04
    leaf_at = turned(shift, yaw) + at
    leaf = np.full(2, 0.08)
    leaf[axis] = more
    cells = floor((at, (0.6, 0.7), yaw), ((leaf_at[0], leaf_at[1]), (leaf[0], leaf[1]), yaw))
    extent, offset = body.copy(), np.zeros(2)
    extent[axis] += more
    offset[axis] = sign * more / 2
    middle = turned(offset, yaw) + at
    found = footprint(cells, (middle[0], middle[1]), (extent[0], extent[1]), yaw)
    assert found.high - found.low == pytest.approx(body, abs=2.5 * CELL)
    assert math.dist(turned((found.low + found.high) / 2, yaw), at) < 2 * CELL


def test_footprint_is_the_box_where_the_map_shows_nothing_or_only_free_floor() -> None:
    for state in (FREE, UNKNOWN):
        body = footprint(np.full(GEOMETRY.shape, state, np.int8), (0.2, 0.1), (0.6, 0.9), 0.3)
        assert body.high - body.low == pytest.approx([0.6, 0.9])


@given(yaw=YAWS, at=PLACES, side=st.sampled_from(SIDES), away=st.floats(0.1, 2), off=st.floats(-0.3, 0.3))
def test_a_point_is_before_the_side_that_it_faces(
    yaw: float, at: tuple[float, float], side: Side, away: float, off: float
) -> None:
    body = footprint(floor((at, (0.8, 1.2), yaw)), at, (0.8, 1.2), yaw)
    point = body.middle(side) + body.normal(side) * away + body.along(side) * off
    assert body.side_towards(point) == side


def test_shares_count_the_cells_before_a_side() -> None:
    body = footprint(floor(((0.0, 0.0), (1.0, 1.0), 0.0)), (0.0, 0.0), (1.0, 1.0), 0.0)
    half = floor(((0.75, 0.25), (0.5, 0.5), 0.0)) == OCCUPIED
    assert body.share(half, (0, 1.0), 0.0, 0.5) == pytest.approx(0.5)
    assert body.share(half, (0, 1.0), 0.0, 1.0) == pytest.approx(0.25)
    assert body.largest_share(half, (0, 1.0), 0.0, 1.0) == pytest.approx(0.5)
    assert body.share(half, (0, -1.0), 0.0, 0.5) == 0
    assert body.share(half, (0, 1.0), 9.0, 9.5) == 0
