"""Where to stand before an object: near enough to reach it, free to stand, and with a clear view of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.distance import Field
from stma_ros.mapping.voxel_grid import VoxelGrid
from stma_ros.types.jit import kernel


@dataclass(frozen=True)
class StandingConfig:
    min_gap: float = 0.45  # [m] from the robot's center to the nearest edge of the box, in the plane
    max_gap: float = 1.0  # [m] likewise: where the arm reaches with ease
    stretched_gap: float = 1.35  # [m] likewise: the most that it reaches, for what cannot be come nearer to
    eye_height: float = 1.2  # [m] above the floor: where the line of sight starts


@dataclass(frozen=True)
class StandingPose:
    x: float  # [m] in the map frame
    y: float  # [m]
    yaw: float  # [rad] facing the box's center
    distance: float  # [m] length of the way there


@kernel
def _sees(
    counts: NDArray[np.int8],
    eye: NDArray[np.float64],
    target: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> bool:
    """Whether no occupied voxel outside the box [low, high] lies on the segment; all in voxel units (x, y,
    z).
    """
    layers, rows, cols = counts.shape
    ray = target - eye
    steps = int(np.ceil(2.0 * np.abs(ray).max())) + 1
    for k in range(steps + 1):
        x, y, z = eye + ray * (k / steps)
        if low[0] <= x <= high[0] and low[1] <= y <= high[1] and low[2] <= z <= high[2]:
            return True
        if 0 <= x < cols and 0 <= y < rows and 0 <= z < layers and counts[int(z), int(y), int(x)] > 0:
            return False
    return True


@kernel
def _best_cell(
    counts: NDArray[np.int8],
    distance: Field,
    target: NDArray[np.float64],
    half: NDArray[np.float64],
    eye_z: float,
    min_gap: float,
    max_gap: float,
) -> tuple[int, int]:
    rows, cols = distance.shape
    low, high = target - half - 1.0, target + half + 1.0  # its surface may be mapped one voxel farther out
    eye = np.empty(3)
    eye[2] = eye_z
    best, best_row, best_col = np.inf, -1, -1
    reach_x, reach_y = half[0] + max_gap, half[1] + max_gap
    for row in range(max(0, int(target[1] - reach_y)), min(rows, int(target[1] + reach_y) + 1)):
        for col in range(max(0, int(target[0] - reach_x)), min(cols, int(target[0] + reach_x) + 1)):
            if not distance[row, col] < best:
                continue
            eye[0], eye[1] = col + 0.5, row + 0.5
            gap = np.hypot(
                max(abs(eye[0] - target[0]) - half[0], 0.0), max(abs(eye[1] - target[1]) - half[1], 0.0)
            )
            if min_gap <= gap <= max_gap and _sees(counts, eye, target, low, high):
                best, best_row, best_col = distance[row, col], row, col
    return best_row, best_col


def standing_pose(
    voxels: VoxelGrid,
    distance: Field,
    center: Sequence[float],
    size: Sequence[float],
    config: StandingConfig | None = None,
) -> StandingPose | None:
    """The pose nearest by `distance` from which the box can be reached and seen, or None if there is none.

    The box is axis-aligned: `center` (x, y, z) [m] in the map frame, `size` [m] along each axis. `distance`
    is the field (rows, cols) from the robot's cell over the cells it may stand on, of the same shape as a
    layer of `voxels`. Sight is checked in three dimensions, from eye height to the box's center: a cup on a
    table is seen over its edge. A pose at arm's length is only taken where there is no nearer one. Raises ValueError
    for a field of another shape and for a box that is not finite or has negative sizes.
    """
    config = config or StandingConfig()
    if distance.shape != voxels.geometry.shape:
        raise ValueError(
            f"the distance field is {distance.shape}, the map {voxels.geometry.shape}: "
            "compute the field from the map's present state"
        )
    middle, half = np.asarray(center, np.float64), np.asarray(size, np.float64) / 2.0
    if not (np.isfinite(middle).all() and np.isfinite(half).all() and (half >= 0).all()):
        raise ValueError(
            f"not a box: center {tuple(center)}, size {tuple(size)}; need finite numbers and sizes >= 0"
        )
    geometry, res = voxels.geometry, voxels.config.resolution
    corner = np.array((*geometry.origin, voxels.config.min_height))
    row = col = -1
    for max_gap in (config.max_gap, config.stretched_gap):
        row, col = _best_cell(
            voxels.counts,
            distance,
            (middle - corner) / res,
            half / res,
            (config.eye_height - voxels.config.min_height) / res,
            config.min_gap / res,
            max_gap / res,
        )
        if row >= 0:
            break
    if row < 0:
        return None
    x, y = geometry.center(row, col)
    return StandingPose(x, y, float(np.arctan2(middle[1] - y, middle[0] - x)), float(distance[row, col]))
