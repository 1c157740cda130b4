"""Tests of the heading of a visible surface."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from stma_ros.mapping.headings import heading
from stma_ros.types.planar import off_quarter, turned


def faces(length: float, depth: float, count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Returns points (N, 2) of a front and a side of a piece, seen from above [m]."""
    front = np.column_stack([np.zeros(count), rng.uniform(0, length, count)])
    side = np.column_stack([rng.uniform(0, depth, count), np.zeros(count)])
    return np.concatenate([front, side]) if depth else front


@settings(deadline=None, max_examples=60)
@given(st.floats(-4, 4), st.floats(0.4, 2.0), st.sampled_from([0.0, 0.4, 0.6]), st.integers(0, 99))
def test_heading_is_that_of_the_faces_in_any_direction(
    turn: float, length: float, depth: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    points = faces(length, depth, 300, rng) + rng.normal(0, 0.004, (300 if not depth else 600, 2))
    found, stddev = heading(turned(points, turn) + np.array((3.0, -2.0)), 0.004)
    assert abs(off_quarter(found - turn)) < np.deg2rad(0.75)
    assert stddev < np.deg2rad(6)


@pytest.mark.parametrize("turn", [0.3, 0.9])
@pytest.mark.parametrize(("rows", "columns"), [(32, 31), (64, 63), (64, 64), (64, 65), (16, 256)])
def test_heading_of_a_table_top_does_not_depend_on_its_pixels(rows: int, columns: int, turn: float) -> None:
    # Every sixteenth pixel of rows of 63 lies on slanted lines, which have a heading of their own.
    far, left = np.divmod(np.arange(rows * columns), columns)
    points = np.column_stack([0.7 * far / rows, 1.4 * left / columns])
    found, _ = heading(turned(points, turn), 0.0)
    assert abs(off_quarter(found - turn)) < np.deg2rad(1.5)


def test_heading_of_a_table_top_is_that_of_its_edges() -> None:
    points = np.random.default_rng(1).uniform((0, 0), (1.4, 0.7), (1500, 2))
    found, stddev = heading(turned(points, 0.4), 0.0)
    assert found == pytest.approx(0.4, abs=np.deg2rad(1.5))
    assert stddev < np.deg2rad(15)


def test_heading_of_a_round_thing_is_uncertain() -> None:
    angle = np.random.default_rng(2).uniform(0, np.pi, 400)
    ring = 0.3 * np.column_stack([np.cos(angle), np.sin(angle)])
    square = turned(faces(0.6, 0.6, 200, np.random.default_rng(3)), 0.3)
    assert heading(ring, 0.0)[1] > 3 * heading(square, 0.0)[1]


def test_heading_of_a_single_point_is_not_known_for_sure() -> None:
    found, stddev = heading(np.array([[1.0, 2.0]]), 0.01)
    assert 0 <= found < np.pi / 2
    assert stddev > np.deg2rad(45)
