"""Makes samples of regions of labelled images, cut out at the scale of their thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.ndimage import binary_dilation, binary_erosion, find_objects

from stma_ros.apps.training.batches import MIRRORED, varied_colours
from stma_ros.apps.training.image_regions import ImageRegions
from stma_ros.apps.training.labelled_images import LabelledImage
from stma_ros.models.vision.region_crops import CHANNELS, REGION, SIZE, crop

MORPHED = 0.4
"""Share of the samples whose region is grown or shrunk by a pixel of the crop."""

CUT, LARGEST_CUT = 0.25, 0.35
"""Share of the sides of true regions that are cut off, and the largest share of the length that is."""

Bounds = tuple[slice, slice]
"""Rows and columns around a region."""


@dataclass(frozen=True, eq=False)
class Regions:
    """Samples.

    Attributes:
        crops: (N, CHANNELS, SIZE, SIZE) float32.
        classes: (N,) int64.
        pixels: (N,) int64, of the whole thing in the image.
    """

    crops: NDArray[np.float32]
    classes: NDArray[np.int64]
    pixels: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.classes)

    def subset(self, chosen: slice | NDArray[np.intp]) -> Regions:
        """Returns some of the samples."""
        return Regions(self.crops[chosen], self.classes[chosen], self.pixels[chosen])

    @property
    def single(self) -> list[Regions]:
        """Each of the samples by itself, in memory of its own: one that is kept does not keep the others."""
        return [
            Regions(crop[None].copy(), self.classes[k : k + 1], self.pixels[k : k + 1])
            for k, crop in enumerate(self.crops)
        ]

    @classmethod
    def none(cls) -> Regions:
        """Returns no sample."""
        none = np.zeros(0, np.int64)
        return cls(np.zeros((0, CHANNELS, SIZE, SIZE), np.float32), none, none)

    @classmethod
    def concatenated(cls, parts: Sequence[Regions]) -> Regions:
        """Returns all samples of one or several."""
        return cls(
            np.concatenate([part.crops for part in parts]),
            np.concatenate([part.classes for part in parts]),
            np.concatenate([part.pixels for part in parts]),
        )


@dataclass(frozen=True)
class Variation:
    """How samples differ from what an image shows.

    Attributes:
        rng: Draws light and camera, and mirrors.
        cuts_sides: Whether sides of the regions are cut off as well, as a network does that finds a part of a thing.
    """

    rng: np.random.Generator
    cuts_sides: bool


def region_samples(
    image: LabelledImage, regions: ImageRegions, labels: Sequence[str], variation: Variation | None = None
) -> Regions:
    """Returns a sample of each region that shows a thing of a class.

    Args:
        image: The image.
        regions: Its regions.
        labels: Names of the classes, in order.
        variation: How samples differ from the image; None = not at all.
    """
    classes = image.classes(labels)[regions.things]
    wanted = np.flatnonzero(classes)
    if not len(wanted):
        return Regions.none()
    colour = image.colour
    if variation is not None:
        varied = varied_colours(colour.astype(np.float32), variation.rng)
        colour = varied.round().astype(np.uint8)
    picture = Image.fromarray(np.ascontiguousarray(colour))
    bounds = find_objects(regions.ids)
    crops = [
        _sample(picture, image, regions.ids, index + 1, bounds[index], variation) for index in wanted.tolist()
    ]
    return Regions(np.stack(crops), classes[wanted], image.pixels[regions.things[wanted]])


def _sample(
    picture: Image.Image,
    image: LabelledImage,
    ids: NDArray[np.uint16],
    number: int,
    bounds: Bounds,
    variation: Variation | None,
) -> NDArray[np.float32]:
    if variation is None:
        return crop(picture, image.geometry, ids, number, bounds)
    rng = variation.rng
    if variation.cuts_sides:
        ids, bounds = _cut(ids, number, bounds, rng)
    shown = crop(picture, image.geometry, ids, number, bounds)
    if rng.random() < MORPHED:
        change = binary_dilation if rng.random() < 0.5 else binary_erosion
        changed = change(shown[REGION] > 0)
        if changed.any():
            shown[REGION] = changed
    return shown[:, :, ::-1] if rng.random() < MIRRORED else shown


def _cut(
    ids: NDArray[np.uint16], number: int, bounds: Bounds, rng: np.random.Generator
) -> tuple[NDArray[np.uint16], Bounds]:
    """Returns a region of which sides may be cut off, and what is around it then; none, if nothing would be left."""
    part = tuple(_shortened(side, rng) for side in bounds)
    cut = np.zeros_like(ids)
    cut[part] = np.where(ids[part] == number, ids[part], 0)
    (*_, found) = find_objects(cut) or [None]
    return (ids, bounds) if found is None else (cut, found)


def _shortened(side: slice, rng: np.random.Generator) -> slice:
    """Returns rows or columns of which some at either end may be missing."""
    length = side.stop - side.start
    low, high = np.where(rng.random(2) < CUT, rng.uniform(0, LARGEST_CUT, 2), 0) * length
    return slice(side.start + round(low), side.stop - round(high))
