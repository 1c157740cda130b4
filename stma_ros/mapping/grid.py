"""Geometry of horizontal grids in the map frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Cells = NDArray[np.int32]
"""(N, 2) cells as (row, column); rows run along map y, columns along map x (the layout of nav_msgs)."""


@dataclass(frozen=True)
class GridGeometry:
    """A `rows` x `cols` grid whose lower-left corner is a whole number of cells away from the map's origin.

    The integer offsets keep grids of different sizes aligned: a place has the same global cell `(row0 + row, col0 +
    col)` in every grid of one resolution, however often the grid grew.
    """

    resolution: float  # [m] edge of a cell
    row0: int = 0
    col0: int = 0
    rows: int = 0
    cols: int = 0

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, cols)."""
        return self.rows, self.cols

    @property
    def origin(self) -> tuple[float, float]:
        """(x, y) [m] of the lower-left corner of cell (0, 0), as in nav_msgs/MapMetaData."""
        return self.col0 * self.resolution, self.row0 * self.resolution

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """Returns the (row, column) of map point (x, y) [m]; it may lie outside of the grid."""
        return (
            int(np.floor(y / self.resolution)) - self.row0,
            int(np.floor(x / self.resolution)) - self.col0,
        )

    def cells_at(
        self, points: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """Returns rows and columns of map points (..., 2) [m], and whether the grid has these cells."""
        cells = np.floor(points / self.resolution).astype(np.int64)
        rows, cols = cells[..., 1] - self.row0, cells[..., 0] - self.col0
        return rows, cols, (rows >= 0) & (rows < self.rows) & (cols >= 0) & (cols < self.cols)

    def marked(self, mask: NDArray[np.bool_], points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Returns whether the cells at map points (..., 2) [m] are in a mask of the grid's shape; outside they are
        not."""
        rows, cols, inside = self.cells_at(points)
        found = np.zeros(inside.shape, np.bool_)
        found[inside] = mask[rows[inside], cols[inside]]
        return found

    def contains(self, row: int, col: int) -> bool:
        """Whether the grid has this cell."""
        return 0 <= row < self.rows and 0 <= col < self.cols

    def centers(self, cells: ArrayLike) -> NDArray[np.float64]:
        """Returns the centres (N, 2) as (x, y) in the map frame [m] of `cells`, (N, 2) as (row, column)."""
        rows_cols = np.asarray(cells, dtype=np.float64).reshape(-1, 2)
        return (rows_cols[:, ::-1] + (self.col0 + 0.5, self.row0 + 0.5)) * self.resolution

    def center(self, row: int, col: int) -> tuple[float, float]:
        """Returns the centre (x, y) of one cell in the map frame [m]."""
        return (self.col0 + col + 0.5) * self.resolution, (self.row0 + row + 0.5) * self.resolution

    def global_keys(self, cells: Cells) -> NDArray[np.int64]:
        """Returns one integer for each cell that is the same in every grid of this resolution."""
        rows = cells[:, 0].astype(np.int64) + self.row0
        cols = cells[:, 1].astype(np.int64) + self.col0
        return (rows << 32) + cols
