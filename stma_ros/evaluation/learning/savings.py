"""How many steps an agent saves on the tasks that another one solves, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.evaluation.metrics import EpisodeRecord

_LEVEL = 0.95
_FEWEST = 2  # pairs for an interval


@dataclass(frozen=True)
class Savings:
    """A comparison on the same tasks.

    Attributes:
        pairs: number of tasks that both solve.
        fewer: steps that are saved on these [%]; None without any.
        low: lower end of its 95 % interval (percentile bootstrap over tasks); None with fewer than two.
        high: upper end.
    """

    pairs: int
    fewer: float | None = None
    low: float | None = None
    high: float | None = None


def savings(own: Sequence[EpisodeRecord], reference: Sequence[EpisodeRecord], seed: int) -> Savings:
    """Compares the steps of two agents over the tasks that both solve; the seed is that of the bootstrap."""
    solved = {record.index: record.steps for record in reference if record.success}
    pairs = [
        (record.steps, solved[record.index]) for record in own if record.success and record.index in solved
    ]
    if not pairs:
        return Savings(0)
    ours, theirs = (np.array(side, float) for side in zip(*pairs, strict=True))
    fewer = float(_fewer(ours, theirs))
    if len(pairs) < _FEWEST:
        return Savings(len(pairs), fewer)
    from scipy.stats import bootstrap

    found = bootstrap(
        (ours, theirs),
        _fewer,
        paired=True,
        vectorized=True,
        confidence_level=_LEVEL,
        method="percentile",
        random_state=np.random.default_rng(seed),  # its name in all releases that are supported
    ).confidence_interval
    return Savings(len(pairs), fewer, float(found.low), float(found.high))


def _fewer(ours: NDArray[np.float64], theirs: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    return np.asarray(100.0 * (1.0 - ours.sum(axis) / theirs.sum(axis)))
