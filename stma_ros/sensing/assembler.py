"""Assembles camera frames from their parts, which may arrive in any order across topics."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from stma_ros.sensing.camera_frame import NEEDED, CameraFrame, frame_of
from stma_ros.sensing.stamp_order import StampOrder
from stma_ros.types.message import Message
from stma_ros.types.standard import NANOSECONDS_PER_SECOND

MAX_WAITING_FRAMES = 1024
MAX_WAITING_BYTES = 128 * 1024 * 1024
"""Bounds of the frames that wait for further parts; beyond either the oldest frame is dropped. They limit how far one
topic may be ahead of another: by 60 frames of 640x480 pixels, or by an episode without images."""


class FrameAssembler:
    """Joins the parts of a frame by their stamp.

    The resulting frames follow from each topic's own order of arrival alone, not from how topics interleave:

    - A part is used if its stamp is after those of all earlier messages of its topic; late and repeated parts are
      ignored, and so are those from before the last frame. One stamp in the future does not make all later parts of its
      topic late (StampOrder).
    - A frame is complete with the last of its parts. Every topic has then reached its stamp, so an earlier frame that
      lacks a part will never get it: it is lost. Frames are returned in the order of their stamps.

    The buffer is bounded: if a topic falls behind by more than the bounds, the oldest frames are lost.

    Attributes:
        parts: The topics that a frame is made of.
        made: Number of frames that were returned.
        late: Number of parts that were ignored.
        lateness: How the newest of these was late, for people; empty = none was.
        lost: Number of frames that some of the parts never came for.
    """

    def __init__(self, parts: Iterable[str]) -> None:
        """Makes an empty assembler.

        Args:
            parts: The topics that a frame is made of.

        Raises:
            ValueError: The parts lack odometry or localization, which give stamp and pose.
        """
        self.parts = frozenset(parts)
        if not self.parts.issuperset(NEEDED):
            raise ValueError(f"a frame needs {', '.join(NEEDED)}; got {', '.join(sorted(self.parts))}")
        self.made = self.late = self.lost = 0
        self.lateness = ""
        self._orders = {topic: StampOrder() for topic in self.parts}
        self._last = -1
        self._waiting: dict[int, dict[str, Message]] = {}
        self._bytes = 0

    @property
    def waiting(self) -> int:
        """Number of frames whose missing parts may still arrive."""
        return len(self._waiting)

    @property
    def lacking(self) -> frozenset[str]:
        """The parts that none of the waiting frames has."""
        come = {topic for frame in tuple(self._waiting.values()) for topic in tuple(frame)}
        return self.parts - come if come else frozenset()

    def add(self, topic: str, message: Message) -> CameraFrame | None:
        """Takes one part.

        Args:
            topic: One of `parts`.
            message: A message of the topic's type.

        Returns:
            The frame that it completes; None if there is none.
        """
        stamp = message.header.stamp.nanoseconds  # type: ignore[attr-defined]
        newest = max(self._orders[topic].newest, self._last)
        if not self._orders[topic].admits(stamp) or stamp <= self._last:
            self.late += 1
            self.lateness = f"{topic} is of {_seconds(stamp)}, after one of {_seconds(newest)}"
            return None
        frame = self._waiting.setdefault(stamp, {})
        self._bytes += _size(message) - _size(frame.get(topic))
        frame[topic] = message
        if frame.keys() == self.parts:
            self.made += 1
            self._last = stamp
            self._remove(stamp)
            self._drop([other for other in self._waiting if other < stamp])
            return frame_of(frame)
        while len(self._waiting) > MAX_WAITING_FRAMES or self._bytes > MAX_WAITING_BYTES:
            self._drop([min(self._waiting)])
        return None

    def _drop(self, stamps: Collection[int]) -> None:
        self.lost += len(stamps)
        for stamp in stamps:
            self._remove(stamp)

    def _remove(self, stamp: int) -> None:
        self._bytes -= sum(map(_size, self._waiting.pop(stamp).values()))


def _seconds(stamp: int) -> str:
    return f"{stamp / NANOSECONDS_PER_SECOND:.3f} s"


def _size(message: Message | None) -> int:
    data = getattr(message, "data", None)
    return 0 if data is None else int(data.nbytes)
