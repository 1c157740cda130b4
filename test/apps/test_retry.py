"""Tests of retries: the world is reset, and the agent remembers its lessons."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.apps.episodes import EpisodeRunner, Job
from stma_ros.apps.session.local import LocalSession
from stma_ros.apps.session.session import LOCAL, Session, SessionSpec
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.metrics import AVERAGE_SCORE
from stma_ros.evaluation.suite import Score
from stma_ros.storage.decision_log import DecisionLog
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types import topics
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ConfigurationError, StmaError
from stma_ros.types.planning import (
    ArgumentKind,
    Outcome,
    Result,
    SkillRequest,
    SkillSchema,
    TaskResult,
    TaskStatus,
)
from stma_ros.types.sensing import EpisodeState, Observation
from stma_ros.types.standard import Clock, Header, Time
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.registry import world_entry
from support.apps.scripted_session import ScriptedEpisode, ScriptedSuite

TASK = "Eat the meal of the cookbook."
READ, PREPARE, EAT = "examine cookbook", "prepare meal", "eat meal"
SAYS = {
    READ: "You open the cookbook:\n\nIngredients:\n  egg\n\nDirections:\n  prepare meal",
    PREPARE: "You made a meal.",
    EAT: "You eat it.",
}
ENOUGH_TO_COOK = 2  # commands; one more is needed to read the recipe as well


class Kitchen:
    """A World of one room, in which a meal can be prepared and eaten after the recipe was read."""

    skills = (SkillSchema(name="command", arguments=(ArgumentKind.COMMAND,)),)

    def __init__(self) -> None:
        self.resets: list[tuple[str, int]] = []
        self._done: list[str] = []

    def reset(self, scene: str, seed: int) -> str:
        self.resets.append((scene, seed))
        self._done = []
        return scene

    def execute(self, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        feedback = ""
        if request.action.skill == "command":
            feedback = SAYS[request.action.arguments[0]]
            self._done.append(request.action.arguments[0])
        header = Header(Time(1 + len(self._done)))
        prepared, won = PREPARE in self._done, EAT in self._done
        outcome = Outcome(
            header=header,
            request_id=request.request_id,
            task_id=request.task_id,
            step=request.step,
            action=request.action,
            result=Result.SUCCEEDED,
        )
        yield topics.CLOCK, Clock(header.stamp)
        yield (
            topics.GROUND_TRUTH,
            GroundTruth(header=header, scene="kitchen", score=prepared + won, max_score=2.0),
        )
        yield (
            topics.OBSERVATION,
            Observation(
                header=header,
                task_id=request.task_id,
                step=request.step,
                last_outcome=outcome if feedback else Outcome(),
                feedback=feedback,
                description="-= Kitchen =-\nA kitchen with a cookbook.",
                inventory="You are carrying: an egg.",
                admissible_commands=(READ, EAT if prepared else PREPARE, "drop egg"),
                episode=EpisodeState.WON if won else EpisodeState.RUNNING,
            ),
        )
        yield topics.OUTCOME, outcome

    def close(self) -> None:
        pass


GAME = world_entry("textworld").offer


def session(world: Kitchen, preset: str = "reflexion") -> LocalSession:
    return LocalSession(world, configure_agent(preset, offer=GAME))


def test_retry_resets_the_world_and_preserves_the_lessons_of_the_agent() -> None:
    world, log = Kitchen(), DecisionLog()
    playing = session(world)
    playing.start_episode("kitchen", 7, (log,))

    first = playing.run_task(TASK, ENOUGH_TO_COOK)
    playing.retry()
    second = playing.run_task(TASK, ENOUGH_TO_COOK)

    assert world.resets == [("kitchen", 7), ("kitchen", 7)]
    assert (first.status, first.commands) == (TaskStatus.FAILED, 2)
    assert (second.status, second.commands) == (TaskStatus.SUCCEEDED, 2)
    assert first.task_id != second.task_id


def test_retry_of_an_agent_without_lessons_fails_again() -> None:
    playing = session(Kitchen(), "react")
    playing.start_episode("kitchen", 7)
    playing.run_task(TASK, ENOUGH_TO_COOK)
    playing.retry()

    assert playing.run_task(TASK, ENOUGH_TO_COOK).status == TaskStatus.FAILED


def test_new_episode_begins_without_lessons() -> None:
    playing = session(Kitchen())
    for _ in range(2):
        playing.start_episode("kitchen", 7)
        assert playing.run_task(TASK, ENOUGH_TO_COOK).status == TaskStatus.FAILED


@pytest.mark.parametrize("seed", range(5))
def test_decisions_of_retries_do_not_depend_on_the_order_of_arrival(seed: int) -> None:
    def decisions(generator: np.random.Generator | None) -> DecisionLog:
        world, log = Kitchen(), DecisionLog()
        choose = None if generator is None else lambda count: int(generator.integers(count))
        agent = LocalAgent(world, configure_agent("reflexion", offer=GAME), (log,), choose)
        for _ in range(3):
            world.reset("kitchen", 7)
            agent.run_task(TASK, ENOUGH_TO_COOK)
        return log

    assert decisions(None).first_difference(decisions(np.random.default_rng(seed))) == ""


def test_retry_is_refused_before_an_episode_and_in_worlds_with_a_camera() -> None:
    playing = session(Kitchen())
    with pytest.raises(StmaError, match="start_episode comes before retry"):
        playing.retry()

    seeing = LocalSession(Kitchen(), configure_agent())
    seeing.start_episode("kitchen", 7)
    with pytest.raises(ConfigurationError, match="only in worlds of text"):
        seeing.retry()


@dataclass(frozen=True)
class TightEpisode(ScriptedEpisode):
    """An episode whose score holds the number of ground-truth messages of the trial and the points at its end."""

    def score(self, result: TaskResult, witness: EpisodeTrace) -> Score:
        points = 100 * witness.ending.score / witness.ending.max_score
        measures = {"truths": float(len(witness.truths)), AVERAGE_SCORE: points}
        return replace(super().score(result, witness), measures=measures)


@dataclass(frozen=True)
class TightSuite(ScriptedSuite):
    def episode(self, seed: int | None, index: int) -> ScriptedEpisode:
        return TightEpisode(index, self.tasks[index], seed or 0, max_commands=ENOUGH_TO_COOK)


@contextmanager
def open_kitchen(spec: SessionSpec, folder: RunFolder, record: bool) -> Iterator[Session]:
    yield session(Kitchen(), spec.preset)


@pytest.mark.parametrize(
    ("preset", "success", "measures"),
    [
        ("reflexion", True, {"trial_1_success": 0.0, "trial_1_average_score": 50.0, "trials": 2.0}),
        ("react", False, {}),
    ],
)
def test_bench_retries_an_episode_as_often_as_its_preset_says(
    tmp_path: Path, preset: str, success: bool, measures: dict[str, float]
) -> None:
    runner = EpisodeRunner(RunFolder.create(tmp_path / "bench"), open_kitchen)

    record = runner.run(Job(SessionSpec(LOCAL, preset), TightSuite((TASK,)), 7, 0))

    assert (record.error, record.success, record.steps) == ("", success, ENOUGH_TO_COOK)
    assert {key: value for key, value in record.measures.items() if key.startswith("trial")} == measures
    assert record.measures["truths"] == 1 + ENOUGH_TO_COOK
