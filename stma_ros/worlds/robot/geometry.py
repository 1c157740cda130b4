"""Plane geometry: rectangles of any yaw for things and walls, and along the axes of a frame for shelves and pages.

Frame: map, metres, radians; x east, y north, yaw counter-clockwise from x.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
_EXACT = 1e-9  # error of the computed coordinates [m]


@dataclass(frozen=True)
class Rect:
    """A rectangle along the axes of its frame [m]."""

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
class OrientedRect:
    """A rectangle of any yaw, with its centre and half extents along its own axes [m, rad]."""

    x: float
    y: float
    half_x: float
    half_y: float
    yaw: float = 0.0

    @classmethod
    def of(cls, rect: Rect) -> OrientedRect:
        x, y = rect.centre
        return cls(x, y, rect.width / 2, rect.depth / 2)

    @classmethod
    def around(cls, parts: Iterable[OrientedRect], yaw: float) -> OrientedRect:
        """Returns the smallest rectangle of that yaw [rad] that holds all parts, of which there is at least one."""
        frame = Placement(0.0, 0.0, yaw)
        corners = [frame.local(*corner) for part in parts for corner in part.corners]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        x, y = frame.point((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
        return cls(x, y, (max(xs) - min(xs)) / 2, (max(ys) - min(ys)) / 2, yaw)

    @property
    def _axis(self) -> tuple[float, float]:
        """Cosine and sine of the yaw."""
        return math.cos(self.yaw), math.sin(self.yaw)

    @property
    def centre(self) -> tuple[float, float]:
        return self.x, self.y

    @property
    def reach(self) -> float:
        """Radius of the enclosing circle around the centre [m]."""
        return math.hypot(self.half_x, self.half_y)

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """The four corners, counter-clockwise."""
        signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        return tuple(self.point(sx * self.half_x, sy * self.half_y) for sx, sy in signs)

    @property
    def bounds(self) -> Rect:
        """The bounding rectangle along the axes of the frame."""
        cosine, sine = map(abs, self._axis)
        half_x = cosine * self.half_x + sine * self.half_y
        half_y = sine * self.half_x + cosine * self.half_y
        return Rect(self.x - half_x, self.y - half_y, self.x + half_x, self.y + half_y)

    def point(self, along: float, across: float) -> tuple[float, float]:
        """Converts a point in the rectangle's own frame, whose origin is its centre."""
        cosine, sine = self._axis
        return self.x + cosine * along - sine * across, self.y + sine * along + cosine * across

    def local(self, x: float, y: float) -> tuple[float, float]:
        """Converts a point to the rectangle's own frame."""
        cosine, sine = self._axis
        dx, dy = x - self.x, y - self.y
        return cosine * dx + sine * dy, cosine * dy - sine * dx

    def grown(self, margin: float) -> OrientedRect:
        return OrientedRect(self.x, self.y, self.half_x + margin, self.half_y + margin, self.yaw)

    def contains(self, x: float, y: float) -> bool:
        along, across = self.local(x, y)
        return abs(along) <= self.half_x and abs(across) <= self.half_y

    def nearest(self, x: float, y: float) -> tuple[float, float]:
        """Returns the point of the rectangle that is nearest to a point: the point itself when it is inside."""
        along, across = self.local(x, y)
        return self.point(
            min(max(along, -self.half_x), self.half_x), min(max(across, -self.half_y), self.half_y)
        )

    def overlaps(self, other: OrientedRect) -> bool:
        """Whether the two rectangles share a point (no axis separates them)."""
        dx, dy = other.x - self.x, other.y - self.y
        if abs(dx) + abs(dy) > 1.5 * (self.half_x + self.half_y + other.half_x + other.half_y):
            return False  # far beyond the circles around both: most pairs are
        cosine, sine = math.cos(self.yaw), math.sin(self.yaw)
        other_cosine, other_sine = math.cos(other.yaw), math.sin(other.yaw)
        cos = abs(cosine * other_cosine + sine * other_sine)
        sin = abs(sine * other_cosine - cosine * other_sine)
        return (
            abs(dx * cosine + dy * sine) <= self.half_x + cos * other.half_x + sin * other.half_y
            and abs(dy * cosine - dx * sine) <= self.half_y + sin * other.half_x + cos * other.half_y
            and abs(dx * other_cosine + dy * other_sine)
            <= other.half_x + cos * self.half_x + sin * self.half_y
            and abs(dy * other_cosine - dx * other_sine)
            <= other.half_y + sin * self.half_x + cos * self.half_y
        )

    def half_along(self, yaw: float) -> float:
        """Returns half of its extent in a direction [m]."""
        turn = yaw - self.yaw
        return abs(math.cos(turn)) * self.half_x + abs(math.sin(turn)) * self.half_y

    def gap(self, other: OrientedRect) -> float:
        """Returns the distance between the two rectangles, 0 where they touch or overlap [m]."""
        if self.overlaps(other):
            return 0.0
        # Of two convex areas apart, a corner of one of them is among the nearest points.
        return min(
            *(self.distance(*corner) for corner in other.corners),
            *(other.distance(*corner) for corner in self.corners),
        )

    def distance(self, x: float, y: float) -> float:
        """Returns the distance of a point to the rectangle, 0 inside [m]."""
        along, across = self.local(x, y)
        return math.hypot(max(abs(along) - self.half_x, 0.0), max(abs(across) - self.half_y, 0.0))

    def distances(self, x: NDArray[Any], y: NDArray[Any]) -> FloatArray:
        """Returns the distances of points to the rectangle, 0 inside [m]; `x` and `y` broadcast."""
        cosine, sine = self._axis
        dx, dy = x - self.x, y - self.y
        along = np.maximum(np.abs(cosine * dx + sine * dy) - self.half_x, 0.0)
        across = np.maximum(np.abs(cosine * dy - sine * dx) - self.half_y, 0.0)
        distance: FloatArray = np.hypot(along, across)
        return distance

    def is_crossed(self, ax: float, ay: float, bx: float, by: float) -> bool:
        """Whether a line from a to b meets the rectangle (clipping it against the four sides)."""
        (ax, ay), (bx, by) = self.local(ax, ay), self.local(bx, by)
        first, last = 0.0, 1.0
        for start, step, half in ((ax, bx - ax, self.half_x), (ay, by - ay, self.half_y)):
            if abs(step) < 1e-12:
                if abs(start) > half:
                    return False
                continue
            enter, leave = sorted(((-half - start) / step, (half - start) / step))
            first, last = max(first, enter), min(last, leave)
        return first <= last


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

    def local(self, x: float, y: float) -> tuple[float, float]:
        """Converts a point of the map to the local frame."""
        cosine, sine = math.cos(self.yaw), math.sin(self.yaw)
        dx, dy = x - self.x, y - self.y
        return cosine * dx + sine * dy, cosine * dy - sine * dx

    def rect(self, local: Rect) -> OrientedRect:
        """Converts a local rectangle to the map."""
        x, y = self.point(*local.centre)
        return OrientedRect(x, y, local.width / 2, local.depth / 2, self.yaw)


class Side(NamedTuple):
    """A side of an area: a frame at its start with x along it and y into the area, and its length [m]."""

    frame: Placement
    length: float


@dataclass(frozen=True)
class ConvexPolygon:
    """A convex area, such as the floor of a room; corners counter-clockwise [m]."""

    corners: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, rect: Rect) -> ConvexPolygon:
        return cls(((rect.x0, rect.y0), (rect.x1, rect.y0), (rect.x1, rect.y1), (rect.x0, rect.y1)))

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """The sides, each from a corner to the next one."""
        return tuple(
            Side(Placement(ax, ay, math.atan2(by - ay, bx - ax)), math.hypot(bx - ax, by - ay))
            for (ax, ay), (bx, by) in zip(self.corners, self.corners[1:] + self.corners[:1], strict=True)
        )

    @property
    def bounds(self) -> Rect:
        """The bounding rectangle along the axes of the frame."""
        xs, ys = zip(*self.corners, strict=True)
        return Rect(min(xs), min(ys), max(xs), max(ys))

    @property
    def area(self) -> float:
        return sum(self._triangles()) / 2

    @property
    def centre(self) -> tuple[float, float]:
        """The centre of gravity."""
        (x0, y0), parts = self.corners[0], self._triangles()
        whole = sum(parts)
        x = y = 0.0
        for part, (ax, ay), (bx, by) in zip(parts, self.corners[1:], self.corners[2:], strict=False):
            x += part * (x0 + ax + bx) / 3
            y += part * (y0 + ay + by) / 3
        return x / whole, y / whole

    def _triangles(self) -> list[float]:
        """Returns twice the areas of the triangles at the first corner."""
        x0, y0 = self.corners[0]
        return [
            (ax - x0) * (by - y0) - (bx - x0) * (ay - y0)
            for (ax, ay), (bx, by) in zip(self.corners[1:], self.corners[2:], strict=False)
        ]

    @cached_property
    def _inwards(self) -> tuple[tuple[float, float, float], ...]:
        """Of each side, the unit vector into the area and its product with the points of the side."""
        normals = [(-math.sin(side.yaw), math.cos(side.yaw)) for side, _ in self.sides]
        return tuple(
            (nx, ny, nx * side.x + ny * side.y)
            for (nx, ny), (side, _) in zip(normals, self.sides, strict=True)
        )

    def contains(self, x: float, y: float) -> bool:
        return all(nx * x + ny * y >= at - _EXACT for nx, ny, at in self._inwards)

    def covers(self, other: OrientedRect) -> bool:
        x, y, half_x, half_y = other.x, other.y, other.half_x, other.half_y
        cosine, sine = math.cos(other.yaw), math.sin(other.yaw)
        for nx, ny, at in self._inwards:
            half = abs(nx * cosine + ny * sine) * half_x + abs(ny * cosine - nx * sine) * half_y
            if nx * x + ny * y - half < at - _EXACT:
                return False
        return True

    def distance(self, x: float, y: float) -> float:
        """Returns the distance of a point to the area, 0 inside [m]."""
        if self.contains(x, y):
            return 0.0
        found = []
        for side, length in self.sides:
            along, inward = side.local(x, y)
            found.append(math.hypot(along - min(max(along, 0.0), length), inward))
        return min(found)

    def outside(self, x: NDArray[Any], y: NDArray[Any]) -> FloatArray:
        """Returns how far points are beyond the farthest of the lines through its sides, 0 inside [m]."""
        beyond = [at - nx * x - ny * y for nx, ny, at in self._inwards]
        farthest: FloatArray = np.maximum(np.max(beyond, axis=0), 0.0)
        return farthest

    def clipped(self, rect: Rect) -> ConvexPolygon | None:
        """Returns the part of a rectangle that lies in the area; None where there is none."""
        corners = list(ConvexPolygon.of(rect).corners)
        for side, _ in self.sides:
            inward = [side.local(*corner)[1] for corner in corners]
            if min(inward) >= 0.0:
                continue
            kept = []
            for k, corner in enumerate(corners):
                before, at, ahead = corners[k - 1], inward[k - 1], inward[k]
                if (at < 0.0) != (ahead < 0.0):
                    share = at / (at - ahead)
                    kept.append(
                        (
                            before[0] + share * (corner[0] - before[0]),
                            before[1] + share * (corner[1] - before[1]),
                        )
                    )
                if ahead >= 0.0:
                    kept.append(corner)
            corners = [at for k, at in enumerate(kept) if math.dist(at, kept[k - 1]) > 1e-6]
            if len(corners) < 3:
                return None
        return ConvexPolygon(tuple(corners))

    def grown(self, margin: float) -> ConvexPolygon:
        """Returns the area with each side moved outwards by `margin` [m]."""
        normals = [(-nx, -ny) for nx, ny, _ in self._inwards]
        moved = []
        for (x, y), (px, py), (nx, ny) in zip(
            self.corners, normals[-1:] + normals[:-1], normals, strict=True
        ):
            share = margin / (1 + px * nx + py * ny)
            moved.append((x + share * (px + nx), y + share * (py + ny)))
        return ConvexPolygon(tuple(moved))


def wrap_angle(angle: float) -> float:
    """Returns the angle in (-pi, pi]."""
    return math.pi - (math.pi - angle) % (2 * math.pi)
