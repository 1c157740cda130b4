"""Distances on grids: to the nearest obstacle, and along the ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancySlice
from stma_ros.types.jit import kernel, read_only

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
    resolution = occupancy.geometry.resolution
    radii = np.full(occupancy.data.shape, radius, np.float32)
    cap = max(int(radii.max(initial=0.0) / resolution) + 2, 1)
    distances = (np.sqrt(np.arange(cap * cap + 1)) * resolution).astype(np.float32)
    return _traversable(read_only(occupancy.data), radii, distances, cap)


def bridged(occupancy: OccupancySlice, cells: int = 2) -> OccupancySlice:
    """Returns a slice in which unknown slivers of at most `cells` between free cells are free.

    Single rays that met no surface leave such slivers across the floor, too small to be a frontier; what is behind
    one would never be reached.
    """
    return replace(occupancy, data=_bridged(read_only(occupancy.data), cells))


@kernel
def _bridged(occupancy: NDArray[np.int8], cells: int) -> NDArray[np.int8]:
    rows, cols = occupancy.shape
    filled = occupancy.copy()
    for row in range(rows):
        for col in range(cols):
            if occupancy[row, col] != FREE:
                continue
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                r, c, count = row + down, col + right, 0
                while count <= cells and r < rows and 0 <= c < cols and occupancy[r, c] == UNKNOWN:
                    r, c, count = r + down, c + right, count + 1
                if 0 < count <= cells and r < rows and 0 <= c < cols and occupancy[r, c] == FREE:
                    for step in range(1, count + 1):
                        filled[row + step * down, col + step * right] = FREE
    return filled


@kernel
def _traversable(occupancy: NDArray[np.int8], radii: Field, distances: Field, cap: int) -> Mask:
    """Returns the free cells whose distance to obstacles exceeds the radius.

    Distances of `cap` cells and more need no telling apart. Inner loops have no branches: vector instructions.

    Args:
        occupancy: (rows, cols).
        radii: (rows, cols) [m]; less than `cap` cells.
        distances: (cap * cap + 1,) [m] of squared distances [cells].
        cap: [cells].
    """
    rows, cols = occupancy.shape
    vertical = np.empty((rows, cols), np.uint16)
    above = np.full(cols, np.uint16(cap), np.uint16)
    for row in range(rows):
        for col in range(cols):
            one_more = np.uint16(min(above[col] + 1, cap))
            above[col] = np.uint16(0) if occupancy[row, col] == OCCUPIED else one_more
            vertical[row, col] = above[col]
    passable = np.empty((rows, cols), np.bool_)
    below = np.full(cols, np.uint16(cap), np.uint16)
    squares = np.full(cols + 2 * cap, cap * cap, np.int32)
    least = np.empty(cols, np.int32)
    for row in range(rows - 1, -1, -1):
        line = squares[cap : cap + cols]
        for col in range(cols):
            below[col] = min(np.uint16(min(below[col] + 1, cap)), vertical[row, col])
            line[col] = np.int32(below[col]) * np.int32(below[col])
            least[col] = line[col]
        for away in range(1, cap):
            left, right = squares[cap - away : cap - away + cols], squares[cap + away : cap + away + cols]
            for col in range(cols):
                least[col] = min(least[col], np.int32(min(left[col], right[col]) + away * away))
        for col in range(cols):
            passable[row, col] = (occupancy[row, col] == FREE) & (distances[least[col]] > radii[row, col])
    return passable


@kernel
def _steps(passable: Mask) -> NDArray[np.uint8]:
    """Returns the steps that are possible from each cell: bit k for STEPS[k]; with a border of one cell, flat."""
    rows, cols = passable.shape
    width = cols + 2
    cells = np.zeros((rows + 2, width), np.uint8)
    for row in range(rows):
        line = cells[row + 1]
        for col in range(cols):
            line[col + 1] = np.uint8(passable[row, col])
    steps = np.zeros((rows + 2) * width, np.uint8)
    for row in range(1, rows + 1):
        above, line, below = cells[row - 1], cells[row], cells[row + 1]
        result = steps[row * width : (row + 1) * width]
        for col in range(1, cols + 1):  # no branches: vector instructions
            up, left, right, down = above[col], line[col - 1], line[col + 1], below[col]
            straight = np.uint8(up | (left << 1) | (right << 2) | (down << 3))
            diagonal_up = np.uint8(((above[col - 1] & up & left) << 4) | ((above[col + 1] & up & right) << 5))
            diagonal_down = np.uint8(
                ((below[col - 1] & down & left) << 6) | ((below[col + 1] & down & right) << 7)
            )
            result[col] = straight | diagonal_up | diagonal_down
    return steps


@kernel
def _distance_field(passable: Mask, starts: NDArray[np.int32], resolution: float) -> Field:
    """Returns shortest octile distances, by buckets that are one cell wide.

    No step is shorter than a bucket is wide, so the cells of one bucket cannot shorten each other's way: they are
    settled in any order, and three rolling lists replace a priority queue.
    """
    rows, cols = passable.shape
    width = cols + 2
    steps = _steps(passable)
    offsets = (-width, -1, 1, width, -width - 1, -width + 1, width - 1, width + 1)  # as STEPS
    found = np.full((rows + 2) * width, np.inf, np.float32)
    lists = np.empty((3, (rows + 2) * width), np.int32)
    now, next_one, after_next = lists[0], lists[1], lists[2]
    size, next_size, after_next_size = 0, 0, 0
    for k in range(len(starts)):
        cell = (starts[k, 0] + 1) * width + starts[k, 1] + 1
        if passable[starts[k, 0], starts[k, 1]] and found[cell] != 0:
            found[cell] = 0
            now[size] = cell
            size += 1
    bucket = 0
    while size + next_size + after_next_size > 0:
        next_end, after_next_end = np.float32(bucket + 2), np.float32(bucket + 3)
        for k in range(size):
            cell = now[k]
            if found[cell] < bucket:  # reached by a shorter way meanwhile
                continue
            there = found[cell] + np.float32(1.0)
            for step in range(4):
                if (steps[cell] >> step) & 1 == 0:
                    continue
                target = cell + offsets[step]
                before = found[target]
                if there < before:
                    found[target] = there
                    if before >= next_end:  # else it is in that list already
                        next_one[next_size] = target
                        next_size += 1
            there = found[cell] + np.float32(DIAGONAL)
            for step in range(4, 8):
                if (steps[cell] >> step) & 1 == 0:
                    continue
                target = cell + offsets[step]
                before = found[target]
                if there < before:
                    found[target] = there
                    if there < next_end:
                        if before >= next_end:
                            next_one[next_size] = target
                            next_size += 1
                    elif before >= after_next_end:
                        after_next[after_next_size] = target
                        after_next_size += 1
        now, next_one, after_next = next_one, after_next, now
        size, next_size, after_next_size = next_size, after_next_size, 0
        bucket += 1
    field = np.empty((rows, cols), np.float32)
    for row in range(rows):
        line = found[(row + 1) * width + 1 : (row + 1) * width + 1 + cols]
        for col in range(cols):
            field[row, col] = line[col] * np.float32(resolution)
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
