"""Where a frame was taken, and whether the robot can have been there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stma_ros.mapping.frames import matrix_of, part
from stma_ros.types import topics
from stma_ros.types.errors import PoseJumpError
from stma_ros.types.message import Message
from stma_ros.types.settings import setting
from stma_ros.types.standard import Odometry, Point, Pose, PoseStamped, Time


@dataclass(frozen=True)
class FrameConfig:
    """What every component that reads frames is told of the robot, under the same name and with the same default."""

    max_speed: float = setting(2.0, "the fastest the base can move", unit="m/s", low=0.01)


@dataclass(frozen=True)
class Station:
    """Where the robot was when a frame was taken.

    base: in the frame `frame_id`, the map's. odometry: in the odometry's own frame, where it moves without jumps.
    """

    stamp: Time
    frame_id: str
    base: Pose
    odometry: Pose


def station_of(parts: Mapping[str, Message]) -> Station:
    """Read the odometry and the localisation of a frame.

    Raises PoseJumpError for a pose that is not a number.
    """
    odometry = part(parts, topics.ODOMETRY, Odometry)
    localization = part(parts, topics.LOCALIZATION, PoseStamped)
    here = odometry.pose.pose
    try:
        matrix_of(here)
        x, y, z, _ = matrix_of(localization.pose) @ (here.position.x, here.position.y, here.position.z, 1.0)
    except ValueError as error:
        raise PoseJumpError(str(error)) from error
    turned = Pose.planar(0.0, 0.0, localization.pose.yaw + here.yaw).orientation
    base = Pose(Point(x, y, z), turned)
    return Station(odometry.header.stamp, localization.header.frame_id, base, here)


class PoseGuard:
    """Refuses a frame whose odometry moved farther than the robot can.

    A single outlier costs its own frame; a localisation that was really reset costs one frame too, for the next
    one confirms the new place.
    """

    def __init__(self, max_speed: float, slack: float = 0.3) -> None:
        """max_speed [m/s]; slack [m] is granted on top, for noise and jitter of stamps."""
        self._max_speed = max_speed
        self._slack = slack
        self._trusted: Station | None = None
        self._suspect: Station | None = None

    def check(self, here: Station) -> None:
        """Raises PoseJumpError; call once for each frame, in the order of the stamps."""
        if self._trusted is None or self._excess(self._trusted, here) <= 0 or self._confirms(here):
            self._trusted, self._suspect = here, None
            return
        self._suspect = here
        raise PoseJumpError(
            f"odometry moved {self._excess(self._trusted, here):.2f} m farther than {self._max_speed:g} m/s allows; "
            "this frame is left out (a wrong max_speed, or a localisation that was reset?)"
        )

    def _confirms(self, here: Station) -> bool:
        return self._suspect is not None and self._excess(self._suspect, here) <= 0

    def _excess(self, before: Station, now: Station) -> float:
        """How much farther than possible the base moved [m]; not above 0 when it was possible."""
        there, here = before.odometry.position, now.odometry.position
        moved = float(np.hypot(here.x - there.x, here.y - there.y))
        seconds = max(now.stamp.seconds - before.stamp.seconds, 0.0)
        return moved - self._max_speed * seconds - self._slack
