"""Household tasks are worded as people talk to a robot."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("open3d", reason="the world 'house' needs Open3D: pip install 'stma_ros[house]'")

from stma_ros.evaluation.household_tasks.everyday.development import DEVELOPMENT
from stma_ros.evaluation.household_tasks.everyday.held_out import HELD_OUT
from stma_ros.evaluation.household_tasks.everyday.phrasing import say_everyday
from stma_ros.evaluation.household_tasks.everyday.templates import Templates, Wordings
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
from stma_ros.evaluation.household_tasks.wording import Phrasing, everyday_templates, phrasing_of
from stma_ros.types import vocabulary as words

PARTS = [pytest.param(DEVELOPMENT, id="development"), pytest.param(HELD_OUT, id="held_out")]

MUG = Things("mug", ("mug_1",), colour="red")
JUG = Things("jug", ("jug_1",), size="large")
HEADPHONES = Things("headphones", ("headphones_1",))
BOOKS = Things("book", ("book_1", "book_2"), 2)
BALLS = Things("ball", ("ball_1", "ball_2", "ball_3"), 3)
APPLES = Things("apple", ("apple_1", "apple_2", "apple_3"), 1)
TOYS = Things("toy car", ("toy_car_1", "toy_car_2", "toy_car_3"), 2)
CUP = Things("cup", ("cup_1",), place=Place("desk", "on"))
CUPBOARD = Things("cupboard", ("cupboard_1",), place=Place("bedroom", "in"))
TABLE = Things("table", ("table_1",))
SHELVES = Things("shelf", ("shelf_1", "shelf_2"))
KITCHEN = Things("kitchen", ("room_1",))
TV = Things("tv", ("tv_1",))
CHAIR = Things("chair", ("chair_1",), place=Place("office", "in"))

SUBTASKS: tuple[Subtask, ...] = (
    Put(MUG, TABLE, SpatialRelation.ON),
    Put(JUG, TABLE, SpatialRelation.ON),
    Put(HEADPHONES, CUPBOARD, SpatialRelation.IN),
    Put(BOOKS, SHELVES, SpatialRelation.ON),
    Put(BALLS, CUPBOARD, SpatialRelation.IN),
    Put(APPLES, TABLE, SpatialRelation.TO),
    Put(TOYS, TABLE, SpatialRelation.ON),
    Put(MUG, KITCHEN, SpatialRelation.ROOM),
    Put(CUP, TABLE, SpatialRelation.ON),
    Put(HEADPHONES, KITCHEN, SpatialRelation.ROOM, Place("chest", "in")),
    Put(CUP, CHAIR, SpatialRelation.TO),
    SetState(JUG, words.STATE_FULL),
    SetState(JUG, words.STATE_EMPTY),
    SetState(TV, words.STATE_ON),
    SetState(TV, words.STATE_OFF),
    SetState(CUPBOARD, words.STATE_OPEN),
    SetState(CUPBOARD, words.STATE_CLOSED),
)
LAST: tuple[Subtask, ...] = (Find(MUG), Find(APPLES), Find(CUP), Fetch(HEADPHONES), Fetch(MUG))
LONGEST_TASK = 2000  # characters that an agent accepts


def sayings(part: Templates, *subtasks: Subtask) -> list[str]:
    """Returns the texts for many seeds."""
    return [say_everyday(np.random.default_rng(seed), part, subtasks) for seed in range(150)]


def templates_of(part: Templates) -> Iterator[tuple[str, str]]:
    """Yields the kind and the text of every template that words a request."""
    for kind in ("requests", "pairs", "lists", "tidying"):
        yield from ((kind, text) for text in getattr(part, kind))
    grouped: dict[str, Wordings] = {
        each.name: value for each in fields(part) if isinstance(value := getattr(part, each.name), Wordings)
    }
    for kind, wordings in {**grouped, **part.states}.items():
        for texts in (wordings.sentences, wordings.statements, wordings.actions, wordings.short_actions):
            yield from ((kind, text) for text in texts)
    for state, texts in part.state_and_put.items():
        yield from ((f"{state} and put", text) for text in texts)


def test_the_two_parts_of_the_everyday_templates_share_none() -> None:
    shared = {text for _, text in templates_of(DEVELOPMENT)} & {text for _, text in templates_of(HELD_OUT)}
    assert shared == set()
    for kind in ("greetings", "reasons", "closings", "links", "request_links", "last_links"):
        assert not set(getattr(DEVELOPMENT, kind)) & set(getattr(HELD_OUT, kind))


@pytest.mark.parametrize("part", PARTS)
def test_every_part_words_every_state(part: Templates) -> None:
    states = {words.STATE_ON, words.STATE_OFF, words.STATE_OPEN, words.STATE_CLOSED}
    vessels = {words.STATE_FULL, words.STATE_EMPTY}
    assert set(part.states) == states | vessels
    assert set(part.state_and_put) == vessels


_OBJECTS = {"x", "my_x", "it", "they", "is", "has", "goes", "belongs", "needs", "ends"}
_PLACE, _WAY, _SOURCE = {"in_y", "into_y"}, {"to_y"}, {"s", "on_s", "off_s"}
FIELDS: Mapping[str, set[str]] = {
    "requests": {"do", "doing"},
    "pairs": {"a", "a_ing", "b", "b_ing"},
    "lists": {"list"},
    "tidying": {"list"},
    "put": _OBJECTS | _PLACE,
    "carry": _OBJECTS | _WAY,
    "keep_in_room": _OBJECTS | {"y"},
    "put_from": _OBJECTS | _PLACE | _SOURCE,
    "carry_from": _OBJECTS | _WAY | _SOURCE,
    "full and put": _OBJECTS | {"then", "then_x"},
    "empty and put": _OBJECTS | {"then", "then_x"},
}


@pytest.mark.parametrize("part", PARTS)
def test_every_template_has_only_fields_that_its_kind_fills(part: Templates) -> None:
    for kind, text in templates_of(part):
        used = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
        assert used, text
        assert used <= FIELDS.get(kind, _OBJECTS), text


@pytest.mark.parametrize("part", PARTS)
@given(
    st.lists(st.sampled_from(SUBTASKS), max_size=12), st.sampled_from((None, *LAST)), st.integers(0, 9_999)
)
def test_everyday_texts_are_complete_sentences(
    part: Templates, subtasks: list[Subtask], last: Subtask | None, seed: int
) -> None:
    task = [*subtasks, *([last] if last else [])] or [SUBTASKS[0]]
    text = say_everyday(np.random.default_rng(seed), part, task)
    assert text == say_everyday(np.random.default_rng(seed), part, task)
    assert len(text) <= LONGEST_TASK
    assert text[0].isupper()
    assert text[-1] in ".?!"
    assert not re.search(r"[{}*]|  | [,.]|,,|\band and\b|[.?!] [a-z]|\bi\b|\btv\b", text), text
    assert not re.search(
        r"\bthem (is|are|should|might|could be)|(pick|turn) (up|on) it\b|go and go\b", text
    ), text
    for subtask in task:
        assert subtask.things.category.lower()[:4] in text.lower()
        if isinstance(subtask, Put):
            assert subtask.places.category[:4] in text
            source = subtask.source or subtask.things.place
            assert source is None or f" the {source.category}" in text


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    ("subtask", "pattern"),
    [
        (Put(MUG, TABLE, SpatialRelation.ON), r"the red mug.* on(to)? the table|on the table.*the red mug"),
        (Put(BOOKS, SHELVES, SpatialRelation.ON), r"(both|both (of )?the|all the|the two|the) books"),
        (
            Put(BALLS, TABLE, SpatialRelation.TO),
            r"all (the|three|of the) balls|(every|single) ball\b|the balls",
        ),
        (Put(TOYS, TABLE, SpatialRelation.ON), r"two (of the )?toy cars"),
        (Put(APPLES, TABLE, SpatialRelation.ON), r"\ban apple|one of the apples"),
        (Find(APPLES), r"\ban apple\b"),
        (Find(CUP), r"the cup (that is|which is|over there)? ?on the desk"),
        (Put(CUP, TABLE, SpatialRelation.ON), r"the cup.* the desk|the desk.* the cup"),
        (Put(MUG, KITCHEN, SpatialRelation.ROOM), r"(in|to|into|is) the kitchen"),
        (SetState(CUPBOARD, words.STATE_OPEN), r"\bopen"),
        (
            SetState(CUPBOARD, words.STATE_CLOSED),
            r"\bclos|\bshut|\bshouldn't be open|still open|why is .* open",
        ),
        (SetState(TV, words.STATE_ON), r"\bon\b|still off"),
        (
            SetState(TV, words.STATE_OFF),
            r"\boff\b|shouldn't be on|still on|no need for the TV to be on|I left the TV on",
        ),
        (SetState(JUG, words.STATE_FULL), r"fill|full"),
        (SetState(JUG, words.STATE_EMPTY), r"empt|pour|tip|drain|get(ting)? rid|full"),
        (Fetch(HEADPHONES), r"the headphones"),
    ],
)
def test_every_everyday_wording_states_the_subtask(part: Templates, subtask: Subtask, pattern: str) -> None:
    for text in sayings(part, subtask):
        assert re.search(pattern, text, re.IGNORECASE), text


@pytest.mark.parametrize("part", PARTS)
def test_everyday_wording_varies(part: Templates) -> None:
    assert len(set(sayings(part, Put(MUG, TABLE, SpatialRelation.ON)))) > 60


@pytest.mark.parametrize("part", PARTS)
def test_statements_are_made_of_certain_objects_only(part: Templates) -> None:
    for text in sayings(part, Put(APPLES, TABLE, SpatialRelation.ON)):
        assert not re.search(r"apples? (belongs|should|ought|needs|goes|is supposed|has to)\b", text), text


@pytest.mark.parametrize("part", PARTS)
def test_a_vessel_that_is_filled_and_put_somewhere_is_named_once(part: Templates) -> None:
    for text in sayings(part, SetState(JUG, words.STATE_FULL), Put(JUG, TABLE, SpatialRelation.ON)):
        assert text.count("jug") == 1
        assert re.search(r"\bfill|full\b", text, re.IGNORECASE)
        assert re.search(r"\bon(to)? the table\b", text)


def test_a_room_before_a_noun_does_not_name_another_kind_of_furniture() -> None:
    for text in sayings(DEVELOPMENT, Put(MUG, CHAIR, SpatialRelation.ON)):
        assert "office chair" not in text
        assert "office" in text


def test_development_wording_is_for_seeds_from_1000_on() -> None:
    assert {id(everyday_templates(seed)) for seed in (0, 99, 999)} == {id(HELD_OUT)}
    assert {id(everyday_templates(seed)) for seed in (1000, 10**8)} == {id(DEVELOPMENT)}


@given(st.integers(0, 10**9), st.integers(0, 3), st.integers(0, 50))
def test_two_of_five_tasks_of_a_group_have_everyday_wording(seed: int, group: int, first: int) -> None:
    chosen = [phrasing_of(seed, group, first + k) is Phrasing.EVERYDAY for k in range(5)]
    assert sum(chosen) == 2
    assert all(any(chosen[k : k + 3]) for k in range(3))


@pytest.mark.parametrize(
    ("verb", "noun"),
    [
        ("put", "putting"),
        ("run", "running"),
        ("take", "taking"),
        ("see", "seeing"),
        ("turn", "turning"),
        ("fix", "fixing"),
    ],
)
def test_actions_become_nouns_in_correct_spelling(verb: str, noun: str) -> None:
    part = replace(
        DEVELOPMENT, requests=("would you mind {doing}?",), put=Wordings((), (), (f"*{verb} {{x}} {{in_y}}",))
    )
    mug = Things("mug", ("mug_1",))
    text = say_everyday(
        np.random.default_rng(2), part, [Put(mug, Things("table", ("table_1",)), SpatialRelation.ON)]
    )
    assert f"mind {noun} the mug" in text
