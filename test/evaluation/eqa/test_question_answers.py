"""Answers, worked out once more from the ground truth message and the words of the question alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import pytest

from stma_ros.evaluation.eqa.generation.episode import Category, QuestionEpisode
from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.memory.nouns import plural
from stma_ros.types.standard import Time
from stma_ros.types.truth import GroundTruth, GroundTruthObject
from stma_ros.worlds.house.truth import truth_of
from stma_ros.worlds.robot.geometry import Placement

ADJECTIVE = re.compile(
    r"\bthe (large|small|red|blue|green|yellow|orange|pink|purple|white|black|grey|brown) "
)
NUMBERS = ("none", "one", "two", "three", "four", "five", "six")


@lru_cache(maxsize=4)
def truth_for(flat_seed: int) -> GroundTruth:
    flat = QuestionHome(flat_seed).flat
    return truth_of(flat, "", Placement(0.0, 0.0, 0.0), flat.initial, Time())


class Words:
    """The nouns of a question, looked up in the ground truth."""

    def __init__(self, episode: QuestionEpisode) -> None:
        self.text = episode.task.text.lower()
        self.truth = truth_for(episode.flat_seed)
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
        pattern = rf"\bthe ({kinds})(?: (?:in|on) the ([a-z' ]+?))?(?=[.?:,]| is\b| are\b| in\?| stand|$)"
        for category, place in re.findall(pattern, self.text):
            fitting = [thing for thing in self.truth.objects if thing.category.endswith(category)]
            if place and any(place.startswith(kind) for kind in self.rooms.values()):
                fitting = [thing for thing in fitting if place.startswith(self.rooms[thing.room])]
            elif place:
                supports = {thing.name: thing.category for thing in self.truth.objects}
                fitting = [thing for thing in fitting if place.startswith(supports.get(thing.support, "-"))]
            assert len(fitting) == 1, f"{self.text}: {[thing.name for thing in fitting]}"
            return fitting[0]
        raise AssertionError(f"no thing is named in {self.text!r}")

    def on_top(self, piece: GroundTruthObject) -> list[GroundTruthObject]:
        held = (thing for thing in self.truth.objects if thing.support == piece.name)
        return [thing for thing in held if not thing.inside and not thing.hidden]

    def mentioned(self) -> str:
        """Returns the longest category, in the singular or plural, that the question mentions."""
        known = {*self.categories, *EVER}
        found = [
            category
            for category in known
            if re.search(rf"\b({re.escape(category)}|{re.escape(plural(category))})\b", self.text)
        ]
        return max(found, key=len)


EVER = {thing.category for seed in range(1000, 1012) for thing in truth_for(seed).objects}


def has_state(state: str, yes: str, no: str) -> Callable[[Words], str]:
    return lambda words: yes if state in words.the().states else no


def count_things(words: Words) -> str:
    kinds = [category for category in EVER if f" {plural(category)} " in words.text.replace("?", " ")]
    category = max(kinds, key=len)
    in_room = any(f"the {kind}" in words.text for kind in words.rooms.values())
    things = [
        thing
        for thing in words.truth.objects
        if thing.category == category and (not in_room or thing.room == words.room())
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
    kinds = {room.category for seed in range(1000, 1012) for room in truth_for(seed).rooms}
    (kind,) = (kind for kind in kinds if re.search(rf"\b{re.escape(plural(kind))}\b", words.text))
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


@pytest.mark.slow
@pytest.mark.parametrize("template", sorted(CHECKS))
def test_the_ground_truth_gives_the_same_answer(many_episodes: list[QuestionEpisode], template: str) -> None:
    checked = 0
    for episode in many_episodes:
        if episode.truth.template == template and episode.truth.category is not Category.FALSE_PREMISE:
            words = Words(episode)
            if ADJECTIVE.search(words.text):
                continue  # descriptions have tests of their own
            assert CHECKS[template](words) == episode.truth.answer, episode.task.text
            checked += 1
    assert checked > 0


@pytest.mark.slow
def test_a_false_premise_names_what_no_object_is(many_episodes: list[QuestionEpisode]) -> None:
    false = [episode for episode in many_episodes if episode.truth.category is Category.FALSE_PREMISE]
    assert len(false) == len(many_episodes) / len(Category)
    for episode in false:
        noun = Words(episode).mentioned()
        assert noun not in {thing.category for thing in truth_for(episode.flat_seed).objects}
        assert episode.truth.answer in (f"there is no {noun}", f"there are no {noun}")


@pytest.mark.slow
def test_what_is_on_something_is_all_that_lies_there(many_episodes: list[QuestionEpisode]) -> None:
    asked = [episode for episode in many_episodes if episode.truth.template == "thing on"]
    for episode in asked:
        if episode.truth.category is Category.FALSE_PREMISE:
            continue
        words = Words(episode)
        things = {thing.category for thing in words.on_top(words.the())}
        assert bool(things) == (episode.truth.answer != "nothing"), episode.task.text
        for category in things:
            assert category in episode.truth.answer, episode.task.text
