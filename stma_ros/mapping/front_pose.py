"""Poses before a side of an object, from which its front can be opened or closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.approach_pose import ApproachPose
from stma_ros.mapping.distance import Field, Mask
from stma_ros.mapping.voxel_grid import VoxelGrid
from stma_ros.types.planar import turned

Side = tuple[int, float]
"""A side of a box: the number of its axis, and the sign of the direction along it."""

SIDES: tuple[Side, ...] = ((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0))


@dataclass(frozen=True)
class FrontConfig:
    """Where to stand before a side.

    Attributes:
        gap: from the side to the robot's centre: room for a leaf [m].
        off: greatest distance of free floor from the point at that gap before the middle of the side [m].
        near: least distance from the side [m].
        face: what is mapped nearer to the side than this belongs to the object [m].
        elsewhere: a side whose point is nearer to a pose that failed than this failed itself [m].
        narrow: a side is narrow that is shorter than this share of the longest one.
        detour: length of the way that is gone rather than to stand before a side that is probably not the front [m].
    """

    gap: float = 0.8
    off: float = 0.45
    near: float = 0.5
    face: float = 0.1
    elsewhere: float = 0.6
    narrow: float = 0.75
    detour: float = 3.0


def find_front_pose(
    voxels: VoxelGrid,
    walls: Mask,
    distance: Field,
    center: Sequence[float],
    size: Sequence[float],
    yaw: float,
    beside: Sequence[Side] = (),
    failed: Sequence[tuple[float, float]] = (),
    config: FrontConfig = FrontConfig(),
) -> ApproachPose | None:
    """Finds a pose on free floor before one of the sides of a box, facing the middle of that side.

    Which side is the front is not known: it is taken to be a broad one, not at the end of a row of furniture, before
    which the robot gets soonest. There is no wall between the pose and the side.

    Args:
        voxels, walls, distance, center, size, yaw: as in `approach_pose.find_approach_pose`.
        beside: the sides at which other furniture stands.
        failed: (x, y) of poses that were before the wrong side [m].
        config: where to stand.

    Returns:
        The pose; None where no side has free floor before it.
    """
    best: tuple[float, ApproachPose] | None = None
    middle, half = np.array(center[:2], np.float64), np.array(size[:2], np.float64) / 2
    for axis, sign in SIDES:
        normal = turned(np.eye(2)[axis] * sign, yaw)
        front = middle + normal * half[axis]
        wanted = front + normal * config.gap
        if any(np.hypot(*(wanted - past)) < config.elsewhere for past in np.reshape(failed, (-1, 2))):
            continue
        at = _free_floor(voxels, distance, wanted, front, normal, config)
        if at is None:
            continue
        x, y, way = at
        if _is_walled_off(voxels, walls, np.array([x, y]), front + normal * config.face):
            continue
        unlikely = half[1 - axis] < config.narrow * half.max() or (axis, -sign) in beside
        cost = way + config.detour * bool(unlikely)
        if best is None or cost < best[0]:
            heading = float(np.arctan2(front[1] - y, front[0] - x))
            best = cost, ApproachPose(x, y, heading, way)
    return None if best is None else best[1]


def _is_walled_off(
    voxels: VoxelGrid, walls: Mask, one: NDArray[np.float64], other: NDArray[np.float64]
) -> bool:
    """Whether there is a wall on the way from one point to another [m], as the crow flies."""
    geometry, res = voxels.geometry, voxels.config.resolution
    count = int(2 * np.hypot(*(other - one)) / res) + 2
    cells = np.floor(np.linspace(one, other, count) / res).astype(np.int64)
    rows, cols = cells[:, 1] - geometry.row0, cells[:, 0] - geometry.col0
    inside = (rows >= 0) & (rows < geometry.rows) & (cols >= 0) & (cols < geometry.cols)
    return bool(walls[rows[inside], cols[inside]].any())


def _free_floor(
    voxels: VoxelGrid,
    distance: Field,
    wanted: NDArray[np.float64],
    front: NDArray[np.float64],
    normal: NDArray[np.float64],
    config: FrontConfig,
) -> tuple[float, float, float] | None:
    """Returns (x, y) of the free floor that is nearest to the wanted point, before the front, and the length of the
    way [m]."""
    geometry, res = voxels.geometry, voxels.config.resolution
    row, col = geometry.cell(*wanted.tolist())
    reach = round(config.off / res)
    top, left = max(row - reach, 0), max(col - reach, 0)
    window = distance[top : max(row + reach + 1, 0), left : max(col + reach + 1, 0)]
    rows, cols = np.nonzero(np.isfinite(window))
    if not len(rows):
        return None
    points = geometry.centers(np.column_stack((rows + top, cols + left)))
    off = np.hypot(*(points - wanted).T)
    usable = (off <= config.off) & ((points - front) @ normal >= config.near)
    if not usable.any():
        return None
    index = int(np.where(usable, off, np.inf).argmin())
    x, y = points[index].tolist()
    return x, y, float(window[rows[index], cols[index]])
