"""A bounded buffer of values by stamp."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from typing import Generic, TypeVar

ValueT = TypeVar("ValueT")


class Timeline(Generic[ValueT]):
    """Values by stamp [ns], which may arrive in any order; a second value of a stamp replaces the first.

    The buffer drops the values that arrived first, whatever their stamps: after the clock was set back, values of the
    earlier time do not displace new ones.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._stamps: list[int] = []
        self._values: dict[int, ValueT] = {}
        self._arrived: deque[int] = deque()

    def __len__(self) -> int:
        return len(self._stamps)

    @property
    def newest(self) -> int | None:
        """The latest stamp [ns]; None if there is no value."""
        return self._stamps[-1] if self._stamps else None

    def add(self, stamp: int, value: ValueT) -> None:
        if stamp not in self._values:
            self._stamps.insert(bisect_left(self._stamps, stamp), stamp)
            self._arrived.append(stamp)
        self._values[stamp] = value
        while len(self._arrived) > self._size:
            self._drop(self._arrived.popleft())

    def nearest(self, stamp: int, tolerance: int) -> ValueT | None:
        """Returns the value nearest in time, the earlier of two; None if none is within the tolerance [ns]."""
        at = bisect_left(self._stamps, stamp)
        near = [other for other in self._stamps[max(0, at - 1) : at + 1] if abs(other - stamp) <= tolerance]
        return self._values[min(near, key=lambda other: abs(other - stamp))] if near else None

    def before(self, stamp: int) -> tuple[int, ValueT] | None:
        """Returns the newest value that is not after the stamp [ns], and its own stamp."""
        at = bisect_right(self._stamps, stamp)
        return (self._stamps[at - 1], self._values[self._stamps[at - 1]]) if at else None

    def after(self, stamp: int) -> tuple[int, ValueT] | None:
        """Returns the first value that is after the stamp [ns], and its own stamp."""
        at = bisect_right(self._stamps, stamp)
        return (self._stamps[at], self._values[self._stamps[at]]) if at < len(self._stamps) else None

    def forget_after(self, stamp: int) -> None:
        """Drops the values that are after the stamp [ns]; called when the clock was set back."""
        later = set(self._stamps[bisect_right(self._stamps, stamp) :])
        self._arrived = deque(other for other in self._arrived if other not in later)
        for other in later:
            self._drop(other)

    def _drop(self, stamp: int) -> None:
        del self._values[stamp]
        del self._stamps[bisect_left(self._stamps, stamp)]
