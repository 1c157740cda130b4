"""Made-up keyframes of made-up objects."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stma_ros.memory.existence import Existence
from stma_ros.memory.keyframe_observation import KeyframeObservation
from stma_ros.memory.scene_graph import ObjectMemory
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.evidence import EvidenceSource, StateEstimate
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import Detection, ObjectHypothesis
from stma_ros.types.standard import ColorRGBA, CompressedImage, Header, Point, Time, Vector3

RED, BLUE, GREY = (
    ColorRGBA(0.8, 0.1, 0.1, 1.0),
    ColorRGBA(0.1, 0.2, 0.8, 1.0),
    ColorRGBA(0.5, 0.5, 0.5, 1.0),
)
EYE = np.array([0.0, -1.5, 1.5])
"""A camera before and above most of what is at the origin [m]."""


class Everywhere:
    """A depth image that sees through every box, or ends in front of it where `hiding` says so."""

    def __init__(self, through: float = 1.0, hidden: float = 0.0, pixels: int = 300) -> None:
        self._answer = through, hidden, pixels

    def __call__(self, middle: ArrayLike, extent: ArrayLike, yaw: ArrayLike, /) -> Everywhere:
        count = len(np.asarray(middle))
        through, hidden, pixels = self._answer
        self.pixels: NDArray[np.int64] = np.full(count, pixels, np.int64)
        self.through, self.hidden = np.full(count, through), np.full(count, hidden)
        return self


def at(second: float) -> Time:
    return Time.from_nanoseconds(round(second * 1e9))


def seen(
    category: str,
    center: Iterable[float],
    size: Iterable[float],
    color: ColorRGBA = GREY,
    states: tuple[str, ...] = (),
    truncated: bool = False,
    score: float = 0.8,
    yaw: float = 0.0,
) -> Detection:
    return Detection(
        hypotheses=(ObjectHypothesis(category=category, score=score),),
        box=BoundingBox3D.upright(Point(*center), Vector3(*size), yaw),
        color=color,
        states=tuple(StateEstimate(state=state, confidence=score) for state in states),
        pixels=50,
        truncated=truncated,
    )


def likely(probability: float) -> Existence:
    """Returns the belief in an object that exists with a probability."""
    return Existence(earlier=math.log(probability / (1 - probability)))


def look(
    memory: ObjectMemory,
    second: float,
    *detections: Detection,
    eye: NDArray[np.float64] | None = None,
    visibility_test: Everywhere | None = None,
    picture: bool = False,
) -> None:
    """Merges one keyframe into the memory."""
    shot = CompressedImage(Header(at(second)), "jpeg", np.array([1, 2, 3], np.uint8)) if picture else None
    memory.merge(KeyframeObservation(at(second), detections, eye, visibility_test, shot))


def gaze(
    memory: ObjectMemory, second: float, *detections: Detection, through: float = 1.0, picture: bool = False
) -> None:
    """Observes a keyframe from EYE that sees through everything that is not detected."""
    look(memory, second, *detections, eye=EYE, visibility_test=Everywhere(through), picture=picture)


def reported(subject: str, predicate: str, value: str, second: float) -> Relation:
    """Returns a certain fact that is reported rather than seen, as the executor reports what an action did."""
    return Relation(
        subject,
        predicate,
        value,
        source=EvidenceSource.OWN_ACTION,
        confidence=1.0,
        first_seen=at(second),
        last_seen=at(second),
    )


def ids(memory: ObjectMemory) -> list[str]:
    return [item.id for item in memory.objects]
