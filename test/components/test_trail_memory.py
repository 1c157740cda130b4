"""Tests of the memory that keeps a trail: one entry for each step towards a frontier, in any order of messages."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from stma_ros.components.temporal_memory.saved_history import SavedTrail
from stma_ros.components.temporal_memory.trail_memory import TrailMemory, TrailMemoryConfig
from stma_ros.roles.recorder import RecordQuery, TrailEntry
from stma_ros.storage.state_file import StateFile
from stma_ros.types import topics
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.causality import message_ref
from stma_ros.types.errors import RoleError
from stma_ros.types.exploration import ExplorationPlan, VisualBelief
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, Plan, SkillRequest, Task
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import StepStamp

EXPLORE, LOOK = Action("explore", ("frontier_1",)), Action("look_around")


class Recorder:
    def __init__(self, error: str = "") -> None:
        self.asked: list[RecordQuery] = []
        self._error = error

    def answer(self, query: RecordQuery) -> TrailEntry:
        self.asked.append(query)
        if self._error:
            raise RoleError(self._error)
        return TrailEntry(f"{query.manager} {query.answerer} {query.chooser}")


def step(number: int, action: Action, revision: int = 0) -> list[tuple[str, Message]]:
    """Returns what is said at a step, and the request and observation of the one after it."""
    at = StepStamp(header=Header(Time(number + 1)), task_id="a", step=number, revision=revision)
    plan = Plan(at=at, actions=(action,), reasoning=f"chose {number}")
    request = SkillRequest(
        task_id="a", step=number + 1, action=action, derived_from=(message_ref(topics.PLAN, plan),)
    )
    seen = Observation(header=Header(Time(number + 2)), task_id="a", step=number + 1)
    return [
        (topics.VISUAL_BELIEF, VisualBelief(at=at, text=f"saw {number}")),
        (topics.EXPLORATION_PLAN, ExplorationPlan(at=at, assessment=f"knew {number}")),
        (topics.PLAN, plan),
        (topics.SKILL_REQUEST, request),
        (topics.OBSERVATION, seen),
    ]


BEGIN: list[tuple[str, Message]] = [
    (topics.TASK, Task(task_id="a", text="Is there a cat?")),
    (topics.SKILL_REQUEST, SkillRequest(task_id="a", step=0, action=Action("observe"))),
    (topics.OBSERVATION, Observation(header=Header(Time(1)), task_id="a", step=0)),
]


def beliefs(memory: TrailMemory, messages: Iterable[tuple[str, Message]]) -> list[TemporalBelief]:
    said = (emission for message in messages for emission in memory.handle(*message))
    return [message for _, message in said if isinstance(message, TemporalBelief)]


def test_entry_is_made_of_what_the_roles_said_whatever_the_order_of_messages():
    expected = None
    for order in itertools.permutations(step(0, EXPLORE)):
        made = beliefs(TrailMemory(TrailMemoryConfig(), Recorder()), [*BEGIN, *order, *order])
        assert [belief.step for belief in made] == [0, 1]
        assert [belief.observations for belief in made] == [(), ("saw 0 knew 0 chose 0",)]
        expected = expected or made
        assert made == expected


def test_looking_around_leaves_no_entry():
    recorder = Recorder()
    made = beliefs(TrailMemory(TrailMemoryConfig(), recorder), [*BEGIN, *step(0, LOOK), *step(1, EXPLORE)])
    assert [belief.observations for belief in made] == [(), (), ("saw 1 knew 1 chose 1",)]
    assert len(recorder.asked) == 1


def test_entry_is_of_the_plan_that_was_followed():
    first, second = step(0, EXPLORE), step(0, EXPLORE, revision=1)
    messages = [*BEGIN, *first[:3], *second[1:]]
    (_, last) = beliefs(TrailMemory(TrailMemoryConfig(), Recorder()), messages)
    assert last.observations == ("saw 0 knew 0 chose 0",)


def test_only_the_newest_entries_are_shown():
    messages = [*BEGIN, *(message for number in range(5) for message in step(number, EXPLORE))]
    made = beliefs(TrailMemory(TrailMemoryConfig(trail_steps=2), Recorder()), messages)
    assert made[-1].observations == ("saw 3 knew 3 chose 3", "saw 4 knew 4 chose 4")
    assert made[-1].text == "- Step 1: saw 3 knew 3 chose 3\n- Step 2: saw 4 knew 4 chose 4"


def test_recorder_without_an_answer_leaves_a_step_out_and_says_so():
    memory = TrailMemory(TrailMemoryConfig(), Recorder("too long"))
    said = [emission for message in (*BEGIN, *step(0, EXPLORE)) for emission in memory.handle(*message)]
    assert [message.error for topic, message in said if topic == topics.ROLE_CALLS] == ["too long"]  # type: ignore[attr-defined]
    assert said[-1][1].observations == ()  # type: ignore[attr-defined]


def test_without_a_recorder_there_is_no_trail_and_nobody_is_waited_for():
    recorder = Recorder()
    messages = [*BEGIN, *step(0, EXPLORE)[3:]]
    made = beliefs(TrailMemory(TrailMemoryConfig(recorder=False), recorder), messages)
    assert [belief.observations for belief in made] == [(), ()]
    assert recorder.asked == []


# -- after the death of its process

MESSAGES = (*BEGIN, *(message for number in range(3) for message in step(number, EXPLORE)))


def run(folder: Path, messages: Iterable[tuple[str, Message]], recorder: Recorder) -> list[TemporalBelief]:
    store = StateFile(folder / "trail.state", SavedTrail)
    return beliefs(TrailMemory(TrailMemoryConfig(), recorder, store), messages)


@pytest.mark.parametrize("killed_after", range(len(MESSAGES)))
@pytest.mark.parametrize("reverse", [False, True])
def test_trail_goes_on_after_its_memory_was_killed(tmp_path, killed_after, reverse):
    expected = run(tmp_path / "whole", MESSAGES, Recorder())
    first, second = Recorder(), Recorder()
    before = run(tmp_path / "killed", MESSAGES[:killed_after], first)
    # Topics come in any order after a restart, and those of a topic in their own.
    again = sorted(MESSAGES[:killed_after], key=lambda item: item[0], reverse=reverse)
    after = run(tmp_path / "killed", (*again, *MESSAGES[killed_after:]), second)
    assert before == expected[: len(before)]
    assert after == expected[max(0, len(before) - 1) :]  # the last belief may not have been published
    assert len(first.asked) + len(second.asked) == 3


def test_messages_of_tasks_before_the_killed_one_leave_no_trail(tmp_path):
    earlier = [(topic, replace(message, task_id="before")) for topic, message in BEGIN]
    run(tmp_path, [*earlier, *MESSAGES[:8]], Recorder())
    after = run(tmp_path, [*MESSAGES, *earlier], Recorder())
    assert [belief.task_id for belief in after] == ["a"] * 3


def test_trail_that_never_goes_on_changes_nothing_for_later_tasks(tmp_path):
    later = [(topic, replace(message, task_id="later")) for topic, message in BEGIN]
    run(tmp_path / "cut", MESSAGES, Recorder())
    assert run(tmp_path / "cut", later, Recorder()) == run(tmp_path / "alone", later, Recorder())


def test_closed_memory_leaves_no_trail_behind(tmp_path):
    store = StateFile(tmp_path / "trail.state", SavedTrail)
    memory = TrailMemory(TrailMemoryConfig(), Recorder(), store)
    beliefs(memory, MESSAGES)
    again = TrailMemory(TrailMemoryConfig(), Recorder(), store)
    assert (memory.resumed_from, again.resumed_from) == ("", "trail.1.state")
    memory.close()
    assert store.load() is None
