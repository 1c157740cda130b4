"""The map frame of a home: where the home lies in the map that the robot's localisation refers to.

Inside, a world computes in the frame of the home, whose walls may run along the axes. Messages are in the map frame,
which a robot's own mapping would have begun anywhere, at any angle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

import numpy as np

from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.standard import Point, Point32, Polygon, Pose, Quaternion
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.robot.geometry import FloatArray, Placement

_STREAM = 29  # number of the random stream
_YAW_STEPS, _OFFSET_STEPS = 10_000, 1_000  # steps in a radian and in a metre
_FARTHEST = 5  # of a drawn offset along each axis [m]
_LARGEST = 1000.0  # of a given one [m]

HERE: Final = Placement(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class MapFrame:
    """The pose of the home's frame in the map. Without arguments both frames are the same, and every conversion returns
    its argument."""

    home: Placement = HERE

    @classmethod
    def of(cls, yaw: float, x: float, y: float) -> MapFrame:
        """Returns the frame of a home's pose [rad, m], rounded to 0.1 mrad and 1 mm."""
        x, y = round(x * _OFFSET_STEPS) / _OFFSET_STEPS, round(y * _OFFSET_STEPS) / _OFFSET_STEPS
        return cls(Placement(x, y, round(yaw * _YAW_STEPS) / _YAW_STEPS))

    @classmethod
    def drawn(cls, home: str) -> MapFrame:
        """Returns the frame of a home by its name alone: the same in all episodes and sessions."""
        name = int.from_bytes(sha256(home.encode()).digest()[:8], "big")
        rng = np.random.default_rng((name, _STREAM))
        half_turn, farthest = math.floor(math.pi * _YAW_STEPS), _FARTHEST * _OFFSET_STEPS
        yaw = int(rng.integers(-half_turn, half_turn, endpoint=True)) / _YAW_STEPS
        x, y = rng.integers(-farthest, farthest, 2, endpoint=True).tolist()
        return cls.of(yaw, x / _OFFSET_STEPS, y / _OFFSET_STEPS)

    @classmethod
    def of_settings(cls, settings: Mapping[str, Any]) -> MapFrame:
        """Returns the frame that `settings` (below) states; that of the home where there are none."""
        yaw, offset = settings.get("map_yaw", 0.0), offset_of(settings.get("map_offset", ""))
        return cls.of(yaw, *(offset or (0.0, 0.0)))

    @property
    def is_home(self) -> bool:
        """Whether the map frame is that of the home."""
        return self.home == HERE

    @property
    def settings(self) -> Mapping[str, float | str]:
        """The settings of a world (robot/config.py) that give this frame."""
        return {"map_yaw": self.home.yaw, "map_offset": f"{self.home.x:g},{self.home.y:g}"}

    def placed(self, place: Placement) -> Placement:
        """Converts a placement in the home to the map."""
        return place if self.is_home else self.home.times(place)

    def in_home(self, place: Placement) -> Placement:
        """Converts a placement in the map to the home."""
        return place if self.is_home else self.home.inverse().times(place)

    def pose(self, pose: Pose) -> Pose:
        """Converts a pose in the home to the map."""
        if self.is_home:
            return pose
        return Pose(self.point(pose.position), self._turned(pose.orientation))

    def point(self, point: Point) -> Point:
        """Converts a position in the home to the map."""
        return point if self.is_home else Point(*self.home.point(point.x, point.y), point.z)

    def points(self, points: FloatArray) -> FloatArray:
        """Converts positions (N, 3) in the home to the map [m]."""
        if self.is_home:
            return points
        placed = [(*self.home.point(x, y), z) for x, y, z in points.tolist()]
        return np.array(placed, np.float64).reshape(-1, 3)

    def truth(self, truth: GroundTruth) -> GroundTruth:
        """Converts a ground truth in the home to the map; boxes turn with it."""
        if self.is_home:
            return truth
        return replace(
            truth,
            robot=self.pose(truth.robot),
            rooms=tuple(replace(room, footprint=self._polygon(room.footprint)) for room in truth.rooms),
            objects=tuple(replace(thing, box=self._box(thing.box)) for thing in truth.objects),
        )

    def _box(self, box: BoundingBox3D) -> BoundingBox3D:
        return replace(box, center=self.pose(box.center))

    def _polygon(self, polygon: Polygon) -> Polygon:
        return Polygon(
            tuple(Point32(*self.home.point(corner.x, corner.y), corner.z) for corner in polygon.points)
        )

    def _turned(self, q: Quaternion) -> Quaternion:
        """Turns an orientation about z by the home's yaw."""
        z, w = math.sin(self.home.yaw / 2), math.cos(self.home.yaw / 2)
        return Quaternion(w * q.x - z * q.y, w * q.y + z * q.x, w * q.z + z * q.w, w * q.w - z * q.z)


def offset_of(text: str) -> tuple[float, float] | None:
    """Reads "X,Y" [m]; None for an empty text. Raises ConfigurationError."""
    if not text.strip():
        return None
    try:
        x, y = map(float, text.split(","))
    except ValueError:
        x = y = math.nan
    if not max(abs(x), abs(y)) <= _LARGEST:
        raise ConfigurationError(
            f'wants two numbers from -{_LARGEST:g} to {_LARGEST:g} with a comma between, as "1.5,-2"; '
            f"got {text!r}"
        )
    return x, y


def check_offset(text: str) -> None:
    """Raises ConfigurationError for a text that `offset_of` does not read."""
    offset_of(text)
