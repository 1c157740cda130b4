"""A random order of more samples than fit into the memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

import numpy as np

Item = TypeVar("Item")


class ShuffleBuffer(Generic[Item]):
    """Items that are drawn in a random order, while others are added."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._items: list[Item] = []

    def __len__(self) -> int:
        return len(self._items)

    def add(self, items: Iterable[Item]) -> None:
        """Adds items."""
        self._items.extend(items)

    def draw(self, count: int) -> list[Item]:
        """Removes and returns some of the items, each equally likely. Raises IndexError if there are too few."""
        items, drawn = self._items, []
        for _ in range(count):
            chosen = int(self._rng.integers(len(items))) if items else 0
            items[chosen], items[-1] = items[-1], items[chosen]
            drawn.append(items.pop())
        return drawn
