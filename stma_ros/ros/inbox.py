"""The queue of a worker: messages in order of arrival, and alarms when they are due."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

ItemT = TypeVar("ItemT")


@dataclass(order=True)
class _Entry(Generic[ItemT]):
    due: float
    number: int
    item: ItemT = field(compare=False)
    alarm: Hashable | None = field(compare=False, default=None)


class Inbox(Generic[ItemT]):
    """A thread-safe queue ordered by due time: a message is due at its arrival, an alarm at its expiry. A message that
    arrived before an alarm expired is therefore handled first, and may cancel the alarm, even if the worker was busy
    meanwhile."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._heap: list[_Entry[ItemT]] = []
        self._alarms: dict[Hashable, _Entry[ItemT]] = {}
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._closed = False

    def put(self, item: ItemT, not_before: float = 0.0) -> None:
        """Adds an item. not_before: earliest delivery, on the clock of this inbox [s]."""
        with self._changed:
            heapq.heappush(self._heap, _Entry(max(self._clock(), not_before), next(self._numbers), item))
            self._changed.notify()

    def set_alarm(self, key: Hashable, delay: float, item: ItemT) -> None:
        """Delivers `item` in `delay` seconds; replaces the alarm with the same key."""
        with self._changed:
            self._remove_alarm(key)
            entry = _Entry(self._clock() + delay, next(self._numbers), item, key)
            self._alarms[key] = entry
            heapq.heappush(self._heap, entry)
            self._changed.notify()

    def cancel_alarm(self, key: Hashable) -> None:
        with self._changed:
            self._remove_alarm(key)

    def clear(self) -> None:
        """Drops all waiting items."""
        with self._changed:
            self._heap.clear()
            self._alarms.clear()

    def close(self) -> None:
        """Lets `get` return None from now on."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def get(self) -> ItemT | None:
        """Waits for the next item that is due; None once closed."""
        with self._changed:
            while not self._closed:
                wait = self._heap[0].due - self._clock() if self._heap else None
                if wait is not None and wait <= 0:
                    entry = heapq.heappop(self._heap)
                    if entry.alarm is not None:
                        del self._alarms[entry.alarm]
                    return entry.item
                self._changed.wait(wait)
            return None

    def __len__(self) -> int:
        """Returns the number of waiting messages, without alarms."""
        with self._changed:
            return len(self._heap) - len(self._alarms)

    def _remove_alarm(self, key: Hashable) -> None:
        entry = self._alarms.pop(key, None)
        if entry is not None:
            self._heap.remove(entry)
            heapq.heapify(self._heap)
