"""Tests of the stand-in for a model in the roles of a household robot, but for the task parser."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.examples import EXAMPLES
from stma_ros.domains.household.observation_summariser import HouseholdObservationSummariser
from stma_ros.domains.household.policy import HouseholdPolicy
from stma_ros.models.chat import ChatMessage, MessageRole
from stma_ros.roles.critic import CritiqueReply
from stma_ros.roles.observation_summariser import OBSERVATION_SUMMARISER, ChunkReply
from stma_ros.roles.planner import PlanReply
from stma_ros.roles.policy import POLICY, PolicyReply
from stma_ros.testing.model_server.household import choose, criticise, plan, sum_up
from stma_ros.testing.model_server.role_answers import Answering
from stma_ros.testing.model_server.sections import UnreadableQuestionError
from stma_ros.testing.model_server.subgoal_roles import chunk_reply, policy_reply
from stma_ros.types.errors import TaskNotUnderstoodError
from stma_ros.types.prompt_length import count_tokens
from support.roles.prompt_examples import example_of
from support.roles.scripted_client import prompt_of, read_reply, text_of
from support.roles.scripted_home import with_goals

PLANNER, CRITIC = prompt_of("household/planner"), prompt_of("household/critic")
POLICY_PROMPT, SUMMARISER = prompt_of("household/policy"), prompt_of("household/observation_summariser")

QUESTION, REPLY = example_of(PLANNER.text)
JUDGED, VERDICT = example_of(CRITIC.text)
CHOICE, CHOSEN = example_of(POLICY_PROMPT.text)
CHUNK, SUMMARY = example_of(SUMMARISER.text)


def asked(task: str) -> str:
    return QUESTION.replace("Put the red mug into the sink.", task)


@pytest.mark.parametrize(
    "prompt",
    [PLANNER, CRITIC, POLICY_PROMPT, SUMMARISER],
    ids=["planner", "critic", "policy", "observation summariser"],
)
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


def test_stand_in_policy_answers_the_example_of_its_prompt_as_shown() -> None:
    shown, answer = read_reply(PolicyReply, CHOSEN), choose(CHOICE)
    assert (answer.subgoal, answer.action, answer.failure) == (shown.subgoal, shown.action, shown.failure)


def test_stand_in_policy_goes_on_with_its_subgoal() -> None:
    answer = choose(CHOICE.replace("Subgoal: look into cupboard_1", "Subgoal: put mug_2 into sink_1"))
    assert (answer.subgoal, answer.action) == ("", "pick(mug_2)")


def test_stand_in_policy_needs_no_subgoal_where_there_are_none() -> None:
    answer = choose(f"{CHOICE}\n\nSubgoals:\nnone; the action alone")
    assert (answer.subgoal, answer.action) == ("", "pick(mug_2)")


def test_stand_in_policy_does_not_repeat_a_rejected_action() -> None:
    assert choose(f"{CHOICE}\n\nRejected:\npick(mug_2)").action != "pick(mug_2)"


def test_stand_in_policy_heeds_what_failed() -> None:
    failed = "Action: pick(mug_2)\nFailed: step {0}, {0} s: not portable (mug_2 cannot be carried)"
    history = CHOICE.replace(
        "Done: step 3, 16 s", f"Done: step 3, 16 s\n{failed.format(17)}\n{failed.format(18)}"
    )
    assert choose(history).action != "pick(mug_2)"


@pytest.mark.parametrize(
    ("task", "failure"),
    [("Sing me a song.", "impossible"), ("Open the fridge and keep it closed.", "contradiction")],
)
def test_stand_in_policy_gives_up_a_task_without_sense(task: str, failure: str) -> None:
    answer = choose(CHOICE.replace("Put the red mug into the sink.", task))
    assert (answer.action, answer.failure) == ("give_up()", failure)


def test_stand_in_policy_raises_for_a_task_without_sense_when_it_may_not_give_up() -> None:
    with pytest.raises(TaskNotUnderstoodError):
        choose(CHOICE.replace("Put the red mug into the sink.", "Sing me a song.").replace("\ngive_up()", ""))


def test_example_of_the_summariser_prompt_agrees_with_the_stand_in() -> None:
    shown, answer = read_reply(ChunkReply, SUMMARY), sum_up(CHUNK)
    assert (answer.state, answer.reason) == (shown.state, shown.reason)
    assert shown.state == "not_met"
    assert "In the hand: mug_2." in answer.observation


def test_stand_in_answers_the_example_questions_about_subgoals_like_the_rules() -> None:
    policy, chunk = EXAMPLES[POLICY.name], EXAMPLES[OBSERVATION_SUMMARISER.name]
    plan = HouseholdPolicy(household_categories()).answer(
        replace(policy, temporal=with_goals(policy.temporal, policy.task))
    )
    assert choose(text_of(policy)) == policy_reply(plan)
    assert sum_up(text_of(chunk)) == chunk_reply(HouseholdObservationSummariser().answer(chunk))


def test_questions_about_subgoals_are_answered_by_the_stand_ins_of_their_prompts() -> None:
    for prompt, question, ask in ((POLICY_PROMPT, CHOICE, choose), (SUMMARISER, CHUNK, sum_up)):
        messages = (
            ChatMessage(MessageRole.SYSTEM, (prompt.text,)),
            ChatMessage(MessageRole.USER, (question,)),
        )
        assert Answering().answer(messages) == ask(question)


@pytest.mark.parametrize("ask", [plan, criticise, choose, sum_up])
def test_stand_in_roles_refuse_a_text_that_is_no_question(ask: object) -> None:
    with pytest.raises(UnreadableQuestionError):
        ask("Good morning!")  # type: ignore[operator]


def test_stand_in_planner_looks_around_without_beliefs() -> None:
    answer = plan("Task: Find the milk.\n\nAllowed:\nlook_around()\ngive_up()")
    assert answer.actions == ["look_around()"]
