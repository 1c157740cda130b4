"""Tests of the suite of activities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from stma_ros.evaluation.activities import suite as module
from stma_ros.evaluation.activities.oracle import Unsolved, solve
from stma_ros.evaluation.activities.selection import NAMES, is_reporting
from stma_ros.evaluation.activities.suite import (
    Activities,
    ActivitiesSettings,
    ActivityEpisode,
    activity_episode,
    goal_parts,
)
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.metrics import GOAL_CONDITION_RECALL
from stma_ros.evaluation.registry import SUITES, make_suite
from stma_ros.evaluation.suite import Episode, Failure
from stma_ros.types.common import Error
from stma_ros.types.errors import ConfigurationError, ErrorCode
from stma_ros.types.planning import TaskResult, TaskStatus
from stma_ros.types.standard import Time
from stma_ros.worlds.bddl.problem import Problem, read_problem
from stma_ros.worlds.house.activities import instantiation
from stma_ros.worlds.house.activities.instantiation import ActivityHome, home_for
from stma_ros.worlds.house.config import HouseConfig
from stma_ros.worlds.house.place import flat_of, home_of, is_flat
from stma_ros.worlds.house.starting import start_pose
from stma_ros.worlds.house.truth import truth_of
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.state import FLOOR, HAND, SceneState
from support.activities import SNACKS

MISSING = "store_honey"
"""An activity without a definition."""

DONE = TaskResult(status=TaskStatus.SUCCEEDED)


@pytest.fixture(autouse=True)
def definitions(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Has one definition in the place of the package's."""

    def problem_of(name: str) -> Problem:
        if name == MISSING:
            raise ConfigurationError(f"there is no activity {name!r}")
        return read_problem(name, SNACKS, "problem0.bddl")

    monkeypatch.setattr(instantiation, "problem_of", problem_of)
    for cached in (instantiation.activity_home, activity_episode):
        cached.cache_clear()
    yield
    for cached in (instantiation.activity_home, activity_episode):
        cached.cache_clear()


def _truth(episode: Any, state: SceneState) -> Any:
    return truth_of(episode.home.flat, episode.scene, Placement(0.0, 0.0, 0.0), state, Time())


def _trace(episode: Any, state: SceneState) -> EpisodeTrace:
    trace = EpisodeTrace()
    trace.truths += [_truth(episode, episode.home.flat.initial), _truth(episode, state)]
    return trace


def _solved(episode: Any) -> SceneState:
    reference = solve(episode.home, Placement(*_start(episode)))
    assert not isinstance(reference, Unsolved)
    return reference.state


def _start(episode: Any) -> tuple[float, float, float]:
    pose = start_pose(episode.home.flat, np.random.default_rng(episode.seed))
    return pose.x, pose.y, pose.yaw


def test_suite_has_the_halves_of_the_activities() -> None:
    assert "activities" in SUITES
    development = make_suite("activities", {})
    reporting = Activities(ActivitiesSettings(half="reporting"))
    development.check(0, 60)
    reporting.check(0, 61)
    with pytest.raises(ConfigurationError, match="there are 60 activities"):
        development.check(0, 61)
    assert is_reporting(_activity(reporting.episode(7, 0)))
    assert not is_reporting(_activity(development.episode(7, 0)))


def _activity(episode: Episode) -> str:
    return episode.activity  # type: ignore[attr-defined,no-any-return]


def test_episode_is_in_the_flat_that_the_world_loads_by_its_name() -> None:
    episode: Any = Activities().episode(3, 0)
    assert is_flat(episode.scene)
    assert home_of(episode.scene) == episode.scene
    assert flat_of(episode.scene, HouseConfig()) == episode.home.flat
    assert episode.optimal_steps <= episode.max_commands
    assert "Close the fridge" in episode.text
    with pytest.raises(ConfigurationError, match="rooms that the activity needs"):
        flat_of(episode.scene, HouseConfig(rooms=4))


def test_every_activity_has_flats_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def refused(activity: str, seed: int) -> ActivityHome:
        tried.append(seed)
        raise ConfigurationError("it does not fit")

    monkeypatch.setattr(module, "activity_home", refused)
    for seed in (1, 2):
        for name in NAMES:
            activity_episode(name, seed)
    assert len(set(tried)) == len(tried) == 2 * 3 * len(NAMES)


def test_score_is_success_when_the_goal_is_reached_and_reported() -> None:
    episode: Any = Activities().episode(3, 0)
    solved = _trace(episode, _solved(episode))
    score = episode.score(DONE, solved)
    assert (score.failure, score.measures[GOAL_CONDITION_RECALL]) == (Failure.NONE, 100)
    gave_up = TaskResult(
        status=TaskStatus.FAILED, error=Error(code=ErrorCode.TARGET_NOT_FOUND, text="no mug")
    )
    assert episode.score(gave_up, solved).failure is Failure.NOT_FOUND


def test_score_of_what_was_not_done_names_the_conditions() -> None:
    episode: Any = Activities().episode(3, 0)
    idle = episode.score(DONE, _trace(episode, episode.home.flat.initial))
    assert idle.failure is Failure.NOT_DONE
    assert idle.measures[GOAL_CONDITION_RECALL] == 0
    assert "(forpairs (tupperware.n.01 - tupperware.n.01)" in idle.detail
    assert "(ontop mug.n.04_2 countertop.n.01_1)" in idle.detail
    assert len(goal_parts(episode.home)) == 5


def _episode(goal: str) -> ActivityEpisode:
    text = SNACKS[: SNACKS.index("(:goal")] + f"(:goal {goal}))"
    home = home_for(read_problem("storing_snacks", text, "problem0.bddl"), 1000)
    return ActivityEpisode(0, "storing_snacks", home, 1000, 1, 1)


@pytest.mark.parametrize("number", [1, 2])
def test_any_thing_of_a_class_counts_where_the_goal_names_one_of_them(number: int) -> None:
    episode = _episode("(and (ontop mug.n.04_1 floor.n.01_1) (not (ontop mug.n.04_2 floor.n.01_1)))")
    home, state = episode.home, episode.home.flat.initial
    mugs = [home.names[f"mug.n.04_{each}"] for each in (1, 2)]
    on_floor = replace(state.spots[mugs[1]], support=FLOOR)
    on_counter = state.spots[mugs[0]]
    neither = state.moved(mugs[0], on_counter).moved(mugs[1], on_counter)
    trace = EpisodeTrace()
    trace.truths += [_truth(episode, neither), _truth(episode, neither.moved(mugs[number - 1], on_floor))]
    score = episode.score(DONE, trace)  # a text cannot say which of the mugs
    assert (score.failure, score.measures[GOAL_CONDITION_RECALL]) == (Failure.NONE, 100)
    assert "2 of 2 conditions hold" in score.detail
    trace.truths[-1] = _truth(episode, neither)
    score = episode.score(DONE, trace)
    assert (score.failure, score.measures[GOAL_CONDITION_RECALL]) == (Failure.NOT_DONE, 0)


def test_a_broken_condition_that_held_at_the_begin_leaves_the_recall_as_it_is() -> None:
    episode = _episode(
        "(and (ontop muffin.n.01_1 floor.n.01_1) (inside muffin.n.01_2 electric_refrigerator.n.01_1))"
    )
    home, state = episode.home, episode.home.flat.initial
    first, second = (home.names[f"muffin.n.01_{each}"] for each in (1, 2))
    done = state.moved(first, replace(state.spots[first], support=FLOOR))
    score = episode.score(DONE, _trace(episode, done.moved(second, HAND)))
    assert (score.failure, score.measures[GOAL_CONDITION_RECALL]) == (Failure.NOT_DONE, 100)
    assert "1 of 2 conditions hold" in score.detail


def test_activity_that_the_oracle_does_not_solve_is_a_failure_with_its_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "solve", lambda home, start: Unsolved("the shelf is full"))
    episode = Activities().episode(3, 1)
    assert episode.group == "impossible"
    score = episode.score(DONE, EpisodeTrace())
    assert score.failure is Failure.IMPOSSIBLE
    assert "the shelf is full" in score.detail
    assert not score.success


def test_activity_that_does_not_exist_is_a_failure_with_its_reason() -> None:
    episode = activity_episode(MISSING, 0)
    assert f"no activity '{MISSING}'" in episode.score(DONE, EpisodeTrace()).detail
