"""Tests of the stand-in model in the roles of an exploring robot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from stma_ros.domains.household.exploration_examples import EXPLORATION_EXAMPLES
from stma_ros.roles.answerer import ANSWERER, AnswerQuery
from stma_ros.roles.category_filter import CATEGORY_FILTER, CategoryQuery
from stma_ros.roles.exploration import ExplorationQuery, FrontierQuery
from stma_ros.roles.exploration_planner import EXPLORATION_PLANNER, ChecklistQuery
from stma_ros.roles.frontier_chooser import FORESIGHT, FRONTIER_CHOOSER
from stma_ros.roles.frontier_manager import FRONTIER_MANAGER
from stma_ros.roles.recorder import MAX_WORDS, NOTHING_NEW, RECORDER, RecordQuery
from stma_ros.roles.registry import ROLES
from stma_ros.roles.snapshot_manager import RECORD_PURPOSE, SNAPSHOT_MANAGER
from stma_ros.roles.spec import AnyRole
from stma_ros.testing.model_server import exploration
from stma_ros.testing.model_server.sections import UnreadableQuestionError
from stma_ros.types.exploration import ChecklistItem, FrontierView, ItemState, Snapshot
from support.roles.drawn_snapshots import BLUE, RED, drawn, frontier, snapshot
from support.roles.scripted_client import HOUSEHOLD, prompted
from support.roles.stand_in_client import Served

WALL, RED_THING, BLUE_THING = (snapshot(drawn(patch)) for patch in (None, RED, BLUE))
COLOUR, PLACE = "What colour is the block?", "Where is the block?"


def answer_of(role: AnyRole, query: object) -> Any:
    return prompted(role, Served(), domain=HOUSEHOLD).answer(query)


@pytest.mark.parametrize("name", EXPLORATION_EXAMPLES)
def test_stand_in_answers_the_example_of_each_role_of_an_exploring_robot(name: str) -> None:
    (role,) = (role for role in ROLES if role.name == name)

    assert isinstance(answer_of(role, EXPLORATION_EXAMPLES[name]), role.answer)


def test_stand_in_manager_keeps_the_newest_of_equal_pictures_and_says_what_they_show() -> None:
    kept = answer_of(
        SNAPSHOT_MANAGER, ExplorationQuery(COLOUR, snapshots=(WALL, RED_THING, WALL, BLUE_THING))
    )

    assert kept.kept == (1, 2, 3)
    assert kept.text == "The pictures show: red thing, blue thing."


def test_stand_in_manager_keeps_no_more_than_the_newest_pictures() -> None:
    walls = tuple(snapshot(drawn(shade=shade)) for shade in range(200, 200 + exploration.MAX_KEPT + 3))

    kept = answer_of(SNAPSHOT_MANAGER, ExplorationQuery(PLACE, snapshots=(*walls, Snapshot())))

    assert kept.kept == tuple(range(3, 3 + exploration.MAX_KEPT))
    assert kept.text == "The pictures show no things."


def test_stand_in_manager_keeps_every_frontier() -> None:
    frontiers = (frontier(3.0, drawn()), FrontierView(), frontier(1.0, drawn(RED)))

    assert answer_of(FRONTIER_MANAGER, FrontierQuery(PLACE, frontiers=frontiers)).kept == (0, 1, 2)


def test_stand_in_filter_names_what_the_question_names_or_else_all() -> None:
    seen = ("bed", "block", "table")

    assert answer_of(CATEGORY_FILTER, CategoryQuery(PLACE, seen, 10)).categories == ("block",)
    assert answer_of(CATEGORY_FILTER, CategoryQuery("What is it?", seen, 10)).categories == seen


def test_stand_in_answerer_explores_on_until_the_last_question() -> None:
    query = AnswerQuery(COLOUR, snapshots=(RED_THING, BLUE_THING, WALL))

    assert answer_of(ANSWERER, query).answer == ""
    assert answer_of(ANSWERER, replace(query, is_explored=True)).answer == ""
    last = answer_of(ANSWERER, replace(query, must_answer=True))
    assert (last.answer, last.evidence, last.is_sure) == ("blue", (1,), False)


@pytest.mark.parametrize(("question", "seen"), [(PLACE, RED_THING), (COLOUR, WALL)])
def test_stand_in_answerer_does_not_know_what_it_cannot_see(question: str, seen: Snapshot) -> None:
    assert answer_of(ANSWERER, AnswerQuery(question, snapshots=(seen,), must_answer=True)).answer == ""


@pytest.mark.parametrize(("branches", "count"), [(True, 3), (False, 2)])
def test_stand_in_planner_begins_a_checklist_with_one_item_in_progress(branches: bool, count: int) -> None:
    items = answer_of(EXPLORATION_PLANNER, ChecklistQuery(PLACE, branches=branches)).items

    assert [item.state for item in items] == [ItemState.IN_PROGRESS, *[ItemState.PENDING] * (count - 1)]


def test_stand_in_planner_goes_on_with_the_first_open_item_of_its_last_checklist() -> None:
    done = ChecklistItem(text="Enter the hall", state=ItemState.COMPLETED, reason="it is dark")
    items = (
        done,
        ChecklistItem(text="Enter the loft"),
        ChecklistItem(text="Look", state=ItemState.IN_PROGRESS),
    )

    updated = answer_of(EXPLORATION_PLANNER, ChecklistQuery(PLACE, items)).items

    assert updated[0] == done
    assert [(item.text, item.state) for item in updated[1:]] == [
        ("Enter the loft", ItemState.IN_PROGRESS),
        ("Look", ItemState.PENDING),
    ]
    assert answer_of(EXPLORATION_PLANNER, ChecklistQuery(PLACE, (done,))).items == (done,)


def test_stand_in_chooser_takes_the_nearest_frontier_whatever_the_plan_and_trail_say() -> None:
    frontiers = (FrontierView(), frontier(3.0, drawn()), frontier(1.0, drawn(RED)))
    query = FrontierQuery(
        PLACE,
        (ChecklistItem(text="Frontier 7 (0.1 m away):"),),
        ("Frontier 8 (0.1 m away):",),
        (WALL,),
        frontiers,
    )

    assert answer_of(FRONTIER_CHOOSER, query).frontier == 2
    assert answer_of(FRONTIER_CHOOSER, FrontierQuery(PLACE)).frontier is None


@pytest.mark.parametrize(
    ("role", "mode"), [(FRONTIER_CHOOSER, FORESIGHT), (SNAPSHOT_MANAGER, RECORD_PURPOSE)]
)
def test_stand_in_answers_a_role_in_another_mode_in_the_same_form(role: AnyRole, mode: str) -> None:
    usual = EXPLORATION_EXAMPLES[role.name]

    assert answer_of(role, replace(usual, mode=mode)) == answer_of(role, usual)


def test_stand_in_recorder_sums_up_what_was_seen_and_chosen() -> None:
    said = RecordQuery(
        PLACE, ("Before.",), "A red thing. And more.", "Unsure.", "Frontier 1 is the nearest. So."
    )

    assert answer_of(RECORDER, said).text == "A red thing. Frontier is the nearest."
    assert answer_of(RECORDER, RecordQuery(PLACE, (), "", "", "")).text == NOTHING_NEW
    long = RecordQuery(PLACE, (), "on " * (MAX_WORDS + 9), "", "")
    assert len(answer_of(RECORDER, long).text.split()) == MAX_WORDS


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("Task: go", 0),
        ("Question: Where?", 0),
        ("Question: Where?\n\nSnapshots:\nSnapshot 0:", 0),
        ("Question: Where?\n\nSnapshots:\nSnapshot 0:", 2),
        ("Question: Where?\n\nSnapshots: none", 1),
    ],
)
def test_stand_in_refuses_a_question_whose_labels_and_pictures_do_not_agree(
    question: str, count: int
) -> None:
    with pytest.raises(UnreadableQuestionError):
        exploration.choose(question, [drawn()] * count)
