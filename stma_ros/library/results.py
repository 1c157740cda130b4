"""Results of memories: what became of a frame, and where something was last seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.remembering import ObjectQueryResult, Sighting
from stma_ros.types.sensing import Detection


@dataclass(frozen=True)
class FrameResult:
    """What became of a frame.

    Attributes:
        keyframe: Whether it was looked at for things.
        detections: The things that it shows, where it is a keyframe: category, box in the map [m], colour, states.
        error: Why the sensor's data could not be used, and the memory is as before; of a keyframe, why its detections
            are incomplete. Falsy where all is well.
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
class LastSeen:
    """Where something was seen last; printed, it is the sentence.

    Attributes:
        text: "I last saw the red mug (mug_1) 3 min ago on table_1 in the kitchen.", or why nothing was found.
        sightings: Best match first, of one thing the newest first: id, category, colour, times, position in the map
            [m] (NaN in a hand), place in words, whether it is still there, confidence [0..1] and a JPEG picture. Empty
            where nothing fits.
    """

    text: str
    sightings: tuple[Sighting, ...] = ()

    @classmethod
    def of(cls, result: ObjectQueryResult) -> LastSeen:
        """The same as a message has it."""
        return cls(result.text, () if result.error.code == ErrorCode.NOT_REMEMBERED else result.sightings)

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        """Whether anything was found."""
        return bool(self.sightings)

    @property
    def position(self) -> tuple[float, float, float] | None:
        """(x, y, z) of the best match in the map [m]; None where nothing was found, or its position is not known."""
        if not self.sightings:
            return None
        where = self.sightings[0].position
        return (where.x, where.y, where.z) if np.isfinite(where.x) else None

    @property
    def place(self) -> str:
        """Where the best match was, in words: "on table_1, in room_2 (kitchen)"; empty where it is not known."""
        return self.sightings[0].place if self.sightings else ""

    @property
    def is_present(self) -> bool:
        """Whether the best match is still there, as far as is known."""
        return bool(self.sightings) and self.sightings[0].present
