"""Tests of the stand-in for a model that plans for a household robot and judges its actions."""

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
    """Returns the question and the reply of a prompt's example."""
    match = _EXAMPLE.search(text)
    assert match is not None
    return match["question"], match["reply"]


QUESTION, REPLY = example(PLANNER.text)
JUDGED, VERDICT = example(CRITIC.text)


def asked(task: str) -> str:
    return QUESTION.replace("Put the red mug into the sink.", task)


@pytest.mark.parametrize("prompt", [PLANNER, CRITIC], ids=["planner", "critic"])
def test_instructions_of_household_prompts_are_within_their_budget(prompt: object) -> None:
    assert count_tokens(prompt.text) <= prompt.instructions  # type: ignore[attr-defined]


def test_stand_in_planner_answers_the_example_of_its_prompt_as_shown() -> None:
    shown = read_reply(PlanReply, REPLY)
    answer = plan(QUESTION)
    assert (answer.actions, answer.subgoal, answer.failure) == (shown.actions, shown.subgoal, shown.failure)


def test_stand_in_critic_answers_the_example_of_its_prompt_as_shown() -> None:
    shown = read_reply(CritiqueReply, VERDICT)
    answer = criticise(JUDGED)
    assert (answer.criterion, answer.verdict) == (shown.criterion, shown.verdict) == ("spatial", "reject")
    assert "open(fridge_1)" in answer.reason


def test_stand_in_critic_accepts_a_sensible_action() -> None:
    answer = criticise(JUDGED.replace("Proposed: place_in(fridge_1)", "Proposed: open(fridge_1)"))
    assert (answer.criterion, answer.verdict) == ("none", "accept")
    assert answer.reason


def test_stand_in_planner_does_not_repeat_a_rejected_action() -> None:
    (first, *_) = plan(asked("Find the milk.")).actions
    again = plan(f"{asked('Find the milk.')}\n\nRejected:\n{first}")
    assert again.actions[0] != first


def test_stand_in_planner_gives_up_a_missing_object_with_the_reason() -> None:
    searched = (
        asked("Find the teddy bear.").replace("explore(frontier_2)\n", "").replace("open(fridge_1)\n", "")
    )
    answer = plan(searched.replace("[white, closed, 3.1 m]", "[white, open, 3.1 m]"))
    assert (answer.actions, answer.failure) == (["give_up()"], "not_found")
    assert "No teddy bear was found." in answer.reasoning


def test_stand_in_planner_gives_up_an_impossible_task() -> None:
    answer = plan(asked("Fill the counter."))
    assert (answer.actions, answer.failure) == (["give_up()"], "impossible")
    assert "a counter cannot be full" in answer.reasoning


@pytest.mark.parametrize(
    ("task", "failure"),
    [("Sing me a song.", "impossible"), ("Open the fridge and keep it closed.", "contradiction")],
)
def test_stand_in_planner_gives_up_a_task_without_sense(task: str, failure: str) -> None:
    answer = plan(asked(task))
    assert (answer.actions, answer.failure) == (["give_up()"], failure)
    assert answer.reasoning


def test_stand_in_critic_accepts_only_giving_up_for_a_task_without_sense() -> None:
    judged = JUDGED.replace("Put the milk into the fridge.", "Sing me a song.")
    assert criticise(judged).verdict == "reject"
    assert (
        criticise(judged.replace("Proposed: place_in(fridge_1)", "Proposed: give_up()")).verdict == "accept"
    )


def test_stand_in_planner_raises_for_a_task_without_sense_when_it_may_not_give_up() -> None:
    with pytest.raises(TaskNotUnderstoodError):
        plan(asked("Sing me a song.").replace("\ngive_up()", ""))


@pytest.mark.parametrize("ask", [plan, criticise])
def test_stand_in_roles_refuse_a_text_that_is_no_question(ask: object) -> None:
    with pytest.raises(UnreadableQuestionError):
        ask("Good morning!")  # type: ignore[operator]


def test_stand_in_planner_looks_around_without_beliefs() -> None:
    answer = plan("Task: Find the milk.\n\nAllowed:\nlook_around()\ngive_up()")
    assert answer.actions == ["look_around()"]
