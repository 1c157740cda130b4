"""Finds the floor among points: the lowest of the large level planes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]

THICKNESS = 0.03
"""Points that are at most this far from a plane lie in it [m]."""

MAX_TILT = 0.35
"""Largest angle between the normal of the floor and the direction that is taken for up, where nothing else is known
[rad]."""

LEAST_SHARE = 0.05
"""Share of the points that the floor holds at least."""

LEAST_EXTENT = 0.4
"""Standard deviation of the floor's points along its shorter side, at least [m], times four: a strip is no floor."""

_TRIPLES = 6000
_SCORED = 400  # planes through triples that are level and not nearly on a line
_SAMPLE = 3000  # points that they are scored on
_PLANES = 6  # that are taken out one after the other
_APART = 0.12  # a plane that lies less than this below another one is its noise [m]
_TABLE = 1.2  # [m] above the floor are the tops of the highest tables; it may be seen under them
_CELL = 0.3  # [m] of the grid in which one plane is seen to lie under another one
_MIRRORED = 0.5  # a reflection is smaller than this part of the floor, and at least so much of it lies under the floor


@dataclass(frozen=True)
class FloorPlane:
    """A level plane.

    Attributes:
        normal: (3,) unit normal, which points up.
        offset: Signed distance of the plane from the origin along the normal [m].
        center: (3,) middle of the points that lie in it.
        share: Share of all points that lie in it.
        mirrored: How far below it a level plane was found that was taken for a reflection in it [m]; 0 = none was.
    """

    normal: Points
    offset: float
    center: Points
    share: float
    mirrored: float = 0.0

    @property
    def tilt(self) -> float:
        """Angle between the normal and the z axis [rad]."""
        return float(np.arctan2(np.hypot(self.normal[0], self.normal[1]), self.normal[2]))

    def above(self, points: ArrayLike) -> Points:
        """Returns the signed distances of points (..., 3) from the plane, positive above it [m]."""
        return np.asarray(np.asarray(points, np.float64) @ self.normal - self.offset, np.float64)


def find_floor(
    points: ArrayLike,
    rng: np.random.Generator,
    up: ArrayLike = (0.0, 0.0, 1.0),
    max_tilt: float = MAX_TILT,
) -> FloorPlane | None:
    """Finds the floor.

    Planes through three random points that are nearly level are scored by the points that lie in them (RANSAC). The
    best one is fitted and its points are taken out, until no large plane is left. The lowest one is the floor. What
    lies just below a larger plane is the noise of that plane, and what lies far under a much larger one is a
    reflection in it: lamps and ceilings are mirrored in polished floors.

    Args:
        points: (N, 3) points on surfaces [m]; those that are not finite are ignored.
        rng: Source of random numbers.
        up: (3,) direction that is roughly up.
        max_tilt: Largest angle between that direction and the normal of the floor [rad].

    Returns:
        The plane; None if no large plane is level.
    """
    cloud = np.asarray(points, np.float64).reshape(-1, 3)
    cloud = cloud[np.isfinite(cloud).all(axis=1)]
    upward = np.asarray(up, np.float64) / np.linalg.norm(up)
    rest, found = cloud, list[tuple[FloorPlane, Points]]()
    while len(found) < _PLANES and len(rest) >= max(3, LEAST_SHARE * len(cloud)):
        plane = _best_plane(rest, upward, np.cos(max_tilt), rng)
        if plane is None:
            break
        inside = np.abs(plane.above(rest)) <= THICKNESS
        share = float(inside.sum()) / len(cloud)
        if share < LEAST_SHARE:
            break
        if _extent(rest[inside], plane.normal) >= LEAST_EXTENT:
            found.append((replace(plane, share=share), rest[inside]))
        rest = rest[np.abs(plane.above(rest)) > 2 * THICKNESS]
    return _lowest(found)


def _lowest(planes: Sequence[tuple[FloorPlane, Points]]) -> FloorPlane | None:
    """Returns the lowest of planes with their points (N, 3), the largest first, without noise and reflections."""
    if not planes:
        return None
    (floor, ground), *smaller = planes
    for plane, points in smaller:
        depth = -float(floor.above(plane.center))
        if depth <= _APART:
            continue
        is_small = plane.share < _MIRRORED * floor.share
        if is_small and depth > _TABLE and _covered(points, ground, floor.normal) >= _MIRRORED:
            floor = replace(floor, mirrored=max(depth, floor.mirrored))
        else:
            floor, ground = plane, points
    return floor


def _covered(points: Points, above: Points, normal: Points) -> float:
    """Returns the share of points (N, 3) that have some of the other points (M, 3) above them, along a normal."""
    across = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    across /= np.linalg.norm(across)
    axes = np.column_stack([across, np.cross(normal, across)])
    lower, upper = (np.floor(each @ axes / _CELL).astype(np.int64) for each in (points, above))
    cells = {(int(i), int(j)) for i, j in np.unique(upper, axis=0)}
    return float(np.mean([(int(i), int(j)) in cells for i, j in lower]))


def _best_plane(points: Points, up: Points, least_cos: float, rng: np.random.Generator) -> FloorPlane | None:
    """Returns the nearly level plane that holds the most points."""
    sample = points[rng.choice(len(points), min(_SAMPLE, len(points)), replace=False)]
    corners = sample[rng.integers(len(sample), size=(_TRIPLES, 3))]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    normals = np.divide(normals, lengths[:, None], where=lengths[:, None] > 0, out=np.zeros_like(normals))
    normals *= np.sign(normals @ up)[:, None]
    fit = np.flatnonzero((normals @ up > least_cos) & (lengths > THICKNESS))[:_SCORED]
    if not len(fit):
        return None
    offsets = np.einsum("ij,ij->i", normals[fit], corners[fit, 0])
    votes = np.sum(np.abs(sample @ normals[fit].T - offsets) <= THICKNESS, axis=0)
    best = int(np.argmax(votes))
    plane = FloorPlane(normals[fit[best]], float(offsets[best]), sample.mean(axis=0), 0.0)
    for thickness in (2 * THICKNESS, THICKNESS, THICKNESS):
        inside = points[np.abs(plane.above(points)) <= thickness]
        if len(inside) < 3:
            return None
        plane = _fitted(inside, up)
    return plane if plane.normal @ up > least_cos else None


def _fitted(points: Points, up: Points) -> FloorPlane:
    """Returns the plane of least squared distances."""
    center = points.mean(axis=0)
    centred = points - center
    _, axes = np.linalg.eigh(centred.T @ centred)
    normal = axes[:, 0] * (1.0 if axes[:, 0] @ up >= 0 else -1.0)
    return FloorPlane(normal, float(normal @ center), center, 0.0)


def _extent(points: Points, normal: Points) -> float:
    """Returns the extent of the points in the plane along its shorter side, as four standard deviations [m]."""
    flat = points - np.outer(points @ normal, normal)
    variances = np.linalg.eigvalsh(np.cov(flat.T))
    return float(4 * np.sqrt(max(variances[1], 0.0)))
