"""The interface of detectors, and their output."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from stma_ros.mapping.door_state import SegmentedFrame
from stma_ros.mapping.segments import Segment
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.types.common import Error, MessageRef
from stma_ros.types.component import Emission, OpenQuestion
from stma_ros.types.errors import ErrorCode
from stma_ros.types.evidence import StateEstimate
from stma_ros.types.message import Message
from stma_ros.types.sensing import DetectorLook, ObjectHypothesis

PixelBox: TypeAlias = tuple[slice, slice]
"""Rows and columns of an image; at least one of each."""

FLOOR = "floor"
STRUCTURE = frozenset({"wall", FLOOR, "ceiling"})
"""Categories of parts of the building: they are in the map, and detectors do not return them."""


@dataclass(frozen=True)
class DetectedObject:
    """An object that a detector found in a camera frame.

    Attributes:
        category: Category of the object.
        score: Confidence of the detector [0..1].
        box: Bounding box in the image.
        segment: Visible surface in the map; None if depth does not give its place.
        sight: Segmented image whose edges are those of the object, so that its shape shows its states; None if the
            edges are estimated, as within a box.
        states: States [vocabulary.STATE_...] that detectors (DETECTOR) and labels (LABEL) report, with the confidence
            of each; they may contradict one another.
        alternatives: Further categories with scores: those that the detector takes it for, too, and those of other
            detectors, which have a source.
        source: The detector that says so, as in `perception.source`; the fusion of detectors fills it.
        names: Names by which the relations of the same output refer to it.
    """

    category: str
    score: float
    box: PixelBox
    segment: Segment | None
    sight: SegmentedFrame | None = None
    states: tuple[StateEstimate, ...] = ()
    alternatives: tuple[ObjectHypothesis, ...] = ()
    source: str = ""
    names: frozenset[str] = frozenset()

    @property
    def hypotheses(self) -> tuple[ObjectHypothesis, ...]:
        """All that it may be; of equal scores, the first stays first."""
        first = ObjectHypothesis(category=self.category, score=self.score, source=self.source)
        return tuple(sorted((first, *self.alternatives), key=lambda each: -each.score))


@dataclass(frozen=True)
class ObjectRelation:
    """What a detector says of how two objects in a frame are to each other.

    Attributes:
        subject: Name of an object of the same output.
        predicate: words.IN, ON or NEAR.
        object: Name of another one.
        confidence: Confidence of the detector [0..1].
        source: The detector that says so, as of DetectedObject.
    """

    subject: str
    predicate: str
    object: str
    confidence: float
    source: str = ""


@dataclass(frozen=True)
class DetectorOutput:
    """Output of a detector for one keyframe.

    Attributes:
        objects: The objects, in any order.
        derived_from: References to the messages that it was derived from, besides the frame.
        telemetry: Messages to be published before those that are derived from this output.
        error: Reason why the detector has no result. Such a frame is not used as a keyframe: an empty result would
            mean that all objects in view have disappeared.
        incomplete: Reason why a part of the result is missing, as when one of several detectors fails; the rest is
            valid. What is not among the objects may still be there.
        looks: The detectors that have looked at the frame and returned all that they found; the fusion of detectors
            fills it.
        relations: Relations between the objects, by their names.
        awaits_answer: Whether another output for this keyframe follows (Detector.take_revisions), as a model that was
            asked has not answered.
    """

    objects: tuple[DetectedObject, ...] = ()
    derived_from: tuple[MessageRef, ...] = ()
    telemetry: tuple[Emission, ...] = ()
    error: Error = Error()
    incomplete: Error = Error()
    looks: tuple[DetectorLook, ...] = ()
    relations: tuple[ObjectRelation, ...] = ()
    awaits_answer: bool = False

    @property
    def has_failed(self) -> bool:
        """Whether the detector has no result though it wanted one, rather than pass the keyframe over."""
        return bool(self.error) and self.error.code != ErrorCode.MODEL_BUDGET


def pixel_box(box: tuple[float, float, float, float], shape: tuple[int, ...]) -> PixelBox:
    """Returns the rows and columns in a box (left, top, right, bottom) [px] of an image of `shape` (H, W), at least one
    of each."""
    height, width = shape
    left, top, right, bottom = box
    return _between(top, bottom, height), _between(left, right, width)


def _between(low: float, high: float, count: int) -> slice:
    first = min(max(round(low), 0), count - 1)
    return slice(first, min(max(round(high), first + 1), count))


class Detector(Protocol):
    """Finds objects in keyframes. Subclasses that need only the frame implement `detect` alone.

    The output follows from the frames and from each topic's own order of messages, not from how topics interleave: a
    detector that needs other messages is not ready before it has all that concern the frame.
    """

    def receive(self, topic: str, message: Message) -> None:
        """Takes a message, other than a frame, that perception received."""
        return

    def announce(self, frame: CameraFrame, is_keyframe: bool) -> None:
        """Takes a frame that perception received, before `is_ready`; called in the order of stamps."""
        return

    def is_ready(self, frame: CameraFrame) -> bool:
        """Returns whether `detect` can be called for the frame without further messages.

        It is called in the order of stamps, and again for the same frame after each message.
        """
        return True

    @property
    def reads_colour(self) -> bool:
        """Whether it finds objects in the colour image, or others did; in a black one it has not looked then."""
        return True

    @property
    def recall(self) -> float | None:
        """Share of the things in plain view that this detector finds [0..1]; None = that was not measured."""
        return None

    @abstractmethod
    def detect(self, frame: CameraFrame) -> DetectorOutput:
        """Finds the objects in a keyframe.

        Args:
            frame: A frame without error, with view and colour. Each keyframe is passed once, in the order of stamps;
                if too many frames wait, the oldest is passed before the detector is ready.

        Returns:
            The objects, or an output with `error`; errors are not raised.
        """
        ...

    def take_questions(self) -> tuple[OpenQuestion, ...]:
        """Returns the questions to a model since the last call, whose answers `receive` gets later."""
        return ()

    def take_revisions(self) -> tuple[tuple[CameraFrame, DetectorOutput], ...]:
        """Returns the keyframes since the last call whose answers have come late, or will not come, each with all of
        its output. There is one for each output that awaits an answer."""
        return ()
