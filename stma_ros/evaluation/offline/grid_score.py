"""Scores the agent's map against a reference grid, cell by cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.evaluation.tally import Tally
from stma_ros.mapping.occupancy import FREE, OCCUPIED, UNKNOWN
from stma_ros.types.standard import OccupancyGrid

_FREE_BELOW, _OCCUPIED_FROM = 25, 65  # [%] of nav_msgs/OccupancyGrid, as map_saver takes them


@dataclass(frozen=True)
class GridScore:
    """Counts of cells of the reference.

    Attributes:
        free: of free cells, among the cells that both know.
        occupied: of occupied cells, likewise.
        right: cells that both know, with equal class.
        both: cells that both know.
        known: cells that the reference knows.
    """

    free: Tally
    occupied: Tally
    right: int
    both: int
    known: int

    @property
    def accuracy(self) -> float:
        return self.right / self.both if self.both else 0.0

    @property
    def coverage(self) -> float:
        return self.both / self.known if self.known else 0.0


def score_grid(grid: OccupancyGrid, reference: OccupancyGrid) -> GridScore:
    """Compares the agent's map with the reference at the centre of every cell that the reference knows.

    The two may differ in origin (rotated ones included), size and resolution; both are in the map frame.
    """
    wanted = _classes(reference)
    rows, cols = np.nonzero(wanted != UNKNOWN)
    real, said = wanted[rows, cols], _at(grid, _centers(reference, rows, cols))
    both = said != UNKNOWN
    real, said = real[both], said[both]
    return GridScore(
        _tally(said == FREE, real == FREE),
        _tally(said == OCCUPIED, real == OCCUPIED),
        int(np.count_nonzero(said == real)),
        int(np.count_nonzero(both)),
        len(rows),
    )


def intersection_over_union(tally: Tally) -> float:
    """Returns the intersection over union; 1 where neither side has any."""
    union = tally.said + tally.true - tally.right
    return tally.right / union if union else 1.0


def _tally(said: NDArray[np.bool_], real: NDArray[np.bool_]) -> Tally:
    counts = (np.count_nonzero(cells) for cells in (said & real, said, real))
    return Tally(*(int(count) for count in counts))


def _classes(grid: OccupancyGrid) -> NDArray[np.int8]:
    """Returns (rows, cols) of FREE, OCCUPIED or UNKNOWN; cells that are neither clearly are unknown."""
    data = grid.data.reshape(grid.info.height, grid.info.width)
    cells = np.full(data.shape, UNKNOWN, np.int8)
    cells[(data >= 0) & (data < _FREE_BELOW)] = FREE
    cells[data >= _OCCUPIED_FROM] = OCCUPIED
    return cells


def _centers(grid: OccupancyGrid, rows: NDArray[np.intp], cols: NDArray[np.intp]) -> NDArray[np.float64]:
    """Returns the centres (N, 2) of cells in the map [m]."""
    origin, yaw = grid.info.origin.position, grid.info.origin.yaw
    x, y = (cols + 0.5) * grid.info.resolution, (rows + 0.5) * grid.info.resolution
    cos, sin = np.cos(yaw), np.sin(yaw)
    return np.stack((origin.x + cos * x - sin * y, origin.y + sin * x + cos * y), axis=1)


def _at(grid: OccupancyGrid, points: NDArray[np.float64]) -> NDArray[np.int8]:
    """Returns a grid's class at (N, 2) points of the map [m]; UNKNOWN outside of it."""
    origin, yaw = grid.info.origin.position, grid.info.origin.yaw
    x, y = points[:, 0] - origin.x, points[:, 1] - origin.y
    cos, sin = np.cos(yaw), np.sin(yaw)
    cols = np.floor((cos * x + sin * y) / grid.info.resolution).astype(np.int64)
    rows = np.floor((cos * y - sin * x) / grid.info.resolution).astype(np.int64)
    inside = (rows >= 0) & (rows < grid.info.height) & (cols >= 0) & (cols < grid.info.width)
    said = np.full(len(points), UNKNOWN, np.int8)
    said[inside] = _classes(grid)[rows[inside], cols[inside]]
    return said
