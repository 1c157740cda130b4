"""A measure of the training images: how much of what things are their colours tell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stma_ros.apps.training.labelled_images import LabelledImages
from stma_ros.apps.training.validation import VISIBLE
from stma_ros.evaluation.flats import TRAINING, VALIDATION

FLATS, OTHERS, VIEWS = 12, 4, 6

MOST = 15
"""Largest share of things [%] that may be named by their mean colour: else the task is to look colours up."""


def things(images: LabelledImages) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Yields the category and mean colour (3,) of each visible thing in each image."""
    for image in images.all():
        for number in range(1, len(image.categories)):
            shown = image.things == number
            if image.categories[number] and shown.sum() >= VISIBLE:
                yield image.categories[number], image.colour[shown].mean(axis=0)


def by_category(images: LabelledImages) -> dict[str, NDArray[np.float64]]:
    """Returns (N, 3) the colours of the things of each category."""
    found: dict[str, list[NDArray[np.float64]]] = {}
    for category, colour in things(images):
        found.setdefault(category, []).append(colour)
    return {category: np.array(colours) for category, colours in found.items()}


def test_few_things_are_known_by_their_mean_colour(tmp_path: Path) -> None:
    known, asked = (
        LabelledImages(tmp_path, flats, VIEWS) for flats in (TRAINING[:FLATS], VALIDATION[:OTHERS])
    )
    for images in (known, asked):
        assert len(list(images.render(2))) == len(images.flats)
    means = {category: colours.mean(axis=0) for category, colours in by_category(known).items()}
    names, centres = np.array(list(means)), np.array(list(means.values()))
    shares = {
        category: np.mean(
            names[np.linalg.norm(colours[:, None] - centres, axis=2).argmin(axis=1)] == category
        )
        for category, colours in by_category(asked).items()
        if category in means
    }
    assert len(shares) > 30
    assert 100 * np.mean(list(shares.values())) <= MOST
