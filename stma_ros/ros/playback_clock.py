"""Determines when each message of a bag is due, from its log time."""

from __future__ import annotations

import time

LONGEST_WAIT = (
    10.0  # longest difference of log times [s]; a longer one is a pause in the recording, or a wrong stamp
)


class PlaybackClock:
    """Follows the log times at `rate` seconds of the recording per second, from the first one on.

    A stamp that runs back a little causes no wait. A jump is followed: a gap of more than ten recorded seconds is cut
    to ten, and a jump back takes no time.
    """

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._began = time.monotonic()
        self._played = 0.0  # played time of the recording [s]
        self.now_ns: int | None = None
        """The log time that is reached [ns]."""

    def go_to(self, stamp_ns: int) -> float:
        """Goes to the next message; returns the jump of its stamp [s], 0 without one."""
        step = 0.0 if self.now_ns is None else (stamp_ns - self.now_ns) / 1e9
        self._played += min(max(step, 0.0), LONGEST_WAIT)
        jump = step if abs(step) > LONGEST_WAIT else 0.0
        if self.now_ns is None or step > 0 or jump:
            self.now_ns = stamp_ns
        return jump

    def left(self) -> float:
        """Returns the time until the message is due [s]; negative when it is late."""
        return self._began + self._played / self._rate - time.monotonic()

    def log_time(self) -> int:
        """Returns the present log time [ns], which advances during a wait for a message."""
        return (self.now_ns or 0) - round(max(0.0, self.left()) * self._rate * 1e9)
