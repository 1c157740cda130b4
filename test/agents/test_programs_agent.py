"""MCoT-Memory does people's activities by rules in one process, and keeps the experience."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.library.experience_memory import ExperienceMemory
from stma_ros.types import topics
from stma_ros.types.errors import ErrorCode
from stma_ros.types.message import Message
from stma_ros.types.planning import Outcome, Result, TaskResult, TaskStatus
from stma_ros.worlds.registry import make_world, world_entry
from support.people_programs import MILK_TO_THE_TABLE, home_document, write_activity

_TASK = "Breakfast. Get the milk out. In the end: the milk is on the table; the fridge is closed."
_COMMANDS = [
    "walk to kitchen_1",
    "walk to fridge_1",
    "open fridge_1",
    "grab milk_1",
    "walk to table_1",
    "put milk_1 on table_1",
    "walk to fridge_1",
    "close fridge_1",
]


def _run(folder: Path, task: str, store: Path) -> tuple[TaskResult, list[str]]:
    """Returns how a task ended, and the commands that were executed."""
    done: list[str] = []

    def note(topic: str, message: Message) -> None:
        if isinstance(message, Outcome) and topic == topics.OUTCOME:
            assert message.result is Result.SUCCEEDED
            done.extend(message.action.arguments)

    world = make_world("programs", {"folder": str(folder)})
    world.reset("", 0)
    overrides = {"experience_memory": {"store": str(store)}}
    agent = LocalAgent(
        world, configure_agent("mcot_memory", overrides, world_entry("programs").offer), [note]
    )
    result = agent.run_task(task, 30)
    agent.close()
    world.close()
    return result, done


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_activity(tmp_path / "home", "breakfast", MILK_TO_THE_TABLE, home_document())
    return tmp_path / "home"


def test_activity_is_done_to_its_end_and_kept_as_an_experience(folder: Path, tmp_path: Path) -> None:
    result, commands = _run(folder, _TASK, tmp_path / "experiences.db")
    assert result.status is TaskStatus.SUCCEEDED
    assert commands == _COMMANDS
    with ExperienceMemory(tmp_path / "experiences.db") as memory:
        [kept] = memory
        rules = memory.rules_of_thumb("the milk is in the cup", domain="programs")
    assert (kept.domain, kept.task, kept.status) == ("programs", _TASK, TaskStatus.SUCCEEDED)
    assert [str(step.action) for step in kept.steps] == [*_COMMANDS, "finish()"]
    assert kept.score > 0.7
    assert "milk_1 on table_1" in [
        f"{fact.subject} {fact.predicate} {fact.object}" for fact in kept.final_graph
    ]
    found = {(rule.thing, rule.place, rule.room): (rule.found, rule.looked) for rule in rules}
    in_passing = ("cup", "table", "kitchen")
    assert found == {("milk", "fridge", "kitchen"): (1, 1), in_passing: (1, 1)}


def test_activity_is_done_without_its_final_graph(folder: Path, tmp_path: Path) -> None:
    (folder / "graphs" / "breakfast.json").write_text(json.dumps({"init_graph": home_document()}))
    result, commands = _run(folder, _TASK, tmp_path / "experiences.db")
    assert (result.status, commands) == (TaskStatus.SUCCEEDED, _COMMANDS)


def test_thing_that_is_nowhere_ends_the_activity_as_not_found(folder: Path, tmp_path: Path) -> None:
    result, _ = _run(folder, "you hold the novel", tmp_path / "experiences.db")
    assert (result.status, result.error.code) == (TaskStatus.FAILED, ErrorCode.TARGET_NOT_FOUND)


def test_task_of_another_form_is_refused_with_the_forms(folder: Path, tmp_path: Path) -> None:
    result, commands = _run(folder, "make breakfast", tmp_path / "experiences.db")
    assert (result.status, result.error.code, commands) == (
        TaskStatus.FAILED,
        ErrorCode.TASK_NOT_UNDERSTOOD,
        [],
    )
    assert "'you hold the novel'" in result.error.text
