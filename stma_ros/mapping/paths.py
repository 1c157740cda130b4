"""Shortest paths over a distance field, and lines of sight on a grid."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.distance import DIAGONAL, STEPS, Field, Mask
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


@kernel
def _line_is_clear(passable: Mask, row: int, col: int, goal_row: int, goal_col: int) -> bool:
    """Checks the cells that the segment between two cells' centres touches, in integers, so that none is missed."""
    d_row, d_col = abs(goal_row - row), abs(goal_col - col)
    step_row, step_col = (1 if goal_row > row else -1), (1 if goal_col > col else -1)
    error = d_col - d_row
    while passable[row, col]:
        if row == goal_row and col == goal_col:
            return True
        if error == 0:  # through a corner: both adjacent cells count
            if not (passable[row + step_row, col] and passable[row, col + step_col]):
                return False
            row += step_row
            col += step_col
            error += 2 * (d_col - d_row)
        elif error > 0:
            col += step_col
            error -= 2 * d_row
        else:
            row += step_row
            error += 2 * d_col
    return False


@kernel
def _simplify(passable: Mask, path: Cells) -> NDArray[np.int64]:
    waypoints = np.empty(len(path), np.int64)
    waypoints[0] = 0
    count, anchor = 1, 0
    for k in range(2, len(path)):
        if not _line_is_clear(passable, path[anchor, 0], path[anchor, 1], path[k, 0], path[k, 1]):
            anchor = k - 1
            waypoints[count] = anchor
            count += 1
    if len(path) > 1:
        waypoints[count] = len(path) - 1
        count += 1
    return waypoints[:count]


def line_is_clear(passable: Mask, start: tuple[int, int], goal: tuple[int, int]) -> bool:
    """Whether all cells that the segment between two cells' centres touches are passable.

    Raises:
        ValueError: a cell is outside of the grid.
    """
    for row, col in (start, goal):
        if not (0 <= row < passable.shape[0] and 0 <= col < passable.shape[1]):
            raise ValueError(f"cell ({row}, {col}) is outside the grid of {passable.shape}")
    return bool(_line_is_clear(passable, int(start[0]), int(start[1]), int(goal[0]), int(goal[1])))


def simplify_path(passable: Mask, path: Cells) -> Cells:
    """Returns the waypoints of `path` (N, 2) that remain when straight passable stretches replace its steps."""
    return path[_simplify(passable, path)] if len(path) else path
