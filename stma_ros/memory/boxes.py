"""Axis-aligned boxes in the map frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stma_ros.types.standard import Point, Vector3

Corner = NDArray[np.float64]


def taken(pose: NDArray[np.float64], point: ArrayLike) -> Corner:
    """Returns `point` (3,) [m], transformed by the rigid 4x4 `pose`."""
    moved: Corner = pose[:3, :3] @ np.asarray(point, np.float64) + pose[:3, 3]
    return moved


@dataclass(frozen=True, eq=False)
class Box:
    """An axis-aligned box in the map frame.

    Attributes:
        low: (3,) float64 corner with the least coordinates [m].
        high: (3,) float64 corner with the greatest coordinates [m].
    """

    low: Corner
    high: Corner

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Box):
            return NotImplemented
        return bool(np.array_equal(self.low, other.low) and np.array_equal(self.high, other.high))

    def __hash__(self) -> int:
        return hash((*self.low.tolist(), *self.high.tolist()))

    @classmethod
    def of(cls, center: Point, size: Vector3) -> Box:
        """Returns the box with this centre and size in the types of messages [m]."""
        return cls.around(np.array([center.x, center.y, center.z]), np.array([size.x, size.y, size.z]))

    @classmethod
    def around(cls, middle: Corner, extent: Corner) -> Box:
        """Returns the box with centre `middle` (3,) and side lengths `extent` (3,) [m]."""
        return cls(middle - extent / 2, middle + extent / 2)

    @property
    def middle(self) -> Corner:
        """(3,) centre [m]."""
        return (self.low + self.high) / 2

    @property
    def extent(self) -> Corner:
        """(3,) side lengths [m]."""
        return self.high - self.low

    @property
    def longest(self) -> float:
        """The longest side [m]."""
        return float(self.extent.max())

    @property
    def volume(self) -> float:
        """Volume [m^3]."""
        return float(np.prod(self.extent))

    @property
    def center(self) -> Point:
        """The centre as a message."""
        return Point(*self.middle)

    @property
    def size(self) -> Vector3:
        """The side lengths as a message."""
        return Vector3(*self.extent)

    def grown(self, margin: float) -> Box:
        """Returns the box with each face moved outward by `margin` [m]."""
        return Box(self.low - margin, self.high + margin)

    def moved(self, pose: NDArray[np.float64]) -> Box:
        """Returns the box with its centre transformed by the rigid 4x4 `pose`.

        The sides stay parallel to the axes, which is exact enough for small rotations.
        """
        return Box.around(taken(pose, self.middle), self.extent)

    def union(self, other: Box) -> Box:
        """Returns the smallest box that contains both."""
        return Box(np.minimum(self.low, other.low), np.maximum(self.high, other.high))

    def contains(self, point: Corner) -> bool:
        """Whether `point` (3,) [m] lies in the box or on its surface."""
        return bool(np.all(self.low <= point) and np.all(point <= self.high))

    def gap(self, other: Box) -> float:
        """Returns the distance between the nearest points of the two boxes [m]; 0 if they touch or overlap."""
        apart = np.maximum(self.low - other.high, other.low - self.high).clip(0)
        return float(np.linalg.norm(apart))
