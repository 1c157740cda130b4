"""Values by their stamps, of which only the newest arrivals are kept."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from typing import Generic, TypeVar

ValueT = TypeVar("ValueT")


class Timeline(Generic[ValueT]):
    """Stamps [ns] may come in any order; a value with a stamp that is there already takes the older one's place.

    What came first goes first, whatever its stamp: after a jump in time the past does not push out what is new.
    """

    def __init__(self, keep: int) -> None:
        self._keep = keep
        self._stamps: list[int] = []
        self._values: dict[int, ValueT] = {}
        self._arrived: deque[int] = deque()

    def __len__(self) -> int:
        return len(self._stamps)

    @property
    def newest(self) -> int | None:
        """The latest stamp."""
        return self._stamps[-1] if self._stamps else None

    def add(self, stamp: int, value: ValueT) -> None:
        if stamp not in self._values:
            self._stamps.insert(bisect_left(self._stamps, stamp), stamp)
            self._arrived.append(stamp)
        self._values[stamp] = value
        while len(self._arrived) > self._keep:
            self._drop(self._arrived.popleft())

    def nearest(self, stamp: int, tolerance: int) -> ValueT | None:
        """The value nearest in time, if it is no farther away than the tolerance [ns]; of two, the earlier."""
        at = bisect_left(self._stamps, stamp)
        near = [other for other in self._stamps[max(0, at - 1) : at + 1] if abs(other - stamp) <= tolerance]
        return self._values[min(near, key=lambda other: abs(other - stamp))] if near else None

    def before(self, stamp: int) -> tuple[int, ValueT] | None:
        """The newest value that is not after the stamp, and its own stamp."""
        at = bisect_right(self._stamps, stamp)
        return (self._stamps[at - 1], self._values[self._stamps[at - 1]]) if at else None

    def after(self, stamp: int) -> tuple[int, ValueT] | None:
        """The first value that is after the stamp, and its own stamp."""
        at = bisect_right(self._stamps, stamp)
        return (self._stamps[at], self._values[self._stamps[at]]) if at < len(self._stamps) else None

    def forget_after(self, stamp: int) -> None:
        """What is later than the stamp is of a time that did not go on."""
        gone = set(self._stamps[bisect_right(self._stamps, stamp) :])
        self._arrived = deque(other for other in self._arrived if other not in gone)
        for other in gone:
            self._drop(other)

    def _drop(self, stamp: int) -> None:
        del self._values[stamp]
        del self._stamps[bisect_left(self._stamps, stamp)]
