"""Holds the state that all parts of the scene builder share: time, map frame, robot pose, names of objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import PinholeCamera, camera_of
from stma_ros.mapping.transforms import matrix_of
from stma_ros.types.message import Message
from stma_ros.types.standard import CameraInfo, Point, Pose
from stma_ros.visual.drawables import Drawable, Drawn

DATED = 1e9
"""Later stamps [s] count from 1970, earlier ones from the start of a robot or simulator."""

_FARTHEST = 1e6  # greatest plausible distance from the origin [m]


@dataclass
class DrawingContext:
    """The shared state.

    Attributes:
        stamp_ns: stamp of the newest message that has one.
        begin_ns: stamp of the recording's begin, from which times are shown; 0 where the clock starts with the run.
        frame_id: the map frame.
        robot: 4x4, pose of the base in the map; None before it is known.
        names: names of objects and rooms, by id.
    """

    stamp_ns: int = 0
    begin_ns: int = 0
    frame_id: str = "map"
    robot: NDArray[np.float64] | None = None
    names: Mapping[str, str] = field(default_factory=dict)

    def read_stamp(self, message: Message) -> None:
        """Reads the stamp of a message; a message without one has the time of its predecessor."""
        header = getattr(message, "header", None)
        if header is not None and header.stamp.nanoseconds > 0:
            self.stamp_ns = header.stamp.nanoseconds
            if not self.begin_ns and header.stamp.seconds >= DATED:
                self.begin_ns = self.stamp_ns

    def placed(self, path: str, thing: Drawable) -> Drawn:
        """Returns a thing in the map frame with the current time."""
        return Drawn(path, self.stamp_ns, self.frame_id, thing)

    def unplaced(self, path: str, thing: Drawable) -> Drawn:
        """Returns a thing without a place, with the current time."""
        return Drawn(path, self.stamp_ns, "", thing)

    def name(self, id_: str) -> str:
        return self.names.get(id_, id_.replace("_", " "))


def is_somewhere(*points: Point | Pose) -> bool:
    """Whether all of them are valid places: finite, and within a plausible distance."""
    return all(bool(np.all(np.abs(row(point)) < _FARTHEST)) for point in points)


def pose_matrix_of(pose: Pose) -> NDArray[np.float64] | None:
    """Returns the 4x4 matrix of a pose; None if it is not a valid place."""
    try:
        return matrix_of(pose) if is_somewhere(pose) else None
    except ValueError:
        return None


def pinhole_of(info: CameraInfo) -> PinholeCamera | None:
    """Returns the camera of a message; None if its numbers are not a camera's."""
    try:
        return camera_of(info)
    except ValueError:
        return None


def row(place: Point | Pose) -> tuple[float, float, float]:
    """Returns x, y, z [m]."""
    point = place.position if isinstance(place, Pose) else place
    return point.x, point.y, point.z


def yaws(angles: Iterable[float]) -> NDArray[np.float32]:
    """Returns angles (N,) [rad], 0 in place of unknown ones."""
    known: NDArray[np.float32] = np.nan_to_num(np.array(list(angles), np.float32), nan=0.0)
    return known
