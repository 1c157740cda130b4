"""Measures how consistently a robot explores: Pred-EQA (supplement, section 1.1), and coverage over the path.

Paths are resampled to one step length first, because agents whose steps differ in length are not comparable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

MDCA = "mdca"
"""The key of a measure: mean direction change angle [degrees]."""

FRR = "frr"
"""The key of a measure: share of the distinct frontiers chosen more than once, as the published code has it [%]."""

FRR_STEPS = "frr_steps"
"""The key of a measure: share of the choices whose frontier was chosen before, as the text has it [%]."""

PRR_HALF = "prr_0.5"
"""The key of a measure: share of the positions less than 0.5 m from an earlier one [%]."""

PRR_ONE = "prr_1.0"
"""The key of a measure: share of the positions less than 1 m from an earlier one [%]."""

COVERAGE = "coverage_over_path"
"""The key of a series: explored share of the floor after every metre of the path [%]."""

STEP = 1.0
"""Length of the step between resampled positions [m]: the published agents move at most 1 m between two positions."""

SAME_FRONTIER = 0.75
"""Largest distance between two positions of one frontier [m]; ids change when the map does."""

_STILL = 1e-6  # a shorter movement has no direction [m]


@dataclass(frozen=True)
class FrontierReselection:
    """How often frontiers were chosen again [%].

    Attributes:
        of_frontiers: distinct frontiers chosen more than once, of all distinct frontiers chosen.
        of_steps: choices whose frontier was chosen before, of all choices.
    """

    of_frontiers: float
    of_steps: float


def resampled(path: ArrayLike, step: float = STEP) -> NDArray[np.float64]:
    """Returns positions at equal distances along a path, from its start; what is left at its end is dropped.

    Args:
        path: (N, D) positions in the order of time [m], in a fixed frame.
        step: distance along the path between two of the positions returned [m].

    Raises:
        ValueError: the path has no position, or one that is not finite, or the step is not positive.
    """
    points = np.asarray(path, np.float64)
    if points.ndim != 2 or not len(points) or not np.isfinite(points).all():
        raise ValueError("a path has at least one position, and all positions are finite")
    if not step > 0:
        raise ValueError(f"the step is {step} m; give a positive length")
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    moved = np.concatenate(([True], lengths > 0))  # interpolation needs increasing distances
    points, driven = points[moved], np.concatenate(([0.0], np.cumsum(lengths)))[moved]
    at = step * np.arange(int(np.floor(driven[-1] / step + _STILL)) + 1)
    return np.stack([np.interp(at, driven, column) for column in points.T], axis=1)


def mean_direction_change(path: ArrayLike) -> float | None:
    """Returns mDCA: the mean angle between consecutive movements of a path [degrees], in 0..180.

    Args:
        path: (N, D) positions [m].

    Returns:
        None for a path with fewer than two steps, which changes no direction.
    """
    movements = np.diff(resampled(path), axis=0)
    if len(movements) < 2:
        return None
    before, after = movements[:-1], movements[1:]
    norms = np.linalg.norm(before, axis=1), np.linalg.norm(after, axis=1)
    moves = (norms[0] >= _STILL) & (norms[1] >= _STILL)
    cosines = np.ones(len(before))  # an angle to no movement is 0
    cosines[moves] = (before * after).sum(axis=1)[moves] / (norms[0] * norms[1])[moves]
    return float(np.degrees(np.arccos(cosines.clip(-1.0, 1.0))).mean())


def position_revisit_rate(path: ArrayLike, distance: float) -> float | None:
    """Returns PRR: the share of steps that end less than a distance from any earlier position of the path [%].

    The paper's table says "less than", its formula at most; positions 1 m apart on a straight line would then all be
    revisits at 1 m.

    Args:
        path: (N, D) positions [m].
        distance: threshold [m].

    Returns:
        None for a path without a step.
    """
    positions = resampled(path)
    if len(positions) < 2:
        return None
    revisits = sum(
        bool((np.linalg.norm(positions[:index] - positions[index], axis=1) < distance - _STILL).any())
        for index in range(1, len(positions))
    )
    return 100.0 * revisits / (len(positions) - 1)


def frontier_reselection(choices: Sequence[ArrayLike]) -> FrontierReselection | None:
    """Returns both rates of choosing a frontier again.

    A choice is a decision of the agent; to drive on to the chosen frontier without deciding again is none.

    Args:
        choices: (D,) position of the chosen frontier of each choice [m], in a fixed frame. It is the frontier of an
            earlier choice whose first position is at most SAME_FRONTIER away, of several the nearest.

    Returns:
        None without choices.
    """
    if not choices:
        return None
    known: list[NDArray[np.float64]] = []
    times: list[int] = []
    for choice in choices:
        position = np.asarray(choice, np.float64)
        distances = [float(np.linalg.norm(position - other)) for other in known]
        nearest = int(np.argmin(distances)) if distances else -1
        if nearest >= 0 and distances[nearest] <= SAME_FRONTIER:
            times[nearest] += 1
        else:
            known.append(position)
            times.append(1)
    again = sum(number > 1 for number in times)
    return FrontierReselection(100.0 * again / len(known), 100.0 * (len(choices) - len(known)) / len(choices))


def coverage_over_path(driven: ArrayLike, explored: ArrayLike, whole: float) -> NDArray[np.float64]:
    """Returns the explored share after 0, 1, 2, ... metres of a path [%].

    Args:
        driven: (N,) length of the path at each observation [m], not decreasing.
        explored: (N,) area explored by then [m^2].
        whole: area that can be explored [m^2].

    Raises:
        ValueError: there are no observations, their numbers differ, lengths decrease, or the whole is not positive.
    """
    lengths, areas = np.asarray(driven, np.float64), np.asarray(explored, np.float64)
    if lengths.ndim != 1 or lengths.shape != areas.shape or not len(lengths) or (np.diff(lengths) < 0).any():
        raise ValueError("give an area for each path length, and path lengths that do not decrease")
    if not whole > 0:
        raise ValueError(f"the whole area is {whole} m^2; give a positive one")
    at = STEP * np.arange(int(np.floor(lengths[-1] / STEP + _STILL)) + 1)
    latest = np.searchsorted(lengths, at + _STILL, side="right") - 1
    return np.asarray(100.0 * areas[latest.clip(0)] / whole)
