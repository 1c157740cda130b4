"""Upright boxes of any yaw in the map, which approximate the boxes of a scene."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.robot.boxes import Box
from stma_ros.worlds.robot.geometry import FloatArray, OrientedRect, Placement, wrap_angle

_LEVEL = 0.1  # slope below which an edge counts as horizontal


@dataclass(frozen=True)
class Solid:
    """An upright box in the map [m, rad].

    Attributes:
        x: of its centre.
        y: of its centre.
        yaw: direction of its own x axis.
        half_x: half its extent along its own x axis.
        half_y: half its extent along its own y axis.
        low: height of its underside.
        high: height of its top.
    """

    x: float
    y: float
    yaw: float
    half_x: float
    half_y: float
    low: float
    high: float

    @classmethod
    def around(cls, points: NDArray[Any], yaw: float) -> Solid:
        """Returns the smallest box of that yaw that holds all the points (N, 3)."""
        box = Box.around(points, yaw)
        (x, y, _), (width, depth, _) = box.centre, box.size
        return cls(x, y, yaw, width / 2, depth / 2, box.low, box.high)

    @classmethod
    def of_corners(cls, corners: NDArray[Any]) -> Solid:
        """Returns the box around a box of any rotation; see `yaw_of`."""
        return cls.around(corners, yaw_of(corners))

    @property
    def placement(self) -> Placement:
        return Placement(self.x, self.y, self.yaw)

    @property
    def height(self) -> float:
        return self.high - self.low

    @property
    def box(self) -> Box:
        """The same box, as of all things of the robot's world."""
        size = (2 * self.half_x, 2 * self.half_y, self.height)
        return Box((self.x, self.y, (self.low + self.high) / 2), size, self.yaw)

    @property
    def footprint(self) -> OrientedRect:
        return OrientedRect(self.x, self.y, self.half_x, self.half_y, self.yaw)

    def quarter_turned(self, times: int) -> Solid:
        """Returns the same box with its own x axis turned by quarter turns."""
        halves = (self.half_x, self.half_y) if times % 2 == 0 else (self.half_y, self.half_x)
        yaw = wrap_angle(self.yaw + times * math.pi / 2)
        return replace(self, yaw=yaw, half_x=halves[0], half_y=halves[1])

    def covers(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Whether a point lies within the box, seen from above, or within `margin` of it [m]."""
        return float(self.footprint.distances(np.array(x), np.array(y))) <= margin

    def local(self, points: NDArray[Any]) -> FloatArray:
        """Converts points (N, 3) to the box's frame, whose origin is below its centre on the floor."""
        cosine, sine = math.cos(self.yaw), math.sin(self.yaw)
        turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        local: FloatArray = (np.asarray(points, np.float64) - (self.x, self.y, 0.0)) @ turn
        return local


def corners_of(box: tuple[Sequence[float], Sequence[float]]) -> FloatArray:
    """Returns the corners (8, 3) of a box from its lowest and its highest one; the last axis varies fastest."""
    return np.array(list(itertools.product(*zip(*box, strict=True))), np.float64)


def yaw_of(corners: NDArray[Any]) -> float:
    """Returns the yaw of a box (8, 3), from -pi/4 to pi/4 [rad]: the direction of its longest horizontal edge; 0 for a
    box that stands on an edge or a corner."""
    edges = corners[[4, 2, 1]] - corners[0]
    level = [edge for edge in edges if abs(edge[2]) <= _LEVEL * math.hypot(edge[0], edge[1])]
    if not level:
        return 0.0
    x, y, _ = max(level, key=lambda edge: math.hypot(edge[0], edge[1]))
    return math.remainder(math.atan2(y, x), math.pi / 2)
