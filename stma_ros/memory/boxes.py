"""Axis-aligned boxes in the map frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stma_ros.types.standard import Point, Vector3

Corner = NDArray[np.float64]


def taken(pose: NDArray[np.float64], point: ArrayLike) -> Corner:
    """`point` (3,) [m], taken through the rigid 4x4 `pose`."""
    moved: Corner = pose[:3, :3] @ np.asarray(point, np.float64) + pose[:3, 3]
    return moved


@dataclass(frozen=True, eq=False)
class Box:
    """low, high: (3,) float64 corners [m]."""

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
        return cls.around(np.array([center.x, center.y, center.z]), np.array([size.x, size.y, size.z]))

    @classmethod
    def around(cls, middle: Corner, extent: Corner) -> Box:
        """middle, extent: (3,) [m]."""
        return cls(middle - extent / 2, middle + extent / 2)

    @property
    def middle(self) -> Corner:
        return (self.low + self.high) / 2

    @property
    def extent(self) -> Corner:
        return self.high - self.low

    @property
    def longest(self) -> float:
        """The longest side [m]."""
        return float(self.extent.max())

    @property
    def volume(self) -> float:
        return float(np.prod(self.extent))

    @property
    def center(self) -> Point:
        return Point(*self.middle)

    @property
    def size(self) -> Vector3:
        return Vector3(*self.extent)

    def grown(self, margin: float) -> Box:
        return Box(self.low - margin, self.high + margin)

    def moved(self, pose: NDArray[np.float64]) -> Box:
        """Its middle taken through the rigid 4x4 `pose`. The sides stay along the axes: for small turns."""
        return Box.around(taken(pose, self.middle), self.extent)

    def union(self, other: Box) -> Box:
        return Box(np.minimum(self.low, other.low), np.maximum(self.high, other.high))

    def contains(self, point: Corner) -> bool:
        return bool(np.all(self.low <= point) and np.all(point <= self.high))

    def gap(self, other: Box) -> float:
        """Distance between the nearest points of the two boxes [m]; 0 when they touch or overlap."""
        apart = np.maximum(self.low - other.high, other.low - self.high).clip(0)
        return float(np.linalg.norm(apart))
