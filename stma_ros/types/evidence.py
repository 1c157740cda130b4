"""Estimates of an object's state, and their evidence."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from stma_ros.types.message import Constants, Float32, Message
from stma_ros.types.standard import Time

UNMEASURED = 0.7
"""Confidence of what is reported without one: a segment of a camera, a state in a label, a relation in a reply."""

UNSCORED = 0.55
"""Probability that an object is there which a detector reports without a score: a class in a mask, an object in a file
or in a reply. So little that looks from one place, however many, are not believed (memory.existence)."""


class EvidenceSource(Constants):
    """Origin of an estimate."""

    UNKNOWN = 0
    OWN_ACTION = 1
    GEOMETRY = 2
    APPEARANCE = 3
    DETECTOR = 4
    LABEL = 5


class Masks(str, enum.Enum):
    """Shape of a segmentation's segments: outlines of things, or boxes around them."""

    OUTLINES = "outlines"
    BOXES = "boxes"


class Guesses(str, enum.Enum):
    """States that perception infers, besides those that sensors report."""

    NONE = "none"
    GEOMETRY = "geometry"  # openness, from the shape of furniture and doors


@dataclass(frozen=True, eq=False, kw_only=True)
class StateEstimate(Message, ros_type="stma_ros/msg/StateEstimate"):
    state: str = ""
    source: EvidenceSource = EvidenceSource.UNKNOWN
    confidence: Float32 = 1.0
    stamp: Time = Time()
    detectors: tuple[str, ...] = ()


class Stated:
    """Base of messages that have `states`."""

    states: tuple[StateEstimate, ...]

    @property
    def state_names(self) -> tuple[str, ...]:
        """The names of the states."""
        return tuple(each.state for each in self.states)
