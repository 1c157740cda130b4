"""The prompts of the domain `adventure`: their examples, and commands that no list has."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from stma_ros.domains.adventure.examples import EXAMPLES
from stma_ros.roles.observation_summariser import OBSERVATION_SUMMARISER
from stma_ros.roles.policy import POLICY, PolicyQuery
from stma_ros.roles.spec import UnusableReplyError
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SubgoalState
from stma_ros.types.planning import Action
from support.roles.scripted_client import ScriptedClient, prompt_of, prompted, text_of

DOMAIN = "stma_ros.domains.adventure"
QUESTION: PolicyQuery = EXAMPLES[POLICY.name]


def example(role: str) -> tuple[str, dict[str, str]]:
    """Returns question and reply of the example in a prompt."""
    blocks = re.findall(r"```(?:json)?\n(.*?)\n```", prompt_of(f"adventure/{role}").text, re.DOTALL)
    question, reply = blocks
    return question, json.loads(reply)


def answer(role: Any, **reply: str) -> Any:
    """Returns the answer of a model with this reply, twice the same, to the example question of the domain."""
    client = ScriptedClient(reply, reply)
    return prompted(role, client, domain=DOMAIN).answer(EXAMPLES[role.name])


@pytest.mark.parametrize("role", [POLICY, OBSERVATION_SUMMARISER], ids=lambda role: role.name)
def test_example_of_an_adventure_prompt_has_the_headings_of_a_question(role: Any) -> None:
    def headings(text: str) -> list[str]:
        return [part.split("\n")[0].partition(":")[0] for part in text.split("\n\n")]

    assert headings(example(role.name)[0]) == headings(text_of(EXAMPLES[role.name]))


def test_example_of_the_adventure_policy_is_a_usable_answer() -> None:
    plan = answer(POLICY, **example("policy")[1])
    assert plan.actions == (Action(words.SKILL_COMMAND, ("west",)),)
    assert plan.subgoal == "unlock the red door on the Cliff Top and enter the lighthouse"


def test_example_of_the_adventure_summariser_is_a_usable_answer() -> None:
    chunk = answer(OBSERVATION_SUMMARISER, **example("observation_summariser")[1])
    assert (chunk.state, chunk.reason) == (
        SubgoalState.NOT_MET,
        "The red door is locked, and there is no key yet.",
    )


@pytest.mark.parametrize("text", ["open hatch with key", "say hello to the guard, then wait"])
def test_models_may_say_anything_where_any_command_is_allowed(text: str) -> None:
    plan = answer(POLICY, reasoning="", subgoal="", action=text, failure="none")
    assert plan.actions == (Action(words.SKILL_COMMAND, (text,)),)


def test_models_may_say_nothing_else_where_commands_are_not_allowed() -> None:
    reply = {"reasoning": "", "subgoal": "", "action": "open hatch with key", "failure": "none"}
    with pytest.raises(UnusableReplyError, match="is no action"):
        prompted(POLICY, ScriptedClient(reply, reply), domain=DOMAIN).answer(
            replace(QUESTION, any_command=False)
        )


def test_adventure_policy_can_retrieve_a_closed_subgoal_but_no_other() -> None:
    reply = {"reasoning": "", "subgoal": "", "failure": "none"}
    assert answer(POLICY, **reply, action="retrieve(1)").actions == (Action(words.SKILL_RETRIEVE, ("1",)),)
    with pytest.raises(UnusableReplyError, match="is not possible now"):
        answer(POLICY, **reply, action="retrieve(2)")
