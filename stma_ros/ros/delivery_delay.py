"""Delays messages at random for tests: each topic keeps its order, topics overtake one another."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable

import numpy as np


class DeliveryDelay:
    """How long each message is held back before it enters a node's inbox."""

    def __init__(
        self, longest: float, seed: int, owner: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`longest` [s]; 0 = never hold anything back. Every owner has a sequence of its own."""
        self._longest = longest
        self._generator = np.random.default_rng([seed, zlib.crc32(owner.encode())])
        self._clock = clock
        self._released: dict[str, float] = {}

    def __call__(self, topic: str) -> float:
        """When the next message on a topic may enter, on the steady clock [s]."""
        if self._longest == 0:
            return 0.0
        release = self._clock() + self._generator.uniform(0, self._longest)
        self._released[topic] = max(release, self._released.get(topic, 0.0))
        return self._released[topic]
