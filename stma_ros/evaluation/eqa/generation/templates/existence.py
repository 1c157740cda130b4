"""Existence: whether something is there. The answer "no" takes a look at every place where it could be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from stma_ros.evaluation.eqa.generation.episode import Sight
from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.nouns import a, are, called
from stma_ros.evaluation.eqa.generation.survey import Survey, Where
from stma_ros.evaluation.eqa.generation.templates.template import NO, YES, Aim, Candidate, Template, yes_or_no
from stma_ros.worlds.house.kinds.furniture_kinds import FURNITURE

IN_SOME_FLATS: Final = (
    *("piano", "bathtub", "shower", "dryer", "microwave", "bunk bed", "coat rack", "bench", "fan", "heater"),
    *("ironing board", "washing machine", "shoe rack", "armchair", "dresser", "desk", "laundry basket"),
    *("office chair", "chest", "laptop", "phone", "magazine", "sponge", "teddy bear", "watering can"),
    *("notebook", "headphones", "kettle", "radio", "vase", "blanket", "cactus", "globe", "clock", "remote"),
    *("cushion", "tray", "table lamp", "bowl", "pot", "candle", "hammer", "umbrella", "backpack", "iron"),
    *(
        "picture frame",
        "stapler",
        "toaster",
        "wallet",
        "coffee machine",
        "toothbrush",
        "torch",
        "doll",
        "hat",
    ),
    *("camera", "chopping board", "pineapple", "banana"),
)
"""Categories that some flats have and others have not."""

_IN_ROOMS: Final = {
    "kitchen": ("microwave", "bin", "kettle", "toaster", "coffee machine", "sponge", "tray", "plate"),
    "living room": ("piano", "armchair", "fan", "plant", "rug", "floor lamp", "side table", "globe"),
    "bedroom": (
        "heater",
        "fan",
        "plant",
        "rug",
        "chair",
        "shelf",
        "laptop",
        "teddy bear",
        "radio",
        "table lamp",
    ),
    "bathroom": ("bathtub", "shower", "washing machine", "heater", "laundry basket", "shelf", "shampoo"),
    "hallway": ("bench", "shoe rack", "coat rack", "wardrobe", "plant", "shelf", "umbrella", "backpack"),
    "office": ("armchair", "floor lamp", "fan", "rug", "plant", "bin", "laptop", "globe", "stapler"),
}
"""What some rooms of a kind have and others have not."""


def where_it_could_be(category: str) -> Where:
    """Returns where a thing of a category could be."""
    return Where.FLOOR if category in FURNITURE else Where.SURFACES


def all_rooms(home: QuestionHome) -> tuple[int, ...]:
    return tuple(range(len(home.room_kinds)))


def _in_flat(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for category in aim.subjects:
        words = {"a": a(category), "are": are(category)}
        things = home.things(category)
        if aim.answer == YES and things:
            sight = Sight.any_of(tuple(thing.name for thing in things))
            yield Candidate(words, (YES,), (sight,))
            return
        if aim.answer == NO and not called(category, home.categories):
            yield Candidate(words, (NO,), (), Survey(where_it_could_be(category), all_rooms(home)))
            return


def _in_room(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for subject in aim.subjects:
        kind, category = subject.split("/")
        room = home.single_room(kind)
        if room is None:
            continue
        words = {"a": a(category), "are": are(category), "room": f"the {kind}"}
        there = [thing for thing in home.things(category) if home.room(thing) == room]
        if aim.answer == YES and there:
            yield Candidate(words, (YES,), (Sight.any_of(tuple(thing.name for thing in there)),))
            return
        if aim.answer == NO and not called(category, home.categories_in(room)):
            yield Candidate(words, (NO,), (), Survey(where_it_could_be(category), (room,)))
            return


EXISTS = Template(
    "exists",
    (
        "{are} there {a} in this flat?",
        "{are} there {a} anywhere in the flat?",
        "Do we have {a} here?",
        "Can you find {a} in this home?",
        "Have you seen {a} in the flat?",
    ),
    yes_or_no(IN_SOME_FLATS),
    _in_flat,
)

EXISTS_IN_ROOM = Template(
    "exists in room",
    (
        "{are} there {a} in {room}?",
        "Does {room} have {a}?",
        "Can I find {a} in {room}?",
        "Have you seen {a} in {room}?",
    ),
    yes_or_no(tuple(f"{kind}/{category}" for kind, those in _IN_ROOMS.items() for category in those)),
    _in_room,
)
