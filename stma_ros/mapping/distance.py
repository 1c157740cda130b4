"""Distances on grids: to the nearest obstacle, and along the ground."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.occupancy import FREE, OCCUPIED, OccupancySlice
from stma_ros.types.jit import kernel

Mask = NDArray[np.bool_]
Field = NDArray[np.float32]
"""(rows, cols) float32 [m]; inf = no way."""

DIAGONAL = float(np.sqrt(2.0))
STEPS = np.array([(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)], np.int32)
"""The eight neighbours (row, col), the four straight ones first: the order that breaks ties everywhere."""
STEPS.setflags(write=False)


@kernel
def _clearance(obstacles: Mask, resolution: float) -> Field:
    """Returns exact Euclidean distances: along columns first, then the lower envelope of parabolas along each row."""
    rows, cols = obstacles.shape
    far = rows + cols
    vertical = np.empty((rows, cols), np.int32)
    for col in range(cols):
        vertical[0, col] = 0 if obstacles[0, col] else far
    for row in range(1, rows):
        for col in range(cols):
            vertical[row, col] = 0 if obstacles[row, col] else vertical[row - 1, col] + 1
    for row in range(rows - 2, -1, -1):
        for col in range(cols):
            vertical[row, col] = min(vertical[row, col], vertical[row + 1, col] + 1)
    result = np.empty((rows, cols), np.float32)
    apex = np.empty(cols, np.int64)
    start = np.empty(cols + 1, np.float64)
    for row in range(rows):
        last = -1
        for col in range(cols):
            if vertical[row, col] >= far:
                continue
            height = np.int64(vertical[row, col]) ** 2 + col * col
            while last >= 0:
                other = apex[last]
                crossing = (height - np.int64(vertical[row, other]) ** 2 - other * other) / (
                    2.0 * (col - other)
                )
                if crossing > start[last]:
                    break
                last -= 1
            last += 1
            apex[last] = col
            start[last] = -np.inf if last == 0 else crossing
        if last < 0:
            result[row, :] = np.inf
            continue
        start[last + 1] = np.inf
        piece = 0
        for col in range(cols):
            while start[piece + 1] < col:
                piece += 1
            squared = np.int64(vertical[row, apex[piece]]) ** 2 + (col - apex[piece]) ** 2
            result[row, col] = np.sqrt(squared) * resolution
    return result


def clearance(obstacles: Mask, resolution: float) -> Field:
    """Returns the distance from each cell's centre to that of the nearest obstacle cell [m]; inf if there is none."""
    if obstacles.size == 0:
        return np.empty(obstacles.shape, np.float32)
    return _clearance(obstacles, resolution)


def traversable(occupancy: OccupancySlice, radius: float | Field = 0.3) -> Mask:
    """Returns the free cells that are farther than `radius` from any occupied cell [m].

    Unknown cells do not keep the robot away, or it could never explore them.

    Args:
        occupancy: the slice in which the robot drives.
        radius: of the robot, with a margin; one value, or one for each cell.
    """
    occupied = occupancy.data == OCCUPIED
    far_enough = clearance(occupied, occupancy.geometry.resolution) > radius
    passable: Mask = (occupancy.data == FREE) & far_enough
    return passable


@kernel
def _distance_field(passable: Mask, starts: NDArray[np.int32], resolution: float) -> Field:
    """Returns shortest octile distances, by buckets that are one cell wide.

    No step is shorter than a bucket is wide, so the cells of one bucket cannot shorten each other's way: they are
    settled in any order, and three rolling lists replace a priority queue.
    """
    rows, cols = passable.shape
    field = np.full((rows, cols), np.inf, np.float32)
    bucket_of = np.full((rows, cols), -1, np.int32)  # the list a cell is waiting in
    lists = np.empty((3, rows * cols), np.int32)
    sizes = np.zeros(3, np.int64)
    for k in range(len(starts)):
        row, col = starts[k]
        if passable[row, col] and field[row, col] != 0:
            field[row, col] = 0
            bucket_of[row, col] = 0
            lists[0, sizes[0]] = row * cols + col
            sizes[0] += 1
    bucket = 0
    while sizes[0] + sizes[1] + sizes[2] > 0:
        current = bucket % 3
        for k in range(sizes[current]):
            row, col = divmod(lists[current, k], cols)
            if bucket_of[row, col] != bucket:  # reached by a shorter way meanwhile
                continue
            here = field[row, col]
            for step in range(8):
                d_row, d_col = STEPS[step]
                r, c = row + d_row, col + d_col
                if r < 0 or c < 0 or r >= rows or c >= cols or not passable[r, c]:
                    continue
                if step >= 4 and not (passable[row, c] and passable[r, col]):
                    continue  # no cutting of corners
                there = here + np.float32(1.0 if step < 4 else DIAGONAL)
                if there < field[r, c]:
                    field[r, c] = there
                    target = int(there)
                    if target <= bucket:  # rounding only
                        target = bucket + 1
                    if bucket_of[r, c] != target:
                        bucket_of[r, c] = target
                        lists[target % 3, sizes[target % 3]] = r * cols + c
                        sizes[target % 3] += 1
        sizes[current] = 0
        bucket += 1
    for row in range(rows):
        for col in range(cols):
            field[row, col] *= np.float32(resolution)
    return field


def distance_field(passable: Mask, starts: ArrayLike, resolution: float) -> Field:
    """Returns the length of the shortest 8-connected way from the nearest start to each cell [m].

    Ways run over `passable` cells, cost 1 or sqrt(2) cells a step, and cut no corners.

    Args:
        passable: (rows, cols).
        starts: (N, 2) cells as (row, col); those outside of the grid or not passable are ignored, see `snap`.
        resolution: edge of a cell [m].
    """
    cells = np.asarray(starts, np.int32).reshape(-1, 2)
    inside = ((cells >= 0) & (cells < passable.shape)).all(axis=1)
    return _distance_field(passable, cells[inside], resolution)


def reachable(field: Field) -> Mask:
    """Returns the cells that a distance field reached."""
    return np.isfinite(field)


def snap(
    passable: Mask, geometry: GridGeometry, x: float, y: float, max_distance: float = 0.5
) -> tuple[int, int] | None:
    """Returns the passable cell (row, col) nearest to map point (x, y) [m], or None if there is none within
    `max_distance` [m].

    A robot that stands inside the inflation of a wall starts from there. Ties go to the lowest row, then column.
    """
    row, col = geometry.cell(x, y)
    if geometry.contains(row, col) and passable[row, col]:
        return row, col
    reach = int(np.ceil(max_distance / geometry.resolution)) + 1
    row0, col0 = max(row - reach, 0), max(col - reach, 0)
    window = passable[row0 : max(row + reach + 1, 0), col0 : max(col + reach + 1, 0)]
    cells = np.argwhere(window) + np.array((row0, col0))
    if not len(cells):
        return None
    distances = np.hypot(*(geometry.centers(cells) - (x, y)).T)
    best = int(distances.argmin())
    return (int(cells[best, 0]), int(cells[best, 1])) if distances[best] <= max_distance else None
