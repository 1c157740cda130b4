"""A lost game is tried again over DDS as in one process: the world restarts, and lessons are retained."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from stma_ros.apps.session.local import open_local
from stma_ros.apps.session.ros import RosSession
from stma_ros.apps.session.session import LOCAL, ROS, Session, SessionSpec
from stma_ros.evaluation.registry import make_suite
from stma_ros.evaluation.suite import Episode
from stma_ros.storage.decision_log import DecisionLog
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types import topics
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import TaskResult, TaskStatus

pytestmark = pytest.mark.slow

SEED = 1000
READ = "examine cookbook"
BUDGET = 6  # commands: enough for the meal, but not to read the recipe as well


def spec(runtime: str) -> SessionSpec:
    return SessionSpec(runtime, "reflexion", world="textworld")


def tried_twice(session: Session, episode: Episode) -> tuple[list[TaskResult], DecisionLog]:
    log = DecisionLog()
    session.start_episode(episode.scene, episode.seed, (log,))
    results = [session.run_task(episode.text, BUDGET)]
    session.retry()
    results.append(session.run_task(episode.text, BUDGET))
    return results, log


def done(log: DecisionLog, task: str) -> list[str]:
    return [
        str(record["action"])
        for record in log.records
        if (record["task"], record["kind"]) == (task, topics.OUTCOME)
    ]


def test_the_second_attempt_at_a_game_receives_the_lessons_of_the_first(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path)
    episode = make_suite("cooking", {"level": "1"}).episode(SEED, 0)
    with (
        open_local(spec(LOCAL), folder, record=False) as local,
        closing(RosSession(spec(ROS), folder, record=False)) as ros,
    ):
        _, expected = tried_twice(local, episode)
        (first, second), log = tried_twice(ros, episode)

    assert (first.status, first.error.code) == (TaskStatus.FAILED, ErrorCode.OUT_OF_COMMANDS)
    assert second.status == TaskStatus.SUCCEEDED, second.text
    assert any(READ in action for action in done(log, "task_1"))
    assert not any(READ in action for action in done(log, "task_2"))
    assert log.first_difference(expected) == ""
