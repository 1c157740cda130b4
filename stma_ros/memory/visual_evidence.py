"""The visual evidence of an agent's life: snapshots of all tasks, bounded, and each view once.

A task's own snapshots (memory.snapshots) are those that matter for its question; these are kept for the questions that
have not been asked yet.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from stma_ros.memory.snapshots import shows_the_same
from stma_ros.types.exploration import Snapshot
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import Time

SAME_THING = 0.5
"""Detections of one category whose centres are this close [m] are taken to be of one thing."""

AS_WELL = 0.5
"""A picture shows a thing again if it shows it at least this large, as a share of its pixels in the older one."""

_CELL = 0.75  # a thing is told by its category and the cell of this size [m] that its centre is in

_Thing: TypeAlias = tuple[str, int, int, int]


@dataclass(frozen=True)
class _Entry:
    """A snapshot, with what is compared.

    Attributes:
        snapshot: the snapshot.
        content: hash of its picture; empty = it has none.
        pixels: of each thing that it shows.
    """

    snapshot: Snapshot
    content: bytes
    pixels: dict[_Thing, int]

    @classmethod
    def of(cls, snapshot: Snapshot) -> _Entry:
        data = snapshot.picture.data
        pixels: dict[_Thing, int] = {}
        for detection in snapshot.detections:
            thing = _thing(detection)
            pixels[thing] = max(pixels.get(thing, 0), detection.pixels)
        return cls(snapshot, hashlib.sha256(data.tobytes()).digest() if data.size else b"", pixels)

    @property
    def order(self) -> tuple[int, str]:
        return self.snapshot.stamp.nanoseconds, self.snapshot.id


class VisualEvidence:
    """Snapshots, oldest first.

    A newer snapshot replaces an older one with the same picture, or from the same pose if it shows all that the older
    one shows. Where the same pose shows something else than before, both stay: the older one says what was there.

    Beyond the limit the snapshot goes of which the fewest things are shown by no newer one, and of several the oldest;
    the newest always stays. So the last sight of each thing outlives further sights of the same places.

    Attributes:
        limit: most snapshots that are kept.
    """

    def __init__(self, limit: int, snapshots: Iterable[Snapshot] = ()) -> None:
        """Creates a store. limit: at least 1."""
        self.limit = limit
        self._entries: list[_Entry] = []
        self.add(snapshots)

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def snapshots(self) -> tuple[Snapshot, ...]:
        return tuple(entry.snapshot for entry in self._entries)

    def add(self, snapshots: Iterable[Snapshot]) -> None:
        """Adds snapshots, in any order; what they repeat goes, as do those that a newer one repeats."""
        for snapshot in snapshots:
            self._add(_Entry.of(snapshot))
        while len(self._entries) > self.limit:
            del self._entries[self._least_needed()]

    def revise(self, stamp: Time, detections: tuple[Detection, ...]) -> bool:
        """Replaces the detections of the snapshot that was taken at a time; returns whether it is kept."""
        for number, entry in enumerate(self._entries):
            if entry.snapshot.stamp == stamp:
                self._entries[number] = _Entry.of(replace(entry.snapshot, detections=detections))
                return True
        return False

    def discard(self, is_unwanted: Callable[[Snapshot], bool]) -> int:
        """Drops all snapshots of which this is true; returns how many they were."""
        kept = [entry for entry in self._entries if not is_unwanted(entry.snapshot)]
        dropped = len(self._entries) - len(kept)
        self._entries = kept
        return dropped

    def _add(self, new: _Entry) -> None:
        if any(_repeats(new, other) for other in self._entries if other.order > new.order):
            return
        self._entries = [
            other for other in self._entries if other.order > new.order or not _repeats(other, new)
        ]
        self._entries.append(new)
        self._entries.sort(key=lambda entry: entry.order)

    def _least_needed(self) -> int:
        """Returns the position of the snapshot that goes first."""
        largest: dict[_Thing, int] = {}  # pixels of each thing in the newer snapshots
        needed: list[int] = []
        for entry in reversed(self._entries):
            needed.append(
                sum(largest.get(thing, -1) < AS_WELL * pixels for thing, pixels in entry.pixels.items())
            )
            for thing, pixels in entry.pixels.items():
                largest[thing] = max(largest.get(thing, 0), pixels)
        needed.reverse()
        return min(range(max(len(needed) - 1, 1)), key=needed.__getitem__)


def _repeats(older: _Entry, newer: _Entry) -> bool:
    """Whether a newer snapshot, or the same one, makes an older one superfluous."""
    one, other = older.snapshot, newer.snapshot
    if one.id == other.id or (older.content and older.content == newer.content):
        return True
    return shows_the_same(one, other) and all(
        any(_are_one(detection, again) for again in other.detections) for detection in one.detections
    )


def _are_one(one: Detection, other: Detection) -> bool:
    a, b = one.center, other.center
    apart = math.dist((a.x, a.y, a.z), (b.x, b.y, b.z))
    return (
        one.category == other.category and not apart > SAME_THING
    )  # a place that is not known is no other place


def _thing(detection: Detection) -> _Thing:
    x, y, z = (
        round(value / _CELL) if math.isfinite(value) else 0
        for value in (detection.center.x, detection.center.y, detection.center.z)
    )
    return detection.category, x, y, z
