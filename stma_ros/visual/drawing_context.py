"""State that all parts of the scene builder share: time, map frame, robot pose, names of objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.message import Message
from stma_ros.types.standard import Point, Pose
from stma_ros.visual.drawables import Drawable, Drawn

_FARTHEST = 1e6  # [m] what claims to be farther away is nowhere


@dataclass
class DrawingContext:
    """stamp_ns: of the newest message that had a stamp. robot: 4x4, its base in the map, None before it is known.
    names: of things and rooms, by id."""

    stamp_ns: int = 0
    frame_id: str = "map"
    robot: NDArray[np.float64] | None = None
    names: Mapping[str, str] = field(default_factory=dict)

    def read_stamp(self, message: Message) -> None:
        """A message without a stamp belongs to the time of the one before it."""
        header = getattr(message, "header", None)
        if header is not None and header.stamp.nanoseconds > 0:
            self.stamp_ns = header.stamp.nanoseconds

    def placed(self, path: str, thing: Drawable) -> Drawn:
        """Something in the map, now."""
        return Drawn(path, self.stamp_ns, self.frame_id, thing)

    def told(self, path: str, thing: Drawable) -> Drawn:
        """Something without a place, now."""
        return Drawn(path, self.stamp_ns, "", thing)

    def name(self, id_: str) -> str:
        return self.names.get(id_, id_.replace("_", " "))


def is_somewhere(*points: Point | Pose) -> bool:
    """Whether all of them are places: finite, and on this side of the horizon."""
    return all(bool(np.all(np.abs(row(point)) < _FARTHEST)) for point in points)


def row(place: Point | Pose) -> tuple[float, float, float]:
    """x, y, z [m]."""
    point = place.position if isinstance(place, Pose) else place
    return point.x, point.y, point.z
