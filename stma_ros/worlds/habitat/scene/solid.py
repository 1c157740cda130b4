"""Upright boxes of any yaw in the map, which approximate the boxes of a scene."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.robot.boxes import Box, footprint_of
from stma_ros.worlds.robot.geometry import FloatArray, Obstacle, Placement, Rect, wrap_angle

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
        cosine, sine = math.cos(yaw), math.sin(yaw)
        turned = points @ np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        low, high = turned.min(axis=0), turned.max(axis=0)
        along, across = (low[:2] + high[:2]) / 2
        half_x, half_y = (high[:2] - low[:2]) / 2
        x, y = Placement(0.0, 0.0, yaw).point(float(along), float(across))
        return cls(x, y, yaw, float(half_x), float(half_y), float(low[2]), float(high[2]))

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
        """The bounding box along the axes of the map."""
        area = self.obstacle.bounds
        return (self.x, self.y, (self.low + self.high) / 2), (area.width, area.depth, self.height)

    @property
    def footprint(self) -> Rect:
        return footprint_of(self.box)

    @property
    def obstacle(self) -> Obstacle:
        return Obstacle(self.x, self.y, self.half_x, self.half_y, self.yaw)

    def quarter_turned(self, times: int) -> Solid:
        """Returns the same box with its own x axis turned by quarter turns."""
        halves = (self.half_x, self.half_y) if times % 2 == 0 else (self.half_y, self.half_x)
        yaw = wrap_angle(self.yaw + times * math.pi / 2)
        return replace(self, yaw=yaw, half_x=halves[0], half_y=halves[1])

    def covers(self, x: float, y: float, margin: float = 0.0) -> bool:
        """Whether a point lies within the box, seen from above, or within `margin` of it [m]."""
        return float(self.obstacle.distances(np.array(x), np.array(y))) <= margin

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
