"""Tests of goals in English: a small reader gets the same conditions back."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.evaluation.programs.conditions import (
    HOLDS,
    Condition,
    Goal,
    Scope,
    StateCondition,
    goal_of,
)
from stma_ros.evaluation.programs.implications import stated
from stma_ros.evaluation.programs.sentences import IN_THE_END, goal_sentences, ordinal, task_text
from stma_ros.worlds.programs.home_graph import INSIDE, ON
from stma_ros.worlds.programs.program import Program
from support.conditions_of_twins import HOME, conditions
from support.homes_of_twins import WHO, after

_SENTENCE = re.compile(
    r"(?:you (?P<held>hold|do not hold)|(?P<subject>you|the .+?) (?:is|are)(?P<not> not)?(?P<relation> on| in)?) "
    r"(?P<rest>.+)"
)
_STATES = {"switched on": "ON", "switched off": "OFF"}


def _read(sentence: str) -> tuple[str, str, str, bool]:
    """Returns subject, relation, object and whether it is to hold; a state relates a thing to itself."""
    found = _SENTENCE.fullmatch(sentence)
    assert found is not None, sentence
    if found["held"]:
        return "you", HOLDS, found["rest"], found["held"] == "hold"
    expected = found["not"] is None
    if found["relation"]:
        return found["subject"], {" on": ON, " in": INSIDE}[found["relation"]], found["rest"], expected
    state = _STATES.get(found["rest"], found["rest"].upper().replace(" ", "_"))
    return found["subject"], state, found["subject"], expected


def _parts(condition: Condition) -> tuple[int, str, int, bool]:
    if isinstance(condition, StateCondition):
        return condition.node, condition.state, condition.node, condition.expected
    return condition.source, condition.relation, condition.target, condition.expected


@given(st.lists(conditions, min_size=1, max_size=12, unique=True), st.integers(0, 4))
def test_sentences_say_just_the_conditions_that_they_are_of(those: list[Condition], givens: int) -> None:
    goal = Goal(tuple(those[givens:]), Scope.OBJECTS, tuple(those[:givens]))
    said = goal_sentences(goal, HOME)
    meant: dict[str, int] = {}
    for condition, sentence in said.items():
        subject, relation, target, expected = _read(sentence)
        source_id, relation_meant, target_id, expected_meant = _parts(condition)
        assert (relation, expected) == (relation_meant, expected_meant)
        for name, id in ((subject, source_id), (target, target_id)):
            assert meant.setdefault(name, id) == id
            assert name == "you" if id == WHO else name.split()[-1] == HOME.nodes[id].name
    assert len(set(meant.values())) == len(meant)
    assert list(said) == stated((*goal.conditions, *goal.givens), HOME)


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ("WALK 12, OPEN 12, GRAB 21, CLOSE 12", "you hold the cup"),
        (
            "WALK 12, OPEN 12, GRAB 21, WALK 10, PUTBACK 21 10",
            "the cupboard is open; the cup is on the table",
        ),
        (
            "WALK 31, SWITCHON 31, WALK 43, SIT 43",
            "you are sitting; the table_lamp is switched on; you are in the home_office; you are on the chair",
        ),
        (
            "WALK 20, GRAB 20, WALK 12, OPEN 12, GRAB 21",
            "the cupboard is open; you hold the first cup; you hold the second cup",
        ),
        ("WALK 44, GRAB 44, DROP 44, WALK 1", "the plate is not on the table"),
        (
            "WALK 20, GRAB 20, WALK 2, DROP 20, WALK 1",
            "the cup is in the home_office; the cup is not on the table",
        ),
        ("WALK 40, GRAB 40, WALK 20, POUR 40 20, PUTBACK 40 10", "the milk is in the cup"),
        (
            "WALK 40, GRAB 40, WALK 20, POUR 40 20, DROP 40",
            "the milk is in the cup; the milk is not on the table",
        ),
        ("WALK 41, GRAB 41, PUTON 41", "the clothes_shirt is on you"),
        (
            "WALK 30, SWITCHOFF 30, PLUGOUT 30",
            "the table_lamp is switched off; the table_lamp is plugged out",
        ),
    ],
)
def test_task_text_says_each_change_and_omits_those_that_follow_from_it(steps: str, said: str) -> None:
    goal = goal_of(HOME, after(*steps.split(", ")))
    assert "; ".join(goal_sentences(goal, HOME).values()) == said


def test_task_text_has_title_description_and_goal() -> None:
    goal = goal_of(HOME, after("WALK 41", "GRAB 41"))
    said = f"{IN_THE_END}you hold the clothes_shirt."
    assert task_text(Program("Get dressed", "What shall I wear?", ()), goal, HOME) == (
        f"Get dressed. What shall I wear? {said}"
    )
    assert task_text(Program("Get dressed", "", ()), goal, HOME) == f"Get dressed. {said}"


def test_ordinals_go_on_after_the_words() -> None:
    assert [ordinal(number) for number in (1, 12, 13, 21, 22, 23, 24, 111)] == [
        "first",
        "twelfth",
        "13th",
        "21st",
        "22nd",
        "23rd",
        "24th",
        "111th",
    ]
