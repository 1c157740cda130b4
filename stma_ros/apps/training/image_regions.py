"""Regions of a labelled image, and the thing that each shows: as they are, or as a network finds them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.apps.training.labelled_images import LabelledImage
from stma_ros.library.scene.keyframes import KeyframeConfig
from stma_ros.mapping.depth_noise import noise_level
from stma_ros.mapping.thing_regions import PixelClasses, thing_regions
from stma_ros.models.vision.errors import NetworkError
from stma_ros.models.vision.network import NetworkImage, ObjectNetwork

MAJORITY = 0.5
"""Share of the pixels of a region that show one thing, from which on it is a region of that thing."""

FEWEST = KeyframeConfig.min_pixels
"""Fewest pixels of a region: perception asks for as many."""


@dataclass(frozen=True, eq=False)
class ImageRegions:
    """Regions of a labelled image.

    Attributes:
        ids: (H, W) uint16, number of the region of each pixel, counted from 1; 0 = none.
        things: (R,) number of the thing that each region shows, in the order of the numbers; 0 = no thing alone.
    """

    ids: NDArray[np.uint16]
    things: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class FoundRegions(ImageRegions):
    """Regions as a network finds them.

    Attributes:
        probabilities: (R, C) float32, of each class, as the network says.
        presence: (R,) probability that each is what shows of a thing.
    """

    probabilities: NDArray[np.float32]
    presence: NDArray[np.float64]


def true_regions(image: LabelledImage) -> ImageRegions:
    """Returns the measured pixels of each thing."""
    measured = np.where(image.depth_mm > 0, image.things, np.uint16(0))
    sizes = np.bincount(measured.ravel(), minlength=len(image.categories))[1:]
    return ImageRegions(measured, np.where(sizes >= FEWEST, np.arange(1, len(sizes) + 1), 0))


def found_regions(network: ObjectNetwork, image: LabelledImage) -> FoundRegions:
    """Returns the regions that perception makes of what a network tells of the pixels of an image.

    Raises:
        NetworkError: The network does not run, or tells nothing of pixels.
    """
    (output,) = network.detect([NetworkImage(image.colour, image.geometry)])
    found = output.class_map
    if found is None:
        raise NetworkError("the network finds boxes, which have no regions")
    classes = PixelClasses(found.probabilities, found.cells, found.middles)
    regions = thing_regions(classes, image.depth_mm, image.camera, noise_level(image.depth_mm), FEWEST)
    shown = np.zeros((len(regions.probabilities) + 1, len(image.categories)), np.intp)
    np.add.at(shown, (regions.ids.ravel(), image.things.ravel()), 1)
    most = shown.argmax(axis=1)
    is_of_one = shown.max(axis=1) > MAJORITY * shown.sum(axis=1)
    return FoundRegions(
        regions.ids, np.where(is_of_one, most, 0)[1:], regions.probabilities, regions.presence
    )
