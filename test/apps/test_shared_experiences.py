"""Two robots in one flat that share a store of experiences: what one learnt helps the other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("open3d", reason="the world 'house' needs Open3D: pip install 'stma_ros[house]'")

from stma_ros.apps.session.local import open_local
from stma_ros.apps.session.session import LOCAL, SessionSpec
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.rearrangement import FIND, FindEpisode, Rearrangement, RearrangementSettings
from stma_ros.library.experience_memory import ExperienceMemory
from stma_ros.storage.run_folder import RunFolder

_SEED, _INDICES = 1000, (1, 3, 6)  # the first three things in closed containers


def _steps(episode: FindEpisode, folder: Path, robot: str, store: str) -> int:
    """Returns the number of commands of a robot that has never been in the flat, and finds the thing."""
    spec = SessionSpec(LOCAL, "mcot_memory", {"experience_memory": {"store": store, "robot": robot}})
    run = RunFolder.create(folder / robot)
    trace = EpisodeTrace(spec.drawn(episode.scene, episode.seed))
    with open_local(spec, run, record=False) as session:
        session.start_episode(episode.scene, episode.seed, (trace,), run)
        result = session.run_task(episode.text, 2 * episode.max_commands)
    assert episode.score(result, trace).success
    return result.commands


def test_robot_finds_things_in_fewer_steps_with_the_experiences_of_another_one(tmp_path: Path) -> None:
    alone = second = 0
    for index in _INDICES:
        episode = Rearrangement(RearrangementSettings(tasks=FIND, phrasing="plain")).episode(_SEED, index)
        assert isinstance(episode, FindEpisode)
        assert episode.group == "contained"
        folder = tmp_path / episode.category
        store = str(tmp_path / f"{episode.category}.db")
        _steps(episode, folder, "first", store)
        with ExperienceMemory(store) as memory:
            assert [(each.task, each.robot) for each in memory] == [(episode.text, "first")]

        other_start = replace(episode, seed=episode.seed + 1, text=f"where is the {episode.category}?")
        assert other_start.text != episode.text
        alone += _steps(other_start, folder, "alone", store="")
        second += _steps(other_start, folder, "second", store)
    assert second < 0.6 * alone  # measured: 27 and 60
