"""Answers, worked out once more from the ground truth message and the words of the question alone."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import numpy as np
import pytest

from stma_ros.evaluation.eqa.generation.catalogue import CATALOGUE
from stma_ros.evaluation.eqa.generation.episode import Category
from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.templates import recognition
from stma_ros.evaluation.eqa.generation.templates.template import Candidate, Template
from stma_ros.memory.nouns import plural
from stma_ros.types.standard import Time
from stma_ros.types.truth import GroundTruth, GroundTruthObject
from stma_ros.worlds.house.building.room_templates import ROOM_TEMPLATES
from stma_ros.worlds.house.kinds.furniture_kinds import FURNITURE
from stma_ros.worlds.house.kinds.item_kinds import ITEMS
from stma_ros.worlds.house.truth import truth_of
from stma_ros.worlds.robot.geometry import Placement

ADJECTIVE = re.compile(
    r"\bthe (large|small|red|blue|green|yellow|orange|pink|purple|white|black|grey|brown) "
)
TABLES = {"table", "dining table", "coffee table", "side table"}
EVER = {*FURNITURE, *ITEMS} - {"can"}  # most of them are verbs here
NUMBERS = ("none", "one", "two", "three", "four", "five", "six")


FLATS = range(1000, 1008)
SHARES = (0.01, 0.2, 0.4, 0.6, 0.8, 0.99)
"""Shares that decide answers."""

MOST = 6
"""Questions of a template, a flat and a share."""


@cache
def home_of(flat_seed: int) -> QuestionHome:
    return QuestionHome(flat_seed)


@cache
def truth_for(flat_seed: int) -> GroundTruth:
    flat = home_of(flat_seed).flat
    return truth_of(flat, "", Placement(0.0, 0.0, 0.0), flat.initial, Time())


class Words:
    """The nouns of a question, looked up in the ground truth."""

    def __init__(self, text: str, flat_seed: int) -> None:
        self.text = text.lower()
        self.truth = truth_for(flat_seed)
        self.rooms = {room.name: room.category for room in self.truth.rooms}
        self.categories = sorted({thing.category for thing in self.truth.objects}, key=len, reverse=True)

    def room(self) -> str:
        """Returns the name of the only room whose kind the question mentions last."""
        kinds = [kind for kind in self.rooms.values() if f"the {kind}" in self.text]
        kind = max(kinds, key=lambda kind: self.text.rindex(f"the {kind}"))
        (name,) = (name for name, other in self.rooms.items() if other == kind)
        return name

    def the(self) -> GroundTruthObject:
        """Returns the only object that the first definite description fits."""
        kinds = "|".join(map(re.escape, self.categories))
        places = "|".join(map(re.escape, {*self.rooms.values(), *self.categories}))
        for category, place in re.findall(rf"\bthe ({kinds})\b(?: (?:in|on) the ({places})\b)?", self.text):
            fitting = [thing for thing in self.truth.objects if thing.category.endswith(category)]
            supports = {thing.name: thing.category for thing in self.truth.objects}
            if place in self.rooms.values():
                fitting = [thing for thing in fitting if self.rooms[thing.room] == place]
            elif place:
                fitting = [thing for thing in fitting if supports.get(thing.support) == place]
            assert len(fitting) == 1, f"{self.text}: {[thing.name for thing in fitting]}"
            return fitting[0]
        raise AssertionError(f"no thing is named in {self.text!r}")

    def on_top(self, piece: GroundTruthObject) -> list[GroundTruthObject]:
        held = (thing for thing in self.truth.objects if thing.support == piece.name)
        return [thing for thing in held if not thing.inside and not thing.hidden]

    def mentioned(self) -> str:
        """Returns the longest category, in the singular or plural, that the question mentions."""
        found = [
            category
            for category in EVER
            if re.search(rf"\b({re.escape(category)}|{re.escape(plural(category))})\b", self.text)
        ]
        return max(found, key=len)


def has_state(state: str, yes: str, no: str) -> Callable[[Words], str]:
    return lambda words: yes if state in words.the().states else no


def count_things(words: Words) -> str:
    name = words.mentioned()
    kinds = TABLES if name == "table" else {kind for kind in EVER if kind == name or kind == f"bunk {name}"}
    in_room = any(f"the {kind}" in words.text for kind in words.rooms.values())
    things = [
        thing
        for thing in words.truth.objects
        if thing.category in kinds and (not in_room or thing.room == words.room())
    ]
    return NUMBERS[len(things)]


def exists(words: Words) -> str:
    in_room = any(f"the {kind}" in words.text for kind in words.rooms.values())
    things = [
        thing
        for thing in words.truth.objects
        if thing.category == words.mentioned() and (not in_room or thing.room == words.room())
    ]
    assert not things or any(not thing.hidden for thing in things)
    return "yes" if things else "no"


def where(words: Words) -> str:
    thing = words.the()
    (support,) = (piece for piece in words.truth.objects if piece.name == thing.support)
    noun = support.category.replace("tv", "TV")
    return f"{'in' if thing.inside else 'on'} the {noun} in the {words.rooms[thing.room]}"


def count_rooms(words: Words) -> str:
    (kind,) = (kind for kind in ROOM_TEMPLATES if re.search(rf"\b{re.escape(plural(kind))}\b", words.text))
    return NUMBERS[list(words.rooms.values()).count(kind)]


CHECKS: dict[str, Callable[[Words], str]] = {
    "is open": has_state("open", "yes", "no"),
    "is closed": has_state("open", "no", "yes"),
    "open or closed": has_state("open", "open", "closed"),
    "is on": has_state("on", "yes", "no"),
    "on or off": has_state("on", "on", "off"),
    "room of": lambda words: f"the {words.rooms[words.the().room]}",
    "where is": where,
    "how many": count_things,
    "how many in room": count_things,
    "how many on": lambda words: NUMBERS[len(words.on_top(words.the()))],
    "how many rooms": count_rooms,
    "exists": exists,
    "exists in room": exists,
}


TEMPLATES = [
    template
    for category, templates in CATALOGUE.items()
    if category is not Category.FALSE_PREMISE
    for template in templates
]


def asked(templates: Iterable[Template]) -> Iterator[tuple[Words, Candidate]]:
    """Yields questions of templates in some flats, with any of their answers, in all wordings."""
    rng = np.random.default_rng(5)
    for template, flat_seed, share in itertools.product(templates, FLATS, SHARES):
        for candidate in list(template.candidates(home_of(flat_seed), template.draw(rng, share)))[:MOST]:
            for wording in template.wordings:
                yield Words(wording.format(**candidate.words), flat_seed), candidate


@pytest.mark.parametrize("name", sorted(CHECKS))
def test_the_ground_truth_gives_the_same_answer(name: str) -> None:
    answers = set()
    for words, candidate in asked(template for template in TEMPLATES if template.name == name):
        if not ADJECTIVE.search(words.text):  # descriptions have tests of their own
            assert CHECKS[name](words) == candidate.answers[0], words.text
            answers.add(candidate.answers[0])
    assert len(answers) >= 2


def test_a_false_premise_names_what_no_object_is() -> None:
    nouns = set()
    for words, candidate in asked(CATALOGUE[Category.FALSE_PREMISE]):
        noun = words.mentioned()
        assert noun not in {thing.category for thing in words.truth.objects}
        assert candidate.answers[0] in (f"there is no {noun}", f"there are no {noun}")
        nouns.add(noun)
    assert len(nouns) > 10


def test_answer_names_all_that_lies_on_something() -> None:
    answers = set()
    for words, candidate in asked([recognition.THING_ON]):
        things = {thing.category for thing in words.on_top(words.the())}
        assert bool(things) == (candidate.answers[0] != "nothing"), words.text
        assert all(category in candidate.answers[0] for category in things), words.text
        answers.add(candidate.answers[0])
    assert len(answers) > 10
