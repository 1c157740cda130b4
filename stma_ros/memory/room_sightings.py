"""When each room was seen first and last."""

from __future__ import annotations

from collections.abc import Iterable

from stma_ros.memory.tracked_object import TrackedObject
from stma_ros.types.standard import Time


class RoomSightings:
    """First and last sighting of each room, by room ids, which are never reused."""

    def __init__(self, seen: tuple[tuple[str, Time, Time], ...] = ()) -> None:
        """Creates the sightings of a new or of a saved map.

        Args:
            seen: as `saved` returns it.
        """
        self._seen = {room: (first, last) for room, first, last in seen}

    def observe(self, room: str, now: Time, inside: Iterable[TrackedObject]) -> tuple[Time, Time]:
        """Updates a room of the present map, and returns when it was first and last seen.

        A room is seen whenever one of the objects `inside` is.
        """
        times = [(item.first_seen, item.last_seen) for item in inside]
        first, last = self._seen.get(room, (now, now))
        first = min([first, *(time for time, _ in times)])
        last = max([last, *(time for _, time in times)])
        self._seen[room] = first, last
        return first, last

    def saved(self) -> tuple[tuple[str, Time, Time], ...]:
        """Returns id, first and last sighting of each room."""
        return tuple((room, *times) for room, times in self._seen.items())
