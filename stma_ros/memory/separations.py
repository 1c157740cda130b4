"""Which tracks of one category are of different objects.

A keyframe that shows two of them side by side says that they are two; a detector may also have split one object. A
keyframe that shows one object over both says that they are parts of it; a detector may also have merged two.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Pair: TypeAlias = tuple[str, str]
"""Two ids in alphabetical order."""

MOST = 2
"""Balance of the views of a pair that is remembered, at most."""


def sorted_pair(one: str, other: str) -> Pair:
    """Returns two ids in alphabetical order."""
    return (one, other) if one < other else (other, one)


class Separations:
    """Counts for each pair the keyframes that showed it as two objects, less those that showed it as one."""

    def __init__(self, balances: Iterable[tuple[str, str, int]] = ()) -> None:
        self._balances: dict[Pair, int] = {(one, other): count for one, other, count in balances}

    def saved(self) -> tuple[tuple[str, str, int], ...]:
        """Returns the pairs with their balances, sorted."""
        return tuple((*pair, balance) for pair, balance in sorted(self._balances.items()))

    def __contains__(self, pair: object) -> bool:
        """Whether the pair is of two objects: it was seen apart, and not more often as one."""
        return isinstance(pair, tuple) and self._balances.get(pair, -1) >= 0

    def add_apart(self, pairs: Iterable[Pair]) -> None:
        """Takes the pairs that a keyframe shows side by side."""
        for pair in pairs:
            self._balances[pair] = min(self._balances.get(pair, 0) + 1, MOST)

    def add_whole(self, pairs: Iterable[Pair]) -> None:
        """Takes the pairs over which a keyframe shows one object."""
        for pair in pairs:
            if pair in self._balances:
                self._balances[pair] = max(self._balances[pair] - 1, -MOST)

    def forget(self, name: str) -> None:
        """Drops the pairs of an object."""
        self._balances = {pair: count for pair, count in self._balances.items() if name not in pair}

    def rename(self, old: str, new: str) -> None:
        """Moves the pairs of the id `old` to the id `new`."""
        balances: dict[Pair, int] = {}
        for pair, count in self._balances.items():
            one, other = (new if name == old else name for name in pair)
            if one != other:
                renamed = sorted_pair(one, other)
                balances[renamed] = max(count, balances.get(renamed, -MOST))
        self._balances = balances
