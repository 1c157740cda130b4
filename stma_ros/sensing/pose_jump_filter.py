"""Whether the robot can have been where a frame was taken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stma_ros.sensing.camera_frame import FramePose
from stma_ros.types.errors import PoseJumpError
from stma_ros.types.settings import setting


@dataclass(frozen=True)
class FrameConfig:
    """What every component that reads frames is told of the robot, under the same name and with the same default."""

    max_speed: float = setting(2.0, "the fastest the base can move", unit="m/s", low=0.01)

    def uses(self, part: str) -> bool:
        """Whether the component needs this part of a frame, of those that it may use."""
        return True


class PoseJumpFilter:
    """Refuses a frame whose odometry moved farther than the robot can.

    A single outlier costs its own frame; a localisation that was really reset costs one frame too, for the next
    one confirms the new place.
    """

    def __init__(self, max_speed: float, slack: float = 0.3) -> None:
        """max_speed [m/s]; slack [m] is granted on top, for noise and jitter of stamps."""
        self._max_speed = max_speed
        self._slack = slack
        self._trusted: FramePose | None = None
        self._suspect: FramePose | None = None

    def check(self, here: FramePose) -> None:
        """Raises PoseJumpError; call once for each frame, in the order of the stamps."""
        if self._trusted is None or self._excess(self._trusted, here) <= 0 or self._confirms(here):
            self._trusted, self._suspect = here, None
            return
        self._suspect = here
        raise PoseJumpError(
            f"odometry moved {self._excess(self._trusted, here):.2f} m farther than {self._max_speed:g} m/s allows; "
            "this frame is left out (a wrong max_speed, or a localisation that was reset?)"
        )

    def _confirms(self, here: FramePose) -> bool:
        return self._suspect is not None and self._excess(self._suspect, here) <= 0

    def _excess(self, before: FramePose, now: FramePose) -> float:
        """How much farther than possible the base moved [m]; not above 0 when it was possible."""
        there, here = before.odometry.position, now.odometry.position
        moved = float(np.hypot(here.x - there.x, here.y - there.y))
        seconds = max(now.stamp.seconds - before.stamp.seconds, 0.0)
        return moved - self._max_speed * seconds - self._slack
