"""Inner loops of approach poses: line of sight, and reach of an arm.

They call one another, so they share a file: numba keeps compiled code until the caller's own file changes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.jit import kernel

_ABOVE = 3.0
"""Voxels above a box through which an arm may come: boards of furniture are mapped thicker than they are."""


@kernel
def _along(x: float, y: float, target: NDArray[np.float64], yaw: float) -> tuple[float, float]:
    """Returns a point along the axes of a box, from its middle."""
    cosine, sine = np.cos(yaw), np.sin(yaw)
    dx, dy = x - target[0], y - target[1]
    return cosine * dx + sine * dy, cosine * dy - sine * dx


@kernel
def _gap(x: float, y: float, target: NDArray[np.float64], half: NDArray[np.float64], yaw: float) -> float:
    """Returns the horizontal distance from a point to the nearest edge of a box."""
    along, across = _along(x, y, target, yaw)
    return float(np.hypot(max(abs(along) - half[0], 0.0), max(abs(across) - half[1], 0.0)))


@kernel
def _is_wall(
    counts: NDArray[np.int8], walls: NDArray[np.bool_], row: int, col: int, low: int, top: int
) -> bool:
    """Whether a cell holds a wall: there is one at wall height, and most of the layers `low` to `top` were not seen to
    be free."""
    if not walls[row, col]:
        return False
    free = 0
    for layer in range(low, top + 1):
        free += counts[layer, row, col] < 0
    return 2 * free < top + 1 - low


@kernel
def arm_reaches(
    counts: NDArray[np.int8],
    walls: NDArray[np.bool_],
    x: float,
    y: float,
    target: NDArray[np.float64],
    half: NDArray[np.float64],
    yaw: float,
    reach: float,
    wall_bottom: float,
) -> bool:
    """Whether an arm of length `reach` at (x, y) gets to the nearest point or to the middle of a box, seen from above.

    It reaches over furniture and into niches, but through no wall or closed door. A wall is taken to stand on the
    floor, also where furniture hid its lower part, unless it was seen to be free at the height of the box or just above
    it: a niche, an open cupboard. Obstacles within a cell of the box are the box itself, if they are as high, or what
    it hangs on; a lower box whose outer half lies in a wall was measured too large, and ends before the wall.

    Args:
        counts: (layers, rows, cols) as in VoxelGrid.
        walls: (rows, cols) what stands at wall height, from layer `wall_bottom` on.
        x, y: foot of the arm [voxels].
        target: middle (x, y, z) of the box [voxels].
        half: half its size along its own axes [voxels].
        yaw: heading of these axes [rad].
        reach: length of the arm [voxels].
        wall_bottom: lowest layer of `walls`.
    """
    layers, rows, cols = counts.shape
    low = min(max(int(target[2]), 0), layers - 1)
    top = min(max(int(target[2] + half[2] + _ABOVE), 0), layers - 1)
    part = 1.0 if target[2] + half[2] >= wall_bottom else 0.5
    own_x, own_y = part * half[0], part * half[1]
    gap = _gap(x, y, target, half, yaw)
    cosine, sine = np.cos(yaw), np.sin(yaw)
    for aim in range(2):
        if aim == 0:
            along, across = _along(x, y, target, yaw)
            along, across = min(max(along, -own_x), own_x), min(max(across, -own_y), own_y)
            to_x = target[0] + cosine * along - sine * across
            to_y = target[1] + sine * along + cosine * across
        else:
            to_x, to_y = target[0], target[1]
            gap = np.hypot(to_x - x, to_y - y)
        if gap > reach:
            continue
        steps = int(np.ceil(2.0 * np.hypot(to_x - x, to_y - y))) + 1
        clear = True
        for k in range(steps + 1):
            at_x, at_y = x + (to_x - x) * (k / steps), y + (to_y - y) * (k / steps)
            along, across = _along(at_x, at_y, target, yaw)
            if abs(along) <= own_x + 1.0 and abs(across) <= own_y + 1.0:
                break
            if not (0 <= at_x < cols and 0 <= at_y < rows):
                continue
            if _is_wall(counts, walls, int(at_y), int(at_x), low, top):
                clear = False
                break
        if clear:
            return True
    return False


@kernel
def _sees(
    counts: NDArray[np.int8],
    eye: NDArray[np.float64],
    target: NDArray[np.float64],
    half: NDArray[np.float64],
    yaw: float,
) -> bool:
    """Whether no occupied voxel outside of the box around `target` lies on the segment; all in voxel units."""
    layers, rows, cols = counts.shape
    ray = target - eye
    steps = int(np.ceil(2.0 * np.abs(ray).max())) + 1
    for k in range(steps + 1):
        x, y, z = eye + ray * (k / steps)
        along, across = _along(x, y, target, yaw)
        if abs(along) <= half[0] and abs(across) <= half[1] and abs(z - target[2]) <= half[2]:
            return True
        if 0 <= x < cols and 0 <= y < rows and 0 <= z < layers and counts[int(z), int(y), int(x)] > 0:
            return False
    return True


@kernel
def best_cell(
    counts: NDArray[np.int8],
    walls: NDArray[np.bool_],
    distance: NDArray[np.float32],
    target: NDArray[np.float64],
    half: NDArray[np.float64],
    yaw: float,
    eye_z: float,
    min_gap: float,
    max_gap: float,
    in_sight: bool,
    wall_bottom: float,
) -> tuple[int, int]:
    """Returns the cell (row, col) of the nearest approach pose; (-1, -1) if there is none. Arguments are in voxel
    units."""
    rows, cols = distance.shape
    mapped = half + 1.0  # its surface may be mapped one voxel farther out
    eye = np.empty(3)
    eye[2] = eye_z
    best, best_row, best_col = np.inf, -1, -1
    cosine, sine = abs(np.cos(yaw)), abs(np.sin(yaw))
    reach_x = cosine * half[0] + sine * half[1] + max_gap
    reach_y = sine * half[0] + cosine * half[1] + max_gap
    for row in range(max(0, int(target[1] - reach_y)), min(rows, int(target[1] + reach_y) + 1)):
        for col in range(max(0, int(target[0] - reach_x)), min(cols, int(target[0] + reach_x) + 1)):
            if not distance[row, col] < best:
                continue
            eye[0], eye[1] = col + 0.5, row + 0.5
            if not min_gap <= _gap(eye[0], eye[1], target, half, yaw) <= max_gap:
                continue
            if not arm_reaches(counts, walls, eye[0], eye[1], target, half, yaw, max_gap, wall_bottom):
                continue
            if not in_sight or _sees(counts, eye, target, mapped, yaw):
                best, best_row, best_col = distance[row, col], row, col
    return best_row, best_col
