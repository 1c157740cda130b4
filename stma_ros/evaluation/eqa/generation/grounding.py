"""Whether a picture shows the evidence, by ground truth: enough pixels of the things that decide the answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from stma_ros.evaluation.eqa.generation.episode import QuestionTruth
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.robot.camera import Camera

FRONT: Final = math.radians(60)
"""Largest angle between the camera's direction and the front of a thing whose state is asked."""

FRONT_RANGE: Final = 3.5
"""Largest distance of such a thing [m]; the detector reports states up to 4 m."""

_SMALL, _LARGE = 60 / (320 * 240), 300 / (320 * 240)  # shares of the image of a small thing, and of furniture


class Recognition:
    """When a thing is large enough in a picture to be recognised.

    Args:
        flat: the flat.
        camera: the camera that takes the pictures.
    """

    def __init__(self, flat: Flat, camera: Camera) -> None:
        self._items = frozenset(flat.items_by_name)
        self._pixels = camera.width * camera.height

    def least_pixels(self, name: str) -> float:
        """Returns the number of pixels from which on a thing is recognised."""
        return (_SMALL if name in self._items else _LARGE) * self._pixels

    def shows_all(self, pixels: Mapping[str, int], names: Sequence[str]) -> bool:
        """Returns whether a picture with so many pixels of each thing shows all of these."""
        return all(pixels.get(name, 0) >= self.least_pixels(name) for name in names)

    def shows_evidence(self, pixels: Mapping[str, int], truth: QuestionTruth) -> bool:
        """Returns whether a picture shows evidence for the answer: one of the sights, whole.

        Of an absence, no picture alone is evidence: one counts that shows a place where the thing could be.
        """
        if truth.evidence:
            alternatives = [names for sight in truth.evidence for names in sight.alternatives]
            return any(self.shows_all(pixels, names) for names in alternatives)
        return any(self.shows_all(pixels, (name,)) for name in truth.evidence_ids)
