"""Trains the network that names regions, and scores it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from stma_ros.apps.training.image_regions import found_regions, true_regions
from stma_ros.apps.training.labelled_images import LabelledImage, TrainingData
from stma_ros.apps.training.region_classifier import DROPPED, STAGES, RegionClassifier
from stma_ros.apps.training.region_samples import Regions, Variation, region_samples
from stma_ros.apps.training.resumable import ResumableTraining
from stma_ros.apps.training.shuffle_buffer import ShuffleBuffer
from stma_ros.apps.training.validation import LARGE, VISIBLE
from stma_ros.models.vision.network import ObjectNetwork
from stma_ros.types.errors import ConfigurationError

BUFFERED = 12_000
"""Regions that are mixed with one another; more take more memory, 32 kB each."""

TIMES = 2
"""Samples of each true and of each found region of an image: to read the image and to find them takes longer than to
cut them out."""

SMOOTHED = 0.05
"""Share of the target that is spread over all classes (Szegedy et al. 2016, section 7)."""


class RegionTrainer(ResumableTraining[RegionClassifier, Regions]):
    """Trains one network on the things of a folder of images, by their true regions and by those that the network of
    pixels finds, which it is to name. Each sample is a single region."""

    unit = "regions"
    batch = 96
    pieces = 2

    def __init__(
        self, finder: ObjectNetwork, data: TrainingData, key: Mapping[str, Any], checkpoint: Path
    ) -> None:
        """Makes a trainer, or goes on with that of the checkpoint. Raises as ResumableTraining.

        Args:
            finder: The network that finds regions.
            data, key, checkpoint: As of ResumableTraining.
        """
        super().__init__(data, key, checkpoint)
        self._finder = finder
        self._validation: list[Regions] = []

    def _new_network(self) -> RegionClassifier:
        return RegionClassifier(len(self._data.labels))

    def _batches(self) -> Iterator[list[Regions]]:
        """Yields batches of mixed regions until all have been seen. A resumed training begins with an empty buffer."""
        images = self._images()
        buffer: ShuffleBuffer[Regions] = ShuffleBuffer(self._rng)
        seen = self.seen
        while (missing := self.total - seen) > 0:
            while len(buffer) < min(BUFFERED, missing):
                buffer.add(next(images))
            batch = buffer.draw(min(self.batch, missing))
            yield batch
            seen += len(batch)

    def _images(self) -> Iterator[list[Regions]]:
        """Yields the samples of each image again and again, the flats in another order each time. Raises
        ConfigurationError if no image shows a thing."""
        shown = True
        while shown:
            shown = False
            for flat in self._rng.permutation(self._data.images.flats).tolist():
                for image in self._data.images.read(flat):
                    samples = self._samples(image)
                    shown |= bool(samples)
                    yield samples
        raise ConfigurationError("no image shows a thing: there is nothing to learn; render more flats")

    def _samples(self, image: LabelledImage) -> list[Regions]:
        """Returns the samples of an image, each by itself."""
        return [
            sample
            for regions, cuts_sides in (
                (true_regions(image), True),
                (found_regions(self._finder, image), False),
            )
            for _ in range(TIMES)
            for sample in region_samples(
                image, regions, self._data.labels, Variation(self._rng, cuts_sides)
            ).single
        ]

    def _losses(
        self, network: RegionClassifier, samples: Sequence[Regions], rng: np.random.Generator
    ) -> tuple[Tensor, Mapping[str, float]]:
        regions = Regions.concatenated(samples)
        kept = torch.from_numpy(rng.random((len(regions), STAGES[-1])) >= DROPPED) / (1 - DROPPED)
        with torch.autocast("cpu", torch.bfloat16, cache_enabled=False):  # the cache is one for all threads
            logits = network(_tensor(regions.crops), kept)
        loss = functional.cross_entropy(
            logits.float(), torch.from_numpy(regions.classes), label_smoothing=SMOOTHED
        )
        return loss, {"loss": float(loss.detach())}

    def _scores(self) -> Mapping[str, float]:
        if not self._validation:
            self._validation = [
                region_samples(image, found_regions(self._finder, image), self._data.labels)
                for image in self._data.validation.all()
            ]
        return score_regions(self.network, self._validation)


def score_regions(network: RegionClassifier, samples: list[Regions]) -> dict[str, float]:
    """Returns the share of the regions of visible things that a network names rightly, of those of things below LARGE
    pixels and of the others [%].

    Args:
        network: The network.
        samples: Regions, in batches.
    """
    network.eval()
    right: list[NDArray[np.bool_]] = [np.zeros(0, bool)]
    with torch.no_grad():
        for each in samples:
            if len(each):
                with torch.autocast("cpu", torch.bfloat16):
                    said = network(_tensor(each.crops)).float().argmax(dim=1).numpy()
                right.append(said == each.classes)
    network.train()
    named = np.concatenate(right)
    sizes = np.concatenate([np.zeros(0, np.int64), *(each.pixels for each in samples)])
    small, large = (sizes >= VISIBLE) & (sizes < LARGE), sizes >= LARGE
    return {
        name: 100 * float(named[chosen].mean()) if chosen.any() else float("nan")
        for name, chosen in (("named_small", small), ("named_large", large))
    }


def _tensor(crops: NDArray[np.float32]) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(crops)).to(memory_format=torch.channels_last)
