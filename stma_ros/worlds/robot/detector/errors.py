"""The magnitude of the errors of the simulated detector."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DetectorErrors:
    """Errors of the detector; zero = none. All shares are of the visible things of a frame [0..1].

    Attributes:
        wrong: share with the label of a similar category.
        missed: share without a segment.
        merged: share that is merged with a neighbour, or split.
        jitter: displacement of the edges of segments, root mean square [px].
        boxes: whether segments are bounding boxes in the image instead of masks.
        states: whether labels carry states.
        wrong_states: share of the reported states that are the opposite of the true one.
        missed_states: share of the visible states that are not reported.
        missed_by_size: whether `missed` grows for things that are small in the image, and falls for large ones.
        inventions: mean number of things that are not there, per square metre of visible surface.
        weak_scores: whether scores are those of scores.py instead of calibrated ones.
    """

    wrong: float = 0.0
    missed: float = 0.0
    merged: float = 0.0
    jitter: float = 0.0
    boxes: bool = False
    states: bool = False
    wrong_states: float = 0.0
    missed_states: float = 0.0
    missed_by_size: bool = False
    inventions: float = 0.0
    weak_scores: bool = False


FLAWLESS = DetectorErrors()
