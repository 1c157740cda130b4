"""Kernels of `published_rules`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.distance import Field, Mask
from stma_ros.mapping.grid import Cells
from stma_ros.types.jit import kernel

Labels = NDArray[np.int32]
"""(rows, cols) number of the region of each cell, from 1; 0 = none."""

_NONE = np.int32(-1)


@kernel
def island_of(navigable: Mask, row: int, col: int) -> Mask:
    """Returns the navigable cells that are 4-connected to a navigable cell."""
    rows, cols = navigable.shape
    width = cols + 2
    waiting = np.zeros((rows + 2) * width, np.bool_)
    for r in range(rows):
        waiting[(r + 1) * width + 1 : (r + 1) * width + 1 + cols] = navigable[r]
    island = np.zeros_like(waiting)
    queue = np.empty(rows * cols, np.int32)
    start = (row + 1) * width + col + 1
    queue[0], island[start], waiting[start] = start, True, False
    end, at = 1, 0
    while at < end:
        here = queue[at]
        at += 1
        for step in (-width, -1, 1, width):
            there = here + step
            if waiting[there]:
                waiting[there] = False
                island[there] = True
                queue[end] = there
                end += 1
    return island.reshape(rows + 2, width)[1:-1, 1:-1]


@kernel
def cells_by_neighbours(island: Mask, explored: Mask, low: int, high: int) -> Cells:
    """Returns the cells of the island with `low` to `high` unexplored 8-neighbours, in order. All is unexplored beyond
    the grid."""
    rows, cols = island.shape
    found = np.empty((np.count_nonzero(island), 2), np.int32)
    outside = np.ones(cols, np.bool_)
    sums, counts = np.full(cols + 2, np.uint8(3)), np.empty(cols, np.uint8)
    size = 0
    for row in range(rows):
        above = ~explored[row - 1] if row else outside
        line = ~explored[row]
        below = ~explored[row + 1] if row < rows - 1 else outside
        for col in range(cols):  # no branches: vector instructions
            sums[col + 1] = np.uint8(above[col]) + np.uint8(line[col]) + np.uint8(below[col])
        for col in range(cols):
            counts[col] = sums[col] + sums[col + 1] + sums[col + 2] - np.uint8(line[col])
        for col in range(cols):
            if island[row, col] and low <= counts[col] <= high:
                found[size, 0], found[size, 1] = row, col
                size += 1
    return found[:size]


@kernel
def label_regions(cells: Cells, labels: Labels, min_size: int) -> int:
    """Labels clusters of 4-connected cells.

    Args:
        cells: the cells, in order.
        labels: zeros; the result. Smaller clusters are labelled -1.
        min_size: number of cells from which a cluster is a region.

    Returns:
        The number of regions.
    """
    rows, cols = labels.shape
    unlabelled = np.int32(-2)
    for cell in cells:
        labels[cell[0], cell[1]] = unlabelled
    queue = np.empty((len(cells), 2), np.int32)
    count = 0
    for cell in cells:
        if labels[cell[0], cell[1]] != unlabelled:
            continue
        labels[cell[0], cell[1]] = count + 1
        queue[0, 0], queue[0, 1] = cell[0], cell[1]
        end, at = 1, 0
        while at < end:
            row, col = queue[at, 0], queue[at, 1]
            at += 1
            for step in range(4):
                r = row + (step == 0) - (step == 1)
                c = col + (step == 2) - (step == 3)
                if 0 <= r < rows and 0 <= c < cols and labels[r, c] == unlabelled:
                    labels[r, c] = count + 1
                    queue[end, 0], queue[end, 1] = r, c
                    end += 1
        if end < min_size:
            for k in range(end):
                labels[queue[k, 0], queue[k, 1]] = _NONE
        else:
            count += 1
    return count


@kernel
def split_by_bearing(
    cells: Cells, row: int, col: int, max_span: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Splits a region that spans more than an angle as seen from a cell, by K-Means on the bearings.

    Bearings are unwrapped at their widest gap. The first means are spread evenly over the span, so that the result does
    not depend on chance.

    Args:
        cells: (N, 2) of the region.
        row, col: of the cell.
        max_span: [rad].

    Returns:
        The part of each cell, and the mean bearing of each part [rad], NaN for a part without cells.
    """
    bearings = np.empty(len(cells), np.float64)
    for k in range(len(cells)):
        bearings[k] = np.arctan2(float(cells[k, 0] - row), float(cells[k, 1] - col))
    ordered = np.sort(bearings)
    gap, first = ordered[0] + 2.0 * np.pi - ordered[-1], ordered[0]
    for k in range(1, len(ordered)):
        if ordered[k] - ordered[k - 1] > gap:
            gap, first = ordered[k] - ordered[k - 1], ordered[k]
    for k in range(len(bearings)):
        if bearings[k] < first:
            bearings[k] += 2.0 * np.pi
    span = 2.0 * np.pi - gap
    parts = int(span / max_span) + 1 if span > max_span else 1
    means = first + span * (np.arange(parts) + 0.5) / parts
    owners = np.full(len(cells), -1, np.int64)
    moved = True
    while moved:
        moved = False
        sums, sizes = np.zeros(parts, np.float64), np.zeros(parts, np.int64)
        for k in range(len(bearings)):
            owner = 0
            for part in range(1, parts):
                if abs(means[part] - bearings[k]) < abs(means[owner] - bearings[k]):
                    owner = part
            moved |= owner != owners[k]
            owners[k] = owner
            sums[owner] += bearings[k]
            sizes[owner] += 1
        for part in range(parts):
            means[part] = sums[part] / sizes[part] if sizes[part] else np.nan
        if np.isnan(means).any():
            break
    return owners, means


@kernel
def overlaps(old: Cells, labels: Labels, count: int) -> NDArray[np.int64]:
    """Returns with how many cells each of `count` regions shares `old` cells; those outside of the grid count not."""
    shared = np.zeros(count, np.int64)
    rows, cols = labels.shape
    for cell in old:
        if 0 <= cell[0] < rows and 0 <= cell[1] < cols and labels[cell[0], cell[1]] > 0:
            shared[labels[cell[0], cell[1]] - 1] += 1
    return shared


@kernel
def edges_of(
    edges: Cells, labels: Labels, low: int, high: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Returns pairs of a region and an edge cell that has `low` to `high` of its cells within two cells."""
    rows, cols = labels.shape
    owners, indices = np.empty(len(edges) * 25, np.int32), np.empty(len(edges) * 25, np.int32)
    near = np.empty(25, np.int32)
    size = 0
    for k in range(len(edges)):
        count = 0
        for row in range(max(edges[k, 0] - 2, 0), min(edges[k, 0] + 3, rows)):
            for col in range(max(edges[k, 1] - 2, 0), min(edges[k, 1] + 3, cols)):
                if labels[row, col] > 0:
                    near[count] = labels[row, col]
                    count += 1
        for one in range(count):
            is_first, cells = True, 0
            for other in range(count):
                if near[other] == near[one]:
                    is_first &= other >= one
                    cells += 1
            if is_first and low <= cells <= high:
                owners[size], indices[size] = near[one], k
                size += 1
    return owners[:size], indices[:size]


@kernel
def nearest_reached(distance: Field, row: int, col: int, reach: float) -> tuple[int, int]:
    """Returns the reached cell nearest to a cell within `reach` cells, or (-1, -1); ties go to the lowest row, then
    column."""
    rows, cols = distance.shape
    best_row, best_col, least = -1, -1, reach * reach
    for r in range(max(row - int(reach), 0), min(row + int(reach) + 1, rows)):
        for c in range(max(col - int(reach), 0), min(col + int(reach) + 1, cols)):
            squared = float((r - row) ** 2 + (c - col) ** 2)
            closer = squared < least or (best_row < 0 and squared == least)
            if closer and distance[r, c] < np.inf:
                best_row, best_col, least = r, c, squared
    return best_row, best_col


@kernel
def choose_edge(
    candidates: Cells, row: int, col: int, bearing: float, alike: int, distance: Field, reach: float
) -> tuple[int, int, int]:
    """Chooses where to look into a region from.

    Of the `alike` candidates whose bearing from the robot is most like that of the region, the one nearest to the robot
    comes first; the others follow by bearing. The first that can be reached is chosen.

    Args:
        candidates: (N, 2) edge cells.
        row, col: of the robot.
        bearing: of the region from the robot [rad].
        alike: number of candidates.
        distance: distance field from the robot.
        reach: how far from an edge cell the robot may stand [cells].

    Returns:
        The index of the candidate, -1 = none can be reached, and the reached cell (row, column).
    """
    away, unlike = np.empty(len(candidates), np.float64), np.empty(len(candidates), np.float64)
    for k in range(len(candidates)):
        d_row, d_col = float(candidates[k, 0] - row), float(candidates[k, 1] - col)
        away[k] = np.sqrt(d_row * d_row + d_col * d_col)
        along = d_col * np.cos(bearing) + d_row * np.sin(bearing)
        unlike[k] = -along / away[k] if away[k] > 0 else 0.0
    order = np.argsort(unlike, kind="mergesort")
    best = order[np.argmin(away[order[:alike]])]
    view_row, view_col = nearest_reached(distance, candidates[best, 0], candidates[best, 1], reach)
    if view_row >= 0:
        return best, view_row, view_col
    for k in order:
        view_row, view_col = nearest_reached(distance, candidates[k, 0], candidates[k, 1], reach)
        if view_row >= 0:
            return k, view_row, view_col
    return -1, -1, -1
