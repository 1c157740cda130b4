"""A raster of the positions where the base can stand: obstacles grown by its radius."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import label

from stma_ros.worlds.robot.geometry import FloatArray, OrientedRect, Rect

RESOLUTION = 0.05  # [m]
Cell = tuple[int, int]


class Clearance:
    """A boolean raster `free` (rows = y, columns = x): true where the base's centre is at least `radius` from every
    obstacle.

    The distance is exact at the centre of each cell.
    """

    def __init__(self, bounds: Rect, obstacles: Iterable[OrientedRect], radius: float) -> None:
        self.bounds = bounds
        self.radius = radius
        columns, rows = math.ceil(bounds.width / RESOLUTION), math.ceil(bounds.depth / RESOLUTION)
        self.free: NDArray[np.bool_] = np.ones((rows, columns), bool)
        for obstacle in obstacles:
            self.block(obstacle)

    def block(self, obstacle: OrientedRect) -> None:
        """Removes the cells nearer to the obstacle than the radius."""
        reach = obstacle.reach + self.radius
        c0, r0 = self._clipped(obstacle.x - reach, obstacle.y - reach)
        c1, r1 = self._clipped(obstacle.x + reach, obstacle.y + reach)
        x = self.bounds.x0 + (np.arange(c0, c1 + 1) + 0.5) * RESOLUTION
        y = self.bounds.y0 + (np.arange(r0, r1 + 1) + 0.5) * RESOLUTION
        self.free[r0 : r1 + 1, c0 : c1 + 1] &= obstacle.distances(x[None, :], y[:, None]) >= self.radius

    def copy(self) -> Clearance:
        other = Clearance(self.bounds, (), self.radius)
        other.free = self.free.copy()
        return other

    @property
    def centres(self) -> tuple[FloatArray, FloatArray]:
        """Centres of the cells: x (1, columns) and y (rows, 1) [m]."""
        rows, columns = self.free.shape
        x: FloatArray = self.bounds.x0 + (np.arange(columns, dtype=np.float64) + 0.5) * RESOLUTION
        y: FloatArray = self.bounds.y0 + (np.arange(rows, dtype=np.float64) + 0.5) * RESOLUTION
        return x[None, :], y[:, None]

    def cell(self, x: float, y: float) -> Cell:
        """Returns the row and column of a point, which may lie outside."""
        return math.floor((y - self.bounds.y0) / RESOLUTION), math.floor((x - self.bounds.x0) / RESOLUTION)

    def point(self, cell: Cell) -> tuple[float, float]:
        """Returns the centre of a cell [m]."""
        return self.bounds.x0 + (cell[1] + 0.5) * RESOLUTION, self.bounds.y0 + (cell[0] + 0.5) * RESOLUTION

    def is_free(self, cell: Cell) -> bool:
        rows, columns = self.free.shape
        return 0 <= cell[0] < rows and 0 <= cell[1] < columns and bool(self.free[cell])

    def nearest_free(
        self, x: float, y: float, within: float, mask: NDArray[np.bool_] | None = None
    ) -> Cell | None:
        """Returns the free cell (of `mask`, when given) nearest to a point and within `within` of it [m]; None = there
        is none."""
        allowed = self.free if mask is None else mask
        c0, r0 = self._clipped(x - within, y - within)
        c1, r1 = self._clipped(x + within, y + within)
        rows, columns = np.nonzero(allowed[r0 : r1 + 1, c0 : c1 + 1])
        if not rows.size:
            return None
        dx = self.bounds.x0 + (columns + c0 + 0.5) * RESOLUTION - x
        dy = self.bounds.y0 + (rows + r0 + 0.5) * RESOLUTION - y
        distance = np.hypot(dx, dy)
        best = int(np.argmin(distance))
        if distance[best] > within:
            return None
        return int(rows[best] + r0), int(columns[best] + c0)

    def reachable(self, start: Cell) -> NDArray[np.bool_]:
        """Returns the mask of the free cells that are connected to `start` by steps along the axes."""
        if not self.is_free(start):
            return np.zeros_like(self.free)
        areas, _ = label(self.free)
        connected: NDArray[np.bool_] = areas == areas[start]
        return connected

    def _clipped(self, x: float, y: float) -> tuple[int, int]:
        rows, columns = self.free.shape
        row, column = self.cell(x, y)
        return min(max(column, 0), columns - 1), min(max(row, 0), rows - 1)
