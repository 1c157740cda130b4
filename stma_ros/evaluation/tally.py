"""Counts of what was found, and of what there was to find."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tally:
    """Counts of correct items; sums over episodes give micro averages."""

    right: int = 0
    said: int = 0
    true: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.right + other.right, self.said + other.said, self.true + other.true)

    @property
    def precision(self) -> float:
        return self.right / self.said if self.said else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.true if self.true else 1.0

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.said + self.true) if self.said + self.true else 1.0
