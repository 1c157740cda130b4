"""Puts together what was taken at about the same time: depth leads, and the nearest images join it.

Everything goes by the stamps, in whatever order the messages were recorded; what waits is bounded.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Generic, TypeVar

from stma_ros.sensing.timeline import Timeline
from stma_ros.types.standard import NANOSECONDS_PER_SECOND

ItemT = TypeVar("ItemT")

WAITING = 32
"""Depth images that wait for what belongs to them; then the oldest goes with what there is."""

IMAGES = 2 * WAITING

LATE = NANOSECONDS_PER_SECOND // 2
"""How much later [ns] than its neighbours an image may come."""

JUMP = NANOSECONDS_PER_SECOND
"""A stamp that is this much [ns] before the last frame's is not late: time was set back."""

OUT_OF_ORDER = "its stamp is not after the frame's before it"
OTHER_PART = "it is of another part of the recording: time was set back (`part` in a mapping file chooses)"


@dataclass(frozen=True)
class Matched(Generic[ItemT]):
    """A depth image and what joins it, by stream; what is optional may be absent."""

    stamp: int
    depth: ItemT
    others: Mapping[str, ItemT]


@dataclass(frozen=True)
class Skipped:
    """A depth image of which no frame becomes, and why; the stamp is [ns]."""

    stamp: int
    reason: str


@dataclass(frozen=True)
class _Waiting(Generic[ItemT]):
    stamp: int
    item: ItemT


class Synchroniser(Generic[ItemT]):
    """A recording in which time is set back falls into parts, numbered from 1; only one of them is matched.

    That time was set back is believed when two depth images in a row say so: one alone is an outlier.
    """

    def __init__(
        self,
        required: tuple[str, ...],
        optional: tuple[str, ...],
        tolerance: int,
        posed: Callable[[int, ItemT], bool],
        forget_after: Callable[[int], None],
        part: int = 1,
    ) -> None:
        """required, optional: streams that join. tolerance [ns]. posed: whether the poses at the stamp of a depth image
        are known by now. forget_after: called where time was set back, with the stamp after which all is of before."""
        self._streams: dict[str, Timeline[ItemT]] = {
            name: Timeline(IMAGES) for name in (*required, *optional)
        }
        self._required = required
        self._tolerance = tolerance
        self._posed = posed
        self._forget_after = forget_after
        self._wanted = part
        self._waiting: list[_Waiting[ItemT]] = []
        self._suspect: _Waiting[ItemT] | None = None
        self._last = -1
        self.part = 1
        self.jumps: list[tuple[int, int]] = []  # from, to [ns]

    def add(self, stream: str, stamp: int, item: ItemT) -> None:
        """An image that joins."""
        self._streams[stream].add(stamp, item)

    def add_depth(self, stamp: int, item: ItemT) -> Iterator[Matched[ItemT] | Skipped]:
        """A depth image; yields what it shows to be of another time, and what was waiting for too long."""
        arrived = _Waiting(stamp, item)
        suspect, self._suspect = self._suspect, None
        if stamp > self._last - JUMP:
            if suspect is not None:
                yield Skipped(suspect.stamp, OUT_OF_ORDER)
            if stamp <= self._last or any(other.stamp == stamp for other in self._waiting):
                yield Skipped(stamp, OUT_OF_ORDER)
                return
        elif suspect is None:
            self._suspect = arrived
            return
        elif abs(stamp - suspect.stamp) <= JUMP:
            yield from self._start_part(suspect)
            if stamp == suspect.stamp:
                yield Skipped(stamp, OUT_OF_ORDER)
                return
        else:
            self._suspect = arrived
            yield Skipped(suspect.stamp, OUT_OF_ORDER)
            return
        insort(self._waiting, arrived, key=attrgetter("stamp"))
        while len(self._waiting) > WAITING:
            yield self._match(self._waiting.pop(0))

    def ready(self) -> Iterator[Matched[ItemT] | Skipped]:
        """What needs nothing more that is still to come."""
        while self._waiting and self._is_complete(self._waiting[0]):
            yield self._match(self._waiting.pop(0))

    def finish(self) -> Iterator[Matched[ItemT] | Skipped]:
        """The end of the recording: what waits goes with what there is."""
        while self._waiting:
            yield self._match(self._waiting.pop(0))
        if self._suspect is not None:
            yield Skipped(self._suspect.stamp, OUT_OF_ORDER)
            self._suspect = None

    def _start_part(self, first: _Waiting[ItemT]) -> Iterator[Matched[ItemT] | Skipped]:
        while self._waiting:
            yield self._match(self._waiting.pop(0))
        self.jumps.append((self._last, first.stamp))
        self.part += 1
        self._last = -1
        for stream in self._streams.values():
            stream.forget_after(first.stamp + JUMP)
        self._forget_after(first.stamp + JUMP)
        self._waiting.append(first)

    def _is_complete(self, waiting: _Waiting[ItemT]) -> bool:
        streams = self._streams.values()
        return all(self._has_passed(stream, waiting.stamp) for stream in streams) and self._posed(
            waiting.stamp, waiting.item
        )

    def _has_passed(self, stream: Timeline[ItemT], stamp: int) -> bool:
        """Whether a better partner is no longer to be expected."""
        newest = -1 if stream.newest is None else stream.newest
        has_partner = stream.nearest(stamp, self._tolerance) is not None
        return newest >= (stamp if has_partner else stamp + LATE)

    def _match(self, waiting: _Waiting[ItemT]) -> Matched[ItemT] | Skipped:
        stamp = waiting.stamp
        near = {name: stream.nearest(stamp, self._tolerance) for name, stream in self._streams.items()}
        self._last = max(self._last, stamp)
        if self.part != self._wanted:
            return Skipped(stamp, OTHER_PART)
        for name in self._required:
            if near[name] is None:
                within = f"{self._tolerance / NANOSECONDS_PER_SECOND:g} s"
                return Skipped(stamp, f"no {name} within {within} of it (`tolerance` in a mapping file)")
        return Matched(stamp, waiting.item, {name: item for name, item in near.items() if item is not None})
