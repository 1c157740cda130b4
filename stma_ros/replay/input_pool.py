"""Holds messages until the components that read them have taken them; finds them by their names in journals."""

from __future__ import annotations

import tempfile
from collections import Counter, OrderedDict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from stma_ros.replay.recorded_message import Key, Pending
from stma_ros.types.errors import StorageError

MEMORY_BUDGET = 128 * 1024 * 1024
"""Most bytes of waiting messages in memory; older messages are spilled to a temporary file. A component that was slow
during the recording lags as far behind in the bag."""

_MAX_OVERTAKEN = 64
"""A message is dropped for a component that has taken one this many places behind it on the same topic, as the
component was inactive when it came. Messages of one topic overtake each other only under injected delays, and by less.
"""


@dataclass(eq=False)
class _Waiting:
    pending: Pending
    number: int  # on its topic
    readers: set[str]


class InputPool:
    """Holds each message until all its readers have taken it."""

    def __init__(self, readers: Mapping[str, frozenset[str]], budget: int = MEMORY_BUDGET) -> None:
        """readers: components that subscribe, by topic."""
        self._readers = readers
        self._budget = budget
        self._bytes_in_memory = 0
        self._entries: dict[Key, deque[_Waiting]] = {}
        self._in_memory: OrderedDict[int, _Waiting] = OrderedDict()
        self._in_order: dict[tuple[str, str], OrderedDict[int, _Waiting]] = {}
        self._numbers: dict[str, int] = {}
        self._spill_file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the pool
        self._spilled = 0  # messages
        self._end = 0  # end of the file [bytes]

    def put(self, pending: Pending) -> frozenset[str]:
        """Adds a message; returns the components that may take it now."""
        topic = pending.topic
        readers = self._readers.get(topic, frozenset())
        if not readers:
            return readers
        number = self._numbers[topic] = self._numbers.get(topic, 0) + 1
        self._hold(_Waiting(pending, number, set(readers)))
        return readers

    def rewind(self, reader: str, again: Iterable[Pending]) -> None:
        """Offers a reader all messages so far once more, as a late reader receives them.

        Args:
            reader: the component.
            again: the messages of its topics from the beginning, as `put` took them; those that were not put yet are
                left out.
        """
        self._drop_all(reader)
        numbers: Counter[str] = Counter()
        for pending in again:
            numbers[pending.topic] += 1
            if numbers[pending.topic] <= self._numbers.get(pending.topic, 0):
                self._hold(_Waiting(pending, numbers[pending.topic], {reader}))

    def take(self, reader: str, keys: Sequence[Key]) -> list[Pending] | None:
        """Returns the oldest message of each key that the reader has not taken; None if one is missing, and then none
        is taken."""
        found = [self._oldest(reader, key) for key in keys]
        taken = [waiting for waiting in found if waiting is not None]
        if len(taken) < len(found):
            return None
        for waiting in taken:
            overtaken = []
            for number, other in self._in_order[reader, waiting.pending.topic].items():
                if number >= waiting.number - _MAX_OVERTAKEN:
                    break
                overtaken.append(other)
            for other in (*overtaken, waiting):
                self._release(reader, other)
        return [waiting.pending for waiting in taken]

    def forget(self, reader: str) -> None:
        """Removes a reader that takes no further messages."""
        self._readers = {topic: readers - {reader} for topic, readers in self._readers.items()}
        self._drop_all(reader)

    def close(self) -> None:
        self._spill_file.close()

    def _hold(self, waiting: _Waiting) -> None:
        pending = waiting.pending
        self._entries.setdefault(pending.key, deque()).append(waiting)
        for reader in waiting.readers:
            self._in_order.setdefault((reader, pending.topic), OrderedDict())[waiting.number] = waiting
        self._in_memory[id(waiting)] = waiting
        self._bytes_in_memory += pending.size
        while self._bytes_in_memory > self._budget:
            self._spill_oldest()

    def _drop_all(self, reader: str) -> None:
        for (name, _), order in self._in_order.items():
            if name == reader:
                for waiting in tuple(order.values()):
                    self._release(reader, waiting)

    def _oldest(self, reader: str, key: Key) -> _Waiting | None:
        return next((each for each in self._entries.get(key, ()) if reader in each.readers), None)

    def _release(self, reader: str, waiting: _Waiting) -> None:
        key = waiting.pending.key
        waiting.readers.discard(reader)
        del self._in_order[reader, key[0]][waiting.number]
        if waiting.readers:
            return
        same = self._entries[key]
        same.remove(waiting)
        if not same:
            del self._entries[key]
        if self._in_memory.pop(id(waiting), None) is None:
            self._spilled -= 1
        else:
            self._bytes_in_memory -= waiting.pending.size

    def _spill_oldest(self) -> None:
        _, oldest = self._in_memory.popitem(last=False)
        size = oldest.pending.size
        if not self._spilled:
            self._end = 0
        try:
            oldest.pending.spill(self._spill_file, self._end)
        except OSError as error:
            raise StorageError(
                f"messages of the bag that wait for a slow component find no room in {tempfile.gettempdir()} "
                f"({error.strerror}): make room there, or have TMPDIR name another folder"
            ) from error
        self._end += size
        self._bytes_in_memory -= size
        self._spilled += 1
