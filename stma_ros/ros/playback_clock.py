"""Determines when each message of a bag is due, from its log time."""

from __future__ import annotations

import time

LONGEST_WAIT = 10.0  # [s] of log time; what is longer is a pause in the recording, or a broken stamp


class PlaybackClock:
    """Follows the log times at `rate` seconds of the recording per second, from the first one on.

    Stamps that run back a little hold nothing up. Those that jump are followed to where they go: a pause of more than
    ten recorded seconds is cut to ten, and a jump back takes no time at all.
    """

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._began = time.monotonic()
        self._played = 0.0  # [s] of the recording
        self.now_ns: int | None = None
        """The log time that is reached."""

    def go_to(self, stamp_ns: int) -> float:
        """The next message; returns by how much its stamp jumps [s], 0 when it does not."""
        step = 0.0 if self.now_ns is None else (stamp_ns - self.now_ns) / 1e9
        self._played += min(max(step, 0.0), LONGEST_WAIT)
        jump = step if abs(step) > LONGEST_WAIT else 0.0
        if self.now_ns is None or step > 0 or jump:
            self.now_ns = stamp_ns
        return jump

    def left(self) -> float:
        """The time until the message is due [s]; negative when it is late."""
        return self._began + self._played / self._rate - time.monotonic()

    def log_time(self) -> int:
        """The log time of this moment [ns]: it runs while a message is waited for."""
        return (self.now_ns or 0) - round(max(0.0, self.left()) * self._rate * 1e9)
