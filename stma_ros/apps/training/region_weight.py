"""Chooses how much the second network counts, on images of flats that neither network was trained on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.apps.training.image_regions import found_regions
from stma_ros.apps.training.labelled_images import LabelledImage, LabelledImages
from stma_ros.apps.training.validation import LARGE, VISIBLE
from stma_ros.models.vision.network import NetworkImage, ObjectNetwork
from stma_ros.models.vision.region_network import RegionNamer, pooled, unsure_regions

WEIGHTS = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0)

SIGNIFICANT = 2.0
"""Standard errors by which a gain must exceed 0, over flats: regions of one flat show the same things."""

MIN_FLATS = int(SIGNIFICANT**2) + 1
"""Number of flats from which on a gain can be that large: with N flats, it is sqrt(N) standard errors at most."""


@dataclass(frozen=True, eq=False)
class NamedRegions:
    """How regions of visible things are named by both networks together.

    Attributes:
        right: (R,) whether each is named rightly, for each of WEIGHTS.
        pixels: (R,) of the whole thing that each shows.
        flats: (R,) number of the flat of each, from 0.
    """

    right: Mapping[float, NDArray[np.bool_]]
    pixels: NDArray[np.int64]
    flats: NDArray[np.int64]

    def share(self, weight: float, large: bool | None = None) -> float:
        """Returns the share that is named rightly [%], of large or small things alone, or of all."""
        chosen = np.ones(len(self.pixels), bool) if large is None else (self.pixels >= LARGE) == large
        return 100 * float(self.right[weight][chosen].mean()) if chosen.any() else float("nan")

    def best_weight(self) -> float:
        """Returns the weight with which most are named rightly, of several the smallest; 0 = the second network helps
        with none by more than chance."""
        best = max(WEIGHTS, key=lambda weight: (self.right[weight].sum(), -weight))
        gains = np.bincount(self.flats, self.right[best].astype(float) - self.right[0.0])
        return best if gains.sum() > SIGNIFICANT * np.sqrt(np.square(gains).sum()) else 0.0


def named_regions(
    first: ObjectNetwork, second: RegionNamer, images: LabelledImages, min_score: float
) -> NamedRegions:
    """Names the regions that a network finds of visible things with another one, as perception does.

    Args:
        first: The network that finds regions.
        second: The network that names them.
        images: Images of flats that neither was trained on.
        min_score: Least probability of a thing in a region.
    """
    rows = [
        (*row, flat)
        for flat, seed in enumerate(images.flats)
        for image in images.read(seed)
        for row in _rows(first, second, image, min_score)
    ]
    width = len(first.labels)
    firsts, seconds = (np.array([row[k] for row in rows], np.float32).reshape(-1, width) for k in (0, 1))
    true, pixels, flats = (np.array([row[k] for row in rows], np.int64) for k in (2, 3, 4))
    asked = seconds.any(axis=1)
    right: dict[float, NDArray[np.bool_]] = {}
    for weight in WEIGHTS:
        said = firsts.copy()
        said[asked] = pooled(firsts[asked], seconds[asked], weight)
        right[weight] = said[:, 1:].argmax(axis=1) + 1 == true
    return NamedRegions(right, pixels, flats)


def _rows(
    first: ObjectNetwork, second: RegionNamer, image: LabelledImage, min_score: float
) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32], int, int]]:
    """Yields what each network says of the regions of visible things in an image, the second one of those that it is
    asked about and otherwise nothing, with the true class and the pixels of the thing."""
    regions = found_regions(first, image)
    likely = np.flatnonzero(regions.presence >= min_score)
    asked = likely[unsure_regions(regions.probabilities[likely], regions.presence[likely])]
    named = np.zeros_like(regions.probabilities)
    named[asked] = second.probabilities(
        NetworkImage(image.colour, image.geometry), regions.ids, (asked + 1).tolist()
    )
    classes, pixels = image.classes(first.labels), image.pixels
    for index in likely.tolist():
        thing = int(regions.things[index])
        if classes[thing] and pixels[thing] >= VISIBLE:
            yield regions.probabilities[index], named[index], int(classes[thing]), int(pixels[thing])
