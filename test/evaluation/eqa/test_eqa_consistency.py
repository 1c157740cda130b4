"""Measures of consistent exploration: hand-calculated values, bounds, and invariance to the frame of the map."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from stma_ros.evaluation.eqa.consistency import (
    coverage_over_path,
    frontier_reselection,
    mean_direction_change,
    position_revisit_rate,
    resampled,
)

_PATHS = st.integers(2, 30).flatmap(
    lambda number: arrays(np.float64, (number, 2), elements=st.floats(-20, 20, width=32))
)
STRAIGHT = [(0.0, 0.0), (4.0, 0.0)]
CORNER = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0)]
THERE_AND_BACK = [(0.0, 0.0), (3.0, 0.0), (0.0, 0.0)]


def _moved(points: NDArray[np.float64], angle: float, offset: tuple[float, float]) -> NDArray[np.float64]:
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return points @ turn.T + np.asarray(offset)


def test_path_is_resampled_every_metre_and_the_rest_is_dropped() -> None:
    assert resampled([(0, 0), (0.4, 0), (0.4, 0), (2.5, 0)]).tolist() == [[0, 0], [1, 0], [2, 0]]
    assert resampled([(1, 2), (1, 2)]).tolist() == [[1, 2]]
    assert resampled([(0, 0, 0), (0, 0, 2)]).tolist() == [[0, 0, 0], [0, 0, 1], [0, 0, 2]]


@pytest.mark.parametrize(
    ("path", "angle"),
    [(STRAIGHT, 0.0), (CORNER, 30.0), (THERE_AND_BACK, 36.0), ([(0, 0), (1.9, 0)], None), ([(0, 0)], None)],
)
def test_mean_direction_change_equals_the_value_calculated_by_hand(
    path: list[tuple[float, float]], angle: float | None
) -> None:
    # CORNER has 4 steps, one of 3 angles is 90 degrees; THERE_AND_BACK has 6, one of 5 angles is 180 degrees.
    assert mean_direction_change(path) == pytest.approx(angle)


@pytest.mark.parametrize(
    ("path", "distance", "rate"),
    [
        (STRAIGHT, 0.5, 0.0),
        (STRAIGHT, 1.0, 0.0),  # consecutive positions are 1 m apart, not less
        (STRAIGHT, 1.01, 100.0),
        (THERE_AND_BACK, 0.5, 50.0),
        (THERE_AND_BACK, 1.0, 50.0),
        ([(0, 0), (0.9, 0)], 1.0, None),
    ],
)
def test_position_revisit_rate_equals_the_value_calculated_by_hand(
    path: list[tuple[float, float]], distance: float, rate: float | None
) -> None:
    assert position_revisit_rate(path, distance) == pytest.approx(rate)


def test_number_of_recorded_poses_does_not_change_the_measures() -> None:
    dense = np.concatenate([np.linspace(a, b, 77) for a, b in itertools.pairwise(CORNER)])
    assert mean_direction_change(dense) == pytest.approx(mean_direction_change(CORNER))
    assert position_revisit_rate(dense, 0.5) == position_revisit_rate(CORNER, 0.5)


def test_frontier_is_the_same_within_75_cm_whatever_its_id() -> None:
    choices = [(0.0, 0.0), (5.0, 0.0), (0.7, 0.0), (0.0, 5.0), (5.0, 0.74)]
    rates = frontier_reselection(choices)
    assert rates is not None
    assert rates.of_frontiers == pytest.approx(100 * 2 / 3)
    assert rates.of_steps == pytest.approx(100 * 2 / 5)
    apart = frontier_reselection([(0.0, 0.0), (0.76, 0.0)])
    assert apart is not None
    assert (apart.of_frontiers, apart.of_steps) == (0, 0)


def test_both_rates_differ_for_one_frontier_chosen_often() -> None:
    rates = frontier_reselection([(0.0, 0.0)] * 4 + [(9.0, 0.0)])
    assert rates is not None
    assert (rates.of_frontiers, rates.of_steps) == (pytest.approx(50), pytest.approx(60))
    assert frontier_reselection([]) is None


def test_coverage_is_that_of_the_latest_observation_at_each_metre() -> None:
    curve = coverage_over_path([0.0, 0.6, 2.0, 2.0, 3.5], [5, 8, 10, 12, 20], whole=20)
    assert curve.tolist() == [25, 40, 60, 60]


@pytest.mark.parametrize(
    ("driven", "explored", "whole"),
    [([], [], 1.0), ([0, 1], [1], 1.0), ([1, 0], [1, 2], 1.0), ([0], [1], 0.0)],
)
def test_coverage_without_sense_is_refused(driven: list[float], explored: list[float], whole: float) -> None:
    with pytest.raises(ValueError, match="give"):
        coverage_over_path(driven, explored, whole)


@pytest.mark.parametrize("path", [np.empty((0, 2)), [(0.0, math.nan)], [(0.0, math.inf)]])
def test_path_without_finite_positions_is_refused(path: NDArray[np.float64]) -> None:
    with pytest.raises(ValueError, match="finite"):
        resampled(path)


@given(_PATHS)
def test_resampled_positions_are_one_metre_of_path_apart_and_start_with_it(path: NDArray[np.float64]) -> None:
    positions = resampled(path)
    assert positions[0] == pytest.approx(path[0])
    chords = np.linalg.norm(np.diff(positions, axis=0), axis=1)
    assert (chords <= 1 + 1e-6).all()
    driven = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
    assert len(positions) - 1 <= driven + 1e-3


@given(_PATHS)
def test_measures_of_a_path_are_within_their_bounds(path: NDArray[np.float64]) -> None:
    angle, near, far = (
        mean_direction_change(path),
        position_revisit_rate(path, 0.5),
        position_revisit_rate(path, 1.0),
    )
    assert angle is None or 0 <= angle <= 180
    assert (near is None) == (far is None)
    assert near is None or far is None or 0 <= near <= far <= 100


@given(_PATHS, st.floats(-math.pi, math.pi), st.tuples(st.floats(-50, 50), st.floats(-50, 50)))
def test_measures_do_not_depend_on_the_frame_of_the_map(
    path: NDArray[np.float64], angle: float, offset: tuple[float, float]
) -> None:
    positions = resampled(path)
    apart = np.linalg.norm(positions[:, None] - positions[None], axis=2)
    assume(not (np.abs(apart - 0.5) < 1e-4).any())  # rounding decides at the threshold itself
    driven = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
    assume(abs(driven - round(driven)) > 1e-4)
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=1)
    assume((steps > 1e-3).all())
    elsewhere = _moved(path, angle, offset)
    assert mean_direction_change(elsewhere) == pytest.approx(mean_direction_change(path), abs=0.1)
    assert position_revisit_rate(elsewhere, 0.5) == position_revisit_rate(path, 0.5)


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=1, max_size=20))
def test_rates_of_choosing_again_are_within_their_bounds(choices: list[tuple[float, float]]) -> None:
    rates = frontier_reselection(choices)
    assert rates is not None
    assert 0 <= rates.of_frontiers <= 100
    assert 0 <= rates.of_steps < 100
    assert (rates.of_frontiers == 0) == (rates.of_steps == 0)
