"""Errors of the outlines of segments, on images (H, W) of segment numbers, 0 = none."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.jit import kernel

Ids = NDArray[np.int32]

_LATTICE = 8  # distance of the points between which displacements are interpolated [px]
_KEPT = 2 / 3  # share of the deviation that linear interpolation in both directions keeps
_NEIGHBOURS = ((0, 1), (0, -1), (1, 0), (-1, 0))


def displaced(ids: Ids, jitter: float, rng: np.random.Generator) -> Ids:
    """Returns the image with wavy edges. jitter: root mean square of the displacement of an edge point [px]."""
    height, width = ids.shape
    shape = (height // _LATTICE + 2, width // _LATTICE + 2, 2)
    lattice = rng.standard_normal(shape, dtype=np.float32) * np.float32(jitter / math.sqrt(2) / _KEPT)
    out = np.empty_like(ids)
    _displace(ids, lattice, _LATTICE, out)
    return out


@kernel
def _displace(ids: Ids, lattice: NDArray[np.float32], step: int, out: Ids) -> None:
    height, width = ids.shape
    for v in range(height):
        row, down = v // step, np.float32(v % step) / np.float32(step)
        for u in range(width):
            column, right = u // step, np.float32(u % step) / np.float32(step)
            moved = np.zeros(2, np.float32)
            for axis in range(2):
                above = lattice[row, column, axis] * (1 - right) + lattice[row, column + 1, axis] * right
                below = (
                    lattice[row + 1, column, axis] * (1 - right) + lattice[row + 1, column + 1, axis] * right
                )
                moved[axis] = above * (1 - down) + below * down
            from_v = min(max(v + int(np.rint(moved[0])), 0), height - 1)
            from_u = min(max(u + int(np.rint(moved[1])), 0), width - 1)
            out[v, u] = ids[from_v, from_u]


def split(ids: Ids, number: int, other: int, angle: float) -> None:
    """Gives one side of a segment the number `other`; the cut runs through its middle at an angle [rad]."""
    rows, columns = np.nonzero(ids == number)
    across = (columns - columns.mean()) * math.cos(angle) + (rows - rows.mean()) * math.sin(angle)
    beyond = across > 0
    ids[rows[beyond], columns[beyond]] = other


def neighbour(ids: Ids, number: int, count: int) -> int:
    """Returns the segment with the longest common border among the numbers below `count`, 0 = none."""
    rows, columns = np.nonzero(ids == number)
    height, width = ids.shape
    borders = np.zeros(count, np.int64)
    for down, right in _NEIGHBOURS:
        at = (rows + down).clip(0, height - 1), (columns + right).clip(0, width - 1)
        borders += np.bincount(ids[at], minlength=count)[:count]
    borders[[0, number]] = 0
    return int(np.argmax(borders))


@kernel
def bounds(ids: Ids, boxes: NDArray[np.int32]) -> None:
    """Writes the bounding box of each number: first row, first column, last row, last column (N, 4); of one that is
    absent, the first is behind the last."""
    for number in range(len(boxes)):
        boxes[number] = (ids.shape[0], ids.shape[1], -1, -1)
    for v in range(ids.shape[0]):
        for u in range(ids.shape[1]):
            box = boxes[ids[v, u]]
            box[0], box[1] = min(box[0], v), min(box[1], u)
            box[2], box[3] = max(box[2], v), max(box[3], u)


def boxed(ids: Ids, count: int, jitter: float, rng: np.random.Generator) -> Ids:
    """Returns the image with a box in place of each segment, smaller boxes over larger ones.

    count: numbers are below it. jitter: standard deviation of the place of a box's edge [px].
    """
    height, width = ids.shape
    boxes = np.empty((count, 4), np.int32)
    bounds(ids, boxes)
    moved = boxes + np.rint(jitter * rng.standard_normal((count, 4))).astype(np.int32)
    first, last = moved[:, :2].clip(0), np.minimum(moved[:, 2:], (height - 1, width - 1))
    area = (last - first + 1).prod(axis=1)
    out = np.zeros_like(ids)
    for number in np.argsort(-area, kind="stable").tolist():
        if number and boxes[number, 2] >= 0:
            (top, left), (bottom, right) = first[number], last[number]
            out[top : bottom + 1, left : right + 1] = number
    return out
