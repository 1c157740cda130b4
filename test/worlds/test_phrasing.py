"""Subtasks are phrased in English."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.evaluation.household_tasks.phrasing import say
from stma_ros.evaluation.household_tasks.subtasks import (
    Fetch,
    Find,
    Place,
    Put,
    SetState,
    SpatialRelation,
    Subtask,
    Things,
)
from stma_ros.types import vocabulary as words

MUG = Things("mug", ("mug_1",), colour="red")
SCISSORS = Things("scissors", ("scissors_1",))
BOOKS = Things("book", ("book_1", "book_2"), 2)
APPLES = Things("apple", ("apple_1", "apple_2", "apple_3"), 1)
TOYS = Things("toy car", ("toy_car_1", "toy_car_2", "toy_car_3"), 2)
SHELF = Things("shelf", ("shelf_1",), place=Place("bedroom", "in"))
TABLE = Things("table", ("table_1",))
TV = Things("tv", ("tv_1",))


def sayings(*errands: Subtask) -> set[str]:
    """Returns the phrasings for many seeds."""
    return {say(np.random.default_rng(seed), errands) for seed in range(200)}


def test_a_subtask_is_phrased_in_many_ways() -> None:
    said = sayings(Put(MUG, TABLE, SpatialRelation.ON))
    assert len(said) > 15
    assert {"Put the red mug on the table.", "Could you place the red mug on the table?"} <= said


@pytest.mark.parametrize(
    ("errand", "pattern"),
    [
        (Find(APPLES), r"\ban apple\b"),
        (Find(MUG), r"\bthe red mug\b"),
        (Fetch(SCISSORS), r"\bthe scissors\b"),
        (Put(BOOKS, SHELF, SpatialRelation.ON), r"\b(all|all the) books\b|\bevery book\b"),
        (Put(BOOKS, SHELF, SpatialRelation.ON), r"\bthe shelf in the bedroom\b"),
        (Put(TOYS, TABLE, SpatialRelation.TO), r"\btwo toy cars\b"),
        (Put(MUG, Things("kitchen", ("room_1",)), SpatialRelation.ROOM), r"\b(to|into) the kitchen\b"),
        (
            Put(MUG, TABLE, SpatialRelation.IN, Place("desk", "on")),
            r"\bthe red mug from the desk and put it in the table\b",
        ),
        (Put(SCISSORS, TABLE, SpatialRelation.ON, Place("desk", "on")), r"\band put them on\b"),
        (
            Put(MUG, TABLE, SpatialRelation.TO, Place("desk", "on")),
            r"\bthe red mug from the desk to the table\b",
        ),
        (SetState(TV, words.STATE_ON), r"\b(switch|turn) (on the tv|the tv on)\b"),
        (SetState(TV, words.STATE_OFF), r"\b(switch|turn) (off the tv|the tv off)\b"),
        (SetState(SHELF, words.STATE_CLOSED), r"\b(close|shut) the shelf in the bedroom\b"),
        (SetState(MUG, words.STATE_FULL), r"\bfill (up )?the red mug\b"),
    ],
)
def test_every_phrasing_states_the_subtask(errand: Subtask, pattern: str) -> None:
    for text in sayings(errand):
        assert re.search(pattern, text, re.IGNORECASE), text


def test_an_object_identified_by_its_place_is_taken_from_that_place() -> None:
    here = Things("mug", ("mug_1",), place=Place("desk", "on"))
    for text in sayings(Put(here, TABLE, SpatialRelation.ON)):
        assert "the mug from the desk and put it on the table" in text
    for text in sayings(Find(here)):
        assert "the mug on the desk" in text


def test_adjacent_subtasks_are_phrased_together() -> None:
    for text in sayings(Put(MUG, TABLE, SpatialRelation.ON), Put(SCISSORS, TABLE, SpatialRelation.ON)):
        assert "the red mug and the scissors" in text
        assert text.count("table") == 1
    lamp = Things("lamp", ("lamp_1",))
    for text in sayings(SetState(TV, words.STATE_OFF), SetState(lamp, words.STATE_OFF)):
        assert "off the tv and the lamp" in text


def test_an_object_that_was_just_mentioned_is_called_it() -> None:
    for text in sayings(SetState(MUG, words.STATE_FULL), Put(MUG, TABLE, SpatialRelation.ON)):
        assert text.count("mug") == 1
        assert re.search(r"\b(put|place|move|set) it (on|onto) the table\b", text, re.IGNORECASE), text
    lamp = Things("lamp", ("lamp_1",))
    for text in sayings(SetState(lamp, words.STATE_ON), Put(MUG, TABLE, SpatialRelation.ON)):
        assert " it " not in text


def test_tidying_up_names_each_place() -> None:
    said = sayings(Put(MUG, TABLE, SpatialRelation.ON), Put(SCISSORS, SHELF, SpatialRelation.ON))
    assert "Tidy up: put the red mug on the table and the scissors on the shelf in the bedroom." in said


ERRANDS = st.sampled_from(
    [
        Put(MUG, TABLE, SpatialRelation.ON),
        Put(SCISSORS, SHELF, SpatialRelation.ON),
        Put(BOOKS, SHELF, SpatialRelation.IN),
        Put(TOYS, TABLE, SpatialRelation.TO, None),
        Put(MUG, TABLE, SpatialRelation.TO, Place("desk", "on")),
        SetState(TV, words.STATE_ON),
        SetState(MUG, words.STATE_EMPTY),
        Fetch(SCISSORS),
        Find(MUG),
    ]
)


@given(st.lists(ERRANDS, min_size=1, max_size=9), st.integers(0, 10_000))
def test_long_requests_are_complete_sentences(errands: list[Subtask], seed: int) -> None:
    text = say(np.random.default_rng(seed), errands)
    assert text == say(np.random.default_rng(seed), errands)
    assert text[0].isupper()
    assert text[-1] in ".?"
    assert not re.search(r"\{|\}|  | ,|,,|\band and\b|[.?] [a-z]", text), text
    for errand in errands:
        assert errand.things.category.split()[-1][:4] in text
