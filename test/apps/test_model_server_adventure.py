"""Tests of the stand-in model in text adventures: asked by prompt, it decides like the rules."""

from __future__ import annotations

from typing import Any

import pytest

from stma_ros.domains.adventure.examples import EXAMPLES
from stma_ros.domains.adventure.observation_summariser import AdventureObservationSummariser
from stma_ros.domains.adventure.policy import AdventurePolicy
from stma_ros.roles.observation_summariser import OBSERVATION_SUMMARISER
from stma_ros.roles.policy import POLICY
from support.roles.made_up_story import ROOMS, Player
from support.roles.scripted_client import prompted
from support.roles.stand_in_client import Served


def served(role: Any) -> Any:
    return prompted(role, Served(), domain="stma_ros.domains.adventure")


@pytest.mark.parametrize("subgoals", [True, False])
def test_stand_in_for_the_policy_explores_a_story_as_the_rules_do(subgoals: bool) -> None:
    by_rules, by_prompt = Player(subgoals=subgoals), Player(subgoals=subgoals, policy=served(POLICY))
    assert list(by_prompt.play(40)) == list(by_rules.play(40))
    assert {*by_prompt.story.visited} == {*ROOMS}


def test_stand_in_for_the_summariser_sums_up_a_story_as_the_rules_do() -> None:
    by_rules, by_prompt = Player(), Player(summariser=served(OBSERVATION_SUMMARISER))
    assert list(by_prompt.play(40)) == list(by_rules.play(40))
    assert by_prompt.query.temporal.text == by_rules.query.temporal.text


def test_stand_ins_answer_the_example_questions() -> None:
    policy, summariser = EXAMPLES[POLICY.name], EXAMPLES[OBSERVATION_SUMMARISER.name]
    assert served(POLICY).answer(policy) == AdventurePolicy().answer(policy)
    assert served(OBSERVATION_SUMMARISER).answer(summariser) == AdventureObservationSummariser().answer(
        summariser
    )
