"""Puts camera frames together from their parts, in whatever order the topics bring them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from stma_ros.sensing.camera_frame import NEEDED, CameraFrame, frame_of
from stma_ros.types.message import Message

MAX_WAITING_FRAMES = 1024
MAX_WAITING_BYTES = 128 * 1024 * 1024
"""Of frames that wait for their other parts; beyond either the oldest is given up. So far may one topic be ahead of
another one: 60 frames of 640x480 pixels, or an episode where no images wait."""


class FrameAssembler:
    """Joins the parts of a frame by their stamp.

    Which frames come out follows from each topic's own order of arrival alone, not from how topics interleave:

    - Of each topic, a part counts where its stamp is after all that came before it there; what is late, or comes twice,
      is ignored.
    - A frame comes out with the last of its parts. On every topic, its own part is then the newest or an earlier one,
      so an earlier frame that lacks a part will never get it: it is lost. Frames come out in the order of their stamps.

    What waits is bounded: a topic that falls behind by more than the bounds costs the oldest frames.

    Attributes:
        parts: The topics that a frame is made of.
        late: Parts that were ignored.
        lost: Frames of which some parts came, and others never will.
    """

    def __init__(self, parts: Iterable[str]) -> None:
        """Raises ValueError for parts that do not tell when and where a frame was taken."""
        self.parts = frozenset(parts)
        if not self.parts.issuperset(NEEDED):
            raise ValueError(f"a frame needs {', '.join(NEEDED)}; got {', '.join(sorted(self.parts))}")
        self.late = self.lost = 0
        self._newest = dict.fromkeys(self.parts, -1)
        self._waiting: dict[int, dict[str, Message]] = {}
        self._bytes = 0

    @property
    def waiting(self) -> int:
        """Frames whose other parts may still come."""
        return len(self._waiting)

    def add(self, topic: str, message: Message) -> CameraFrame | None:
        """Takes one part.

        Args:
            topic: One of `parts`.
            message: Of the topic's type.

        Returns:
            The frame that it completes.
        """
        stamp = message.header.stamp.nanoseconds  # type: ignore[attr-defined]
        if stamp <= self._newest[topic]:
            self.late += 1
            return None
        self._newest[topic] = stamp
        frame = self._waiting.setdefault(stamp, {})
        frame[topic] = message
        self._bytes += _size(message)
        if frame.keys() == self.parts:
            self._remove(stamp)
            self._lose([other for other in self._waiting if other < stamp])
            return frame_of(frame)
        while len(self._waiting) > MAX_WAITING_FRAMES or self._bytes > MAX_WAITING_BYTES:
            self._lose([min(self._waiting)])
        return None

    def _lose(self, stamps: Collection[int]) -> None:
        self.lost += len(stamps)
        for stamp in stamps:
            self._remove(stamp)

    def _remove(self, stamp: int) -> None:
        self._bytes -= sum(map(_size, self._waiting.pop(stamp).values()))


def _size(message: Message) -> int:
    data = getattr(message, "data", None)
    return 0 if data is None else int(data.nbytes)
