"""The two passes over a segmented depth image: classification of pixels, and their points in space."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.jit import kernel

TOTAL, MEASURED, STEADY, BEYOND, UNMEASURED, ROW0, ROW1, COL0, COL1 = range(9)
"""Columns of the counts: all pixels, pixels with depth in range, those of them that are not flying, pixels too far
away, pixels without depth; and the rows and columns (from, to) that bound the segment."""

SKIP, FLYING, GOOD = 0, 1, 2


@kernel
def _support(
    inverse: NDArray[np.float32],
    segments: NDArray[np.uint16],
    v: int,
    u: int,
    dv: int,
    du: int,
    limit: float,
) -> tuple[int, int]:
    """Counts pairs of neighbours of one segment along one image direction, and those whose surface contains (v, u).

    The pairs are two pixels before it, one on either side, and two after it. On a flat surface, inverse depth is linear
    in the image, however slanted the surface is.
    """
    height, width = segments.shape
    own = segments[v, u]
    asked, agreed = 0, 0
    for side in (-1, 0, 1):
        first, second = (side, 2 * side) if side else (-1, 1)
        v1, u1, v2, u2 = v + first * dv, u + first * du, v + second * dv, u + second * du
        if min(v1, u1, v2, u2) < 0 or max(v1, v2) >= height or max(u1, u2) >= width:
            continue
        one, other = inverse[v1, u1], inverse[v2, u2]
        if segments[v1, u1] != own or segments[v2, u2] != own or one == 0 or other == 0:
            continue
        asked += 1
        predicted = 2 * one - other if side else (one + other) * np.float32(0.5)
        agreed += abs(inverse[v, u] - predicted) <= limit
    return asked, agreed


@kernel
def _flies(inverse: NDArray[np.float32], segments: NDArray[np.uint16], v: int, u: int, limit: float) -> bool:
    """Whether (v, u) lies off all surfaces along one direction, and not clearly on one along the other."""
    along, on_row = _support(inverse, segments, v, u, 0, 1, limit)
    if along > 0 and on_row == 3:
        return False
    across, on_column = _support(inverse, segments, v, u, 1, 0, limit)
    return (along > 0 and on_row == 0 and on_column < 2) or (across > 0 and on_column == 0 and on_row < 2)


@kernel
def sort_pixels(
    depth_mm: NDArray[np.uint16],
    inverse: NDArray[np.float32],
    segments: NDArray[np.uint16],
    slots: NDArray[np.int16],
    far_mm: int,
    slack: NDArray[np.float32],
    counts: NDArray[np.int64],
    verdict: NDArray[np.uint8],
) -> None:
    """Fills `counts` (slots, 9) and `verdict` (H, W) for the pixels whose id has a slot >= 0.

    Args:
        depth_mm: (H, W) depth [mm].
        inverse: (H, W) inverse depth [1 / mm]; 0 = not measured.
        segments: (H, W) ids.
        slots: slot of each id; -1 = ignored.
        far_mm: end of the range [mm].
        slack: by depth in cm, largest distance from the surface of the neighbours [mm]; empty = no pixel flies.
        counts: output, see TOTAL.
        verdict: output: SKIP, FLYING or GOOD.
    """
    height, width = depth_mm.shape
    for v in range(height):
        u = 0
        while u < width:
            own, start = segments[v, u], u
            slot = slots[own]
            if slot < 0:
                while u < width and segments[v, u] == own:
                    u += 1
                continue
            measured, steady, beyond = 0, 0, 0
            while u < width and segments[v, u] == own:
                depth = depth_mm[v, u]
                if depth >= far_mm:
                    beyond += 1
                elif depth > 0:
                    measured += 1
                    flies = False
                    if len(slack):
                        limit = slack[depth // 10] * inverse[v, u] * inverse[v, u]
                        flies = _flies(inverse, segments, v, u, limit)
                    if flies:
                        verdict[v, u] = FLYING
                    else:
                        verdict[v, u] = GOOD
                        steady += 1
                u += 1
            count = counts[slot]
            count[TOTAL] += u - start
            count[MEASURED] += measured
            count[STEADY] += steady
            count[BEYOND] += beyond
            count[UNMEASURED] += u - start - measured - beyond
            count[ROW0], count[ROW1] = min(count[ROW0], v), max(count[ROW1], v + 1)
            count[COL0], count[COL1] = min(count[COL0], start), max(count[COL1], u)


@kernel
def gather_points(
    depth_mm: NDArray[np.uint16],
    segments: NDArray[np.uint16],
    slots: NDArray[np.int16],
    verdict: NDArray[np.uint8],
    accepted: NDArray[np.uint8],
    ends: NDArray[np.int64],
    rays: NDArray[np.float32],
    eye: NDArray[np.float32],
    points: NDArray[np.float32],
    index: NDArray[np.int32],
) -> None:
    """Writes the points of each slot, one slot after the other, in the order of the pixels.

    Args:
        depth_mm: (H, W) depth [mm].
        segments: (H, W) ids.
        slots: slot of each id.
        verdict: class of each pixel.
        accepted: by slot, the lowest class that counts.
        ends: by slot, where its points begin; changed to where they end.
        rays: (3, 3) steps per mm of depth of a ray: constant, per column u, per row v.
        eye: (3,) position of the camera.
        points: output (N, 3).
        index: output (N,) pixels.
    """
    height, width = depth_mm.shape
    for v in range(height):
        along = rays[0] + np.float32(v) * rays[2]
        for u in range(width):
            if verdict[v, u] == SKIP:
                continue
            slot = slots[segments[v, u]]
            if verdict[v, u] < accepted[slot]:
                continue
            at = ends[slot]
            ends[slot] = at + 1
            depth = np.float32(depth_mm[v, u])
            for axis in range(3):
                points[at, axis] = eye[axis] + depth * (along[axis] + np.float32(u) * rays[1, axis])
            index[at] = v * width + u
