"""Filters frames whose odometry jumps farther than the robot can move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stma_ros.sensing.camera_frame import FramePose
from stma_ros.types.errors import PoseJumpError
from stma_ros.types.settings import setting


@dataclass(frozen=True)
class FrameConfig:
    """Settings of the robot that all components that read frames share, with the same names and defaults."""

    max_speed: float = setting(2.0, "the fastest the base can move", unit="m/s", low=0.01)

    def uses(self, part: str) -> bool:
        """Returns whether the component uses this topic among the parts of frames that it can take."""
        return True


class PoseJumpFilter:
    """Rejects a frame if the odometry moved farther than the robot can since the last accepted one.

    A single outlier loses only its own frame. A localisation that was really reset loses one frame as well, because
    the next frame confirms the new place.
    """

    def __init__(self, max_speed: float, slack: float = 0.3) -> None:
        """Makes a filter without history.

        Args:
            max_speed: Largest speed of the base [m/s].
            slack: Distance that is allowed in addition, for noise and jitter of stamps [m].
        """
        self._max_speed = max_speed
        self._slack = slack
        self._accepted: FramePose | None = None
        self._outlier: FramePose | None = None

    def check(self, here: FramePose) -> None:
        """Checks one frame; to be called once for each frame, in the order of the stamps.

        Raises:
            PoseJumpError: The odometry moved too far.
        """
        if self._accepted is None or self._excess(self._accepted, here) <= 0 or self._confirms(here):
            self._accepted, self._outlier = here, None
            return
        self._outlier = here
        raise PoseJumpError(
            f"odometry moved {self._excess(self._accepted, here):.2f} m farther than {self._max_speed:g} m/s allows; "
            "this frame is left out (a wrong max_speed, or a localisation that was reset?)"
        )

    def _confirms(self, here: FramePose) -> bool:
        return self._outlier is not None and self._excess(self._outlier, here) <= 0

    def _excess(self, before: FramePose, now: FramePose) -> float:
        """Returns how much farther the base moved than it can [m]; 0 or less if the motion was possible."""
        there, here = before.odometry.position, now.odometry.position
        moved = float(np.hypot(here.x - there.x, here.y - there.y))
        seconds = max(now.stamp.seconds - before.stamp.seconds, 0.0)
        return moved - self._max_speed * seconds - self._slack
