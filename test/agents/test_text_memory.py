"""The whole agent in a text world answers queries about its memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Outcome, Result, SkillRequest, SkillSchema, TaskStatus
from stma_ros.types.sensing import EpisodeState, Observation
from stma_ros.types.standard import Header, Time
from stma_ros.worlds.registry import world_entry

RECIPE = "Ingredients:\nbanana\n\nDirections:\nprepare meal"


class Kitchen:
    """A text world of one room."""

    skills = (SkillSchema(name=words.SKILL_COMMAND),)

    def __init__(self) -> None:
        self._second = 0
        self._carries: list[str] = []

    def reset(self, scene: str, seed: int) -> str:
        return scene

    def close(self) -> None:
        return

    def execute(self, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        self._second += 1
        done = request.action.arguments[0] if request.action.arguments else ""
        feedback = RECIPE if done == "examine cookbook" else "Done."
        self._carries += {"take banana from table": ["banana"], "prepare meal": ["meal"]}.get(done, [])
        held = ", ".join(f"a {name}" for name in self._carries)
        header = Header(Time(self._second))
        outcome = Outcome(
            header=header,
            request_id=request.request_id,
            task_id=request.task_id,
            step=request.step,
            action=request.action,
            result=Result.SUCCEEDED,
        )
        commands = ["examine cookbook", "take cookbook from counter", "examine table", "prepare meal", "look"]
        commands += ["drop banana"] if "banana" in self._carries else ["take banana from table"]
        commands += ["eat meal", "drop meal"] if "meal" in self._carries else []
        yield (
            topics.OBSERVATION,
            Observation(
                header=header,
                task_id=request.task_id,
                step=request.step,
                last_outcome=Outcome() if request.action.skill == words.SKILL_OBSERVE else outcome,
                feedback=feedback,
                description="-= Kitchen =-\nYou are in a kitchen.",
                inventory=f"You are carrying: {held}." if held else "You are carrying nothing.",
                admissible_commands=tuple(sorted(commands)),
                episode=EpisodeState.WON if done == "eat meal" else EpisodeState.RUNNING,
            ),
        )
        yield topics.OUTCOME, outcome


def agent_in(world: Kitchen, folder: Path) -> LocalAgent:
    settings = {"embedder": "lexical", "memory_dir": str(folder)}
    game = world_entry("textworld").offer
    return LocalAgent(world, configure_agent("full", {"spatial_memory": settings}, game))


def test_text_agent_answers_saves_forgets_and_reloads_its_memory(tmp_path: Path) -> None:
    agent = agent_in(Kitchen(), tmp_path)
    assert agent.last_seen("banana").error.code == ErrorCode.NOT_REMEMBERED

    assert agent.run_task("cook", 9).status == TaskStatus.SUCCEEDED

    assert [s.place for s in agent.last_seen("the banana").sightings] == [
        "in the hand, in kitchen",
        "on table, in kitchen",
    ]
    assert not agent.save().error
    assert not agent.forget("banana").error
    agent.close()

    tomorrow = agent_in(Kitchen(), tmp_path)
    assert tomorrow.last_seen("banana").error.code == ErrorCode.NOT_REMEMBERED
    assert tomorrow.last_seen("cookbook").sightings[0].place == "on counter, in kitchen"
    assert tomorrow.run_task("cook", 9).status == TaskStatus.SUCCEEDED
    tomorrow.close()
