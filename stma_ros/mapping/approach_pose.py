"""Poses from which an object can be reached: near enough, on free floor, with a clear view of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.approach_kernels import arm_reaches, best_cell
from stma_ros.mapping.distance import Field, Mask
from stma_ros.mapping.occupancy import OccupancyConfig
from stma_ros.mapping.voxel_grid import VoxelGrid


@dataclass(frozen=True)
class ApproachConfig:
    """Distances of an approach pose."""

    min_gap: float = 0.45  # [m] from the robot's center to the nearest edge of the box, in the plane
    max_gap: float = 1.0  # [m] likewise: where the arm reaches with ease
    stretched_gap: float = (
        1.35  # [m] likewise: full stretch, for objects that cannot be approached any nearer
    )
    eye_height: float = 1.2  # [m] above the floor: where the line of sight starts
    needs_sight: bool = False  # whether a pose without a clear view is worse than none


@dataclass(frozen=True)
class ApproachPose:
    """A pose on the floor from which an object can be reached."""

    x: float  # [m] in the map frame
    y: float  # [m]
    yaw: float  # [rad] facing the box's center
    distance: float  # [m] length of the way there


def find_approach_pose(
    voxels: VoxelGrid,
    walls: Mask,
    distance: Field,
    center: Sequence[float],
    size: Sequence[float],
    yaw: float = 0.0,
    config: ApproachConfig | None = None,
) -> ApproachPose | None:
    """Finds the nearest pose from which a box can be reached and, if possible, seen.

    The arm reaches through no wall, see `arm_reaches`. Sight is checked in three dimensions, from eye height to the
    centre of the box: a cup on a table is seen over the table's edge. A pose at full stretch of the arm is taken only
    where there is no nearer one, and a pose without a clear view, if at all, only where there is none with it, for
    example behind a bed.

    Args:
        voxels: the map.
        walls: (rows, cols) what stands at wall height.
        distance: (rows, cols) distance field from the robot's cell over the cells on which it may stand [m].
        center: (x, y, z) of an upright box in the map frame [m].
        size: side lengths of the box along its own axes [m].
        yaw: heading of these axes [rad].
        config: distances.

    Returns:
        The pose with the shortest way, or None if there is none.

    Raises:
        ValueError: a field has another shape than a layer of `voxels`, or the box is not finite or has negative sizes.
    """
    config = config or ApproachConfig()
    if not distance.shape == walls.shape == voxels.geometry.shape:
        raise ValueError(
            f"the distance field is {distance.shape}, the walls {walls.shape}, the map {voxels.geometry.shape}: "
            "compute them from the map's present state"
        )
    target, half = _in_voxels(voxels, center, size)
    res = voxels.config.resolution
    row = col = -1
    stages = [(config.max_gap, True), (config.stretched_gap, True)]
    if not config.needs_sight:
        stages.append((config.stretched_gap, False))
    for max_gap, in_sight in stages:
        row, col = best_cell(
            voxels.counts,
            walls,
            distance,
            target,
            half,
            yaw,
            (config.eye_height - voxels.config.min_height) / res,
            config.min_gap / res,
            max_gap / res,
            in_sight,
            _wall_bottom(voxels),
        )
        if row >= 0:
            break
    if row < 0:
        return None
    x, y = voxels.geometry.center(row, col)
    return ApproachPose(x, y, float(np.arctan2(center[1] - y, center[0] - x)), float(distance[row, col]))


def is_within_reach(
    voxels: VoxelGrid,
    walls: Mask,
    x: float,
    y: float,
    center: Sequence[float],
    size: Sequence[float],
    yaw: float,
    reach: float,
) -> bool:
    """Whether a box is at most `reach` [m] from map point (x, y) [m] in the plane, without a wall between.

    `walls`, `center`, `size` and `yaw` are as in `find_approach_pose`.

    Raises:
        ValueError: the box is not finite or has negative sizes.
    """
    target, half = _in_voxels(voxels, center, size)
    (x0, y0), res = voxels.geometry.origin, voxels.config.resolution
    return bool(
        arm_reaches(
            voxels.counts,
            walls,
            (x - x0) / res,
            (y - y0) / res,
            target,
            half,
            yaw,
            reach / res,
            _wall_bottom(voxels),
        )
    )


def _wall_bottom(voxels: VoxelGrid) -> float:
    """Returns the layer from which on walls are distinguished from furniture."""
    return float(voxels.layer(OccupancyConfig().wall_bottom))


def _in_voxels(
    voxels: VoxelGrid, center: Sequence[float], size: Sequence[float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns the centre and half the size of a box in voxel units. Raises ValueError for a box that is not finite."""
    middle, half = np.asarray(center, np.float64), np.asarray(size, np.float64) / 2.0
    if not (np.isfinite(middle).all() and np.isfinite(half).all() and (half >= 0).all()):
        raise ValueError(
            f"not a box: center {tuple(center)}, size {tuple(size)}; need finite numbers and sizes >= 0"
        )
    corner = (*voxels.geometry.origin, voxels.config.bottom)
    return (middle - corner) / voxels.config.resolution, half / voxels.config.resolution
