"""Joins detections that arrive late, or never, with camera frames by their stamps."""

from __future__ import annotations

from stma_ros.sensing.synchroniser import JUMP
from stma_ros.sensing.timeline import Timeline
from stma_ros.types.sensing import ExternalDetections

STORED = 128
"""Number of messages that are stored at once."""


class StampJoin:
    """Finds the detections of camera frames by stamp.

    A frame is settled when detections with its very stamp have come, or when frames or detections that are later by
    `wait` have: what follows from the stamps does not depend on the order in which messages arrive, as long as none is
    later than that.

    Attributes:
        newest_frame: Stamp of the newest frame [ns]; -1 = none has come.
    """

    def __init__(self, tolerance: int, wait: int) -> None:
        """Makes a join.

        Args:
            tolerance: Largest difference between the stamps of a frame and of its detections [ns].
            wait: Time for which a frame waits, by stamps of later messages [ns].
        """
        self._tolerance = tolerance
        self._wait = wait
        self._messages: Timeline[ExternalDetections] = Timeline(STORED)
        self.newest_frame = -1

    @property
    def newest(self) -> int | None:
        """Stamp of the latest detections [ns]; None if there are none."""
        return self._messages.newest

    def add(self, message: ExternalDetections) -> None:
        """Adds detections. Of several with one stamp, the first without an error counts."""
        stamp = message.header.stamp.nanoseconds
        before = self._messages.nearest(stamp, 0)
        if before is None or (before.error and not message.error):
            self._messages.add(stamp, message)

    def add_frame(self, stamp: int) -> None:
        """Adds a frame by its stamp [ns]."""
        self.newest_frame = max(self.newest_frame, stamp)

    def set_back(self, stamp: int) -> None:
        """Forgets what is of a later time: the clock was set back to a stamp [ns], or had been ahead by mistake."""
        self._messages.forget_after(stamp + JUMP)
        self.newest_frame = -1

    def is_settled(self, stamp: int) -> bool:
        """Returns whether the detections of a frame [ns] no longer depend on what is still to come."""
        if self._messages.nearest(stamp, 0) is not None:
            return True
        newest = -1 if self._messages.newest is None else self._messages.newest
        return max(newest, self.newest_frame) >= stamp + max(self._wait, 1)

    def nearest(self, stamp: int) -> ExternalDetections | None:
        """Returns the detections nearest to a frame's stamp [ns]; None if none are within the tolerance."""
        return self._messages.nearest(stamp, self._tolerance)
