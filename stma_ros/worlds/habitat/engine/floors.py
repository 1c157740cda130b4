"""Selects the floors among the walkable surfaces of a navmesh.

A navmesh also covers beds, tables and the roof. A surface counts as a floor under two conditions:
- It belongs to an island, a connected part of the navmesh, of at least 3 m^2, as beds and tables are smaller than that
  once the robot's radius is taken off their edges. Where no island is that large, the largest counts.
- Some of the scene rises above it by more than half the robot's height, as walls do above floors, but not above a roof.
  Where that leaves nothing, the lowest counts.
Heights are separated by the triangles of those islands, not by island, as stairs connect floors to one island: the
height with the largest area within a quarter of a metre is a floor, then the next one of the rest, as long as it has 3
m^2 or more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .interface import Level

SAME_FLOOR = 0.25  # [m]
_LEAST_AREA = 3.0  # [m^2]


def find_floors(islands: Sequence[npt.NDArray[Any]], top: float, robot_height: float) -> tuple[Level, ...]:
    """Returns the floors from the lowest up; empty only when there is no island.

    Args:
        islands: the triangles (N, 3, 3) of each island [m], y up.
        top: height of the highest point of the scene [m].
        robot_height: [m].
    """
    areas = [float(_areas(island).sum()) for island in islands]
    if not areas or max(areas) <= 0.0:
        return ()
    least = min(_LEAST_AREA, max(areas))
    triangles = np.concatenate([island for island, area in zip(islands, areas) if area >= least])  # noqa: B905
    levels = _levels(_areas(triangles), triangles[:, :, 1].mean(axis=1), least)
    inside = tuple(level for level in levels if level.height + robot_height / 2 < top)
    return inside or levels[:1]


def _levels(
    areas: npt.NDArray[np.float64], heights: npt.NDArray[np.float64], least: float
) -> tuple[Level, ...]:
    """Returns the levels of triangles with those areas and heights; at least one, from the lowest up."""
    order = np.argsort(heights, kind="stable")
    areas, heights = areas[order], heights[order]
    levels: list[Level] = []
    while len(heights):
        total = np.concatenate(([0.0], np.cumsum(areas)))
        first = np.searchsorted(heights, heights - SAME_FLOOR, side="left")
        last = np.searchsorted(heights, heights + SAME_FLOOR, side="right")
        around = total[last] - total[first]
        best = int(np.argmax(around))
        if levels and around[best] < least:
            break
        chosen = slice(int(first[best]), int(last[best]))
        levels.append(Level(_median(heights[chosen], areas[chosen]), float(around[best])))
        areas, heights = np.delete(areas, chosen), np.delete(heights, chosen)
    return tuple(sorted(levels, key=lambda level: level.height))


def _median(values: npt.NDArray[np.float64], weights: npt.NDArray[np.float64]) -> float:
    """Returns the weighted median of ascending values."""
    total = np.cumsum(weights)
    return float(values[int(np.searchsorted(total, total[-1] / 2))])


def _areas(triangles: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Returns the areas (N,) of the triangles' projections on the ground [m^2]."""
    one = triangles[:, 1] - triangles[:, 0]
    other = triangles[:, 2] - triangles[:, 0]
    areas: npt.NDArray[np.float64] = (
        np.abs(one[:, 0] * other[:, 2] - one[:, 2] * other[:, 0]).astype(float) / 2
    )
    return areas
