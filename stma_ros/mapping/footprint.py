"""The floor that an object stands on, as a map shows it, and its four sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.distance import Mask
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.occupancy import FREE, OccupancySlice
from stma_ros.types.jit import kernel, read_only
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
        result: _Point = middle[0] * self._axes[0] + middle[1] * self._axes[1]
        return result

    def normal(self, side: Side) -> _Point:
        """Returns (2,) the direction away from a side in the map frame."""
        axis, sign = side
        result: _Point = self._axes[axis] * sign
        return result

    def along(self, side: Side) -> _Point:
        """Returns (2,) the direction along a side in the map frame."""
        result: _Point = self._axes[1 - side[0]]
        return result

    @cached_property
    def _axes(self) -> _Point:
        """(2, 2) the directions of the own axes in the map frame."""
        return turned(np.eye(2), self.yaw)

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

    def share(self, mask: Mask, side: Side, begin: float, end: float) -> float:
        """Returns the share of the space before a side, from `begin` to `end` [m] away from it, whose cells are in the
        mask; negative distances are inside."""
        inside, across = self._before(mask, side, begin, end)
        return float(inside.sum() / (len(inside) * across))

    def largest_share(self, mask: Mask, side: Side, begin: float, end: float) -> float:
        """Returns the largest share of the width of a side whose cells are in the mask, of all distances from `begin`
        to `end` [m]."""
        inside, across = self._before(mask, side, begin, end)
        return float(inside.max() / across)

    def _before(self, mask: Mask, side: Side, begin: float, end: float) -> tuple[NDArray[np.int64], int]:
        """Returns (depths,) how many places along a side, that far before it, have their cell in the mask, and the
        number of places."""
        geometry, width = self.geometry, self.width(side)
        across, deep = (max(round(length / geometry.resolution), 1) for length in (width, end - begin))
        inside = _count_before(
            read_only(mask),
            (geometry.row0, geometry.col0, geometry.resolution),
            (self.middle(side), self.normal(side), self.along(side)),
            (begin, end, width),
            (deep, across),
        )
        return inside, across


@kernel
def _count_before(
    mask: Mask,
    grid: tuple[int, int, float],
    axes: tuple[_Point, _Point, _Point],
    space: tuple[float, float, float],
    counts: tuple[int, int],
) -> NDArray[np.int64]:
    """Returns how many of the places at each depth before a side have their cell in the mask.

    Args:
        mask: (rows, cols).
        grid: row and column of the mask's first cell, and the edge of a cell [m].
        axes: middle of the side [m], the direction away from it, and that along it; (2,) each.
        space: first and last distance from the side, and its width [m].
        counts: of depths, and of places along the side.
    """
    row0, col0, resolution = grid
    middle, normal, along = axes
    begin, end, width = space
    deep, across = counts
    inside = np.zeros(deep, np.int64)
    for step in range(deep):
        depth = begin + (step + 0.5) / deep * (end - begin)
        for place in range(across):
            offset = ((place + 0.5) / across - 0.5) * width
            col = int(np.floor((middle[0] + normal[0] * depth + along[0] * offset) / resolution)) - col0
            row = int(np.floor((middle[1] + normal[1] * depth + along[1] * offset) / resolution)) - row0
            if 0 <= row < mask.shape[0] and 0 <= col < mask.shape[1]:
                inside[step] += mask[row, col]
    return inside
