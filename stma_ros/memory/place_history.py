"""The places where an object was, with pictures: the data behind "where did you last see it?"."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory.boxes import Box
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import CompressedImage, Pose, Time

MAX_INTERVALS = 16
"""Place intervals and past facts that are stored for each object; the newest ones."""

MAX_PICTURES = 400
"""Pictures that are stored in all; the newest ones."""


@dataclass(frozen=True)
class PlaceInterval:
    """A time during which an object was at one place.

    Attributes:
        predicate: words.IN, ON or HELD_BY; empty = the holder is not known.
        holder: id of the object that holds it, or words.ROBOT; empty = not known.
        room: id of the room; empty = not known.
        box: its box there, in the map frame; None while it is in the hand.
        first_seen, last_seen: stamps of the first and the last observation there.
        picture: stamp of the newest keyframe that shows it there; 0 = no keyframe does.
    """

    predicate: str
    holder: str
    room: str
    box: Box | None
    first_seen: Time
    last_seen: Time
    picture: Time = Time()

    def moved(self, pose: NDArray[np.float64]) -> PlaceInterval:
        """Returns the interval after the map was corrected by the rigid 4x4 `pose`."""
        return self if self.box is None else replace(self, box=self.box.moved(pose))


def with_interval(intervals: tuple[PlaceInterval, ...], interval: PlaceInterval) -> tuple[PlaceInterval, ...]:
    """Returns the intervals with a new one at the end; the oldest ones are dropped beyond MAX_INTERVALS."""
    return (*intervals, interval)[-MAX_INTERVALS:]


def taken_from(intervals: tuple[PlaceInterval, ...], since: Time) -> PlaceInterval | None:
    """Returns the interval before the first one in the robot's hand that ended after `since` or has not ended; None if
    there is none, or if the place before is no longer stored."""
    for index, interval in enumerate(intervals):
        has_ended = index + 1 < len(intervals) and intervals[index + 1].first_seen <= since
        if interval.predicate == words.HELD_BY and not has_ended:
            return intervals[index - 1] if index else None
    return None


def with_ended_facts(past: tuple[Relation, ...], ended: tuple[Relation, ...]) -> tuple[Relation, ...]:
    """Returns the past facts with those that just ended; the oldest ones are dropped beyond MAX_INTERVALS."""
    return (*past, *ended)[-MAX_INTERVALS:]


@dataclass(frozen=True)
class KeyframePicture:
    """A picture of a keyframe.

    Attributes:
        image: the compressed colour image.
        camera: pose of the optical frame in the map frame when it was taken; NaN = not known.
    """

    image: CompressedImage
    camera: Pose = Pose.none()


class PictureStore:
    """Pictures of keyframes to which a place interval refers, by the stamp of the keyframe."""

    def __init__(self, pictures: tuple[tuple[Time, KeyframePicture], ...] = ()) -> None:
        self._pictures = {stamp.nanoseconds: picture for stamp, picture in pictures}

    def __len__(self) -> int:
        return len(self._pictures)

    def add(self, stamp: Time, picture: KeyframePicture) -> None:
        """Stores the picture of the keyframe with this stamp, unless it is empty."""
        if len(picture.image.data):
            self._pictures[stamp.nanoseconds] = picture

    def get(self, stamp: Time) -> KeyframePicture | None:
        """Returns the picture of the keyframe with this stamp; None if there is none."""
        return self._pictures.get(stamp.nanoseconds)

    def retain(self, needed: frozenset[int]) -> None:
        """Drops all pictures but those with the stamps `needed` [ns], and of these the oldest beyond MAX_PICTURES."""
        remaining = sorted(stamp for stamp in self._pictures if stamp in needed)[-MAX_PICTURES:]
        self._pictures = {stamp: self._pictures[stamp] for stamp in remaining}

    def saved(self) -> tuple[tuple[Time, KeyframePicture], ...]:
        """Returns stamps and pictures, oldest first."""
        return tuple(
            (Time.from_nanoseconds(stamp), self._pictures[stamp]) for stamp in sorted(self._pictures)
        )
