"""Answers "where did you last see X?" from the objects of a scene graph."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stma_ros.library.last_seen import NOWHERE, OTHERS_NAMED, last_seen_text
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import SMALL, Description, DescriptionReader
from stma_ros.memory.elapsed_time import ago
from stma_ros.memory.place_history import KeyframePicture, PlaceInterval
from stma_ros.memory.tracked_object import TrackedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.remembering import ObjectQuery, ObjectQueryResult, Sighting
from stma_ros.types.standard import CompressedImage, Header, Time

MOVED = 0.3
"""Distance from which on an object has moved within the same holder or room [m]."""

_ID = re.compile(r"\w+_\d+")


@dataclass(frozen=True)
class SightingIndex:
    """Looks up where objects were seen, by description or id.

    Attributes:
        knowledge: Knowledge of categories in the domain.
        reader: Reader of descriptions in the domain.
        things: The remembered objects.
        kinds: Categories of objects and rooms by id.
        picture: Returns the picture of the keyframe with a stamp; None if it is no longer stored.
        unconfirmed: Things of which another look must tell whether they exist; they are told as such, and only where no
            known one fits.
    """

    knowledge: CategoryKnowledge
    reader: DescriptionReader
    things: Sequence[TrackedObject]
    kinds: Mapping[str, str]
    picture: Callable[[Time], KeyframePicture | None]
    unconfirmed: Sequence[TrackedObject] = ()

    def answer(self, query: ObjectQuery, header: Header) -> ObjectQueryResult:
        """Returns the sightings of the described objects, best match first, and a sentence about the first of them.

        Args:
            query: A description or an id.
            header: The map's frame, and the stamp up to which frames have been processed.
        """
        asked = query.description.strip()
        found = [thing for thing in self.things if thing.id.lower() == asked.lower()]
        text = self._unknown_id(asked)
        if not found and not _ID.fullmatch(asked):
            wanted = self.reader.description(asked)
            if wanted is None:
                text = (
                    f"{asked!r} names no thing that I could look up. Name one by its kind, its colour and its place "
                    "('the red mug', 'the keys in the hall'), or by its id ('mug_1')."
                )
            else:
                found = self.find(wanted)
                text = f"I have not seen {_a(str(wanted))}{self._instead(wanted)}."
        if not found:
            error = Error(ErrorCode.NOT_REMEMBERED, text)
            return ObjectQueryResult(
                header=header, request_id=query.request_id, text=text, sightings=(), error=error
            )
        sightings = [sighting for thing in found for sighting in self._sightings(thing)]
        text = self._sentence(found, header.stamp)
        return ObjectQueryResult(
            header=header,
            request_id=query.request_id,
            text=text,
            sightings=tuple(sightings[: query.limit or None]),
        )

    def find(self, wanted: Description) -> list[TrackedObject]:
        """Returns the objects that match a description, best first: those of the exact colour, at the place, still
        there, and seen last."""
        knowledge = self.knowledge
        kind = self._of_kind(self.things, wanted)
        kind = kind or [thing for thing in self.things if knowledge.is_alike(thing.category, wanted.category)]
        found = _of_size(
            wanted.size, [thing for thing in kind if _has_colours(thing, wanted.colours, knowledge)]
        )
        return sorted(
            found,
            key=lambda thing: (
                not all(thing.colour == colour for colour in wanted.colours),
                wanted.place is not None and not self._was_at(thing, wanted.place),
                not _is_present(thing),
                -thing.last_seen.nanoseconds,
            ),
        )

    def _of_kind(self, things: Sequence[TrackedObject], wanted: Description) -> list[TrackedObject]:
        return [thing for thing in things if self.knowledge.is_kind(thing.category, wanted.category)]

    def changes_since(self, stamp: Time) -> list[str]:
        """Returns a sentence for each object that has moved since a stamp: "mug_1 moved from table_1 to sink_1"."""
        changes = []
        for thing in self.things:
            before = [interval for interval in thing.place_history if interval.first_seen <= stamp]
            if not before:
                continue
            then, now = before[-1], thing.place_history[-1]
            if not _is_present(thing):
                changes.append(f"{thing.id} is no longer {self._spoken(now) or 'where it was'}")
            elif _short(then) != _short(now):
                changes.append(f"{thing.id} moved from {_short(then)} to {_short(now)}")
            elif _has_moved(then, now):
                changes.append(f"{thing.id} moved within {_short(now)}")
        return changes

    def _sightings(self, thing: TrackedObject) -> Iterator[Sighting]:
        """Yields a sighting for each interval at one place, the newest first."""
        for interval in reversed(thing.place_history):
            picture = self.picture(interval.picture) or KeyframePicture(CompressedImage())
            yield Sighting(
                object_id=thing.id,
                category=thing.category,
                color=thing.color,
                first_seen=interval.first_seen,
                last_seen=interval.last_seen,
                position=NOWHERE if interval.box is None else interval.box.center,
                place=self._place(interval),
                present=interval is thing.place_history[-1] and _is_present(thing),
                confidence=thing.confidence,
                picture=picture.image,
                camera=picture.camera,
            )

    def _place(self, interval: PlaceInterval) -> str:
        """Returns a place with ids: "on table_1, in room_2 (kitchen)"; empty if it is not known."""
        kind = self.kinds.get(interval.room, "")
        room = f"in {interval.room} ({kind})" if kind else f"in {interval.room}"
        return ", ".join(part for part in (_holder(interval), room if interval.room else "") if part)

    def _spoken(self, interval: PlaceInterval) -> str:
        """Returns a place for a sentence: "on table_1 in the kitchen"."""
        kind = self.kinds.get(interval.room, "")
        room = f"in the {kind}" if kind else f"in {interval.room}"
        return " ".join(part for part in (_holder(interval), room if interval.room else "") if part)

    def _was_at(self, thing: TrackedObject, place: Description) -> bool:
        return any(self._is_at(interval, place) for interval in thing.place_history)

    def _is_at(self, interval: PlaceInterval, place: Description) -> bool:
        if place.id:
            return place.id in (interval.holder, interval.room)
        kinds = [self.kinds.get(name, "") for name in (interval.holder, interval.room)]
        return any(kind and self.knowledge.is_kind(kind, place.category) for kind in kinds)

    def _sentence(self, found: Sequence[TrackedObject], now: Time) -> str:
        first, *others = found
        return last_seen_text(
            _name(first),
            ago(first.last_seen, now),
            self._spoken(first.place_history[-1]),
            _is_present(first),
            [(thing.id, self._place(thing.place_history[-1])) for thing in others],
        )

    def _unknown_id(self, asked: str) -> str:
        for thing in self.unconfirmed:
            if thing.id.lower() == asked.lower():
                seen = f"was seen {self._spoken(thing.place_history[-1])}".rstrip()
                return f"I am not sure that there is {thing.id}; what may be {_a(thing.category)} {seen}."
        return f"I remember nothing that is called {asked}."

    def _instead(self, wanted: Description) -> str:
        """Returns the end of a sentence, which names what may be one, or the most similar objects that were seen."""
        maybe = self._of_kind(self.unconfirmed, wanted)
        if maybe:
            likeliest = max(maybe, key=lambda thing: thing.confidence)
            where = self._spoken(likeliest.place_history[-1])
            return f" for sure; what may be one was seen {where}".rstrip() + f" ({likeliest.id})"
        if not self.things:
            return "; I have seen nothing yet"
        near = self._of_kind(self.things, wanted)
        if not near:
            kinds = dict.fromkeys(thing.category for thing in self.things)
            close = difflib.get_close_matches(wanted.category, kinds, n=1, cutoff=0.75)
            near = [thing for thing in self.things if thing.category in close]
        if not near:
            return f" among the {len(self.things)} things that I remember"
        return "; I have seen " + ", ".join(_name(thing) for thing in near[:OTHERS_NAMED])


def _is_present(thing: TrackedObject) -> bool:
    """Returns whether an object is where it was last seen, or in the hand."""
    return thing.is_present or thing.place_history[-1].predicate == words.HELD_BY


def _name(thing: TrackedObject) -> str:
    """Returns the name of an object for a sentence: "the red mug (mug_2)"."""
    return f"the {' '.join(filter(None, (thing.colour, thing.category)))} ({thing.id})"


def _holder(interval: PlaceInterval) -> str:
    if interval.predicate == words.HELD_BY:
        return "in the hand"
    return f"{interval.predicate} {interval.holder}" if interval.holder else ""


def _short(interval: PlaceInterval) -> str:
    """Returns the id of the holder: "table_1", or the room if there is no holder."""
    return (
        "the hand" if interval.predicate == words.HELD_BY else interval.holder or interval.room or "elsewhere"
    )


def _has_moved(then: PlaceInterval, now: PlaceInterval) -> bool:
    if then.box is None or now.box is None:
        return False
    return float(np.linalg.norm(now.box.middle - then.box.middle)) >= MOVED


def _has_colours(thing: TrackedObject, colours: Sequence[str], knowledge: CategoryKnowledge) -> bool:
    seen = thing.colour
    return all(seen == colour or knowledge.is_shade(seen, colour) for colour in colours)


def _of_size(size: str, things: list[TrackedObject]) -> list[TrackedObject]:
    """Returns the smaller or the larger half of objects of one category."""
    if not size:
        return things
    ordered = sorted(things, key=lambda thing: thing.box.volume, reverse=size != SMALL)
    return ordered[: (len(ordered) + 1) // 2]


def _a(phrase: str) -> str:
    return f"an {phrase}" if phrase[:1] in "aeiou" else f"a {phrase}"
