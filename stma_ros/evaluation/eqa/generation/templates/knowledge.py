"""World knowledge: what one can do in a room, by what is in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from stma_ros.evaluation.eqa.generation.episode import Sight
from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.nouns import number, the
from stma_ros.evaluation.eqa.generation.survey import Survey, Where
from stma_ros.evaluation.eqa.generation.templates.localization import ROOM_WEIGHTS
from stma_ros.evaluation.eqa.generation.templates.template import (
    NO,
    YES,
    Aim,
    Candidate,
    Template,
    weighted_aim,
    yes_or_no,
)

_TABLES: Final = ("desk", "table", "dining table", "workbench")
_SEATS: Final = ("chair", "office chair", "stool", "armchair", "sofa", "bench", "bed", "bunk bed")


@dataclass(frozen=True)
class _Activity:
    """What people do at home: it takes one thing of each group; a room with any of `instead` might do, too."""

    needs: tuple[tuple[str, ...], ...]
    rooms: tuple[str, ...]
    instead: tuple[str, ...] = ()


_ACTIVITIES: Final[dict[str, _Activity]] = {
    "do homework at a table": _Activity(
        (_TABLES, ("chair", "office chair", "stool")), ("bedroom", "office", "children's room", "kitchen")
    ),
    "take a bath": _Activity((("bathtub",),), ("bathroom",)),
    "take a shower": _Activity((("shower",),), ("bathroom",), ("bathtub",)),
    "wash a load of clothes": _Activity((("washing machine",),), ("bathroom",)),
    "play the piano": _Activity((("piano",),), ("living room", "dining room")),
    "hang up my coat": _Activity((("coat rack",),), ("hallway",)),
    "iron a shirt": _Activity((("ironing board",),), ("laundry room",)),
    "sit down": _Activity((_SEATS,), ("hallway", "storage room"), ("chest",)),
    "read in an armchair": _Activity((("armchair",),), ("living room", "office")),
    "cool off in front of a fan": _Activity((("fan",),), ("living room", "bedroom", "office")),
    "warm myself at a heater": _Activity((("heater",),), ("bedroom", "bathroom", "laundry room")),
    "throw away waste paper": _Activity((("bin",),), ("office", "kitchen")),
    "read by the light of a floor lamp": _Activity(
        (("floor lamp",),), ("living room", "office", "bedroom", "children's room"), ("table lamp",)
    ),
}
"""What some rooms allow and others do not."""

_BEST: Final[dict[str, tuple[str, ...]]] = {
    "play the piano": ("piano",),
    "iron a shirt": ("ironing board",),
    "wash a load of clothes": ("washing machine",),
    "take a bath": ("bathtub",),
    "work at a desk": ("desk",),
    "cool off in front of a fan": ("fan",),
    "warm up at a heater": ("heater",),
    "hang up a coat": ("coat rack",),
    "put muddy shoes away": ("shoe rack",),
    "repair something at a workbench": ("workbench",),
    "get something out of the freezer": ("freezer",),
    "look up something in a filing cabinet": ("filing cabinet",),
    "sit on a bench": ("bench",),
    "read in an armchair": ("armchair",),
    "put a child into a bunk bed": ("bunk bed",),
    "eat at a dining table": ("dining table",),
    "dry clothes in a machine": ("dryer",),
}
"""What people go to one room for, and the furniture that decides which."""

_AT_TABLE = 0.45  # gap between a table and the chairs that belong to it [m]


def _possible(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for subject in aim.subjects:
        room_kind, _, activity = subject.partition("/")
        room = home.single_room(room_kind)
        if room is None:
            continue
        needs, instead = _ACTIVITIES[activity].needs, _ACTIVITIES[activity].instead
        there = [thing for thing in home.in_view if home.room(thing) == room]
        groups = [tuple(thing.name for thing in there if thing.category in group) for group in needs]
        words = {"activity": activity, "room": f"the {room_kind}"}
        if aim.answer == YES and all(groups):
            yield Candidate(words, (YES,), tuple(Sight.any_of(group) for group in groups))
            return
        kinds = {thing.category for thing in home.everything if home.room(thing) == room}
        lacking = [group for group in needs if kinds.isdisjoint(group)]
        if aim.answer == NO and lacking and kinds.isdisjoint(instead):
            yield Candidate(words, (NO,), (), Survey(Where.FLOOR, (room,)))
            return


def _best_room(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for purpose, categories in _BEST.items():
        things = [thing for category in categories for thing in home.things(category)]
        kinds = {home.room_kind(thing) for thing in things}
        if kinds == {aim.answer}:
            sight = Sight.any_of(tuple(thing.name for thing in things))
            yield Candidate({"purpose": purpose}, (f"the {aim.answer}", f"in the {aim.answer}"), (sight,))


def _seats(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for table in home.pieces:
        named = home.naming.the(table)
        if named is None or table.category not in ("table", "dining table"):
            continue
        chairs = [piece for piece in home.pieces_in([table.room]) if piece.category == "chair"]
        at_table = [chair for chair in chairs if chair.footprint.gap(table.footprint) <= _AT_TABLE]
        if len(at_table) == len(chairs) == int(aim.answer):
            sights = (Sight.of(table.name), *(Sight.of(chair.name) for chair in chairs))
            answers = (number(len(chairs)), str(len(chairs)), f"{number(len(chairs))} people")
            yield Candidate({"the": the(named)}, answers, sights, Survey(Where.FLOOR, (table.room,)))


POSSIBLE = Template(
    "possible",
    (
        "Can I {activity} in {room}?",
        "Would it be possible to {activity} in {room}?",
        "I want to {activity}. Can I do that in {room}?",
        "Is {room} a place where I can {activity}?",
    ),
    yes_or_no(tuple(f"{room}/{name}" for name, activity in _ACTIVITIES.items() for room in activity.rooms)),
    _possible,
)

BEST_ROOM = Template(
    "best room",
    (
        "Which room should I go to if I want to {purpose}?",
        "In which room can I {purpose}?",
        "I want to {purpose}. Which room is right for that?",
    ),
    weighted_aim({kind: weight for kind, weight in ROOM_WEIGHTS.items() if kind != "kitchen"}),
    _best_room,
)

SEATS = Template(
    "seats",
    (
        "How many people can eat at {the} if nobody brings another chair?",
        "For how many guests are there chairs at {the}?",
        "How many people could sit down at {the} right now?",
    ),
    weighted_aim({"1": 0.3, "2": 0.4, "3": 0.15, "4": 0.15}),
    _seats,
)
