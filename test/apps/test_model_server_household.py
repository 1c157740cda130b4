"""The stand-in for a model that plans for a household robot, and judges its actions."""

from __future__ import annotations

import re

import pytest

from stma_ros.roles.critic import CritiqueReply
from stma_ros.roles.planner import PlanReply
from stma_ros.roles.rendering import count_tokens
from stma_ros.testing.model_server.household import criticise, plan
from stma_ros.testing.model_server.sections import UnreadableQuestionError
from stma_ros.types.errors import TaskNotUnderstoodError
from support.roles.scripted_client import prompt_of, read_reply

PLANNER, CRITIC = prompt_of("household/planner"), prompt_of("household/critic")
_EXAMPLE = re.compile(r"## Example\n\n```\n(?P<question>.*)\n```\n\n```json\n(?P<reply>.*)\n```", re.DOTALL)


def example(text: str) -> tuple[str, str]:
    """The question and the reply of a prompt's example."""
    match = _EXAMPLE.search(text)
    assert match is not None
    return match["question"], match["reply"]


QUESTION, REPLY = example(PLANNER.text)
JUDGED, VERDICT = example(CRITIC.text)


def asked(task: str) -> str:
    return QUESTION.replace("Put the red mug into the sink.", task)


@pytest.mark.parametrize("prompt", [PLANNER, CRITIC], ids=["planner", "critic"])
def test_instructions_are_as_short_as_they_say(prompt: object) -> None:
    assert count_tokens(prompt.text) <= prompt.instructions  # type: ignore[attr-defined]


def test_the_planners_example_is_what_it_would_answer() -> None:
    shown = read_reply(PlanReply, REPLY)
    answer = plan(QUESTION)
    assert (answer.actions, answer.subgoal, answer.failure) == (shown.actions, shown.subgoal, shown.failure)


def test_the_critics_example_is_what_it_would_answer() -> None:
    shown = read_reply(CritiqueReply, VERDICT)
    answer = criticise(JUDGED)
    assert (answer.criterion, answer.verdict) == (shown.criterion, shown.verdict) == ("spatial", "reject")
    assert "open(fridge_1)" in answer.reason


def test_what_may_be_done_is_accepted() -> None:
    answer = criticise(JUDGED.replace("Proposed: place_in(fridge_1)", "Proposed: open(fridge_1)"))
    assert (answer.criterion, answer.verdict) == ("none", "accept")
    assert answer.reason


def test_what_was_rejected_is_not_proposed_again() -> None:
    (first, *_) = plan(asked("Find the milk.")).actions
    again = plan(f"{asked('Find the milk.')}\n\nRejected:\n{first}")
    assert again.actions[0] != first


def test_missing_object_is_given_up_with_the_searched_places() -> None:
    searched = (
        asked("Find the teddy bear.").replace("explore(frontier_2)\n", "").replace("open(fridge_1)\n", "")
    )
    answer = plan(searched.replace("[white, closed, 3.1 m]", "[white, open, 3.1 m]"))
    assert (answer.actions, answer.failure) == (["give_up()"], "not_found")
    assert "No teddy bear was found." in answer.reasoning


def test_what_cannot_be_is_impossible() -> None:
    answer = plan(asked("Fill the counter."))
    assert (answer.actions, answer.failure) == (["give_up()"], "impossible")
    assert "a counter cannot be full" in answer.reasoning


@pytest.mark.parametrize(
    ("task", "failure"),
    [("Sing me a song.", "impossible"), ("Open the fridge and keep it closed.", "contradiction")],
)
def test_a_task_that_makes_no_sense_is_given_up(task: str, failure: str) -> None:
    answer = plan(asked(task))
    assert (answer.actions, answer.failure) == (["give_up()"], failure)
    assert answer.reasoning


def test_nothing_else_is_done_for_a_task_that_makes_no_sense() -> None:
    judged = JUDGED.replace("Put the milk into the fridge.", "Sing me a song.")
    assert criticise(judged).verdict == "reject"
    assert (
        criticise(judged.replace("Proposed: place_in(fridge_1)", "Proposed: give_up()")).verdict == "accept"
    )


def test_a_task_that_makes_no_sense_is_an_error_where_nobody_may_give_up() -> None:
    with pytest.raises(TaskNotUnderstoodError):
        plan(asked("Sing me a song.").replace("\ngive_up()", ""))


@pytest.mark.parametrize("ask", [plan, criticise])
def test_text_that_is_no_question_is_not_answered(ask: object) -> None:
    with pytest.raises(UnreadableQuestionError):
        ask("Good morning!")  # type: ignore[operator]


def test_without_any_belief_the_robot_looks_around() -> None:
    answer = plan("Task: Find the milk.\n\nAllowed:\nlook_around()\ngive_up()")
    assert answer.actions == ["look_around()"]
