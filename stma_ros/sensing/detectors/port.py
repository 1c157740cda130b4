"""The port behind which the things in a camera frame are told apart."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from stma_ros.mapping.door_state import SegmentedFrame
from stma_ros.mapping.segments import Segment
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.types.common import Error, MessageRef
from stma_ros.types.component import Emission
from stma_ros.types.message import Message

PixelBox: TypeAlias = tuple[slice, slice]
"""Rows and columns of an image; at least one of each."""

FLOOR = "floor"
STRUCTURE = frozenset({"wall", FLOOR, "ceiling"})
"""Categories that are the building, not things in it: no detector returns them; the map holds them."""


@dataclass(frozen=True)
class DetectedObject:
    """A thing that a detector found in a camera frame.

    Attributes:
        category: What it is.
        score: How sure the detector is of it [0..1].
        box: Where it lies in the image.
        segment: Its seen surface, in the map; None where depth does not tell where it is.
        sight: The image that the segment was cut from, where its edges are the thing's own: its shape and colours tell
            its states then. None where edges are guessed, as within a box.
        states: What the detector itself says of its states [vocabulary.STATE_...], at most one of each dimension.
    """

    category: str
    score: float
    box: PixelBox
    segment: Segment | None
    sight: SegmentedFrame | None = None
    states: tuple[str, ...] = ()


@dataclass(frozen=True)
class DetectorOutput:
    """What a detector says of one keyframe.

    Attributes:
        objects: In any order.
        derived_from: The messages that it was made from, besides the frame.
        telemetry: Messages to be published before what is made of this.
        error: Why the detector has no answer. A frame without any answer is no keyframe: one that shows nothing would
            say that everything in view is gone.
        incomplete: Why a part of the answer is missing, as where one of several detectors fails; the rest stands.
    """

    objects: tuple[DetectedObject, ...] = ()
    derived_from: tuple[MessageRef, ...] = ()
    telemetry: tuple[Emission, ...] = ()
    error: Error = Error()
    incomplete: Error = Error()


class Detector(Protocol):
    """Finds things in keyframes. Subclasses that need nothing but the frame write `detect` alone.

    What is said of a frame follows from the frames and from each topic's own order of messages, not from how topics
    interleave: a detector that needs other messages is not ready before it has all that concern the frame.
    """

    def receive(self, topic: str, message: Message) -> None:
        """Takes a message that came to perception, other than a frame."""
        return

    def is_ready(self, frame: CameraFrame) -> bool:
        """Whether nothing is to be waited for before `detect`.

        It is called in the order of stamps, and for one frame again after each message.
        """
        return True

    @abstractmethod
    def detect(self, frame: CameraFrame) -> DetectorOutput:
        """Finds the things in a keyframe.

        Args:
            frame: A frame without error, with view and colour. Each keyframe comes once, in the order of stamps; where
                too many frames wait, the oldest comes before the detector is ready.

        Returns:
            The things; or, where there is no answer, the error: none is raised.
        """
        ...
