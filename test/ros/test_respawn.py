"""A temporal memory whose process is killed in the middle of a task is started again, once, and goes on."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from stma_ros.apps.session import ros as ros_session
from stma_ros.apps.session.local import open_local
from stma_ros.apps.session.ros import RosSession
from stma_ros.apps.session.session import LOCAL, ROS, SessionSpec
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.registry import make_suite
from stma_ros.evaluation.suite import Episode
from stma_ros.replay.exact_replay import replay
from stma_ros.storage.bag.reader import Bag
from stma_ros.storage.decision_log import DecisionLog
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types.message import Message
from stma_ros.types.planning import SkillRequest, TaskStatus

pytestmark = pytest.mark.slow

VICTIM = "temporal_memory"


class Killer:
    """Kills the victim's process when the steps are requested."""

    def __init__(self, *steps: int) -> None:
        self.processes: ros_session.NodeProcesses | None = None
        self.killed: list[int] = []
        self._steps = iter(steps)
        self._next = next(self._steps)

    def __call__(self, topic: str, message: Message) -> None:
        if isinstance(message, SkillRequest) and message.step >= self._next and self.processes is not None:
            self.killed.append(self.processes.pid(VICTIM))
            os.kill(self.killed[-1], signal.SIGKILL)
            self._next = next(self._steps, 1000)


def spec(runtime: str) -> SessionSpec:
    return SessionSpec(runtime, "hiagent", world="pddl")


@pytest.fixture
def episode() -> Episode:
    return make_suite("pddl", {}).episode(1000, 0)


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[RosSession]:
    with closing(RosSession(spec(ROS), RunFolder.create(tmp_path), record=False)) as session:
        yield session


def watch(killer: Killer, monkeypatch: pytest.MonkeyPatch) -> None:
    class Watched(ros_session.NodeProcesses):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments)  # type: ignore[arg-type]
            killer.processes = self

    monkeypatch.setattr(ros_session, "NodeProcesses", Watched)


def test_task_goes_on_when_the_memory_is_killed_in_the_middle_of_it(
    sessions: RosSession, episode: Episode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killer = Killer(4)
    watch(killer, monkeypatch)
    expected, log = DecisionLog(), DecisionLog()
    with open_local(spec(LOCAL), RunFolder.create(tmp_path / "local"), record=False) as local:
        local.start_episode(episode.scene, episode.seed, (expected, EpisodeTrace()))
        assert local.run_task(episode.text, episode.max_commands).status == TaskStatus.SUCCEEDED
    sessions.start_episode(episode.scene, episode.seed, (log, EpisodeTrace(), killer))
    result = sessions.run_task(episode.text, episode.max_commands)
    assert result.status == TaskStatus.SUCCEEDED, result.error.text
    assert expected.first_difference(log) == ""
    assert killer.processes is not None
    assert len(killer.killed) == 1
    assert killer.processes.pid(VICTIM) not in killer.killed


@pytest.mark.parametrize("step", [1, 6])
def test_replay_covers_both_lives(
    episode: Episode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    killer = Killer(step)
    watch(killer, monkeypatch)
    folder = RunFolder.create(tmp_path)
    with closing(RosSession(spec(ROS), folder, record=True)) as session:
        session.start_episode(episode.scene, episode.seed, (killer,))
        assert session.run_task(episode.text, episode.max_commands).status == TaskStatus.SUCCEEDED
    assert len(killer.killed) == 1
    result = replay(Bag(folder.path))
    assert result.same, result.first
    assert result.notes == ()
    assert [part.gap for part in result.parts] == [""] * len(result.parts)


def test_exploration_goes_on_when_the_memory_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exploring = SessionSpec(ROS, "pred_eqa", world="house", world_options={"states": "varied"})
    killer = Killer(3)
    watch(killer, monkeypatch)
    expected, log = DecisionLog(), DecisionLog()
    with open_local(
        replace(exploring, runtime=LOCAL), RunFolder.create(tmp_path / "local"), record=False
    ) as local:
        local.start_episode("", 1001, (expected, EpisodeTrace()))
        local.run_task("Is there a piano?", 6)
    with closing(RosSession(exploring, RunFolder.create(tmp_path / "ros"), record=False)) as session:
        session.start_episode("", 1001, (log, EpisodeTrace(), killer))
        result = session.run_task("Is there a piano?", 6)
    assert len(killer.killed) == 1
    assert result.commands == 6, result.error.text
    assert expected.first_difference(log) == ""


def test_second_death_ends_the_task_with_the_name_of_the_node(
    sessions: RosSession, episode: Episode, monkeypatch: pytest.MonkeyPatch
) -> None:
    killer = Killer(3, 6)
    watch(killer, monkeypatch)
    sessions.start_episode(episode.scene, episode.seed, (killer,))
    result = sessions.run_task(episode.text, episode.max_commands)
    assert result.status == TaskStatus.ERROR
    assert VICTIM in result.error.text
