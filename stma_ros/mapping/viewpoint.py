"""Poses from which an object shows other sides than before."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stma_ros.mapping.approach_pose import ApproachConfig, ApproachPose, find_approach_pose
from stma_ros.mapping.distance import Field, Mask
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.voxel_grid import VoxelGrid

SAME_SIDE = np.radians(50)
"""Directions that differ by less show the same sides of an object."""

FROM_NEAR = ApproachConfig(max_gap=1.35, stretched_gap=3.0, needs_sight=True)
"""Where to stand to see the sides of an object."""

OVER_RIM = ApproachConfig(max_gap=0.55, stretched_gap=1.0, needs_sight=True)
"""Where to stand to see what is in an object that is open at the top: its rim hides the more, the farther away."""


def find_viewpoint(
    voxels: VoxelGrid,
    walls: Mask,
    distance: Field,
    center: Sequence[float],
    size: Sequence[float],
    yaw: float,
    seen_from: Sequence[tuple[float, float]],
    config: ApproachConfig = FROM_NEAR,
) -> ApproachPose | None:
    """Finds the nearest pose with a clear view of a box from another side.

    Args:
        voxels, walls, distance, center, size, yaw: as in `approach_pose.find_approach_pose`.
        seen_from: (x, y) of the places from which it was seen [m].
        config: where to stand.

    Returns:
        The pose with the shortest way, if possible at hand; None if there is none.

    Raises:
        ValueError: as `approach_pose.find_approach_pose`.
    """
    left = _without_sides(voxels.geometry, distance, center, seen_from)
    return find_approach_pose(voxels, walls, left, center, size, yaw, config)


def _without_sides(
    geometry: GridGeometry, distance: Field, center: Sequence[float], seen_from: Sequence[tuple[float, float]]
) -> Field:
    """Returns a distance field that is infinite where a place is seen from the same side as before."""
    rows, cols = np.nonzero(np.isfinite(distance))
    away = geometry.centers(np.column_stack((rows, cols))) - center[:2]
    before = np.reshape(seen_from, (-1, 2)) - center[:2]
    lengths = np.outer(np.hypot(*away.T), np.hypot(*before.T))
    same = (away @ before.T > np.cos(SAME_SIDE) * lengths).any(axis=1)
    left = distance.copy()
    left[rows[same], cols[same]] = np.inf
    return left
