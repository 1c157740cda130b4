"""Upright boxes of any yaw in the map frame, and the distances between them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.robot.geometry import OrientedRect, Placement


@dataclass(frozen=True, order=True)
class Box:
    """An upright box.

    Attributes:
        centre: of the box [m].
        size: its extents along its own axes [m].
        yaw: direction of its own x axis [rad].
    """

    centre: tuple[float, float, float]
    size: tuple[float, float, float]
    yaw: float = 0.0

    @classmethod
    def around(cls, points: NDArray[Any], yaw: float) -> Box:
        """Returns the smallest box of that yaw that holds all the points (N, 3), of which there is at least one."""
        cosine, sine = math.cos(yaw), math.sin(yaw)
        local = points @ np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        return cls.between(local.min(axis=0), local.max(axis=0), Placement(0.0, 0.0, yaw))

    @classmethod
    def between(cls, low: NDArray[Any], high: NDArray[Any], place: Placement, z: float = 0.0) -> Box:
        """Returns the box between two corners (3,) in the frame at a place, `z` above the floor."""
        (x, y, middle), (width, depth, height) = ((low + high) / 2).tolist(), (high - low).tolist()
        return cls((*place.point(x, y), z + middle), (width, depth, height), place.yaw)

    @cached_property
    def footprint(self) -> OrientedRect:
        """Its area, seen from above."""
        (x, y, _), (width, depth, _) = self.centre, self.size
        return OrientedRect(x, y, width / 2, depth / 2, self.yaw)

    @property
    def low(self) -> float:
        """Height of its underside [m]."""
        return self.centre[2] - self.size[2] / 2

    @property
    def high(self) -> float:
        """Height of its top [m]."""
        return self.centre[2] + self.size[2] / 2

    def distance(self, x: float, y: float, z: float) -> float:
        """Returns the distance of a point to the box, 0 inside [m]."""
        return math.hypot(self.footprint.distance(x, y), max(self.low - z, z - self.high, 0.0))

    def gap(self, other: Box) -> float:
        """Returns the distance between two boxes, 0 where they touch or overlap [m]."""
        above = max(self.low - other.high, other.low - self.high, 0.0)
        return math.hypot(self.footprint.gap(other.footprint), above)
