"""Gives each live camera frame the detections of another node, or the reason why there are none."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass, replace

from stma_ros.sensing.external.stamp_join import StampJoin
from stma_ros.sensing.stamp_order import StampOrder
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.sensing import ExternalDetections
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Header, Time

MAX_FRAMES = 512
"""Frames that wait at most; of more, the oldest gets no detections."""


@dataclass(frozen=True, order=True)
class _Waiting:
    stamp: int  # [ns]
    since: float  # [s] on the steady clock


class FrameDetections:
    """Joins frames with detections. A frame waits by the stamps of later messages, and by the clock: a camera that
    takes no further frame must not wait for a node that died.

    The result is one message for each frame with the frame's stamp. It is recorded, so that the clock decides nothing
    when a run is replayed.

    Attributes:
        problem: Reason why the newest frames have no detections; empty if they have.
        cause: Known reason why no message can come; empty if there is none.
    """

    def __init__(self, source: str, tolerance: float, wait: float) -> None:
        """Makes an empty join.

        Args:
            source: Name of the topic of the detections, for error messages.
            tolerance: Largest difference between the stamps of a frame and of its detections [s].
            wait: Time for which a frame waits [s].
        """
        self._source = source
        self._tolerance, self._wait = tolerance, wait
        self._join = StampJoin(
            round(tolerance * NANOSECONDS_PER_SECOND), round(wait * NANOSECONDS_PER_SECOND)
        )
        self._waiting: list[_Waiting] = []
        self._order = StampOrder()
        self.problem = self.cause = ""

    def add(self, message: ExternalDetections) -> None:
        """Adds detections."""
        self._join.add(message)

    def add_frame(self, stamp: int, now: float) -> None:
        """Adds a frame; a late or repeated one is ignored. Where the clock was set back, frames go on from there.

        Args:
            stamp: Stamp of the frame [ns].
            now: Time on the steady clock [s].
        """
        newest = self._order.newest
        if not self._order.admits(stamp):
            return
        if stamp < newest:
            self._join.set_back(stamp)
        self._join.add_frame(stamp)
        insort(self._waiting, _Waiting(stamp, now))

    def decided(self, now: float, camera: str) -> Iterator[ExternalDetections]:
        """Yields the detections of the oldest frames, as long as they no longer wait.

        Args:
            now: Time on the steady clock [s].
            camera: Name of the camera's frame, for messages without one.
        """
        while self._waiting:
            first = self._waiting[0]
            is_over = now >= first.since + self._wait or len(self._waiting) > MAX_FRAMES
            if not is_over and not self._join.is_settled(first.stamp):
                return
            self._waiting.pop(0)
            yield self._of(first.stamp, camera)

    def _of(self, stamp: int, camera: str) -> ExternalDetections:
        found = self._join.nearest(stamp)
        at = Time.from_nanoseconds(stamp)
        if found is not None:
            self.problem = found.error.text
            return replace(found, header=Header(at, found.header.frame_id or camera))
        newest = self._join.newest
        seen = self.cause or (
            "no message has come; does the detector's node run?"
            if newest is None
            else f"the newest is of {newest / NANOSECONDS_PER_SECOND:.3f} s; does the detector's node run, and do its "
            "messages have the stamps of the images?"
        )
        self.problem = f"{self._source}: no detections within {self._tolerance:g} s of the image: {seen}"
        return ExternalDetections(
            header=Header(at, camera), error=Error(ErrorCode.DETECTOR_FAILED, self.problem)
        )
