"""Tests of what an experience tells about where things are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stma_ros.memory.findings import findings
from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.experience import Experience, Finding, ReasonedStep
from stma_ros.types.planning import Action, Result
from stma_ros.types.scene_graph import Relation

_ROOM = (Relation("room_1", words.IS_A, "kitchen"),)
_FRIDGE = (
    *_ROOM,
    Relation("fridge_1", words.IS_A, "fridge"),
    Relation("fridge_1", words.IN_ROOM, "room_1"),
)
_CABINET = (
    *_FRIDGE,
    Relation("cabinet_1", words.IS_A, "cabinet"),
    Relation("cabinet_1", words.IN_ROOM, "room_1"),
    Relation("mug_1", words.IS_A, "mug"),
)
_FOUND = (*_CABINET, Relation("mug_1", words.IN, "cabinet_1"))
_HELD = (*_CABINET, Relation("mug_1", words.HELD_BY, words.ROBOT))
_MOVED = (*_CABINET, Relation("sink_1", words.IS_A, "sink"), Relation("mug_1", words.IN, "sink_1"))


def _step(graph: tuple[Relation, ...], skill: str, *arguments: str, failed: bool = False) -> ReasonedStep:
    result = Result.FAILED if failed else Result.SUCCEEDED
    return ReasonedStep(graph=graph, action=Action(skill, arguments), result=result)


def _experience(*steps: ReasonedStep) -> Experience:
    return Experience(task="Put the mugs into the sink.", steps=steps)


def test_thing_counts_where_it_was_first_seen_and_containers_before_it_were_opened_in_vain() -> None:
    made = findings(
        _experience(
            _step(_FRIDGE, words.SKILL_OPEN, "fridge_1"),
            _step(_FRIDGE, words.SKILL_OPEN, "cabinet_1", failed=True),
            _step(_FOUND, words.SKILL_PICK, "mug_1"),
            _step(_MOVED, words.SKILL_FINISH),
        )
    )
    assert made == (
        Finding("mug", "fridge", "kitchen", found=False),
        Finding("mug", "cabinet", "kitchen", found=True),
        Finding("", "fridge", "", found=True),
    )


def test_commands_of_a_world_of_text_tell_the_same_as_skills() -> None:
    def command(graph: tuple[Relation, ...], text: str, failed: bool = False) -> ReasonedStep:
        return _step(graph, words.SKILL_COMMAND, text, failed=failed)

    made = findings(
        _experience(
            command(_FRIDGE, "open fridge_1"),
            command(_FRIDGE, "open cabinet_1", failed=True),
            command(_FRIDGE, "walk to cabinet_1"),
            command(_FOUND, "fetch mug_1"),
            command(_HELD, "put mug_1 in sink_1"),
            command(_MOVED, ""),
        )
    )
    assert made == (
        Finding("mug", "fridge", "kitchen", found=False),
        Finding("mug", "cabinet", "kitchen", found=True),
        Finding("", "fridge", "", found=True),
    )


_BOX = (*_CABINET, Relation("box_1", words.IS_A, "box"), Relation("box_1", words.IN, "cabinet_1"))


@pytest.mark.parametrize(
    ("revealed", "place"),
    [(_FOUND, "cabinet"), ((*_BOX, Relation("mug_1", words.IN, "box_1")), "box")],
)
def test_opening_that_shows_the_thing_was_not_in_vain(revealed: tuple[Relation, ...], place: str) -> None:
    before = tuple(fact for fact in _CABINET if fact.subject != "mug_1")
    found, _ = findings(
        _experience(
            _step(before, words.SKILL_OPEN, "cabinet_1"),
            _step(revealed, words.SKILL_PICK, "mug_1"),
        )
    )
    assert found == Finding("mug", place, "kitchen" if place == "cabinet" else "", found=True)


def test_container_was_not_opened_in_vain_for_a_kind_of_which_it_held_one() -> None:
    before = tuple(fact for fact in _CABINET if fact.subject != "mug_1")
    both = (*_FOUND, Relation("mug_2", words.IS_A, "mug"), Relation("mug_2", words.IN, "fridge_1"))
    made = findings(
        _experience(
            _step(before, words.SKILL_OPEN, "cabinet_1"),
            _step(_FOUND, words.SKILL_PICK, "mug_1"),
            _step(both, words.SKILL_PICK, "mug_2"),
        )
    )
    assert [(each.thing, each.place) for each in made if not each.found] == []


def test_things_that_hold_each_other_are_in_no_container() -> None:
    circle = (*_BOX, Relation("mug_1", words.IN, "box_1"), Relation("box_1", words.IN, "mug_1"))
    before = tuple(fact for fact in _CABINET if fact.subject != "mug_1")
    made = findings(
        _experience(
            _step(before, words.SKILL_OPEN, "cabinet_1"),
            _step(circle, words.SKILL_PICK, "mug_1"),
        )
    )
    assert Finding("mug", "cabinet", "kitchen", found=False) in made


def test_thing_that_was_in_the_hand_from_the_beginning_was_found_nowhere() -> None:
    assert findings(_experience(_step(_HELD, words.SKILL_NAVIGATE, "sink_1"), _step(_HELD, "finish"))) == ()


def test_thing_seen_and_not_gripped_counts_if_it_was_asked_for_by_a_skill() -> None:
    (found,) = findings(_experience(_step(_FOUND, words.SKILL_PICK, "mug_1", failed=True)))
    assert found == Finding("mug", "cabinet", "kitchen", found=True)


@pytest.mark.parametrize("text", ["", "open", "close fridge_1", "walk fridge_1"])
def test_command_that_opens_nothing_is_no_opening(text: str) -> None:
    assert findings(_experience(_step(_FRIDGE, words.SKILL_COMMAND, text))) == ()


def test_thing_that_was_seen_nowhere_is_no_finding() -> None:
    made = findings(_experience(_step(_FRIDGE, words.SKILL_OPEN, "fridge_1")))
    assert [each.thing for each in made] == [""]


def _opening(target: str, code: ErrorCode) -> ReasonedStep:
    step = _step(_CABINET, words.SKILL_OPEN, target, failed=bool(code))
    return replace(step, error=Error(code, "an error" if code else ""))


@pytest.mark.parametrize(
    ("codes", "opened"),
    [
        ([ErrorCode.NOT_OPENABLE, ErrorCode.NOT_OPENABLE], [False]),
        ([ErrorCode.GRASP_FAILED, ErrorCode.NONE], [True]),
        ([ErrorCode.NOT_OPENABLE, ErrorCode.NONE], [True]),
        ([ErrorCode.GRASP_FAILED], []),
        ([ErrorCode.UNREACHABLE, ErrorCode.BLOCKED], []),
    ],
)
def test_opened_thing_counts_once_and_its_failures_only_if_they_lie_in_it(
    codes: list[ErrorCode], opened: list[bool]
) -> None:
    made = findings(_experience(*(_opening("cabinet_1", code) for code in codes)))
    assert made == tuple(Finding("", "cabinet", "", found=each) for each in opened)


def test_opening_of_something_unknown_is_no_finding() -> None:
    assert findings(_experience(_opening("oven_7", ErrorCode.NOT_OPENABLE))) == ()


def test_place_that_is_not_known_stays_empty() -> None:
    graph = (Relation("mug_1", words.IS_A, "mug"),)
    (found,) = findings(_experience(_step(graph, words.SKILL_REPORT, "mug_1")))
    assert found == Finding("mug", "", "", found=True)


def test_things_that_were_neither_taken_nor_reported_do_not_count() -> None:
    assert findings(_experience(_step(_FOUND, words.SKILL_FINISH))) == ()
    assert findings(Experience(task="Find the mug.")) == ()


def test_other_things_count_where_they_were_first_seen_and_those_of_the_task_once() -> None:
    apple = (
        Relation("apple_1", words.IS_A, "apple"),
        Relation("apple_1", words.IN, "fridge_1"),
        Relation("pot_1", words.IS_A, "pot"),  # on the floor, or who knows where
    )
    steps = (_step(_FOUND, words.SKILL_PICK, "mug_1"), _step(_MOVED, words.SKILL_FINISH))
    made = findings(replace(_experience(*steps), surroundings=(*_FOUND, *apple)))
    assert made == (
        Finding("mug", "cabinet", "kitchen", found=True),
        Finding("apple", "fridge", "kitchen", found=True),
    )
