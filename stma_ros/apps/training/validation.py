"""Scores a network on single images: which things it finds, and in which state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import torch
from numpy.typing import NDArray

from stma_ros.apps.training.batches import make_batch
from stma_ros.apps.training.labelled_images import STATES, LabelledImage
from stma_ros.apps.training.pixel_network import STRIDE, PixelNetwork
from stma_ros.memory.states import dimension

VISIBLE = 120
"""Pixels from which on a thing counts."""

LARGE = 1000
"""Pixels from which on a thing is a large one."""

DIMENSIONS = tuple(
    (one, other)
    for one, other in combinations(range(len(STATES)), 2)
    if dimension(STATES[one]) == dimension(STATES[other])
)
"""Pairs of states, by their numbers, of which a thing is in one or has neither."""


@dataclass
class ImageScore:
    """Counts over images. A thing is found if more than half of its pixels are given its class.

    Attributes:
        things, found: Visible things by class and size ("small", "large"), and those of them that are found.
        confused: Most frequent other class of the pixels of things that are not found, by pairs (true class, class).
        states, right: Dimensions of states of found things, and those in which the likelier state is true.
        pixels, right_pixels: Pixels that are given the class of a thing, and those of them that are right.
    """

    things: Counter[tuple[str, str]] = field(default_factory=Counter)
    found: Counter[tuple[str, str]] = field(default_factory=Counter)
    confused: Counter[tuple[str, str]] = field(default_factory=Counter)
    states: int = 0
    right: int = 0
    pixels: int = 0
    right_pixels: int = 0

    def recall(self, size: str | None = None) -> float:
        """Returns the mean over classes of the share of things that are found [0..1]; size: of these alone."""
        shares = [
            sum(self.found[key] for key in keys) / sum(self.things[key] for key in keys)
            for keys in self._by_class(size).values()
        ]
        return float(np.mean(shares)) if shares else float("nan")

    @property
    def summary(self) -> Mapping[str, float]:
        """The figures of a point of the learning curve [%]."""
        return {
            "recall": 100 * self.recall(),
            "recall_small": 100 * self.recall("small"),
            "pixel_precision": 100 * self.right_pixels / max(self.pixels, 1),
            "state_accuracy": 100 * self.right / max(self.states, 1),
        }

    def add(
        self,
        image: LabelledImage,
        classes: NDArray[np.int64],
        states: NDArray[np.float32],
        labels: Sequence[str],
    ) -> None:
        """Counts an image.

        Args:
            image: The image.
            classes: (h, w) class of each pixel of the output.
            states: (S, h, w) probabilities.
            labels: Names of the classes.
        """
        things = image.things[STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE]
        sizes = np.bincount(image.things.ravel(), minlength=len(image.categories))
        numbers = {label: number for number, label in enumerate(labels)}
        true = np.array([numbers.get(category, -1) for category in image.categories])
        self.pixels += int((classes > 0).sum())
        self.right_pixels += int(((classes > 0) & (classes == true[things])).sum())
        for number in (np.flatnonzero(sizes[1:] >= VISIBLE) + 1).tolist():
            own = things == number
            category = image.categories[number]
            key = category, "large" if sizes[number] >= LARGE else "small"
            self.things[key] += 1
            given = Counter(classes[own].tolist())
            if 2 * given[int(true[number])] <= own.sum():
                del given[int(true[number])]
                said = max(given, key=given.__getitem__, default=0)
                self.confused[category, labels[said]] += 1
                continue
            self.found[key] += 1
            shares = states[:, own].mean(axis=1)
            for one, other in DIMENSIONS:
                if image.states[number, one] or image.states[number, other]:
                    self.states += 1
                    self.right += bool((shares[one] > shares[other]) == image.states[number, one])

    def _by_class(self, size: str | None) -> Mapping[str, list[tuple[str, str]]]:
        classes: dict[str, list[tuple[str, str]]] = {}
        for key in self.things:
            if size in (None, key[1]):
                classes.setdefault(key[0], []).append(key)
        return classes


def score_images(network: PixelNetwork, images: Iterable[LabelledImage], labels: Sequence[str]) -> ImageScore:
    """Returns the score of a network over images."""
    score = ImageScore()
    network.eval()
    with torch.no_grad():
        for image in images:
            batch = make_batch([image], labels, None)
            with torch.autocast("cpu", torch.bfloat16):
                classes, states, _ = network(batch.image, batch.geometry)
            score.add(
                image,
                classes[0].float().argmax(dim=0).numpy(),
                torch.sigmoid(states[0].float()).numpy(),
                labels,
            )
    network.train()
    return score
