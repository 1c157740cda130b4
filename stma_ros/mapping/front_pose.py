"""Poses before a side of an object, from which its front can be opened or closed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.approach_pose import ApproachPose
from stma_ros.mapping.distance import Field, Mask
from stma_ros.mapping.footprint import SIDES, Footprint, Side
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.occupancy import FREE, OccupancyConfig, OccupancySlice

_Point = NDArray[np.float64]
_OTHERWISE = 4  # doubts about a side that has failed, in places where other sides are tried first


@dataclass(frozen=True)
class FrontEvidence:
    """What is known of the front of an object.

    Attributes:
        beside: the sides at which other furniture stands.
        failed: (x, y) of poses from which it could not be opened or closed [m].
        worked: (x, y) of the pose from which it was opened or closed [m]; None = it never was.
    """

    beside: Sequence[Side] = ()
    failed: Sequence[tuple[float, float]] = ()
    worked: tuple[float, float] | None = None


@dataclass(frozen=True)
class FrontConfig:
    """Where to stand before a side, and which side is taken for the front.

    Attributes:
        gap: from the side to the robot's centre: room for a leaf [m].
        off: greatest distance of free floor from the point on which to stand [m].
        near: least distance from the side [m].
        farther: how much farther from the side to stand, after the leaf has come too near [m].
        beside: how far beside the side to stand, out of the way of a leaf [m].
        apart: a stance is at least this far from those that have failed [m].
        face: what is mapped nearer to the side than this belongs to the object [m].
        narrow: a side is narrow that is shorter than this share of the longest one.
        open_space: depth of the space before a front that is seen to be free [m].
        free_share: a side with less than this share of that space is hardly the front.
        wall_gap: greatest distance of the wall at an object's back [m].
        wall_share: least share of the width of the back that the wall covers.
        improbable: length of the way that is gone rather than to stand before a side that is hardly the front [m].
        doubtful: the same for a side for which less speaks than for another one [m].
    """

    gap: float = 0.8
    off: float = 0.45
    near: float = 0.5
    farther: float = 0.5
    beside: float = 0.35
    apart: float = 0.45
    face: float = 0.1
    narrow: float = 0.75
    open_space: float = 0.3
    free_share: float = 0.5
    wall_gap: float = 0.25
    wall_share: float = 0.3
    improbable: float = 6.0
    doubtful: float = 3.0


def find_front_pose(
    occupancy: OccupancySlice,
    walls: Mask,
    distance: Field,
    center: Sequence[float],
    size: Sequence[float],
    yaw: float,
    evidence: FrontEvidence = FrontEvidence(),
    config: FrontConfig = FrontConfig(),
) -> ApproachPose | None:
    """Finds a pose on free floor before one of the sides of a box, facing the middle of that side, or, after that has
    failed, one of its halves, from farther away, or from beside it.

    The front is the side before which the robot stood when the object was opened or closed. Where it never was, the
    front is taken to be a broad side with free space before it, opposite to a wall, not at the end of a row of
    furniture, and before which the robot gets soonest. There is no wall between the pose and the side.

    Args:
        occupancy: the slice in which the robot drives.
        walls, distance, center, size, yaw: as in `approach_pose.find_approach_pose`.
        evidence: what is known of the front.
        config: where to stand.

    Returns:
        The pose; None where there is no free floor before any side, or all have failed.
    """
    body = Footprint.of(occupancy, center, size, yaw)
    # A tall object is at the height of walls itself.
    is_low = center[2] + size[2] / 2 <= OccupancyConfig().wall_bottom
    known = None if evidence.worked is None else body.side_towards(np.array(evidence.worked))
    is_free = occupancy.data == FREE
    failed = np.reshape(evidence.failed, (-1, 2))
    best: tuple[bool, float, ApproachPose] | None = None
    for side, front, wanted, doubts in _stances(body, known, evidence, config):
        normal = body.normal(side)
        at = _free_floor(occupancy.geometry, distance, wanted, front, normal, config)
        if at is None:
            continue
        x, y, way = at
        if (np.hypot(*(failed - (x, y)).T) < config.apart).any():
            continue
        if _is_walled_off(occupancy.geometry, walls, np.array([x, y]), front + normal * config.face):
            continue
        back = side[0], -side[1]
        depths = (-config.face / 2, config.wall_gap)
        has_wall = is_low and body.largest_share(walls, back, *depths) >= config.wall_share
        taken = 1 - body.share(is_free, side, config.face, config.open_space)
        is_narrow = body.width(side) < config.narrow * body.longest
        against = config.improbable * (is_narrow + min(taken / (1 - config.free_share), 1.0))
        against += config.doubtful * (doubts + (0 if has_wall else 1 + (back in evidence.beside)))
        candidate = (known not in (None, side), way + against)
        if best is None or candidate < best[:2]:
            heading = float(np.arctan2(front[1] - y, front[0] - x))
            best = (*candidate, ApproachPose(x, y, heading, way))
    return None if best is None else best[2]


def _stances(
    body: Footprint, known: Side | None, evidence: FrontEvidence, config: FrontConfig
) -> Iterator[tuple[Side, _Point, _Point, int]]:
    """Yields sides, points of them that are to be faced, points on which to stand, and how much speaks against that:
    first at its middle; then at each half of it, since the box may hold two things, farther from it, and at
    either end, since a leaf may swing to where the robot stood."""
    failed = np.reshape(evidence.failed, (-1, 2))
    failed_sides = [body.side_towards(at) for at in failed]
    for side in SIDES:
        middle, normal = body.middle(side), body.normal(side)
        if side not in failed_sides:
            at = np.array(evidence.worked) if side == known else middle + normal * config.gap
            yield side, middle, at, 0
            continue
        aside = body.along(side) * body.width(side) / 4
        beside = body.along(side) * (body.width(side) / 2 + config.beside)
        for front, at, doubts in (
            (middle + aside, middle + aside, 1),
            (middle - aside, middle - aside, 1),
            (middle, middle + normal * config.farther, _OTHERWISE),
            (middle, middle + beside, _OTHERWISE),
            (middle, middle - beside, _OTHERWISE),
        ):
            wanted = at + normal * config.gap
            if (np.hypot(*(failed - wanted).T) >= config.apart).all():
                yield side, front, wanted, doubts


def _is_walled_off(geometry: GridGeometry, walls: Mask, one: _Point, other: _Point) -> bool:
    """Whether there is a wall on the way from one point to another [m], as the crow flies."""
    count = int(2 * np.hypot(*(other - one)) / geometry.resolution) + 2
    return bool(geometry.marked(walls, np.linspace(one, other, count)).any())


def _free_floor(
    geometry: GridGeometry,
    distance: Field,
    wanted: _Point,
    front: _Point,
    normal: _Point,
    config: FrontConfig,
) -> tuple[float, float, float] | None:
    """Returns (x, y) of the free floor that is nearest to the wanted point, before the front, and the length of the
    way [m]."""
    row, col = geometry.cell(*wanted.tolist())
    reach = round(config.off / geometry.resolution)
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
