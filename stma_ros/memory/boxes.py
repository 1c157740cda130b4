"""Axis-aligned boxes in the map frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.standard import Point, Vector3

Corner = NDArray[np.float64]


@dataclass(frozen=True)
class Box:
    """low, high: (3,) float64 corners [m]."""

    low: Corner
    high: Corner

    @classmethod
    def of(cls, center: Point, size: Vector3) -> Box:
        middle = np.array([center.x, center.y, center.z])
        half = np.array([size.x, size.y, size.z]) / 2
        return cls(middle - half, middle + half)

    @property
    def middle(self) -> Corner:
        return (self.low + self.high) / 2

    @property
    def extent(self) -> Corner:
        return self.high - self.low

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

    def union(self, other: Box) -> Box:
        return Box(np.minimum(self.low, other.low), np.maximum(self.high, other.high))

    def shared_volume(self, other: Box) -> float:
        overlap = np.minimum(self.high, other.high) - np.maximum(self.low, other.low)
        return float(np.prod(overlap.clip(0)))

    def gap(self, other: Box) -> float:
        """Distance between the nearest points of the two boxes [m]; 0 when they touch or overlap."""
        apart = np.maximum(self.low - other.high, other.low - self.high).clip(0)
        return float(np.linalg.norm(apart))
