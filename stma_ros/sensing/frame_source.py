"""Where frames come from: bags, simulators and, on a robot, its topics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from stma_ros.sensing.assembler import FrameAssembler
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.types import topics
from stma_ros.types.component import Emission


@dataclass
class FrameTally:
    """What became of what a camera took.

    Attributes:
        frames: Frames that came out.
        skipped: How many did not, for each reason.
    """

    frames: int = 0
    skipped: Counter[str] = field(default_factory=Counter)

    @property
    def seen(self) -> int:
        """All of them."""
        return self.frames + sum(self.skipped.values())


class FrameSource(Protocol):
    """Frames in the order of their stamps; the tally is complete when they are over."""

    @property
    def tally(self) -> FrameTally: ...

    def __iter__(self) -> Iterator[CameraFrame]: ...


class EmittedFrames:
    """A FrameSource of messages of this package: what a simulator emits, or what a bag of a run holds."""

    def __init__(self, emissions: Iterable[Emission], parts: Iterable[str] = topics.FRAME) -> None:
        """
        Args:
            emissions: in any order across topics; those of other topics are passed over.
            parts: of which a frame is made. Raises ValueError as FrameAssembler.
        """
        self.tally = FrameTally()
        self._emissions = emissions
        self._frames = FrameAssembler(parts)

    def __iter__(self) -> Iterator[CameraFrame]:
        for topic, message in self._emissions:
            frame = self._frames.add(topic, message) if topic in self._frames.parts else None
            if frame is not None:
                self.tally.frames += 1
                yield frame
        incomplete = self._frames.lost + self._frames.waiting
        if incomplete:
            self.tally.skipped["a part of it is missing"] = incomplete
