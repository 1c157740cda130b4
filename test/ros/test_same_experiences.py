"""The agent that learns from experience decides the same over DDS as in one process, and keeps the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from stma_ros.apps.session.opening import open_session
from stma_ros.apps.session.session import LOCAL, ROS, SessionSpec
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.registry import make_suite
from stma_ros.library.experience_memory import ExperienceMemory
from stma_ros.storage.decision_log import DecisionLog
from stma_ros.storage.run_folder import RunFolder

pytestmark = pytest.mark.slow

EPISODES = (("household", 1000, 0), ("find", 1003, 7))  # suite's tasks, seed, index; both short


def learnt(runtime: str, folder: Path) -> tuple[list[DecisionLog], list[tuple[object, ...]]]:
    """Returns the decisions of the episodes, one after the other, and what was kept of them."""
    store = folder / "experiences.db"
    spec = SessionSpec(runtime, "mcot_memory", {"experience_memory": {"store": str(store)}})
    logs = []
    with open_session(spec, RunFolder.create(folder / "run"), record=False) as session:
        for tasks, seed, index in EPISODES:
            episode = make_suite("rearrangement", {"tasks": tasks, "phrasing": "plain"}).episode(seed, index)
            log, witness = DecisionLog(), EpisodeTrace()
            session.start_episode(episode.scene, episode.seed, (log, witness))
            result = session.run_task(episode.text, episode.max_commands)
            assert episode.score(result, witness).success, result.text
            logs.append(log)
    with ExperienceMemory(store) as memory:
        kept = [(each.task, each.score, [step.action for step in each.steps]) for each in memory]
    return logs, kept


def test_decisions_and_experiences_do_not_depend_on_the_runtime(tmp_path: Path) -> None:
    expected, kept_here = learnt(LOCAL, tmp_path / "local")
    decided, kept = learnt(ROS, tmp_path / "ros")
    assert [one.first_difference(other) for one, other in zip(expected, decided, strict=True)] == ["", ""]
    assert kept == kept_here
    assert len(kept) == len(EPISODES)
