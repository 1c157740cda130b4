"""Trains the network: batches in a fixed order, a checkpoint now and then, and a learning curve."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from stma_ros.apps.training.batches import MORE_OFTEN, Batch, make_batch, part_of
from stma_ros.apps.training.labelled_images import STATES, LabelledImage, LabelledImages
from stma_ros.apps.training.pixel_network import PixelNetwork
from stma_ros.storage.files import write_atomically
from stma_ros.types.errors import ConfigurationError, StorageError

RATE, LAST_RATE, WARM_UP = 2e-3, 2e-5, 1000
"""Largest and last learning rate, and images during which it rises."""

WEIGHT_DECAY, LARGEST_GRADIENT = 1e-2, 5.0

COARSE, PARTS = 0.35, 0.96
"""Shares of the training up to which images are seen at half of their resolution, and then parts of them: both in less
than half of the time. What is left shows whole images, as the robot sees them."""

BATCH = 16
"""Images of a batch."""

STATE_SHARE, MIDDLE_SHARE = 1.0, 0.3
"""Weights of the losses of states and middles beside that of classes."""

MIXED = 240
"""Images that are mixed with one another; more take more memory, 1.3 MB each."""


@dataclass(frozen=True)
class Progress:
    """A point of the learning curve.

    Attributes:
        images: Images seen.
        class_loss, state_loss, middle_loss: Means since the last point.
    """

    images: int
    class_loss: float
    state_loss: float
    middle_loss: float


class Trainer:
    """Trains one network on a folder of images.

    Attributes:
        network: The network.
        seen: Number of images seen.
        points: Points of the learning curve, which the caller adds.
        seconds: Time of the training, which the caller adds up.
    """

    def __init__(
        self, images: LabelledImages, labels: tuple[str, ...], total: int, seed: int, checkpoint: Path
    ) -> None:
        """Makes a trainer, or goes on with that of the checkpoint.

        Args:
            images: The images.
            labels: Names of the classes.
            total: Number of images to see, in which each is seen several times.
            seed: Of the network's first weights and of the order of the images.
            checkpoint: File of the state of the training.

        Raises:
            ConfigurationError: The checkpoint is of another training.
            StorageError: The checkpoint is damaged.
        """
        self._images = images
        self._labels = labels
        self._total = total
        self._checkpoint = checkpoint
        self._key = key_of(images.flats, total, seed)
        check_folder(checkpoint, self._key)
        torch.manual_seed(seed)
        self.network = PixelNetwork(len(labels), len(STATES)).to(memory_format=torch.channels_last)
        self._optimizer = torch.optim.AdamW(self.network.parameters(), RATE, weight_decay=WEIGHT_DECAY)
        self._rng = np.random.default_rng(seed)
        self.seen = 0
        self.points: list[dict[str, float]] = []
        self.seconds = 0.0
        if checkpoint.exists():
            self._resume(_read(checkpoint))

    def run(self, report_every: int) -> Iterator[Progress]:
        """Trains to the end, and yields the losses after every so many images; then is the time to `save`."""
        self.network.train()
        losses: list[tuple[float, ...]] = []
        last = self.seen
        for images in self._batches():
            losses.append(self._step(make_batch(images, self._labels, self._rng)))
            self.seen += len(images)
            if self.seen - last >= report_every or self.seen >= self._total:
                yield Progress(self.seen, *(float(mean) for mean in np.mean(losses, axis=0)))
                losses, last = [], self.seen

    def _batches(self) -> Iterator[list[LabelledImage]]:
        """Yields batches of mixed images until all have been seen. A resumed training begins with a new mixture."""
        flats: list[int] = []
        mixed: list[LabelledImage] = []
        step = 0
        while self.seen < self._total:
            share = self.seen / self._total
            step, before = (2 if share < COARSE else 1), step
            if step != before:
                mixed = []
            while len(mixed) < MIXED:
                flats = flats or self._rng.permutation(self._images.flats).tolist()
                mixed.extend(self._images.read(flats.pop(), step))
            size = min(BATCH, self._total - self.seen)
            chosen = set(self._rng.permutation(len(mixed))[:size].tolist())
            batch = [image for index, image in enumerate(mixed) if index in chosen]
            yield [part_of(image, self._rng) for image in batch] if COARSE <= share < PARTS else batch
            mixed = [image for index, image in enumerate(mixed) if index not in chosen]

    def _step(self, batch: Batch) -> tuple[float, ...]:
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate()
        losses = losses_of(self.network, batch)
        self._optimizer.zero_grad()
        (losses[0] + STATE_SHARE * losses[1] + MIDDLE_SHARE * losses[2]).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), LARGEST_GRADIENT)
        self._optimizer.step()
        return tuple(float(loss.detach()) for loss in losses)

    def _rate(self) -> float:
        """Returns the learning rate: rising at first, then falling as a cosine (Loshchilov and Hutter 2017)."""
        share = self.seen / self._total
        falling = LAST_RATE + (RATE - LAST_RATE) * (1 + math.cos(math.pi * share)) / 2
        return falling * min(1.0, (self.seen + BATCH) / WARM_UP)

    def save(self) -> None:
        """Writes the checkpoint."""
        state = {
            "key": self._key,
            "network": self.network.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "rng": self._rng.bit_generator.state,
            "seen": self.seen,
            "points": self.points,
            "seconds": self.seconds,
        }
        packed = io.BytesIO()
        torch.save(state, packed)
        write_atomically(self._checkpoint, packed.getvalue())

    def _resume(self, state: Mapping[str, Any]) -> None:
        self.network.load_state_dict(state["network"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._rng.bit_generator.state = state["rng"]
        self.seen, self.points, self.seconds = state["seen"], state["points"], state["seconds"]


def key_of(flats: Sequence[int], total: int, seed: int) -> dict[str, Any]:
    """Returns what two trainings of one folder have in common."""
    return {"flats": list(flats), "total": total, "seed": seed}


def check_folder(checkpoint: Path, key: Mapping[str, Any]) -> None:
    """Raises ConfigurationError if a checkpoint is of another training, StorageError if it is damaged."""
    if checkpoint.exists() and (found := _read(checkpoint)["key"]) != key:
        differing = ", ".join(name for name in key if found.get(name) != key[name])
        raise ConfigurationError(
            f"{checkpoint} is of a training with other {differing}; give another folder, or the same values"
        )


def _read(checkpoint: Path) -> dict[str, Any]:
    try:
        state: dict[str, Any] = torch.load(checkpoint, weights_only=True)
        if not isinstance(state, dict) or not state.keys() >= _CONTENT:
            raise ValueError("it is no checkpoint of this command")
    except Exception as error:  # torch raises errors of many kinds for damaged files
        raise StorageError(
            f"{checkpoint} is damaged ({error}): remove it to begin the training anew"
        ) from error
    return state


_CONTENT = {"key", "network", "optimizer", "rng", "seen", "points", "seconds"}


def losses_of(network: PixelNetwork, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """Returns the losses of classes, states and middles, each a mean over the drawn cells; those of states and middles
    are 0 where no thing is.

    The network is to tell the shares of the image's cells and not of the drawn ones, of which more show things: what it
    says is changed by as much before it is compared (Menon et al. 2021, Long-tail learning via logit adjustment).
    """
    layout = torch.channels_last
    with torch.autocast("cpu", torch.bfloat16):
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
