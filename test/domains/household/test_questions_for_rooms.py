"""Tests of questions to a memory that ask for rooms themselves."""

from __future__ import annotations

import pytest

from stma_ros.domains.household.memory_answerer import MemoryAnswerer
from stma_ros.memory.question_answerer import RecalledAnswer
from stma_ros.types import vocabulary as words
from support.roles.scripted_home import HOUSEHOLD, Belief, at


def home() -> Belief:
    belief = Belief().room("room_1", "kitchen").room("room_2", "bedroom").room("room_3", "bedroom")
    belief.thing("fridge_1", "fridge", "room_1").thing("stove_1", "stove", "room_1")
    return belief.thing("bed_1", "bed", "room_2").thing("bed_2", "bed", "room_3")


def ask(question: str, belief: Belief) -> RecalledAnswer:
    return MemoryAnswerer(HOUSEHOLD).answer(question, belief.done().facts, at(10))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is there a kitchen?", "yes"),
        ("Do you have a bathroom?", "no"),
        ("Is there a second bedroom?", "yes"),
        ("Is there a second kitchen?", "no"),
        ("How many rooms are there?", "3"),
        ("How many bedrooms are there?", "2"),
        ("Which rooms are there?", "a kitchen and 2 bedrooms"),
        ("What rooms are there in the flat?", "a kitchen and 2 bedrooms"),
        ("Where is the kitchen?", "where the fridge and the stove are"),
        ("Where is the garage?", "there is no garage"),
    ],
)
def test_rooms_are_told_by_what_is_known_of_them(question: str, answer: str) -> None:
    found = ask(question, home())
    assert (found.answer, found.is_sure) == (answer, True)


@pytest.mark.parametrize(
    "question",
    [
        "How many rooms have a bed?",
        "Is there an empty room?",
        "Is there a kitchen next to the garden?",
        "How many large bedrooms are there?",
    ],
)
def test_rooms_that_are_described_further_are_not_known(question: str) -> None:
    found = ask(question, home())
    assert (found.answer, found.is_sure) == ("", False)
    assert found.missing in ("which rooms are meant", "which kitchens are meant", "which bedrooms are meant")


@pytest.mark.parametrize(
    "question",
    ["Is the kitchen clean?", "What colour is the kitchen?", "Is the kitchen next to the bedroom?"],
)
def test_what_is_so_of_a_room_is_not_known(question: str) -> None:
    found = ask(question, home())
    assert (found.answer, found.is_sure, found.missing) == ("", False, "what the question asks")


@pytest.mark.parametrize("question", ["Is there a bathroom?", "How many rooms are there?"])
def test_answer_is_not_sure_while_there_may_be_more_rooms(question: str) -> None:
    unexplored = home().add("frontier_1", words.IS_A, words.FRONTIER)
    assert not ask(question, unexplored).is_sure


def test_room_of_a_doubtful_kind_is_told_as_a_guess() -> None:
    belief = Belief().add("room_1", words.IS_A, "kitchen", 0.4).thing("fridge_1", "fridge", "room_1")
    found = ask("Is there a kitchen?", belief)
    assert (found.answer, found.is_sure) == ("yes", False)
