"""Kernels of `published_rules`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.distance import Field, Mask
from stma_ros.mapping.frontiers.boundary_kernels import row_of_bytes
from stma_ros.mapping.frontiers.description_kernels import Ends
from stma_ros.mapping.grid import Cells
from stma_ros.types.jit import kernel

Labels = NDArray[np.int32]
"""(rows, cols) number of the region of each cell, from 1; 0 = none."""

_SECTORS = 3600
_LEAST_MOVE = 1e-4  # of the variance: the tolerance of scikit-learn, with which the published code runs


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
    return island.reshape(rows + 2, width)[1:-1, 1:-1].copy()  # rows without gaps: vector instructions


@kernel
def cells_by_neighbours(island: Mask, explored: Mask, low: int, high: int) -> Cells:
    """Returns the cells of the island with `low` to `high` unexplored 8-neighbours, in order. All is unexplored beyond
    the grid."""
    rows, cols = island.shape
    found = np.empty((np.count_nonzero(island), 2), np.int32)
    unexplored = np.ones((3, cols + 2), np.uint8)  # of a row and those above and below, each with a border
    sums = np.empty(cols + 2, np.uint8)
    chosen, words = row_of_bytes(cols)
    least, most = np.uint8(low), np.uint8(high)
    size = 0
    for row in range(rows):
        for k in range(3):
            _set_unexplored(explored, row + k - 1, unexplored[k])
        above, line, below = unexplored[0], unexplored[1], unexplored[2]
        for col in range(cols + 2):  # no branches: vector instructions
            sums[col] = np.uint8(np.uint8(above[col] + line[col]) + below[col])
        inside = island[row]
        for col in range(cols):
            count = np.uint8(np.uint8(np.uint8(sums[col] + sums[col + 1]) + sums[col + 2]) - line[col + 1])
            chosen[col] = np.uint8(np.uint8(inside[col]) & np.uint8(count >= least) & np.uint8(count <= most))
        for word in range(len(words)):
            if words[word] == 0:
                continue
            for col in range(8 * word, min(8 * word + 8, cols)):
                if chosen[col]:
                    found[size, 0], found[size, 1] = row, col
                    size += 1
    return found[:size]


@kernel
def _set_unexplored(explored: Mask, row: int, line: NDArray[np.uint8]) -> None:
    """Writes 1 where the cells of a row are unexplored, without the border of the line."""
    if not 0 <= row < len(explored):
        line[:] = 1
        return
    source = explored[row]
    for col in range(len(source)):
        line[col + 1] = np.uint8(source[col]) ^ np.uint8(1)


@kernel
def clusters_of(cells: Cells, rows: int, cols: int, min_size: int) -> tuple[Cells, Ends]:
    """Returns clusters of 4-connected cells.

    Args:
        cells: the cells, in order.
        rows, cols: shape of the grid.
        min_size: number of cells of the smallest cluster that counts.

    Returns:
        The cells of the clusters, each in order, and where each cluster ends. Clusters are ordered by first cell.
    """
    waiting, owners = np.int32(-1), np.zeros((rows, cols), np.int32)  # 0 = none, or too small a cluster
    for cell in cells:
        owners[cell[0], cell[1]] = waiting
    queue = np.empty((len(cells), 2), np.int32)
    places = np.zeros(len(cells) + 1, np.int64)
    count = 0
    for cell in cells:
        if owners[cell[0], cell[1]] != waiting:
            continue
        owners[cell[0], cell[1]] = count + 1
        queue[0, 0], queue[0, 1] = cell[0], cell[1]
        end, at = 1, 0
        while at < end:
            row, col = queue[at, 0], queue[at, 1]
            at += 1
            for step in range(4):
                r = row + (step == 0) - (step == 1)
                c = col + (step == 2) - (step == 3)
                if 0 <= r < rows and 0 <= c < cols and owners[r, c] == waiting:
                    owners[r, c] = count + 1
                    queue[end, 0], queue[end, 1] = r, c
                    end += 1
        if end < min_size:
            for k in range(end):
                owners[queue[k, 0], queue[k, 1]] = 0
        else:
            places[count + 1] = places[count] + end
            count += 1
    ordered, ends = np.empty((places[count], 2), np.int32), places[1 : count + 1].copy()
    for cell in cells:
        owner = owners[cell[0], cell[1]]
        if owner:
            ordered[places[owner - 1], 0], ordered[places[owner - 1], 1] = cell[0], cell[1]
            places[owner - 1] += 1
    return ordered, ends


@kernel
def split_by_bearing(
    cells: Cells, ends: Ends, row: int, col: int, max_span: float
) -> tuple[Ends, NDArray[np.float64]]:
    """Splits regions that span more than an angle as seen from a cell, by K-Means on the bearings.

    Bearings are unwrapped at their widest gap. The first means are spread evenly over the span, so that the result does
    not depend on chance.

    Args:
        cells: of all regions; is reordered by part, and not otherwise.
        ends: of the regions.
        row, col: of the cell.
        max_span: [rad].

    Returns:
        The ends of the parts, and the mean bearing of each [rad].
    """
    part_ends, part_bearings = np.empty(len(cells), np.int64), np.empty(len(cells), np.float64)
    count, start = 0, 0
    for end in ends:
        region = cells[start:end]
        bearings, first, span = _bearings(region, row, col)
        parts = int(span / max_span) + 1 if span > max_span else 1
        means = first + span * (np.arange(parts) + 0.5) / parts
        owners, sizes = _nearest_means(bearings, means)
        copy = region.copy()
        at = start
        for part in range(parts):
            if sizes[part] == 0:
                continue
            for k in range(len(copy)):
                if owners[k] == part:
                    cells[at, 0], cells[at, 1] = copy[k, 0], copy[k, 1]
                    at += 1
            part_ends[count], part_bearings[count] = at, means[part]
            count += 1
        start = end
    return part_ends[:count], part_bearings[:count]


@kernel
def _bearings(cells: Cells, row: int, col: int) -> tuple[NDArray[np.float64], float, float]:
    """Returns the bearings of cells from a cell, unwrapped at their widest gap, the first one, and their span [rad].

    Gaps are looked for between sectors of a tenth of a degree; narrower ones do not matter.
    """
    bearings = np.empty(len(cells), np.float64)
    lowest, highest = np.full(_SECTORS, np.inf), np.full(_SECTORS, -np.inf)
    for k in range(len(cells)):
        bearing = np.arctan2(float(cells[k, 0] - row), float(cells[k, 1] - col))
        bearings[k] = bearing
        sector = min(int((bearing + np.pi) / (2.0 * np.pi) * _SECTORS), _SECTORS - 1)
        lowest[sector], highest[sector] = min(lowest[sector], bearing), max(highest[sector], bearing)
    first = lowest.min()
    gap, before = first + 2.0 * np.pi - highest.max(), first
    for sector in range(_SECTORS):
        if lowest[sector] == np.inf:
            continue
        if lowest[sector] - before > gap:
            gap, first = lowest[sector] - before, lowest[sector]
        before = highest[sector]
    for k in range(len(bearings)):
        if bearings[k] < first:
            bearings[k] += 2.0 * np.pi
    return bearings, first, 2.0 * np.pi - gap


@kernel
def _nearest_means(
    values: NDArray[np.float64], means: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Runs K-Means on numbers, until the means move by next to nothing.

    Args:
        values: the numbers.
        means: where to start; is updated. A mean that no number is nearest to stays.

    Returns:
        The mean that each number is nearest to, and the number of numbers of each mean.
    """
    owners, sizes = np.zeros(len(values), np.int64), np.zeros(len(means), np.int64)
    least = _LEAST_MOVE * np.var(values)
    moved = np.inf
    while True:
        sums = np.zeros(len(means), np.float64)
        sizes[:] = 0
        for k in range(len(values)):
            owner = 0
            for part in range(1, len(means)):
                if abs(means[part] - values[k]) < abs(means[owner] - values[k]):
                    owner = part
            owners[k] = owner
            sums[owner] += values[k]
            sizes[owner] += 1
        if moved <= least:
            return owners, sizes
        moved = 0.0
        for part in range(len(means)):
            if sizes[part]:
                mean = sums[part] / sizes[part]
                moved += (mean - means[part]) ** 2
                means[part] = mean


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
