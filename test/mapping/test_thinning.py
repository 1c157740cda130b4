"""Tests of thinning out the points of a segment."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.mapping.thinning import thinned


@given(st.integers(1, 3000), st.integers(1, 40))
def test_one_point_of_each_step_remains_in_its_place(count: int, step: int) -> None:
    places = thinned(np.arange(count, dtype=np.float64), step)
    np.testing.assert_array_equal(places // step, np.arange(-(-count // step)))


@given(st.integers(0, 3000))
def test_all_points_remain_with_a_step_of_one(count: int) -> None:
    points = np.random.default_rng(count).normal(size=(count, 3)).astype(np.float32)
    np.testing.assert_array_equal(thinned(points, 1), points)


@given(st.integers(20, 700), st.integers(20, 500))
def test_points_of_a_rectangle_come_from_all_its_sides(width: int, height: int) -> None:
    v, u = np.divmod(np.arange(width * height, dtype=np.float64), width)
    for across, size in ((u, width), (v, height)):
        few = np.sort(thinned(across, max(1, width * height // 2048)))
        assert few[len(few) // 100] < 0.03 * size
        assert few[-1 - len(few) // 100] > 0.97 * size - 1
