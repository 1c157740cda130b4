"""A training that goes on where it was broken off: threads that learn, a checkpoint, and a learning curve."""

from __future__ import annotations

import copy
import hashlib
import io
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from stma_ros.apps.training.labelled_images import TrainingData
from stma_ros.storage.files import write_atomically
from stma_ros.types.errors import ConfigurationError, StorageError

RATE, LAST_RATE, WARM_UP = 2e-3, 2e-5, 60
"""Largest and last learning rate, and steps during which it rises."""

WEIGHT_DECAY, LARGEST_GRADIENT = 1e-2, 5.0

_CONTENT = {"key", "network", "optimizer", "seen", "points", "seconds"}

Network = TypeVar("Network", bound=nn.Module)
Sample = TypeVar("Sample")
Value = TypeVar("Value", Tensor, float)


class ResumableTraining(ABC, Generic[Network, Sample]):
    """The training of a network.

    Attributes:
        network: The network.
        unit: What the samples are, in the plural.
        batch: Samples of a batch.
        pieces: Pieces of a batch, from each of which a thread learns; each is normalised by itself.
        total: Number of samples to see.
        seen: Number of samples seen.
        points: Points of the learning curve: samples seen, losses, scores, and seconds of training.
    """

    unit: ClassVar[str]
    batch: ClassVar[int]
    pieces: ClassVar[int]
    network: Network

    def __init__(self, data: TrainingData, key: Mapping[str, Any], checkpoint: Path) -> None:
        """Begins a training, or goes on with that of the checkpoint.

        Args:
            data: What the network is trained on.
            key: What two trainings of one checkpoint have in common: the number of samples to see, by their `unit`, the
                "seed" of the network's first weights and of the order of samples, and more.
            checkpoint: File of the state of the training.

        Raises:
            ConfigurationError: The checkpoint is of another training.
            StorageError: The checkpoint is damaged.
        """
        check_checkpoint(checkpoint, key)
        torch.manual_seed(key["seed"])
        self._data = data
        self.network = self._new_network().to(memory_format=torch.channels_last)
        self._key = dict(key)
        self._optimizer = torch.optim.AdamW(self.network.parameters(), RATE, weight_decay=WEIGHT_DECAY)
        self._checkpoint = checkpoint
        self._seconds = 0.0
        self.total: int = key[self.unit]
        self.seen = 0
        self.points: list[dict[str, float]] = []
        if checkpoint.exists():
            self._resume(_read(checkpoint))
        self._rng = np.random.default_rng((key["seed"], self.seen))  # a resumed training draws other samples

    def run(self, points: int, threads: int) -> Iterator[Mapping[str, float]]:
        """Trains to the end, and yields each point of the learning curve; then is the time to `save`.

        Threads that learn from a piece of a batch each need not wait for one another at each operation, as the threads
        of torch do. What they learn does not depend on the number of threads up to that of the pieces; with more, each
        operation has several, and the last bits of its result may differ.

        Args:
            points: Number of points of a whole training, about.
            threads: Number of threads.
        """
        start = time.monotonic() - self._seconds
        self.network.train()
        replicas = [_replica(self.network) for _ in range(self.pieces)]
        losses: list[Mapping[str, float]] = []
        last = self.seen
        batches = self._batches()
        with ThreadPoolExecutor(
            min(threads, self.pieces), "learning", torch.set_num_threads, (max(threads // self.pieces, 1),)
        ) as pool:
            batch = next(batches, None)
            while batch is not None:
                pieces = [piece for first in range(self.pieces) if len(piece := batch[first :: self.pieces])]
                learning = [
                    pool.submit(self._learn, *each)
                    for each in zip(replicas, pieces, self._rng.spawn(len(pieces)), strict=False)
                ]
                following = next(batches, None)  # is made meanwhile
                shares = [len(piece) / len(batch) for piece in pieces]
                learnt = [each.result() for each in learning]
                self._descend([gradients for _, gradients in learnt], shares)
                losses.append(
                    {name: _weighted([of[name] for of, _ in learnt], shares) for name in learnt[0][0]}
                )
                self.seen += len(batch)
                batch = following
                if self.seen - last >= max(self.total // points, 1) or batch is None:
                    _take_statistics(self.network, replicas)
                    means = {name: float(np.mean([each[name] for each in losses])) for name in losses[0]}
                    scores = self._scores()
                    self._seconds = time.monotonic() - start
                    point = {self.unit: self.seen, **means, **scores, "seconds": round(self._seconds)}
                    self.points.append(point)
                    yield point
                    losses, last = [], self.seen

    @property
    def fingerprint(self) -> str:
        """A hash of the weights."""
        content = hashlib.sha256()
        for name, values in self.network.state_dict().items():
            content.update(name.encode())
            content.update(values.contiguous().numpy().tobytes())
        return content.hexdigest()

    @property
    def optimizer_state(self) -> Mapping[str, Any]:
        """The state of the optimizer, as of torch."""
        state: Mapping[str, Any] = self._optimizer.state_dict()
        return state

    def save(self) -> None:
        """Writes the checkpoint."""
        state = {
            "key": self._key,
            "network": self.network.state_dict(),
            "optimizer": self.optimizer_state,
            "seen": self.seen,
            "points": self.points,
            "seconds": self._seconds,
        }
        packed = io.BytesIO()
        torch.save(state, packed)
        write_atomically(self._checkpoint, packed.getvalue())

    @abstractmethod
    def _new_network(self) -> Network:
        """Makes the network, with its first weights."""

    @abstractmethod
    def _batches(self) -> Iterator[Sequence[Sample]]:
        """Yields the samples after those `seen` so far up to `total`, in batches of `batch` or fewer. A batch is made
        while the one before is learnt."""

    @abstractmethod
    def _losses(
        self, network: Network, samples: Sequence[Sample], rng: np.random.Generator
    ) -> tuple[Tensor, Mapping[str, float]]:
        """Returns the loss of a replica of the network in some samples, a mean over them, and those of which it
        consists; several threads call it at once. rng: draws what is random in it."""

    @abstractmethod
    def _scores(self) -> Mapping[str, float]:
        """Returns figures of the network on flats that it is not trained on."""

    def _learn(
        self, network: Network, samples: Sequence[Sample], rng: np.random.Generator
    ) -> tuple[Mapping[str, float], Sequence[Tensor]]:
        """Returns the losses in some samples, and the gradients by the parameters."""
        loss, losses = self._losses(network, samples, rng)
        return losses, torch.autograd.grad(loss, tuple(network.parameters()))

    def _descend(self, gradients: Sequence[Sequence[Tensor]], shares: Sequence[float]) -> None:
        """Makes a step of the optimizer.

        Args:
            gradients: By the parameters, of each piece of a batch.
            shares: Share of each piece in the batch.
        """
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate()
        for parameter, of_pieces in zip(self.network.parameters(), zip(*gradients, strict=True), strict=True):
            parameter.grad = _weighted(of_pieces, shares)
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), LARGEST_GRADIENT)
        self._optimizer.step()

    def _rate(self) -> float:
        """Returns the learning rate: rising at first, then falling as a cosine (Loshchilov and Hutter 2017)."""
        share = self.seen / self.total
        falling = LAST_RATE + (RATE - LAST_RATE) * (1 + math.cos(math.pi * share)) / 2
        return falling * min(1.0, (self.seen / self.batch + 1) / WARM_UP)

    def _resume(self, state: Mapping[str, Any]) -> None:
        self.network.load_state_dict(state["network"])
        self._optimizer.load_state_dict(state["optimizer"])
        self.seen, self.points, self._seconds = state["seen"], state["points"], state["seconds"]


def _replica(network: Network) -> Network:
    """Returns a network with the same parameters and statistics of its own."""
    return copy.deepcopy(network, {id(each): each for each in network.parameters()})


def _take_statistics(network: nn.Module, replicas: Sequence[nn.Module]) -> None:
    """Gives a network the mean of the statistics of its replicas."""
    for own, *others in zip(network.buffers(), *(each.buffers() for each in replicas), strict=True):
        own.copy_(torch.stack(others).double().mean(dim=0))


def _weighted(values: Sequence[Value], weights: Sequence[float]) -> Value:
    total = values[0] * weights[0]
    for value, weight in zip(values[1:], weights[1:], strict=True):
        total = total + value * weight
    return total


def check_checkpoint(checkpoint: Path, key: Mapping[str, Any]) -> None:
    """Raises ConfigurationError if a checkpoint is of another training, by a key or a part of one, StorageError if it
    is damaged."""
    if not checkpoint.exists():
        return
    found = _read(checkpoint)["key"]
    if differing := ", ".join(name for name in key if found.get(name) != key[name]):
        raise ConfigurationError(
            f"{checkpoint} is of a training with another {differing}; give another folder, or the same values, or "
            "remove it to begin the training anew"
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
