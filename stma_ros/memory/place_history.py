"""Where a thing was, and what of it held: the answers to "where did you last see it?"."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory.boxes import Box
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import CompressedImage, Time

MAX_INTERVALS = 16
"""Stays that are remembered of each thing, and facts on it that hold no more; the newest."""

MAX_PICTURES = 400
"""Pictures that are kept in all; the newest."""


@dataclass(frozen=True)
class PlaceInterval:
    """One time that a thing was at one place.

    predicate, holder: what it was in, on or held by (words.IN, ON, HELD_BY and an id); both empty: not known. room: an
    id; empty: not known. box: None in the hand. picture: stamp of the newest keyframe that shows it; 0 = none.
    """

    predicate: str
    holder: str
    room: str
    box: Box | None
    first_seen: Time
    last_seen: Time
    picture: Time = Time()

    def moved(self, pose: NDArray[np.float64]) -> PlaceInterval:
        """After a correction of the map by the rigid 4x4 `pose`."""
        return self if self.box is None else replace(self, box=self.box.moved(pose))


def with_interval(intervals: tuple[PlaceInterval, ...], interval: PlaceInterval) -> tuple[PlaceInterval, ...]:
    """A new stay begins; the oldest are forgotten."""
    return (*intervals, interval)[-MAX_INTERVALS:]


def with_ended_facts(past: tuple[Relation, ...], ended: tuple[Relation, ...]) -> tuple[Relation, ...]:
    """Facts hold no more; the oldest are forgotten."""
    return (*past, *ended)[-MAX_INTERVALS:]


class PictureStore:
    """The pictures of keyframes that some stay refers to, by the keyframe's stamp."""

    def __init__(self, pictures: tuple[tuple[Time, CompressedImage], ...] = ()) -> None:
        self._pictures = {stamp.nanoseconds: picture for stamp, picture in pictures}

    def __len__(self) -> int:
        return len(self._pictures)

    def add(self, stamp: Time, picture: CompressedImage) -> None:
        if len(picture.data):
            self._pictures[stamp.nanoseconds] = picture

    def get(self, stamp: Time) -> CompressedImage | None:
        return self._pictures.get(stamp.nanoseconds)

    def retain(self, needed: frozenset[int]) -> None:
        """Forget what is not needed (stamps [ns]), and beyond MAX_PICTURES the oldest."""
        kept = sorted(stamp for stamp in self._pictures if stamp in needed)[-MAX_PICTURES:]
        self._pictures = {stamp: self._pictures[stamp] for stamp in kept}

    def saved(self) -> tuple[tuple[Time, CompressedImage], ...]:
        """By their stamps, oldest first."""
        return tuple(
            (Time.from_nanoseconds(stamp), self._pictures[stamp]) for stamp in sorted(self._pictures)
        )
