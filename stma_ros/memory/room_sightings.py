"""When each room was seen first and last."""

from __future__ import annotations

from collections.abc import Iterable

from stma_ros.memory.tracked_object import TrackedObject
from stma_ros.types.standard import Time


class RoomSightings:
    """By the ids of rooms, which are never used again."""

    def __init__(self, seen: tuple[tuple[str, Time, Time], ...] = ()) -> None:
        """seen: as `saved` gives it."""
        self._seen = {room: (first, last) for room, first, last in seen}

    def observe(self, room: str, now: Time, inside: Iterable[TrackedObject]) -> tuple[Time, Time]:
        """A room of the map, and what is in it; returns when it was first and last seen. It is seen with any of the
        things in it."""
        times = [(item.first_seen, item.last_seen) for item in inside]
        first, last = self._seen.get(room, (now, now))
        first = min([first, *(time for time, _ in times)])
        last = max([last, *(time for _, time in times)])
        self._seen[room] = first, last
        return first, last

    def saved(self) -> tuple[tuple[str, Time, Time], ...]:
        return tuple((room, *times) for room, times in self._seen.items())
