"""Counting: how many there are, from none to four."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from stma_ros.evaluation.eqa.generation.episode import Sight
from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.nouns import called, many, number, the
from stma_ros.evaluation.eqa.generation.survey import Survey, Where
from stma_ros.evaluation.eqa.generation.templates.existence import all_rooms, where_it_could_be
from stma_ros.evaluation.eqa.generation.templates.recognition import has_top
from stma_ros.evaluation.eqa.generation.templates.template import (
    Aim,
    Candidate,
    Template,
    even_aim,
    weighted_aim,
)

_IN_FLAT: Final = (
    *("table", "armchair", "wardrobe", "plant", "rug", "floor lamp", "bed", "fan", "bin", "heater", "chair"),
    *("stool", "desk", "laundry basket", "toilet", "washbasin", "bench", "dresser", "mug", "bowl", "plate"),
    *("glass", "book", "cushion", "toy car", "ball", "candle", "shoe", "bag", "hat", "magazine", "vase"),
    *("towel", "pillow", "shirt", "apple", "picture frame", "doll", "teddy bear", "clock"),
)
_IN_ROOM: Final = (
    *("table", "chair", "counter", "plant", "shelf", "bookshelf", "cupboard", "rug", "nightstand", "stool"),
    *("armchair", "floor lamp", "fan", "cabinet", "mug", "bowl", "plate", "glass", "book", "cushion"),
    *("toy car", "ball", "candle", "shoe", "magazine", "towel", "pillow", "shirt"),
)
_KINDS: Final = {
    "table": frozenset({"table", "dining table", "coffee table", "side table"}),
    "bed": frozenset({"bed", "bunk bed"}),
}
"""Names with several categories below them, all of which are counted."""

_ROOMS: Final = ("bedroom", "bathroom", "living room", "office", "hallway", "children's room")


def _answers(count: int) -> tuple[str, ...]:
    """Returns a number in words and in figures."""
    words = number(count)
    return (words, "zero", "0") if count == 0 else (words, str(count))


def _counted(home: QuestionHome, aim: Aim, rooms: tuple[int, ...], name: str) -> Candidate | None:
    """Returns the candidate for things of a name in some rooms, if so many are wanted and none is hidden."""
    kinds = _KINDS.get(name, frozenset({name}))
    there = [thing for thing in home.everything if home.room(thing) in rooms]
    things = [thing for thing in home.in_view if thing.category in kinds and home.room(thing) in rooms]
    hidden = sum(thing.category in kinds for thing in there) - len(things)
    if (
        len(things) != int(aim.answer)
        or hidden
        or not called(name, {thing.category for thing in there}) <= kinds
    ):
        return None
    sights = tuple(Sight.of(thing.name) for thing in things)
    survey = Survey(_where(kinds), rooms)
    return Candidate({"many": many(name)}, _answers(len(things)), sights, survey)


def _where(kinds: frozenset[str]) -> Where:
    return Where.SURFACES if any(where_it_could_be(kind) is Where.SURFACES for kind in kinds) else Where.FLOOR


def _in_flat(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for category in aim.subjects:
        candidate = _counted(home, aim, all_rooms(home), category)
        if candidate is not None:
            yield candidate


def _in_room(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for category in aim.subjects:
        for room, kind in enumerate(home.room_kinds):
            if home.single_room(kind) is None:
                continue
            candidate = _counted(home, aim, (room,), category)
            # Nobody asks for the number of beds in a bathroom.
            if candidate is not None and (candidate.sights or home.usual(category, kind)):
                words = {**candidate.words, "room": f"the {kind}"}
                yield Candidate(words, candidate.answers, candidate.sights, candidate.survey)


def _rooms(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for kind in _ROOMS:
        count = home.room_kinds.count(kind)
        if count == int(aim.answer):
            yield Candidate({"many": many(kind)}, _answers(count), (), Survey(Where.ROOMS, all_rooms(home)))


def _doors(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    doors = home.flat.doors
    if len(doors) == int(aim.answer):
        sights = tuple(Sight.of(door.name) for door in sorted(doors, key=lambda door: door.box))
        yield Candidate({}, _answers(len(doors)), sights, Survey(Where.ROOMS, all_rooms(home)))


def _on(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for piece in home.pieces:
        named, items = home.naming.the(piece), home.items_on(piece)
        if named is not None and has_top(piece) and len(items) == int(aim.answer):
            sight = (
                Sight.of(*(item.name for item in items)) if items else Sight.of(piece.name, from_front=True)
            )
            yield Candidate({"the": the(named)}, _answers(len(items)), (sight,))


HOW_MANY = Template(
    "how many",
    (
        "How many {many} are there in this flat?",
        "How many {many} do we have here?",
        "Can you count the {many} in this flat?",
    ),
    weighted_aim({"0": 0.15, "1": 0.25, "2": 0.25, "3": 0.2, "4": 0.15}, _IN_FLAT),
    _in_flat,
)

HOW_MANY_IN_ROOM = Template(
    "how many in room",
    (
        "How many {many} are in {room}?",
        "How many {many} does {room} have?",
        "Can you count the {many} in {room}?",
    ),
    weighted_aim({"0": 0.2, "1": 0.3, "2": 0.3, "3": 0.1, "4": 0.1}, _IN_ROOM),
    _in_room,
)

HOW_MANY_ROOMS = Template(
    "how many rooms",
    ("How many {many} does this flat have in all?", "What is the number of {many} in this flat?"),
    weighted_aim({"0": 0.3, "1": 0.3, "2": 0.4}),
    _rooms,
)

HOW_MANY_DOORS = Template(
    "how many doors",
    (
        "How many doors are there between the rooms of this flat?",
        "How many doors does this flat have inside?",
        "Can you count the inner doors of this flat?",
    ),
    even_aim(("1", "2", "3", "4", "5", "6")),
    _doors,
)

HOW_MANY_ON = Template(
    "how many on",
    ("How many things are on {the}?", "How many objects can you count on {the}?"),
    weighted_aim({"0": 0.1, "1": 0.25, "2": 0.35, "3": 0.3}),
    _on,
)
