"""Sources of camera frames: bags, simulators and a robot's topics."""

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
    """Counts of the frames of a source.

    Attributes:
        frames: Number of frames that were made.
        skipped: Number of frames that were not, by reason.
    """

    frames: int = 0
    skipped: Counter[str] = field(default_factory=Counter)

    @property
    def seen(self) -> int:
        """Number of all frames, made or skipped."""
        return self.frames + sum(self.skipped.values())


class FrameSource(Protocol):
    """An iterable of frames in the order of their stamps; the tally is complete at the end of the iteration."""

    @property
    def tally(self) -> FrameTally: ...

    def __iter__(self) -> Iterator[CameraFrame]: ...


class EmittedFrames:
    """A FrameSource of messages of this package, from a simulator or from the bag of a run."""

    def __init__(self, emissions: Iterable[Emission], parts: Iterable[str] = topics.FRAME) -> None:
        """Makes a source of emissions.

        Args:
            emissions: Messages with their topics, in any order across topics; those of other topics are ignored.
            parts: Topics that a frame is made of.

        Raises:
            ValueError: The parts lack odometry or localization.
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
