"""Object localization: where something is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from stma_ros.evaluation.eqa.generation.episode import Sight
from stma_ros.evaluation.eqa.generation.home import QuestionHome, Thing
from stma_ros.evaluation.eqa.generation.nouns import are, the, they, written
from stma_ros.evaluation.eqa.generation.templates.template import (
    Aim,
    Candidate,
    Template,
    any_aim,
    weighted_aim,
)

ROOM_WEIGHTS: Final = {
    **dict.fromkeys(("kitchen", "living room", "bedroom"), 1.0),
    **dict.fromkeys(("bathroom", "hallway"), 1.0),
    **dict.fromkeys(("office", "children's room", "dining room"), 0.7),
    **dict.fromkeys(("laundry room", "storage room"), 0.7),
}
"""Rooms in answers and their weights: rarer ones need more flats."""

_IN_MANY_ROOMS: Final = frozenset(
    {
        *("plant", "floor lamp", "fan", "armchair", "rug", "piano", "shelf", "heater", "stool", "bench"),
        *("sideboard", "bookshelf", "wardrobe", "bin", "washing machine", "laundry basket", "desk"),
    }
)
"""Furniture that does not tell its room by its kind."""


def _movable(home: QuestionHome) -> tuple[Thing, ...]:
    return tuple(thing for thing in home.in_view if thing.portable or thing.category in _IN_MANY_ROOMS)


def _room_of(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for thing in _movable(home):
        named = home.naming.the(thing)
        kind = home.room_kind(thing)
        if named is None or named.place is not None or kind != aim.answer:
            continue
        words = {"the": the(named), "are": are(thing.category)}
        support = home.support(thing)
        seen = dict.fromkeys((thing.name, support.name))
        yield Candidate(words, (f"the {kind}", f"in the {kind}"), (Sight.of(*seen),))


def _place_of(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for item in sorted(home.items, key=lambda item: item.box):
        named = home.naming.the(item)
        if named is None or named.place is not None:
            continue
        support, kind = home.support(item), home.room_kind(item)
        words = {"the": the(named), "are": are(item.category), "they": they(item.category)}
        relation = "in" if item.inside else "on"
        place = f"{relation} the {written(support.category)}"
        answers = (f"{place} in the {kind}", place, f"in the {kind}, {place}")
        yield Candidate(words, answers, (Sight.of(item.name, support.name),))


ROOM_OF = Template(
    "room of",
    (
        "Which room {are} {the} in?",
        "In which room {are} {the}?",
        "In which room can I find {the}?",
        "Which room would I have to go to for {the}?",
        "Can you tell me which room {the} {are} in?",
    ),
    weighted_aim(ROOM_WEIGHTS),
    _room_of,
)

WHERE_IS = Template(
    "where is",
    (
        "Where {are} {the}?",
        "Where did I leave {the}?",
        "Where can I find {the}?",
        "I am looking for {the}. Where {are} {they}?",
        "Do you know where {the} {are}?",
        "Have you seen {the}? Where {are} {they}?",
    ),
    any_aim,
    _place_of,
)
