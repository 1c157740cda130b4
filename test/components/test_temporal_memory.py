"""Temporal memory: one belief for every observation, in order, each record summarised once."""

from __future__ import annotations

import itertools

import pytest

from stma_ros.components.temporal_memory import TemporalMemory, TemporalMemoryConfig
from stma_ros.roles.contracts import SummariseQuery, Summary
from stma_ros.types import topics
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.common import Source
from stma_ros.types.errors import ConfigurationError, RoleError
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, Outcome, Result, Task
from stma_ros.types.sensing import Observation
from stma_ros.types.settings import configure
from stma_ros.types.standard import Header, Time


def task(task_id: str = "a", text: str = "find the mug") -> Task:
    return Task(Header(Time(1)), task_id, text)


def observation(step: int, task_id: str = "a") -> Observation:
    action = Action("explore", (f"frontier_{step}",)) if step else Action("observe")
    done = Outcome(Header(Time(10 + step)), f"{task_id}/{step}", task_id, step, action, Result.SUCCEEDED)
    return Observation(Header(Time(10 + step), "odom"), task_id, step, Time(10 + step), done)


def feed(memory: TemporalMemory, *messages: Message) -> list[TemporalBelief]:
    beliefs = []
    for message in messages:
        topic = topics.TASK if isinstance(message, Task) else topics.OBSERVATION
        for out, belief in memory.handle(topic, message):
            assert out == topics.TEMPORAL_BELIEF
            assert isinstance(belief, TemporalBelief)
            beliefs.append(belief)
    return beliefs


def memory(history: int = 25) -> TemporalMemory:
    return TemporalMemory(TemporalMemoryConfig(history))


def test_a_belief_for_each_observation() -> None:
    beliefs = feed(memory(), task(), *(observation(step) for step in range(3)))
    assert [(b.task_id, b.step, b.revision) for b in beliefs] == [("a", 0, 0), ("a", 1, 0), ("a", 2, 0)]
    assert [len(b.completed) for b in beliefs] == [0, 1, 2]
    last = beliefs[-1]
    assert last.header == Header(Time(12))
    assert last.based_on == (Source("task", "a"), Source("observation", "a/2"))
    assert last.active_goals == ("find the mug",)
    assert "Step 2: the robot explored frontier_2." in last.text


def test_any_order_of_arrival_gives_the_same_beliefs() -> None:
    messages = [task(), *(observation(step) for step in range(3))]
    expected = feed(memory(), *messages)
    for order in itertools.permutations(messages):
        assert feed(memory(), *order) == expected


def test_duplicates_change_nothing() -> None:
    once = feed(memory(), task(), observation(0), observation(1), observation(2))
    twice = feed(
        memory(),
        task(),
        observation(0),
        observation(0),
        observation(1),
        task(),
        observation(0),
        observation(2),
    )
    assert twice == once


def test_a_new_task_starts_a_new_history() -> None:
    beliefs = feed(
        memory(), task(), observation(0), observation(1), task("b", "find the bowl"), observation(0, "b")
    )
    assert beliefs[-1].completed == ()
    assert "find the bowl" in beliefs[-1].text


class Recorder:
    """A summariser that notes what it is asked, and fails where it is told to."""

    def __init__(self, *failures: int) -> None:
        self.queries: list[SummariseQuery] = []
        self._failures = failures

    def summarise(self, query: SummariseQuery) -> Summary:
        self.queries.append(query)
        if len(self.queries) in self._failures:
            raise RoleError("no answer")
        return Summary(text=f"{query.previous.text}+{query.fresh}")


def test_each_record_is_summarised_once_from_a_bounded_buffer() -> None:
    role = Recorder()
    feed(TemporalMemory(TemporalMemoryConfig(3), role), task(), *(observation(step) for step in range(6)))
    assert [query.fresh for query in role.queries] == [1] * 6
    assert [record.step for record in role.queries[-1].records] == [3, 4, 5]
    assert role.queries[-1].previous.text == "+1+1+1+1+1"


def test_a_failed_summary_is_made_up_for_at_the_next_step() -> None:
    role = Recorder(2)
    beliefs = feed(
        TemporalMemory(TemporalMemoryConfig(), role), task(), *(observation(step) for step in range(3))
    )
    assert [query.fresh for query in role.queries] == [1, 1, 2]
    assert beliefs[1].text.splitlines() == ["+1", "the last 1 steps are not summarised: no answer"]
    assert beliefs[2].text == "+1+2"


def test_the_length_of_the_history_is_a_setting() -> None:
    assert TemporalMemoryConfig().history == 25
    assert configure(TemporalMemoryConfig, {"history": "3"}, "temporal_memory").history == 3
    with pytest.raises(ConfigurationError, match=r"temporal_memory\.history"):
        configure(TemporalMemoryConfig, {"history": 0}, "temporal_memory")
