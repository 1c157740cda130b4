"""Shortest paths over a distance field."""

from __future__ import annotations

import numpy as np

from stma_ros.mapping.distance import DIAGONAL, STEPS, Field
from stma_ros.mapping.grid import Cells
from stma_ros.types.jit import kernel


@kernel
def _descend(field: Field, row: int, col: int) -> Cells:
    """Returns the cells of the steepest descent to a start of the field."""
    rows, cols = field.shape
    cells = np.empty((rows * cols, 2), np.int32)
    count = 0
    while True:
        cells[count, 0], cells[count, 1] = row, col
        count += 1
        here = field[row, col]
        if here == 0:
            path: Cells = cells[:count][::-1].copy()
            return path
        best, best_row, best_col = np.inf, row, col
        for step in range(8):
            r, c = row + STEPS[step, 0], col + STEPS[step, 1]
            if r < 0 or c < 0 or r >= rows or c >= cols or not field[r, c] < here:
                continue
            if step >= 4 and not (np.isfinite(field[row, c]) and np.isfinite(field[r, col])):
                continue
            slope = (field[r, c] - here) / (1.0 if step < 4 else DIAGONAL)
            if slope < best:
                best, best_row, best_col = slope, r, c
        row, col = best_row, best_col


def shortest_path(field: Field, goal: tuple[int, int]) -> Cells | None:
    """Returns the cells (N, 2) int32 from a start of `field` to `goal` (row, col), or None if the field does not reach
    it.

    It is the steepest descent of the field; ties are broken by the order of `STEPS`.
    """
    row, col = goal
    if not (0 <= row < field.shape[0] and 0 <= col < field.shape[1]) or not np.isfinite(field[row, col]):
        return None
    return _descend(field, row, col)
