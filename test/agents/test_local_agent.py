"""Decisions of the whole agent in a simulated flat depend neither on the order of arrival nor on internal names."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest

pytest.importorskip("open3d", reason="the house world needs the extra `house`")

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.agents.registry import AGENTS
from stma_ros.storage.decision_log import DecisionLog
from stma_ros.types import topics
from stma_ros.types.message import Message
from stma_ros.types.planning import TaskStatus
from stma_ros.worlds.registry import make_world

TASKS = {1000: "where is a bowl?", 1005: "put all the cups on the table, then switch on the tv"}
ROOMS = 3


@cache
def plain_decisions(seed: int) -> DecisionLog:
    return decisions(seed)


def decisions(seed: int, choose: Callable[[int], int] | None = None, **world: object) -> DecisionLog:
    house = make_world("house", {"rooms": ROOMS, **world})
    house.reset("", seed)
    log = DecisionLog()
    try:
        result = LocalAgent(house, configure_agent(), [log], choose).run_task(TASKS[seed], 60)
    finally:
        house.close()
    assert result.status is TaskStatus.SUCCEEDED, result.text
    return log


@pytest.mark.parametrize("seed", TASKS)
def test_decisions_do_not_depend_on_the_order_of_arrival_across_topics(seed: int) -> None:
    shuffled = decisions(seed, random.Random(seed).randrange)
    assert plain_decisions(seed).first_difference(shuffled) == ""


@pytest.mark.parametrize("seed", TASKS)
def test_decisions_do_not_depend_on_the_worlds_internal_names(seed: int) -> None:
    permuted = decisions(seed, identity_seed=7)
    assert plain_decisions(seed).first_difference(permuted) == ""


def test_every_topic_of_the_wiring_is_published_with_its_type() -> None:
    heard: dict[str, type[Message]] = {}
    house = make_world("house", {"rooms": ROOMS})
    house.reset("", 1000)
    agent = LocalAgent(
        house, configure_agent(), [lambda topic, message: heard.setdefault(topic, type(message))]
    )
    agent.run_task("find the mug", 8)
    agent.run_task("What colour is the wardrobe?", 60)
    agent.last_seen("mug")
    agent.ask("Is there a mug?")
    agent.save()
    spoken = {topic for spec in AGENTS.match().wiring.components.values() for topic in spec.outputs}
    # Rules answer all roles, no action is one of a memory's, and no frame comes while no task runs.
    assert spoken - {topics.MODEL_CALL, topics.RECALL_REQUEST, topics.STEP} <= heard.keys()
    assert heard == {topic: topics.TOPICS[topic].type for topic in heard}


def test_question_is_answered_by_looking_and_a_second_one_from_memory_with_evidence() -> None:
    house = make_world("house", {"rooms": ROOMS})
    house.reset("", 1000)
    agent = LocalAgent(house, configure_agent())
    first = agent.run_task("What colour is the wardrobe?", 60)
    second = agent.run_task("Is there a bed?", 60)
    known = agent.ask("What colour is the wardrobe?")
    house.close()
    assert first.status is second.status is TaskStatus.SUCCEEDED
    assert first.commands > 0
    assert second.commands == 0
    assert second.text.startswith("yes (seen ")
    (evidence,) = first.evidence
    assert (evidence.thing.category, first.target) == ("wardrobe", evidence.thing)
    assert len(evidence.picture.data) > 0
    assert (known.answer, known.is_sure) == (first.text, True)


def test_several_tasks_share_one_memory_and_do_not_depend_on_the_order_of_arrival() -> None:
    def run(choose: Callable[[int], int] | None) -> tuple[DecisionLog, list[int]]:
        house = make_world("house", {"rooms": ROOMS})
        house.reset("", 1005)
        log = DecisionLog()
        agent = LocalAgent(house, configure_agent(), [log], choose)
        commands = [
            agent.run_task(text, 60).commands for text in ("find a cup", "where is the book?", "find a cup")
        ]
        house.close()
        return log, commands

    plain, commands = run(None)
    assert commands[2] == 0  # the cup's place is in the memory
    assert plain.first_difference(run(random.Random(3).randrange)[0]) == ""
