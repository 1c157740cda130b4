"""Results of memories: of observing a frame, of questions, and of asking where something was last seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode, TaskNotUnderstoodError
from stma_ros.types.remembering import MemoryAnswer, ObjectQueryResult, Sighting
from stma_ros.types.sensing import Detection


@dataclass(frozen=True)
class FrameResult:
    """Result of observing a frame.

    Attributes:
        keyframe: Whether objects were detected in it.
        detections: The objects of a keyframe: category, box in the map [m], colour and states.
        error: Reason why the frame's data could not be used and the memory is unchanged; for a keyframe, reason why its
            detections are incomplete. It is falsy if there is no error.
    """

    keyframe: bool = False
    detections: tuple[Detection, ...] = ()
    error: Error = Error()

    def __str__(self) -> str:
        if self.keyframe:
            incomplete = f", incomplete: {self.error.text}" if self.error else ""
            return f"keyframe, {len(self.detections)} detections{incomplete}"
        return f"not used: {self.error.text}" if self.error else "mapped"


@dataclass(frozen=True)
class Answer:
    """Answer to a question about a home; str() is the sentence.

    Attributes:
        answer: In few words: "yes", "red", "on the table in the kitchen"; empty if the memory does not know.
        is_sure: Whether it is known, and not only the best guess.
        text: The answer as sentences: with what it rests on, where and when that was last seen, and what is missing.
        evidence: The things that the answer rests on, as they were last seen; like the sightings of LastSeen.
    """

    answer: str
    is_sure: bool
    text: str
    evidence: tuple[Sighting, ...] = ()

    @classmethod
    def of(cls, message: MemoryAnswer) -> Answer:
        """Makes the answer from a message. Raises TaskNotUnderstoodError for one that says so."""
        if message.error:
            raise TaskNotUnderstoodError(message.error.text)
        return cls(message.answer, message.is_sure, message.text, message.evidence)

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        """Returns whether the memory answers."""
        return bool(self.answer)


@dataclass(frozen=True)
class LastSeen:
    """Answer to the question where something was last seen; str() is the sentence.

    Attributes:
        text: "I last saw the red mug (mug_1) 3 min ago on table_1 in the kitchen.", or the reason why nothing was
            found.
        sightings: Best match first, and for each object the newest first: id, category, colour, times, position in the
            map [m] (NaN in the hand), place in words, whether it is still there, confidence [0..1] and a JPEG picture.
            Empty if nothing was found.
    """

    text: str
    sightings: tuple[Sighting, ...] = ()

    @classmethod
    def of(cls, result: ObjectQueryResult) -> LastSeen:
        """Makes the answer from a message."""
        return cls(result.text, () if result.error.code == ErrorCode.NOT_REMEMBERED else result.sightings)

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        """Returns whether anything was found."""
        return bool(self.sightings)

    @property
    def position(self) -> tuple[float, float, float] | None:
        """(x, y, z) of the best match in the map [m]; None if nothing was found or the position is not known."""
        if not self.sightings:
            return None
        where = self.sightings[0].position
        return (where.x, where.y, where.z) if np.isfinite(where.x) else None

    @property
    def place(self) -> str:
        """Place of the best match in words: "on table_1, in room_2 (kitchen)"; empty if it is not known."""
        return self.sightings[0].place if self.sightings else ""

    @property
    def is_present(self) -> bool:
        """Whether the best match is believed to be still there."""
        return bool(self.sightings) and self.sightings[0].present
