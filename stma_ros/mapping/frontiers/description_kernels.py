"""Kernels of `boundary_rules`: what is told of a cluster of frontier cells, and what lies behind it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.frontiers.boundary_kernels import (
    FREE,
    OCCUPIED,
    REACHED,
    TILE,
    Flags,
    FlatCells,
    Tiles,
)
from stma_ros.mapping.grid import Cells
from stma_ros.types.jit import kernel

Ends = NDArray[np.int64]
"""(N,) where each of several consecutive parts of an array ends; the next one begins there."""
Boxes = NDArray[np.int32]
"""(N, 4) first row, first column, last row, last column."""

Window = NDArray[np.uint8]
"""(size, size) a square of cells around a frontier's centre, the states below."""
CLOSED, UNKNOWN, CUT_OFF, BEHIND = np.uint8(0), np.uint8(1), np.uint8(2), np.uint8(3)
"""Explored or too far away; unknown; free without a connection to reached cells; unknown and behind the frontier."""

_ROUNDING = (
    1e-9  # less is no difference: where a symmetric frontier is cut must not depend on the order of sums
)


@kernel
def positions(cells: FlatCells, width: int) -> Cells:
    """Returns cells of the grid as (row, column)."""
    result = np.empty((len(cells), 2), np.int32)
    for k in range(len(cells)):
        result[k, 0] = cells[k] // width - 1
        result[k, 1] = cells[k] % width - 1
    return result


@kernel
def along_principal_axis(cells: Cells, along: NDArray[np.float64]) -> tuple[float, float]:
    """Computes the positions of cells along the principal axis of all of them, from their mean [cells].

    Args:
        cells: (N, 2).
        along: (N,) the result.

    Returns:
        The lowest and the highest position.
    """
    count = len(cells)
    sum_row, sum_col = 0, 0
    for k in range(count):
        sum_row += cells[k, 0]
        sum_col += cells[k, 1]
    mean_row, mean_col = sum_row / count, sum_col / count
    rr, rc, cc = 0.0, 0.0, 0.0
    for k in range(count):
        row, col = cells[k, 0] - mean_row, cells[k, 1] - mean_col
        rr += row * row
        rc += row * col
        cc += col * col
    difference = rr - cc
    if abs(rc) < _ROUNDING * (rr + cc):
        rc = 0.0
    if abs(difference) < _ROUNDING * (rr + cc):
        difference = 0.0
    angle = 0.5 * np.arctan2(2.0 * rc, difference)  # of the principal axis, from the rows' direction
    cos, sin = np.cos(angle), np.sin(angle)
    low, high = np.inf, -np.inf
    for k in range(count):
        position = (cells[k, 0] - mean_row) * cos + (cells[k, 1] - mean_col) * sin
        along[k] = position
        low, high = min(low, position), max(high, position)
    return low, high


@kernel
def measure(cells: Cells, ends: Ends) -> tuple[NDArray[np.float64], Boxes]:
    """Returns the length of each cluster [cells], and its bounding box."""
    lengths, boxes = np.empty(len(ends), np.float64), np.empty((len(ends), 4), np.int32)
    along = np.empty(len(cells), np.float64)
    start = 0
    for k in range(len(ends)):
        part = cells[start : ends[k]]
        low, high = along_principal_axis(part, along)
        lengths[k] = _length(len(part), low, high)
        boxes[k, :2] = boxes[k, 2:] = part[0]
        for cell in part:
            for axis in range(2):
                boxes[k, axis] = min(boxes[k, axis], cell[axis])
                boxes[k, axis + 2] = max(boxes[k, axis + 2], cell[axis])
        start = ends[k]
    return lengths, boxes


@kernel
def _length(count: int, low: float, high: float) -> float:
    """Returns the length of a number of connected cells that lie from `low` to `high` along their principal axis.

    That of bent ones is their number; straight ones are fewer the more they are askew to the grid.
    """
    return max(float(count), high - low + 1.0)


@kernel
def boxes_in_tiles(boxes: Boxes, margin: int, tiles: Tiles) -> NDArray[np.bool_]:
    """Returns whether each box, grown by `margin` cells, overlaps a marked tile."""
    result = np.zeros(len(boxes), np.bool_)
    last_row, last_col = tiles.shape[0] - 1, tiles.shape[1] - 1
    for k in range(len(boxes)):
        for row in range(
            max(boxes[k, 0] - margin, 0) // TILE, min((boxes[k, 2] + margin) // TILE, last_row) + 1
        ):
            for col in range(
                max(boxes[k, 1] - margin, 0) // TILE, min((boxes[k, 3] + margin) // TILE, last_col) + 1
            ):
                result[k] |= tiles[row, col]
    return result


@kernel
def are_cracks(cells: Cells, ends: Ends, flags: Flags, width: int) -> NDArray[np.bool_]:
    """Returns whether an obstacle is next to each cluster."""
    result = np.zeros(len(ends), np.bool_)
    start = 0
    for k in range(len(ends)):
        for cell in cells[start : ends[k]]:
            for row in range(cell[0], cell[0] + 3):
                for col in range(cell[1], cell[1] + 3):
                    result[k] |= flags[row * width + col] & OCCUPIED != 0
        start = ends[k]
    return result


@kernel
def cut(cells: Cells, ends: Ends, max_extent: float) -> tuple[Ends, NDArray[np.int64], NDArray[np.float64]]:
    """Halves clusters across their principal axis until no piece is longer than `max_extent` cells.

    Args:
        cells: of all clusters; is reordered by piece, and not otherwise.
        ends: of the clusters.
        max_extent: along the principal axis.

    Returns:
        The ends of the pieces, the cluster of each, and its length [cells] as of `measure`.
    """
    along, far = np.empty(len(cells), np.float64), np.empty_like(cells)
    piece_ends, owners = np.empty(len(cells), np.int64), np.empty(len(cells), np.int64)
    lengths = np.empty(len(cells), np.float64)
    stack = np.empty(len(cells) + 1, np.int64)  # ends of the pieces to be looked at, the next one on top
    count, start = 0, 0
    for k in range(len(ends)):
        stack[0] = ends[k]
        height = 1
        while height:
            end = stack[height - 1]
            part = cells[start:end]
            low, high = along_principal_axis(part, along)
            if high - low <= max_extent:
                piece_ends[count], owners[count] = end, k
                lengths[count] = _length(len(part), low, high)
                count += 1
                start = end
                height -= 1
                continue
            middle = (low + high) / 2.0 + _ROUNDING
            near, away = 0, 0
            for at in range(len(part)):
                if along[at] <= middle:
                    part[near] = part[at]
                    near += 1
                else:
                    far[away] = part[at]
                    away += 1
            part[near:] = far[:away]
            stack[height] = start + near
            height += 1
    return piece_ends[:count], owners[:count], lengths[:count]


@kernel
def describe(
    cells: Cells, ends: Ends, flags: Flags, rows: int, cols: int, reach: int
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Describes frontiers.

    Args:
        cells: of all frontiers.
        ends: of the frontiers.
        flags: of the cells of the grid.
        rows, cols: shape of the grid.
        reach: how far from its centre the unknown behind a frontier is counted [cells].

    Returns:
        For each frontier (N, 5): centre (row, column), the reached cell nearest to it (row, column), and the number of
        unknown cells behind it; and (N, 2) their mean (row, column).
    """
    whole, means = np.empty((len(ends), 5), np.int32), np.empty((len(ends), 2), np.float64)
    near = _disc(reach)
    window = np.zeros_like(near)
    queue = np.empty(window.size, np.int32)
    start = 0
    for k in range(len(ends)):
        part = cells[start : ends[k]]
        start = ends[k]
        center_row, center_col = _nearest_to_mean(part)
        view_row, view_col = _nearest_reached(part, center_row, center_col, flags, cols + 2)
        _look_around(center_row, center_col, flags, rows, cols, near, window)
        _flood_unexplored(part, center_row, center_col, window, queue)
        count, sum_row, sum_col = _count_unknown(center_row, center_col, window)
        whole[k, 0], whole[k, 1] = center_row, center_col
        whole[k, 2], whole[k, 3] = view_row, view_col
        whole[k, 4] = count
        means[k, 0], means[k, 1] = sum_row / max(count, 1), sum_col / max(count, 1)
    return whole, means


@kernel
def _nearest_to_mean(cells: Cells) -> tuple[int, int]:
    sum_row, sum_col = 0, 0
    for k in range(len(cells)):
        sum_row += cells[k, 0]
        sum_col += cells[k, 1]
    mean_row, mean_col = sum_row / len(cells), sum_col / len(cells)
    best, least = 0, np.inf
    for k in range(len(cells)):
        row, col = cells[k, 0] - mean_row, cells[k, 1] - mean_col
        squared = row * row + col * col
        if squared < least:
            best, least = k, squared
    return cells[best, 0], cells[best, 1]


@kernel
def _nearest_reached(
    cells: Cells, center_row: int, center_col: int, flags: Flags, width: int
) -> tuple[int, int]:
    """Returns the reached cell nearest to the centre, of the cells and their neighbours."""
    best_row, best_col, least = center_row, center_col, -1
    for k in range(len(cells)):
        for row in range(cells[k, 0] - 1, cells[k, 0] + 2):
            for col in range(cells[k, 1] - 1, cells[k, 1] + 2):
                if flags[(row + 1) * width + col + 1] & REACHED:
                    squared = (row - center_row) ** 2 + (col - center_col) ** 2
                    if least < 0 or squared < least:
                        best_row, best_col, least = row, col, squared
    return best_row, best_col


@kernel
def _disc(reach: int) -> Window:
    """Returns 1 within `reach` cells of the centre, in a square with a border of two cells around the disc."""
    size = 2 * reach + 5
    disc = np.zeros((size, size), np.uint8)
    for row in range(size):
        for col in range(size):
            i, j = row - reach - 2, col - reach - 2
            disc[row, col] = i * i + j * j <= reach * reach
    return disc


@kernel
def _look_around(
    center_row: int, center_col: int, flags: Flags, rows: int, cols: int, near: Window, window: Window
) -> None:
    """Copies what is unexplored near a centre; the space beyond the grid is unknown as well.

    Unexplored are unknown cells, and free ones without a connection to reached ones: a strip of floor that was seen
    from afar does not end the unknown.

    Args:
        center_row, center_col: cell in the middle of the window.
        flags: of the cells of the grid.
        rows, cols: shape of the grid.
        near: 1 for the cells of the window that count.
        window: the result.
    """
    size, width = len(window), cols + 2
    first_row, first_col = center_row - size // 2, center_col - size // 2
    start, end = max(-first_col, 0), min(cols - first_col, size)  # columns of the window in the grid
    for i in range(size):
        row, line, allowed = first_row + i, window[i], near[i]
        line[:] = allowed  # unknown
        if row < 0 or row >= rows:
            continue
        known = flags[(row + 1) * width + first_col + start + 1 :]
        for j in range(end - start):  # no branches: vector instructions
            flag = known[j]
            is_closed = np.uint8((flag >> 1 | flag >> 3) & 1)  # OCCUPIED, JOINED
            is_open = np.uint8(allowed[start + j] & ~is_closed)
            line[start + j] = np.uint8(is_open << (flag & FREE))


@kernel
def _flood_unexplored(
    cells: Cells, center_row: int, center_col: int, window: Window, queue: FlatCells
) -> None:
    """Marks what is unexplored and 4-connected to neighbours of `cells` in a window: BEHIND, or CLOSED if it is free.

    Args:
        cells: of a frontier.
        center_row, center_col: cell in the middle of the window.
        window: is updated.
        queue: room for all cells of the window.
    """
    size = len(window)
    around = window.ravel()
    end = 0
    for k in range(len(cells)):
        row, col = cells[k, 0] - center_row + size // 2, cells[k, 1] - center_col + size // 2
        if 0 < row < size - 1 and 0 < col < size - 1:
            queue[end] = row * size + col
            end += 1
    at = 0
    while at < end:
        here = queue[at]
        at += 1
        for step in (-size, -1, 1, size):
            there = here + step
            state = around[there]
            if state:
                if state == UNKNOWN:
                    around[there] = BEHIND
                elif state == CUT_OFF:
                    around[there] = CLOSED
                else:
                    continue
                queue[end] = there
                end += 1


@kernel
def _count_unknown(center_row: int, center_col: int, window: Window) -> tuple[int, int, int]:
    """Returns the number of cells that are marked BEHIND, and the sums of their rows and columns."""
    size = len(window)
    count, sum_row, sum_col = 0, 0, 0
    for i in range(size):
        line = window[i]
        here, cols = 0, 0
        for j in range(size):  # no branches: vector instructions
            is_behind = int(line[j] == BEHIND)
            here += is_behind
            cols += is_behind * j
        count += here
        sum_row += here * i
        sum_col += cols
    half = size // 2
    return count, sum_row + count * (center_row - half), sum_col + count * (center_col - half)
