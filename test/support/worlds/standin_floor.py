"""The floor of a scene for an engine without Recast: the free space of a disc, by its distance to obstacles.

Points are (x, z) in Habitat's axes, seen from above.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Floor:
    """The walkable floor.

    Attributes:
        height: of the largest level part [m].
        area: of the floor without obstacles [m^2].
        triangles: (T, 3, 2) of the floor.
        walls: (N, 2, 2), lines from which the disc stays away.
        blocks: corners (K, 2) of solid bodies, counter-clockwise.
    """

    height: float
    area: float
    triangles: Points
    walls: Points
    blocks: Sequence[Points]
    radius: float

    @classmethod
    def of(cls, building: Points, solids: Sequence[Points], robot: Any) -> Floor:
        """Returns the floor of a building.

        Args:
            building: triangles (T, 3, 3).
            solids: triangles of bodies whose hulls are solid.
            robot: NavmeshSettings.
        """
        a, b, c = building.transpose(1, 0, 2)
        crosses = np.cross(b - a, c - a)
        upward = crosses[:, 1] >= math.cos(robot.max_slope) * np.linalg.norm(crosses, axis=1)
        level = building[upward, :, 1].mean(axis=1).round(3)
        heights, of = np.unique(level, return_inverse=True)
        areas = np.bincount(of, np.linalg.norm(crosses[upward], axis=1) / 2)
        height = float(heights[areas.argmax()])
        low, high = height + robot.max_climb, height + robot.height

        def in_the_way(triangles: Points) -> NDArray[np.bool_]:
            ys = triangles[..., 1]
            found: NDArray[np.bool_] = (ys.max(axis=1) > low) & (ys.min(axis=1) < high)
            return found

        standing = building[in_the_way(building)][..., [0, 2]]
        sides = np.concatenate([standing[:, [0, 1]], standing[:, [1, 2]], standing[:, [2, 0]]])
        blocks = [solid[..., [0, 2]].reshape(-1, 2) for solid in solids if in_the_way(solid).any()]
        return cls(
            height,
            float(areas.max()),
            building[upward][of == areas.argmax()][..., [0, 2]],
            np.unique(np.sort(sides.round(4), axis=1), axis=0),
            [block[ConvexHull(block).vertices] for block in blocks],
            robot.radius,
        )

    def raster(self, resolution: float) -> tuple[tuple[float, float], NDArray[np.bool_]]:
        """Returns (x, z) of the first cell's lower corner, and the cells, rows along z, at whose centres the disc
        fits."""
        low, high = self.triangles.min(axis=(0, 1)), self.triangles.max(axis=(0, 1))
        columns, rows = np.ceil((high - low) / resolution).astype(int)
        cells = np.zeros((rows, columns), bool)
        for triangle in self.triangles:
            for part, points in self._window(cells, low, resolution, triangle, 0.0):
                part |= _inside(points, triangle)
        for wall in self.walls:
            for part, points in self._window(cells, low, resolution, wall, self.radius):
                part &= _distance(points, wall[0], wall[1]) >= self.radius
        for block in self.blocks:
            for part, points in self._window(cells, low, resolution, block, self.radius):
                part &= ~_inside(points, block)
                for k in range(len(block)):
                    part &= _distance(points, block[k - 1], block[k]) >= self.radius
        return (float(low[0]), float(low[1])), cells

    @staticmethod
    def _window(
        cells: NDArray[np.bool_], origin: Points, resolution: float, shape: Points, margin: float
    ) -> Iterator[tuple[NDArray[np.bool_], Points]]:
        """Returns the cells that a shape with a margin can reach, and their centres (rows, columns, 2)."""
        first = np.floor((shape.min(axis=0) - margin - origin) / resolution).astype(int)
        last = np.ceil((shape.max(axis=0) + margin - origin) / resolution).astype(int)
        (c0, r0), (c1, r1) = np.maximum(first, 0), np.minimum(last, cells.shape[::-1])
        if c0 < c1 and r0 < r1:
            x = origin[0] + (np.arange(c0, c1) + 0.5) * resolution
            z = origin[1] + (np.arange(r0, r1) + 0.5) * resolution
            yield cells[r0:r1, c0:c1], np.stack(np.meshgrid(x, z), axis=-1)


def _inside(points: Points, corners: Points) -> NDArray[np.bool_]:
    """Returns whether points are in a convex polygon of either orientation."""
    sides = []
    for k in range(len(corners)):
        (ax, az), (bx, bz) = corners[k - 1], corners[k]
        sides.append((bx - ax) * (points[..., 1] - az) - (bz - az) * (points[..., 0] - ax))
    inside: NDArray[np.bool_] = (np.min(sides, axis=0) >= -1e-9) | (np.max(sides, axis=0) <= 1e-9)
    return inside


def _distance(points: Points, a: Points, b: Points) -> Points:
    """Returns the distance to the line from a to b."""
    along = b - a
    length = float(along @ along)
    share = np.clip((points - a) @ along / length, 0, 1) if length else np.zeros(points.shape[:-1])
    apart = points - a - share[..., None] * along
    return np.hypot(apart[..., 0], apart[..., 1])
