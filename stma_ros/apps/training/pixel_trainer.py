"""Trains the network of pixels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from stma_ros.apps.training.batches import MORE_OFTEN, Batch, make_batch, part_of
from stma_ros.apps.training.labelled_images import STATES, LabelledImage
from stma_ros.apps.training.pixel_network import PixelNetwork
from stma_ros.apps.training.resumable import ResumableTraining
from stma_ros.apps.training.shuffle_buffer import ShuffleBuffer
from stma_ros.apps.training.validation import ImageScore, score_images

COARSE, PARTS = 0.35, 0.96
"""Shares of the training up to which images are seen at half of their resolution, and then parts of them: both in less
than half of the time. What is left shows whole images, as the robot sees them."""

STATE_SHARE, MIDDLE_SHARE = 1.0, 0.3
"""Weights of the losses of states and middles beside that of classes."""

LOSSES = ("class_loss", "state_loss", "middle_loss")
"""Names of the losses in the learning curve."""

BUFFERED = 240
"""Images that are mixed with one another; more take more memory, 1.5 MB each."""


@dataclass(frozen=True, eq=False)
class PixelSample:
    """A sample: an image, or a part of it, which is yet to be drawn."""

    image: LabelledImage
    in_part: bool


class PixelTrainer(ResumableTraining[PixelNetwork, PixelSample]):
    """Trains the network of pixels on a folder of images."""

    unit = "images"
    batch = 16
    pieces = (
        1  # in two, normalised by half as many images, it took three quarters of the time, and learnt less
    )

    def score(self) -> ImageScore:
        """Returns the score on images of other flats."""
        return score_images(self.network, self._data.validation.all(), self._data.labels)

    def _new_network(self) -> PixelNetwork:
        network = PixelNetwork(len(self._data.labels), len(STATES))
        with torch.no_grad():  # so that it begins with equal chances of all classes, among the drawn cells
            network.classes[-1].bias[0] += math.log(MORE_OFTEN)
        return network

    def _batches(self) -> Iterator[list[PixelSample]]:
        """Yields batches of mixed images until all have been seen. A resumed training begins with an empty buffer."""
        flats: list[int] = []
        buffer: ShuffleBuffer[LabelledImage] = ShuffleBuffer(self._rng)
        seen, step = self.seen, 0
        while seen < self.total:
            share = seen / self.total
            in_parts = COARSE <= share < PARTS
            step, before = (2 if share < COARSE else 1), step
            if step != before:
                buffer = ShuffleBuffer(self._rng)
            while len(buffer) < BUFFERED:
                flats = flats or self._rng.permutation(self._data.images.flats).tolist()
                buffer.add(self._data.images.read(flats.pop(), step))
            batch = buffer.draw(min(self.batch, self.total - seen))
            yield [PixelSample(image, in_parts) for image in batch]
            seen += len(batch)

    def _losses(
        self, network: PixelNetwork, samples: Sequence[PixelSample], rng: np.random.Generator
    ) -> tuple[Tensor, Mapping[str, float]]:
        images = [part_of(each.image, rng) if each.in_part else each.image for each in samples]
        losses = losses_of(network, make_batch(images, self._data.labels, rng))
        loss = losses[0] + STATE_SHARE * losses[1] + MIDDLE_SHARE * losses[2]
        return loss, {name: float(each.detach()) for name, each in zip(LOSSES, losses, strict=True)}

    def _scores(self) -> Mapping[str, float]:
        return self.score().summary


def losses_of(network: PixelNetwork, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """Returns the losses of classes, states and middles, each a mean over the drawn cells; those of states and middles
    are 0 where no thing is.

    The network is to tell the shares of the image's cells and not of the drawn ones, of which more show things: what it
    says is changed by as much before it is compared (Menon et al. 2021, Long-tail learning via logit adjustment).
    """
    layout = torch.channels_last
    with torch.autocast("cpu", torch.bfloat16, cache_enabled=False):  # the cache is one for all threads
        classes, states, middles = network.at(
            batch.image.to(memory_format=layout), batch.geometry.to(memory_format=layout), batch.cells
        )
    true_classes, true_states, true_middles = (
        _at(target, batch.cells) for target in (batch.classes[:, None], batch.states, batch.middles)
    )
    is_thing = true_classes[:, 0] > 0
    state_loss = functional.binary_cross_entropy_with_logits(states.float(), true_states, reduction="none")
    middle_loss = functional.smooth_l1_loss(middles.float(), true_middles, reduction="none")
    drawn = classes.float() - math.log(MORE_OFTEN) * (torch.arange(classes.shape[1]) == 0)[:, None]
    return (
        functional.cross_entropy(drawn, true_classes[:, 0]),
        (state_loss.sum(dim=1) * is_thing).mean(),
        (middle_loss.sum(dim=1) * is_thing).mean(),
    )


def _at(target: Tensor, cells: Tensor) -> Tensor:
    """Returns (N, C, K) the values of a target (N, C, h, w) in cells (N, K)."""
    return target.flatten(2).gather(2, cells[:, None].expand(-1, target.shape[1], -1))
