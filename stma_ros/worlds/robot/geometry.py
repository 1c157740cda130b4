"""Plane geometry: axis-aligned rectangles, and oriented ones such as open doors.

Frame: map, metres, radians; x east, y north, yaw counter-clockwise from x.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Rect:
    """An axis-aligned rectangle [m]."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def depth(self) -> float:
        return self.y1 - self.y0

    @property
    def area(self) -> float:
        return self.width * self.depth

    @property
    def centre(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def grown(self, margin: float) -> Rect:
        return Rect(self.x0 - margin, self.y0 - margin, self.x1 + margin, self.y1 + margin)

    def contains(self, x: float, y: float) -> bool:
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1

    def covers(self, other: Rect) -> bool:
        return self.x0 <= other.x0 and self.y0 <= other.y0 and self.x1 >= other.x1 and self.y1 >= other.y1

    def overlaps(self, other: Rect) -> bool:
        """Whether the interiors share a point; touching edges do not count."""
        return self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1

    def distance(self, x: float, y: float) -> float:
        """Returns the distance of a point to the rectangle, 0 inside [m]."""
        return math.hypot(max(self.x0 - x, 0.0, x - self.x1), max(self.y0 - y, 0.0, y - self.y1))


@dataclass(frozen=True)
class Obstacle:
    """A rectangle of any orientation that the base must not touch: centre, half extents [m] and yaw [rad]."""

    x: float
    y: float
    half_x: float
    half_y: float
    yaw: float = 0.0

    @classmethod
    def of(cls, rect: Rect) -> Obstacle:
        x, y = rect.centre
        return cls(x, y, rect.width / 2, rect.depth / 2)

    @property
    def reach(self) -> float:
        """Radius of the enclosing circle around the centre [m]."""
        return math.hypot(self.half_x, self.half_y)

    @property
    def bounds(self) -> Rect:
        """The axis-aligned bounding rectangle."""
        cosine, sine = abs(math.cos(self.yaw)), abs(math.sin(self.yaw))
        half_x = cosine * self.half_x + sine * self.half_y
        half_y = sine * self.half_x + cosine * self.half_y
        return Rect(self.x - half_x, self.y - half_y, self.x + half_x, self.y + half_y)

    def overlaps(self, other: Obstacle) -> bool:
        """Whether the two rectangles share a point (no axis separates them)."""
        for yaw in (self.yaw, self.yaw + math.pi / 2, other.yaw, other.yaw + math.pi / 2):
            along_x, along_y = math.cos(yaw), math.sin(yaw)
            apart = abs((other.x - self.x) * along_x + (other.y - self.y) * along_y)
            if apart > self._half_along(yaw) + other._half_along(yaw):
                return False
        return True

    def _half_along(self, yaw: float) -> float:
        """Returns half of its extent in a direction [m]."""
        turn = yaw - self.yaw
        return abs(math.cos(turn)) * self.half_x + abs(math.sin(turn)) * self.half_y

    def distances(self, x: NDArray[Any], y: NDArray[Any]) -> FloatArray:
        """Returns the distances of points to the rectangle, 0 inside [m]; `x` and `y` broadcast."""
        cosine, sine = math.cos(self.yaw), math.sin(self.yaw)
        dx, dy = x - self.x, y - self.y
        along = np.maximum(np.abs(cosine * dx + sine * dy) - self.half_x, 0.0)
        across = np.maximum(np.abs(cosine * dy - sine * dx) - self.half_y, 0.0)
        distance: FloatArray = np.hypot(along, across)
        return distance


@dataclass(frozen=True)
class Placement:
    """The pose of a local frame in the map: position on the floor [m] and yaw [rad]."""

    x: float
    y: float
    yaw: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Converts a local point to the map."""
        cosine, sine = math.cos(self.yaw), math.sin(self.yaw)
        return self.x + cosine * x - sine * y, self.y + sine * x + cosine * y

    def times(self, inner: Placement) -> Placement:
        """Composes this placement with one in its local frame."""
        x, y = self.point(inner.x, inner.y)
        return Placement(x, y, wrap_angle(self.yaw + inner.yaw))

    def inverse(self) -> Placement:
        """Returns the placement of the map's frame in this one."""
        cosine, sine = math.cos(self.yaw), math.sin(self.yaw)
        return Placement(
            -cosine * self.x - sine * self.y, sine * self.x - cosine * self.y, wrap_angle(-self.yaw)
        )

    def rect(self, local: Rect) -> Rect:
        """Converts a local rectangle to the map; exact for multiples of a quarter turn, else its bounds."""
        corners = [self.point(x, y) for x in (local.x0, local.x1) for y in (local.y0, local.y1)]
        xs, ys = [c[0] for c in corners], [c[1] for c in corners]
        return Rect(min(xs), min(ys), max(xs), max(ys))


def wrap_angle(angle: float) -> float:
    """Returns the angle in (-pi, pi]."""
    return math.pi - (math.pi - angle) % (2 * math.pi)
