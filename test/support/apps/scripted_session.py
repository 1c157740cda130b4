"""Test doubles for benches: a suite whose task texts name their results, and a session that produces them."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from stma_ros.agents.local_runtime import Tap
from stma_ros.apps.session.session import Session, SessionSpec
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.suite import Defaults, Failure, Score
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode, WorldError
from stma_ros.types.planning import TaskResult, TaskStatus
from stma_ros.types.sensing import Observation


@dataclass(frozen=True)
class ScriptedEpisode:
    index: int
    text: str
    seed: int
    group: str = "group"
    scene: str = "flat_1000"
    optimal_steps: int = 2
    max_commands: int = 8

    def score(self, result: TaskResult, witness: EpisodeTrace) -> Score:
        found = result.status == TaskStatus.SUCCEEDED
        return Score(Failure.NONE if found else Failure.NOT_FOUND, result.text)


@dataclass(frozen=True)
class FollowingScriptedEpisode(ScriptedEpisode):
    """An episode whose first task is missed; its own one is solved if the first one was heard."""

    first_text: str = "miss"

    def follow(self, trace: EpisodeTrace) -> ScriptedEpisode:
        return ScriptedEpisode(self.index, "solve" if trace.observations else "miss", self.seed)


@dataclass(frozen=True)
class ScriptedSuite:
    """Episode k's task is `tasks[k]`: "solve", "miss", "learn" (solved at the second trial), "cancel" (it is canceled),
    "crash" (an error), "die" (the process ends), "wait" (it goes on), "follow" (it follows another one) or "unmade" (an
    error before it begins)."""

    tasks: tuple[str, ...]
    name: str = "scripted"
    worlds: tuple[str, ...] = ("house",)
    scene_options: tuple[str, ...] = ()
    defaults: Defaults = Defaults()

    @property
    def notes(self) -> tuple[str, ...]:
        return ()

    @property
    def component_settings(self) -> dict[str, dict[str, str]]:
        return {}

    @property
    def world_options(self) -> dict[str, str]:
        return {}

    @property
    def settings(self) -> dict[str, str]:
        return {}

    @property
    def columns(self) -> dict[str, str]:
        return {}

    def check(self, seed: int | None, episodes: int) -> None:
        assert episodes <= len(self.tasks)

    def episode(self, seed: int | None, index: int) -> ScriptedEpisode:
        assert seed is not None
        if self.tasks[index] == "unmade":
            raise WorldError("the generator broke")
        kind = FollowingScriptedEpisode if self.tasks[index] == "follow" else ScriptedEpisode
        return kind(index, self.tasks[index], seed + index)


class ScriptedSession:
    """Ends each task as its text says; its answers depend only on the seed."""

    def __init__(self) -> None:
        self._taps: tuple[Tap, ...] = ()
        self._seed = 0
        self._trial = 1

    def start_episode(
        self, scene: str, seed: int, taps: Iterable[Tap] = (), folder: RunFolder | None = None
    ) -> str:
        self._taps, self._seed, self._trial = tuple(taps), seed, 1
        return scene

    def retry(self) -> None:
        self._trial += 1

    def run_task(self, text: str, max_commands: int = 0) -> TaskResult:
        if text == "crash":
            raise WorldError("the engine broke")
        if text == "die":
            os._exit(7)
        if text == "wait":
            threading.Event().wait()
        solved = text == "solve" or (text == "learn" and self._trial == 2)
        failed = TaskStatus.CANCELED if text == "cancel" else TaskStatus.FAILED
        status = TaskStatus.SUCCEEDED if solved else failed
        error = Error() if solved else Error(ErrorCode.TARGET_NOT_FOUND, "nowhere")
        task_id = f"task_{self._trial}"
        result = TaskResult(task_id=task_id, status=status, error=error, commands=self._seed % 7)
        for tap in self._taps:
            tap(topics.OBSERVATION, Observation(task_id=task_id))
            tap(topics.TASK_RESULT, result)
        return result

    def memory(self) -> float:
        return 0.0


@contextmanager
def open_scripted(spec: SessionSpec, folder: RunFolder, record: bool) -> Iterator[Session]:
    """A session opener (see apps/episodes.py) that leaves a file for each opened and each closed session."""
    marks = folder.path / "sessions"
    with marks.open("a") as stream:
        stream.write("opened\n")
    yield ScriptedSession()
    with marks.open("a") as stream:
        stream.write("closed\n")
