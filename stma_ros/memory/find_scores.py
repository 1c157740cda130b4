"""The scores of a detector's finds so far, by which the scores of later ones are judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from stma_ros.memory.detector_names import detectors_of
from stma_ros.types.sensing import Detection

UNKNOWN = 0.5
"""Mean score of a detector that has found nothing yet."""

FIRST = 20
"""Number of finds that this stands for, so that the first ones hardly change it."""


class FindScores:
    """Means of scores by detector. They are not saved: after a restart each begins anew."""

    def __init__(self) -> None:
        self._sums: dict[str, tuple[int, float]] = {}

    def copy(self) -> FindScores:
        """Returns a copy."""
        scores = FindScores()
        scores._sums = dict(self._sums)
        return scores

    def add(self, detections: Iterable[Detection]) -> None:
        """Counts the detections of a keyframe."""
        for detection in detections:
            for name in detectors_of(detection):
                count, total = self._sums.get(name, (FIRST, FIRST * UNKNOWN))
                self._sums[name] = count + 1, total + detection.presence

    @property
    def means(self) -> Mapping[str, float]:
        """The mean score of each detector that has found anything [0..1]."""
        return {name: total / count for name, (count, total) in self._sums.items()}
