"""The floor that an object stands on, as a map shows it, and its four sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.occupancy import FREE, OccupancySlice
from stma_ros.types.planar import turned

Side = tuple[int, float]
"""A side of a box: the number of its axis, and the sign of the direction along it."""

SIDES: tuple[Side, ...] = ((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0))

_SOLID = 0.3
"""Least share of the width of a side at which something may be: less is an open leaf, or noise."""

_LEAST = 0.25
"""A body is at least this share of its box in length and in width."""

_Point = NDArray[np.float64]


@dataclass(frozen=True)
class Footprint:
    """A rectangle on the floor at any angle.

    Attributes:
        geometry: of the map's cells.
        low, high: (2,) ends along its own axes, which begin at the map's origin [m].
        yaw: heading of these axes in the map frame [rad].
    """

    geometry: GridGeometry
    low: _Point
    high: _Point
    yaw: float

    @classmethod
    def of(
        cls, occupancy: OccupancySlice, center: Sequence[float], size: Sequence[float], yaw: float
    ) -> Footprint:
        """Returns the part of a box on which something stands.

        The box of an object that was seen standing open holds its leaf, too, and the free floor beside that.

        Args:
            occupancy: the slice in which the robot drives.
            center: of the box in the map frame [m].
            size: sides along its own axes [m].
            yaw: heading of these axes [rad].
        """
        middle, half = turned(np.array(center[:2], np.float64), -yaw), np.array(size[:2], np.float64) / 2
        whole = cls(occupancy.geometry, middle - half, middle + half, yaw)
        not_free, cell, body = occupancy.data != FREE, occupancy.geometry.resolution, whole
        while True:
            shares = [body.share(not_free, side, -cell, 0.0) for side in SIDES]
            axis, sign = SIDES[int(np.argmin(shares))]
            if min(shares) >= _SOLID:
                return body
            inner = body.high - body.low
            inner[axis] -= cell
            if inner[axis] < _LEAST * 2 * half[axis]:
                return whole
            low, high = body.low.copy(), body.high.copy()
            if sign > 0:
                high[axis] -= cell
            else:
                low[axis] += cell
            body = cls(body.geometry, low, high, yaw)

    def middle(self, side: Side) -> _Point:
        """Returns (2,) the middle of a side in the map frame [m]."""
        axis, sign = side
        middle = (self.low + self.high) / 2
        middle[axis] = self.high[axis] if sign > 0 else self.low[axis]
        return turned(middle, self.yaw)

    def normal(self, side: Side) -> _Point:
        """Returns (2,) the direction away from a side in the map frame."""
        return turned(np.eye(2)[side[0]] * side[1], self.yaw)

    def along(self, side: Side) -> _Point:
        """Returns (2,) the direction along a side in the map frame."""
        return turned(np.eye(2)[1 - side[0]], self.yaw)

    def width(self, side: Side) -> float:
        """Returns the length of a side [m]."""
        return float((self.high - self.low)[1 - side[0]])

    @property
    def longest(self) -> float:
        """The length of the longest side [m]."""
        return float((self.high - self.low).max())

    def side_towards(self, point: _Point) -> Side:
        """Returns the side before which a point (x, y) of the map [m] is."""
        at = turned(point, -self.yaw) - (self.low + self.high) / 2
        axis = int((np.abs(at) - (self.high - self.low) / 2).argmax())
        return axis, 1.0 if at[axis] > 0 else -1.0

    def share(self, mask: NDArray[np.bool_], side: Side, begin: float, end: float) -> float:
        """Returns the share of the space before a side, from `begin` to `end` [m] away from it, whose cells are in the
        mask; negative distances are inside."""
        return float(self._before(mask, side, begin, end).mean())

    def largest_share(self, mask: NDArray[np.bool_], side: Side, begin: float, end: float) -> float:
        """Returns the largest share of the width of a side whose cells are in the mask, of all distances from `begin`
        to `end` [m]."""
        return float(self._before(mask, side, begin, end).mean(axis=1).max())

    def _before(self, mask: NDArray[np.bool_], side: Side, begin: float, end: float) -> NDArray[np.bool_]:
        """Returns (depths, places along the side) whether the cells before a side are in the mask."""
        cell = self.geometry.resolution
        count, deep = (max(round(length / cell), 1) for length in (self.width(side), end - begin))
        across = ((np.arange(count) + 0.5) / count - 0.5) * self.width(side)
        depth = begin + (np.arange(deep) + 0.5) / deep * (end - begin)
        points = self.middle(side) + self.normal(side) * depth[:, None, None]
        points = points + self.along(side) * across[:, None]
        return self.geometry.marked(mask, points)
