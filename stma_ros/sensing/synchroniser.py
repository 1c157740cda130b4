"""Approximate time synchronisation: joins each depth image with the nearest images of other streams.

The result depends on the stamps alone, not on the order in which messages were recorded. Buffers are bounded.
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
"""Largest number of depth images that wait for partners; beyond it the oldest is matched with what has arrived."""

IMAGES = 2 * WAITING

LATE = NANOSECONDS_PER_SECOND // 2
"""Largest delay [ns] of an image relative to its neighbours in time."""

JUMP = NANOSECONDS_PER_SECOND
"""A depth image whose stamp is this much [ns] before the last frame's is not late: the clock was set back."""

OUT_OF_ORDER = "its stamp is not after the frame's before it"
OTHER_PART = "it is of another part of the recording: time was set back (`part` in a mapping file chooses)"


@dataclass(frozen=True)
class Matched(Generic[ItemT]):
    """A depth image with the items that join it.

    Attributes:
        stamp: Stamp of the depth image [ns].
        depth: The depth image.
        others: Items by stream; those of optional streams may be missing.
        before, after: Stamps of the depth images before and after it [ns]; None if there is none.
    """

    stamp: int
    depth: ItemT
    others: Mapping[str, ItemT]
    before: int | None = None
    after: int | None = None

    def is_nearest(self, stamp: int) -> bool:
        """Returns whether no other depth image is nearer to a stamp [ns]; of two at one distance it is the earlier."""
        distance = abs(stamp - self.stamp)
        is_before = self.before is not None and abs(stamp - self.before) <= distance
        is_after = self.after is not None and abs(stamp - self.after) < distance
        return not is_before and not is_after


@dataclass(frozen=True)
class Skipped:
    """A depth image that no frame is made of.

    Attributes:
        stamp: Stamp of the depth image [ns].
        reason: Why there is no frame.
    """

    stamp: int
    reason: str


@dataclass(frozen=True)
class _Waiting(Generic[ItemT]):
    stamp: int
    item: ItemT


class Synchroniser(Generic[ItemT]):
    """Matches depth images with items of other streams.

    Where the clock is set back, a recording falls into parts, numbered from 1; only one of them is matched. A part
    begins when two depth images in a row are that early: a single one is an outlier.

    Attributes:
        part: Number of the part that the newest depth image belongs to.
        jumps: Stamps before and after each time that the clock was set back [ns].
    """

    def __init__(
        self,
        required: tuple[str, ...],
        optional: tuple[str, ...],
        tolerance: int,
        has_poses: Callable[[int, ItemT], bool],
        forget_after: Callable[[int], None],
        part: int = 1,
        awaits_next: bool = False,
    ) -> None:
        """Makes an empty synchroniser.

        Args:
            required: Streams that every match needs an item of.
            optional: Streams that join a match if they have an item.
            tolerance: Largest difference between the stamps of a match [ns].
            has_poses: Whether all samples that determine the poses at the stamp of a depth image have arrived.
            forget_after: Called when the clock was set back, with a stamp [ns]: what is later belongs to the earlier
                part.
            part: Number of the part to match.
            awaits_next: Whether a match waits for the next depth image, so that its `after` is known.
        """
        self._streams: dict[str, Timeline[ItemT]] = {
            name: Timeline(IMAGES) for name in (*required, *optional)
        }
        self._required = required
        self._tolerance = tolerance
        self._has_poses = has_poses
        self._forget_after = forget_after
        self._wanted = part
        self._awaits_next = awaits_next
        self._waiting: list[_Waiting[ItemT]] = []
        self._outlier: _Waiting[ItemT] | None = None
        self._last = -1
        self.part = 1
        self.jumps: list[tuple[int, int]] = []

    def add(self, stream: str, stamp: int, item: ItemT) -> None:
        """Adds an item of a stream that joins depth images."""
        self._streams[stream].add(stamp, item)

    def add_depth(self, stamp: int, item: ItemT) -> Iterator[Matched[ItemT] | Skipped]:
        """Adds a depth image.

        Yields:
            Depth images that turn out to be outliers or of an earlier part, and those that exceed the buffer.
        """
        arrived = _Waiting(stamp, item)
        outlier, self._outlier = self._outlier, None
        if stamp > self._last - JUMP:
            if outlier is not None:
                yield Skipped(outlier.stamp, OUT_OF_ORDER)
            if stamp <= self._last or any(other.stamp == stamp for other in self._waiting):
                yield Skipped(stamp, OUT_OF_ORDER)
                return
        elif outlier is None:
            self._outlier = arrived
            return
        elif abs(stamp - outlier.stamp) <= JUMP:
            yield from self._start_part(outlier)
            if stamp == outlier.stamp:
                yield Skipped(stamp, OUT_OF_ORDER)
                return
        else:
            self._outlier = arrived
            yield Skipped(outlier.stamp, OUT_OF_ORDER)
            return
        insort(self._waiting, arrived, key=attrgetter("stamp"))
        while len(self._waiting) > WAITING:
            yield self._match(self._waiting.pop(0))

    def ready(self) -> Iterator[Matched[ItemT] | Skipped]:
        """Yields the oldest depth images, as long as no message that is still to come can change their matches."""
        while self._waiting and self._is_complete(self._waiting[0]):
            yield self._match(self._waiting.pop(0))

    def finish(self) -> Iterator[Matched[ItemT] | Skipped]:
        """Yields the remaining depth images with what has arrived; called at the end of the recording."""
        while self._waiting:
            yield self._match(self._waiting.pop(0))
        if self._outlier is not None:
            yield Skipped(self._outlier.stamp, OUT_OF_ORDER)
            self._outlier = None

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
        if self._awaits_next and len(self._waiting) < 2:
            return False
        streams = self._streams.values()
        return all(self._has_passed(stream, waiting.stamp) for stream in streams) and self._has_poses(
            waiting.stamp, waiting.item
        )

    def _has_passed(self, stream: Timeline[ItemT], stamp: int) -> bool:
        """Returns whether no better partner can be expected from the stream."""
        newest = -1 if stream.newest is None else stream.newest
        has_partner = stream.nearest(stamp, self._tolerance) is not None
        return newest >= (stamp if has_partner else stamp + LATE)

    def _match(self, waiting: _Waiting[ItemT]) -> Matched[ItemT] | Skipped:
        stamp = waiting.stamp
        near = {name: stream.nearest(stamp, self._tolerance) for name, stream in self._streams.items()}
        before = self._last if self._last >= 0 else None
        after = self._waiting[0].stamp if self._waiting else None
        self._last = max(self._last, stamp)
        if self.part != self._wanted:
            return Skipped(stamp, OTHER_PART)
        for name in self._required:
            if near[name] is None:
                within = f"{self._tolerance / NANOSECONDS_PER_SECOND:g} s"
                return Skipped(stamp, f"no {name} within {within} of it (`tolerance` in a mapping file)")
        others = {name: item for name, item in near.items() if item is not None}
        return Matched(stamp, waiting.item, others, before, after)
