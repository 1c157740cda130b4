"""Summarises the damaged parts of a bag in a few lines."""

from __future__ import annotations

from stma_ros.storage.bag.messages import Damage

_SHOWN = 5


class DamageSummary:
    """Collects the first few damaged parts, each once, and counts all of them."""

    def __init__(self) -> None:
        self.first: list[Damage] = []
        self._known: set[int] = set()  # hashes: a bag may have a million damaged parts

    @property
    def count(self) -> int:
        return len(self._known)

    def add(self, damage: Damage) -> None:
        if hash(damage) in self._known:
            return
        self._known.add(hash(damage))
        if len(self.first) < _SHOWN:
            self.first.append(damage)

    @property
    def lines(self) -> list[str]:
        """Returns text lines for people; the last one states the number of further damages."""
        more = self.count - len(self.first)
        return [*map(str, self.first), *([f"{more} more damaged parts"] if more else [])]
