"""Which tiles of a grid have changed, for readers that update what they have made from it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.depth_view import ColumnBox

_TILE = 32  # cells along each side


class ChangedTiles:
    """Notes when each tile of an array of columns has changed last.

    Attributes:
        revision: number of changes so far.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        """Begins with no change. `shape` is the array's (rows, cols)."""
        self.revision = 0
        self._last: NDArray[np.int64] = np.zeros((-(-shape[0] // _TILE), -(-shape[1] // _TILE)), np.int64)

    def mark(self, box: ColumnBox) -> None:
        """Notes a change of the columns in a box."""
        self.revision += 1
        rows, cols = _tiles(box.row, box.rows), _tiles(box.col, box.cols)
        self._last[rows, cols] = self.revision

    def since(self, revision: int, within: ColumnBox) -> list[ColumnBox]:
        """Returns boxes that contain all columns of `within` that have changed since a revision, one for each row of
        tiles; all columns for a negative revision."""
        rows, cols = _tiles(within.row, within.rows), _tiles(within.col, within.cols)
        changed = self._last[rows, cols] > revision
        boxes = []
        for tile_row in np.flatnonzero(changed.any(axis=1)).tolist():
            tile_cols = np.flatnonzero(changed[tile_row])
            row, end_row = _cells(rows.start + tile_row, rows.start + tile_row, within.row, within.rows)
            first, last = cols.start + int(tile_cols[0]), cols.start + int(tile_cols[-1])
            col, end_col = _cells(first, last, within.col, within.cols)
            boxes.append(ColumnBox(row, col, end_row - row, end_col - col))
        return boxes


def _tiles(start: int, count: int) -> slice:
    return slice(start // _TILE, (start + count - 1) // _TILE + 1)


def _cells(first: int, last: int, start: int, count: int) -> tuple[int, int]:
    """Returns the first cell and the one after the last of some tiles, as far as they are in a range."""
    return max(first * _TILE, start), min((last + 1) * _TILE, start + count)
