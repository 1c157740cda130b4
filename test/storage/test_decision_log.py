"""Decision logs do not depend on the order of arrival, and every different decision is a difference."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.storage.decision_log import DecisionLog
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.message import Message
from stma_ros.types.planning import (
    Action,
    ActionProposal,
    Criterion,
    Critique,
    Outcome,
    Plan,
    PlanRequest,
    Result,
    Task,
    TaskResult,
    TaskStatus,
    Verdict,
)
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import SteppedMessage, StepStamp

GO = Action("navigate_to", ("cupboard_1",))
OPEN = Action("open", ("cupboard_1",))


def decisions() -> list[tuple[str, Message]]:
    at, again = (StepStamp(task_id="task_1", step=4, revision=revision) for revision in (0, 1))
    return [
        (topics.PLAN_REQUEST, PlanRequest(at=at, task="find the mug", allowed_actions=(GO, OPEN))),
        (topics.PLAN, Plan(at=at, subgoal="look into cupboard_1", actions=(OPEN,))),
        (topics.ACTION_PROPOSAL, ActionProposal(at=at, action=OPEN)),
        (
            topics.CRITIQUE,
            Critique(at=at, verdict=Verdict.REJECTED, criterion=Criterion.SPATIAL, reason="too far"),
        ),
        (topics.PLAN_REQUEST, PlanRequest(at=again, feedback="too far", rejected=(OPEN,))),
        (topics.PLAN, Plan(at=again, subgoal="go to cupboard_1", actions=(GO, OPEN))),
        (
            topics.OUTCOME,
            Outcome(task_id="task_1", step=4, action=GO, result=Result.SUCCEEDED, distance=1.5, duration=3.0),
        ),
        (topics.PLAN_REQUEST, PlanRequest(at=StepStamp(task_id="task_1", step=10))),
        (topics.TASK_RESULT, TaskResult(task_id="task_1", status=TaskStatus.SUCCEEDED, text="in cupboard_1")),
        (topics.PLAN_REQUEST, PlanRequest(at=StepStamp(task_id="task_2", step=0))),
    ]


def restamped(message: Any, **changes: Any) -> Any:
    """Returns the message with another task id or header."""
    if isinstance(message, SteppedMessage):
        return dataclasses.replace(message, at=dataclasses.replace(message.at, **changes))
    return dataclasses.replace(message, **changes)


def log_of(messages: list[tuple[str, Message]]) -> DecisionLog:
    log = DecisionLog()
    for topic, message in messages:
        log(topic, message)
    return log


@given(st.permutations(decisions()), st.lists(st.sampled_from(decisions()), max_size=3))
def test_decision_log_does_not_depend_on_order_of_arrival_or_repetition(
    arrived: list[tuple[str, Message]], again: list[tuple[str, Message]]
) -> None:
    log = log_of([*arrived, *again])
    expected = log_of(decisions())
    assert log.digest() == expected.digest()
    assert log.records == expected.records
    assert log.first_difference(expected) == ""


def test_records_of_a_decision_log_are_in_the_order_of_deciding() -> None:
    places = [(r["task"], r["step"], r["kind"], r["revision"]) for r in log_of(decisions()[::-1]).records]
    assert places[:5] == [
        ("task_1", 4, "outcome", 0),
        ("task_1", 4, "plan_request", 0),
        ("task_1", 4, "plan_request", 1),
        ("task_1", 4, "plan", 0),
        ("task_1", 4, "plan", 1),
    ]
    assert places[-3:] == [
        ("task_1", 10, "plan_request", 0),
        ("task_1", None, "task_result", 0),
        ("task_2", 0, "plan_request", 0),
    ]


def test_decision_log_does_not_depend_on_task_numbers() -> None:
    """A running executor goes on counting its tasks; every log starts at task_1."""
    numbers = {"task_1": "task_9", "task_2": "task_10"}
    later = [(topic, restamped(m, task_id=numbers[m.task_id])) for topic, m in decisions()]
    assert log_of(later).digest() == log_of(decisions()).digest()
    assert log_of(later).records == log_of(decisions()).records


def test_decision_log_does_not_depend_on_stamps_and_frames() -> None:
    later = [
        (topic, restamped(message, header=Header(Time(99, 0), "odom"))) for topic, message in decisions()
    ]
    later[6] = (topics.OUTCOME, dataclasses.replace(later[6][1], duration=4.0, request_id="other"))
    assert log_of(later).digest() == log_of(decisions()).digest()


@pytest.mark.parametrize(
    ("index", "change", "words"),
    [
        (0, {"allowed_actions": (OPEN, GO)}, ("step 4: plan_request", "allowed", "open(cupboard_1)")),
        (1, {"subgoal": "rest"}, ("step 4: plan, revision 0", "subgoal", "'rest'", "'look into cupboard_1'")),
        (2, {"action": GO}, ("action_proposal", "navigate_to(cupboard_1)")),
        (3, {"reason": "no"}, ("critique", "reason", "'too far'")),
        (6, {"distance": 1.6}, ("outcome", "distance")),
        (
            6,
            {"result": Result.FAILED, "error": Error(ErrorCode.BLOCKED, "x")},
            ("outcome", "FAILED", "BLOCKED"),
        ),
        (8, {"status": TaskStatus.FAILED}, ("task_result", "status")),
    ],
)
def test_the_first_different_decision_is_reported(
    index: int, change: dict[str, object], words: tuple[str, ...]
) -> None:
    other = decisions()
    other[index] = (other[index][0], dataclasses.replace(other[index][1], **change))
    difference = log_of(decisions()).first_difference(log_of(other))
    assert all(word in difference for word in words), difference
    assert log_of(decisions()).digest() != log_of(other).digest()


def test_a_decision_log_that_ends_early_is_reported() -> None:
    whole, part = log_of(decisions()), log_of(decisions()[:-1])
    assert (
        whole.first_difference(part)
        == "only the first log goes on, with task 'task_2', step 0: plan_request, revision 0"
    )
    assert part.first_difference(whole).startswith("only the second log goes on")


def test_messages_that_decide_nothing_are_not_in_the_decision_log() -> None:
    assert len(log_of([(topics.TASK, Task(task_id="task_1"))])) == 0


def test_a_written_decision_log_has_one_decision_per_line(tmp_path: Path) -> None:
    log = log_of(decisions())
    log.write(tmp_path / "decisions.jsonl")
    lines = (tmp_path / "decisions.jsonl").read_text().splitlines()
    assert tuple(map(json.loads, lines)) == log.records
