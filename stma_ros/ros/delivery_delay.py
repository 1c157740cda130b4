"""Delays messages randomly for tests: the order within a topic is unchanged, that between topics is not."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable

import numpy as np


class DeliveryDelay:
    """Draws the delay of each message before it enters a node's inbox."""

    def __init__(
        self, longest: float, seed: int, owner: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """longest: longest delay [s]; 0 = none. Every owner has a random sequence of its own."""
        self._longest = longest
        self._generator = np.random.default_rng([seed, zlib.crc32(owner.encode())])
        self._clock = clock
        self._released: dict[str, float] = {}

    def __call__(self, topic: str) -> float:
        """Returns the time on the steady clock at which the next message of a topic may enter [s]."""
        if self._longest == 0:
            return 0.0
        release = self._clock() + self._generator.uniform(0, self._longest)
        self._released[topic] = max(release, self._released.get(topic, 0.0))
        return self._released[topic]
