"""Spatial understanding: what is next to what, nearer, bigger, or behind a door."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

from stma_ros.evaluation.eqa.generation.episode import Sight
from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.nouns import are, the, the_or_a
from stma_ros.evaluation.eqa.generation.survey import Survey, Where
from stma_ros.evaluation.eqa.generation.templates.localization import ROOM_WEIGHTS
from stma_ros.evaluation.eqa.generation.templates.template import (
    NO,
    YES,
    Aim,
    Candidate,
    Template,
    any_aim,
    weighted_aim,
    yes_or_no,
)
from stma_ros.worlds.house.flat import Furniture

_BESIDE, _FURTHER = 0.3, 0.8  # gap between neighbours, and to what is no neighbour [m]
_NEARER, _LARGER = 1.6, 1.35  # least ratios of distances and of areas that are obvious
_FLAT: Final = frozenset({"rug"})
_NO_LANDMARK: Final = frozenset({"rug", "chair", "stool", "bin"})


def _gap(one: Furniture, other: Furniture) -> float:
    return one.footprint.gap(other.footprint)


def _next_to(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for piece in home.pieces:
        named = home.naming.the(piece)
        if named is None or piece.category in _NO_LANDMARK:
            continue
        there = [
            other
            for other in home.pieces_in([piece.room])
            if other is not piece and other.category not in _FLAT
        ]
        gaps = sorted((_gap(piece, other), other.box, other) for other in there)
        near = [other for gap, _, other in gaps if gap <= _BESIDE]
        categories = {other.category for other in near}
        if not near or len(categories) > 2 or piece.category in categories:
            continue
        further = [
            other.category for gap, _, other in gaps if gap <= _FURTHER and other.category not in categories
        ]
        answers = [text for other in near for text in the_or_a(other.category)]
        answers += [f"the {category}" for category in further]
        sights = Sight(tuple((piece.name, other.name) for other in near))
        words = {"the": the(named), "are": are(piece.category)}
        yield Candidate(words, tuple(dict.fromkeys(answers)), (sights,))


def _nearer(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    named = [(piece, home.naming.the(piece)) for piece in home.pieces if piece.category not in _NO_LANDMARK]
    for (middle, said), (one, first), (other, second) in itertools.permutations(named, 3):
        if said is None or first is None or second is None or not middle.room == one.room == other.room:
            continue
        near, far = _gap(middle, one), _gap(middle, other)
        if far >= _NEARER * near and far - near >= 1.0:
            for a, b in ((first, second), (second, first)):
                words = {"the": the(said), "one": the(a), "other": the(b), "are": are(middle.category)}
                sights = (Sight.of(middle.name, one.name), Sight.of(other.name))
                yield Candidate(words, (the(first),), sights)


def _bigger_room(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    rooms = [(kind, room) for room, kind in enumerate(home.room_kinds) if home.single_room(kind) is not None]
    for (one, first), (other, second) in itertools.permutations(rooms, 2):
        areas = [home.flat.layout.rooms[room].floor.area for room in (first, second)]
        bigger = one if areas[0] > areas[1] else other
        if bigger == aim.answer and max(areas) >= _LARGER * min(areas):
            words = {"one": f"the {one}", "other": f"the {other}"}
            yield Candidate(words, (f"the {bigger}",), (), Survey(Where.FLOOR, (first, second)))


def _same_room(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    named = [
        (thing, said)
        for thing in home.in_view
        if (said := home.naming.the(thing)) is not None and said.place is None
    ]
    for (one, first), (other, second) in itertools.permutations(named, 2):
        # Of furniture everyone knows what stands together.
        if not one.portable or home.support(one) is home.support(other):
            continue
        if (home.room(one) == home.room(other)) == (aim.answer == YES):
            words = {"one": the(first), "other": the(second), "are": are(one.category)}
            yield Candidate(words, (aim.answer,), (Sight.of(one.name), Sight.of(other.name)))


def _door_between(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    doors = {frozenset(door.doorway.rooms): door for door in home.flat.doors}
    joined = {frozenset(doorway.rooms) for doorway in home.flat.layout.doorways}
    rooms = [room for room, kind in enumerate(home.room_kinds) if home.single_room(kind) is not None]
    for one, other in itertools.permutations(rooms, 2):
        pair = frozenset((one, other))
        words = {"one": f"the {home.room_kinds[one]}", "other": f"the {home.room_kinds[other]}"}
        if aim.answer == YES and pair in doors:
            yield Candidate(words, (YES,), (Sight.of(doors[pair].name),))
        if aim.answer == NO and pair not in joined:
            smaller = min(pair, key=lambda room: (home.flat.layout.rooms[room].floor.area, room))
            yield Candidate(words, (NO,), (), Survey(Where.FLOOR, (smaller,)))


NEXT_TO = Template(
    "next to",
    (
        "What is next to {the}?",
        "What stands beside {the}?",
        "Which piece of furniture is right next to {the}?",
        "Can you tell me what {the} {are} standing next to?",
    ),
    any_aim,
    _next_to,
)

NEARER = Template(
    "nearer",
    (
        "Which is closer to {the}, {one} or {other}?",
        "What is nearer to {the}: {one} or {other}?",
        "Which one {are} {the} closer to, {one} or {other}?",
    ),
    any_aim,
    _nearer,
)

BIGGER_ROOM = Template(
    "bigger room",
    (
        "Which room is bigger, {one} or {other}?",
        "Which room has more floor space, {one} or {other}?",
        "Which of the two rooms is larger, {one} or {other}?",
    ),
    weighted_aim(ROOM_WEIGHTS),
    _bigger_room,
)

SAME_ROOM = Template(
    "same room",
    (
        "Are {one} and {other} in the same room?",
        "{are} {one} in the same room as {other}?",
        "Would I find {one} and {other} in the same room?",
    ),
    yes_or_no(),
    _same_room,
)

DOOR_BETWEEN = Template(
    "door between",
    (
        "Is there a door between {one} and {other}?",
        "Does a door lead from {one} straight into {other}?",
        "Can I go from {one} through a door directly into {other}?",
    ),
    yes_or_no(),
    _door_between,
)
