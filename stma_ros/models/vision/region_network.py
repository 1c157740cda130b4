"""A second network, which names the regions that a first one found, each at the scale of the thing.

A network that labels pixels sees a small thing with few of its cells. Cut out and enlarged, it is named by all that
shows of it (two stages, as Girshick et al. 2014, Rich feature hierarchies, section 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from stma_ros.models.vision.errors import NetworkError
from stma_ros.models.vision.network import NetworkImage
from stma_ros.models.vision.onnx_labels import check_labels
from stma_ros.models.vision.onnx_network import CPU, onnx_session
from stma_ros.models.vision.region_crops import CHANNELS, SIZE, region_crops
from stma_ros.models.vision.warm_up import warm_up_time
from stma_ros.types.errors import ConfigurationError

CROPS, CLASSES = "crops", "classes"
"""Names of the tensors: (R, CHANNELS, SIZE, SIZE) crops, and (R, C) logits."""

SURE = 0.9
"""Share of what the first network says of things from which on its name is taken as it is."""

NAMED_AGAIN = 8
"""Most regions of an image about which the second network is asked: each takes more than a millisecond."""

NAMED = 0.01
"""Probability, by that of the likeliest class, from which on a network names one. What neither names is left out."""

LEAST = 1e-3
"""Least probability of a class for either network, so that neither rules out alone what the other one names."""


class RegionNamer(Protocol):
    """Names regions of an image."""

    def probabilities(
        self, image: NetworkImage, ids: NDArray[np.uint16], wanted: Sequence[int]
    ) -> NDArray[np.float32]:
        """Returns (R, C) the probability of each class, the first of which is none of the others.

        Args:
            image: The image, with geometry.
            ids: (H, W) number of the region of each pixel; 0 = none.
            wanted: Numbers of R regions.

        Raises:
            NetworkError: The network does not run.
        """
        ...


@dataclass(frozen=True)
class WeightedNamer:
    """Names regions beside a first network.

    Attributes:
        namer: The second network.
        weight: Of what it says, beside what the first one says [0..1].
    """

    namer: RegionNamer
    weight: float


class RegionNetwork:
    """Implements RegionNamer with an ONNX file.

    Attributes:
        region_time: Time for each of several regions after the warm-up [s].
    """

    def __init__(self, path: Path, labels: Sequence[str], *, device: str = CPU, threads: int = 1) -> None:
        """Loads and warms up the network.

        Args:
            path: The file.
            labels: Names of the classes. A file that names its own must have the same ones.
            device: CPU or CUDA.
            threads: Threads of one operation on the CPU.

        Raises:
            ConfigurationError: The file is missing, no such network, or of other labels.
            MissingDependencyError: onnxruntime is not installed, or has no such device.
        """
        self._session = onnx_session(path, device, threads)
        self._classes = len(labels)
        _check_tensors(path, self._session)
        check_labels(path, self._session, labels)
        blank = np.zeros((2, CHANNELS, SIZE, SIZE), np.float32)
        try:
            self.region_time = warm_up_time(lambda: self._run(blank)) / len(blank)
        except NetworkError as error:
            raise ConfigurationError(f"{path}: {error}") from error

    def probabilities(
        self, image: NetworkImage, ids: NDArray[np.uint16], wanted: Sequence[int]
    ) -> NDArray[np.float32]:
        if not len(wanted):
            return np.zeros((0, self._classes), np.float32)
        logits = self._run(region_crops(image, ids, wanted))
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        probabilities: NDArray[np.float32] = shares / shares.sum(axis=1, keepdims=True)
        return probabilities

    def _run(self, crops: NDArray[np.float32]) -> NDArray[np.float32]:
        try:
            (logits,) = self._session.run([CLASSES], {CROPS: crops})
        except Exception as error:  # onnxruntime has many kinds of errors, with no base of their own
            raise NetworkError(f"the network of regions does not run: {error}") from error
        if logits.shape != (len(crops), self._classes):
            raise NetworkError(
                f"the network of regions returns {CLASSES!r} as {logits.shape} for {len(crops)} region(s), not as "
                f"{(len(crops), self._classes)}: it is of other labels"
            )
        if not np.isfinite(logits).all():
            raise NetworkError(f"the network of regions returns {CLASSES!r} with numbers that are not finite")
        return np.asarray(logits, np.float32)


def _check_tensors(path: Path, session: Any) -> None:
    """Raises ConfigurationError unless a network takes any number of crops, and returns classes."""
    size = CHANNELS, SIZE, SIZE
    inputs, outputs = session.get_inputs(), session.get_outputs()
    fits = (
        [tensor.name for tensor in inputs] == [CROPS]
        and CLASSES in [tensor.name for tensor in outputs]
        and tuple(inputs[0].shape[1:]) == size
        and not isinstance(inputs[0].shape[0], int)
    )
    if not fits:
        found = ", ".join(f"{tensor.name!r} {tensor.shape}" for tensor in (*inputs, *outputs))
        raise ConfigurationError(
            f"{path} is no network of regions: it has {found}, and should take {CROPS!r} as (any number of regions, "
            f"{', '.join(map(str, size))}) and return {CLASSES!r}"
        )


def unsure_regions(probabilities: NDArray[np.float32], presence: NDArray[np.float64]) -> NDArray[np.intp]:
    """Returns the indices of the regions about which the second network is to be asked, the likeliest things first.

    Args:
        probabilities: (R, C) of each class, as the first network says.
        presence: (R,) of a thing.
    """
    things = probabilities[:, 1:]
    unsure = np.flatnonzero(things.max(axis=1, initial=0) < SURE * things.sum(axis=1))
    return unsure[np.argsort(-presence[unsure], kind="stable")][:NAMED_AGAIN]


def pooled(first: NDArray[np.float32], second: NDArray[np.float32], weight: float) -> NDArray[np.float32]:
    """Returns what two networks say of regions together, as likely a thing at all as the first one says: of what either
    names, the mean of the logarithms of their probabilities (a logarithmic opinion pool, Genest and Zidek 1986).

    Args:
        first, second: (R, C) probabilities; class 0 = no thing.
        weight: Of the second [0..1].
    """
    presence = first[:, 1:].sum(axis=1, keepdims=True)
    one, other = (_conditional(each) for each in (first, second))
    other = np.where(other.any(axis=1, keepdims=True), other, one)
    shares = np.maximum(one, LEAST) ** (1 - weight) * np.maximum(other, LEAST) ** weight
    shares[~(_are_named(one) | _are_named(other))] = 0
    things = presence * shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-9)
    both: NDArray[np.float32] = np.concatenate((first[:, :1], things), axis=1).astype(np.float32)
    return both


def _conditional(probabilities: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns (R, C - 1) the probability of each class of things, if it is one."""
    things = probabilities[:, 1:]
    conditional: NDArray[np.float32] = things / np.maximum(things.sum(axis=1, keepdims=True), 1e-9)
    return conditional


def _are_named(things: NDArray[np.float32]) -> NDArray[np.bool_]:
    named: NDArray[np.bool_] = (things > 0) & (things >= NAMED * things.max(axis=1, keepdims=True, initial=0))
    return named
