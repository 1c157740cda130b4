"""ObjectNav episodes as tasks to go to an object: task text and score."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.language import HouseholdLanguage
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.habitat_lab import suite as habitat_lab
from stma_ros.evaluation.habitat_lab.navigation import PATH_LENGTH, SPL
from stma_ros.evaluation.habitat_lab.objectnav import (
    ANSWER_RIGHT,
    STRAIGHT_DISTANCE,
    left,
    on_storey,
    task_of,
    words_of,
)
from stma_ros.evaluation.habitat_lab.settings import HabitatLabSettings
from stma_ros.evaluation.habitat_lab.suite import HabitatLab
from stma_ros.evaluation.suite import Failure
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.errors import ConfigurationError, ErrorCode
from stma_ros.types.planning import Outcome, SkillTarget, TaskResult, TaskStatus
from stma_ros.types.standard import Point, Pose
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.habitat.lab.document import episodes_of
from stma_ros.worlds.habitat.lab.episodes import EpisodeSet, LabGoal
from stma_ros.worlds.robot.map_frame import MapFrame

read_goals = HouseholdLanguage(household_categories()).goals

HERE = Path("val.json.gz")


def goal(position: tuple[float, float, float], *views: tuple[float, float, float]) -> LabGoal:
    return LabGoal(np.array(position), np.array(views).reshape(-1, 3))


def episodes(count: int = 1, **changes: Any) -> EpisodeSet:
    """Returns episodes with sofas at (5, 2) and (20, 2) of the map, view points at (4, 2) and (19, 2), and the
    floor at 0.2."""
    goals = [
        {"position": [x, 0.6, -2.0], "view_points": [[x - 1, 0.2, -2.0], [x - 1, 3.2, -2.5]]}
        for x in (5.0, 20.0)
    ]
    episode = {
        "scene": "apt_0",
        "dataset": "default",
        "start_position": [1.0, 0.2, -2.0],
        "start_rotation": [0.0, 0.0, 0.0, 1.0],
        "goals": "sofa",
        "category": "sofa",
        "geodesic_distance": 3.0,
        **changes,
    }
    listed = [{**episode, "id": str(k)} for k in range(count)]
    document = {"kind": "ObjectNav-v1", "goals": {"sofa": goals}, "episodes": listed}
    read = episodes_of(json.dumps(document).encode(), HERE)
    assert isinstance(read, EpisodeSet)
    return read


@pytest.fixture
def suite(monkeypatch: pytest.MonkeyPatch) -> HabitatLab:
    monkeypatch.setattr(habitat_lab, "read_episodes", lambda path, python: episodes(5))
    return HabitatLab(HabitatLabSettings(episodes=str(HERE)))


def witnessed(x: float, y: float, *driven: float) -> EpisodeTrace:
    witness = EpisodeTrace()
    for distance in driven:
        witness(topics.OUTCOME, Outcome(distance=distance))
    witness(topics.GROUND_TRUTH, GroundTruth(robot=Pose.planar(x, y, 0.0)))
    return witness


def answer(x: float, y: float, z: float) -> TaskResult:
    return TaskResult(
        status=TaskStatus.SUCCEEDED,
        target=SkillTarget(id="sofa_1", category="sofa", pose=Pose(Point(x, y, z))),
    )


RIGHT = answer(5.1, 2.0, 0.4)


def test_objectnav_task_text_names_the_category(suite: HabitatLab) -> None:
    episode = suite.episode(None, 2)
    assert (episode.text, episode.group, episode.seed) == ("go to a sofa", "sofa", 2)
    assert episode.scene == "apt_0@1.0000,2.0000,0.2000,1.5708"
    assert episode.max_commands == 60


@pytest.mark.parametrize(
    ("category", "task"),
    [
        ("tv_monitor", "go to a tv monitor"),
        ("chest_of_drawers", "go to a chest of drawers"),
        ("oven", "go to an oven"),
    ],
)
def test_objectnav_task_texts_are_understood_by_the_task_parser(category: str, task: str) -> None:
    assert task_of(words_of(category)) == task
    assert read_goals(task)


def test_an_answer_at_a_view_point_of_the_goal_succeeds(suite: HabitatLab) -> None:
    score = suite.episode(None, 0).score(RIGHT, witnessed(4.0, 2.05, 2.5, 1.5))
    assert score.success
    assert score.measures == pytest.approx(
        {PATH_LENGTH: 4.0, STRAIGHT_DISTANCE: 0.05, ANSWER_RIGHT: 100.0, SPL: 75.0}
    )


def test_an_answer_at_any_of_the_goals_succeeds(suite: HabitatLab) -> None:
    assert suite.episode(None, 0).score(answer(20.0, 2.0, 0.4), witnessed(19.0, 2.0, 18.0)).success


@pytest.mark.parametrize(
    ("result", "failure", "right"),
    [
        (RIGHT, Failure.NOT_DONE, 100.0),
        (answer(8.0, 2.0, 0.4), Failure.WRONG_OBJECT, 0.0),
        (answer(5.0, 2.0, 3.4), Failure.WRONG_OBJECT, 0.0),  # upstairs
        (
            TaskResult(status=TaskStatus.FAILED, error=Error(ErrorCode.TARGET_NOT_FOUND, "no sofa")),
            Failure.NOT_FOUND,
            0.0,
        ),
    ],
)
def test_an_answer_far_from_every_view_point_fails(
    suite: HabitatLab, result: TaskResult, failure: Failure, right: float
) -> None:
    score = suite.episode(None, 0).score(result, witnessed(3.0, 2.0, 2.0))
    assert score.failure is failure
    assert (score.measures[SPL], score.measures[ANSWER_RIGHT]) == (0.0, right)
    assert score.measures[STRAIGHT_DISTANCE] == pytest.approx(1.0)


@pytest.mark.parametrize("frame", [MapFrame.of(0.5, 3.0, -1.0), MapFrame.of(-2.0, 0.0, 4.0)])
def test_goals_of_a_data_set_are_scored_in_the_map_frame(suite: HabitatLab, frame: MapFrame) -> None:
    trace = EpisodeTrace(frame.settings)
    for topic, message in (
        (topics.OUTCOME, Outcome(distance=4.0)),
        (topics.GROUND_TRUTH, frame.truth(GroundTruth(robot=Pose.planar(4.0, 2.05, 0.0)))),
    ):
        trace(topic, message)
    told = replace(RIGHT, target=replace(RIGHT.target, pose=frame.pose(RIGHT.target.pose)))
    score = suite.episode(None, 0).score(told, trace)
    assert score.measures == pytest.approx(
        {PATH_LENGTH: 4.0, STRAIGHT_DISTANCE: 0.05, ANSWER_RIGHT: 100.0, SPL: 75.0}
    )


def test_giving_up_at_a_view_point_fails(suite: HabitatLab) -> None:
    lost = TaskResult(status=TaskStatus.FAILED, error=Error(ErrorCode.TARGET_NOT_FOUND, "no sofa"))
    score = suite.episode(None, 0).score(lost, witnessed(4.0, 2.0, 3.0))
    assert score.failure is Failure.NOT_FOUND
    assert score.measures[SPL] == 0.0


def test_a_view_point_on_another_storey_does_not_count(suite: HabitatLab) -> None:
    assert not suite.episode(None, 0).score(RIGHT, witnessed(4.0, 2.5, 3.0)).success


def test_goals_on_another_storey_are_left_out() -> None:
    here, above = goal((0.0, 0.0, 0.8), (1.0, 0.0, 0.3)), goal((0.0, 0.0, 3.8), (1.0, 0.0, 3.2))
    plain, roof = goal((2.0, 0.0, 1.8)), goal((2.0, 0.0, 4.0))
    remaining = on_storey((here, above, plain, roof), 0.2)
    assert [each.position.tolist() for each in remaining] == [
        pytest.approx([0.0, 0.0, 0.6]),
        pytest.approx([2.0, 0.0, 1.6]),
    ]
    assert remaining[0].view_points.tolist() == [pytest.approx([1.0, 0.0, 0.1])]


def test_distance_is_measured_to_the_object_when_a_goal_has_no_view_points() -> None:
    near, settings = on_storey((goal((5.0, 2.0, 0.5)),), 0.0), HabitatLabSettings()
    assert left(near, Point(4.1, 2.0, 0.0), settings) == (pytest.approx(0.9), True)
    assert left(near, Point(3.9, 2.0, 0.0), settings) == (pytest.approx(1.1), False)


def test_unknown_shortest_paths_are_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    upstairs = episodes(geodesic_distance=None, start_position=[1.0, 9.0, -2.0])
    monkeypatch.setattr(habitat_lab, "read_episodes", lambda path, python: upstairs)
    episode = HabitatLab(HabitatLabSettings(episodes=str(HERE))).episode(None, 0)
    score = episode.score(RIGHT, witnessed(4.0, 2.0, 3.0))
    assert not score.success
    assert set(score.measures) == {PATH_LENGTH, ANSWER_RIGHT}


def test_a_seed_shuffles_the_objectnav_episodes(suite: HabitatLab) -> None:
    assert (suite.defaults.seed, suite.defaults.episodes) == (None, 5)
    assert [suite.episode(None, k).seed for k in range(5)] == [0, 1, 2, 3, 4]
    drawn = [suite.episode(7, k).seed for k in range(5)]
    assert sorted(drawn) == [0, 1, 2, 3, 4]
    assert drawn != [0, 1, 2, 3, 4]
    assert drawn == [suite.episode(7, k).seed for k in range(5)]


def test_objectnav_suite_refuses_more_episodes_than_it_has(suite: HabitatLab) -> None:
    suite.check(None, 5)
    with pytest.raises(ConfigurationError, match="has 5 episodes, not 6"):
        suite.check(None, 6)


def test_a_missing_scene_is_refused_before_any_episode_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    read = episodes(2, scene="hm3d/val/house.glb")
    monkeypatch.setattr(habitat_lab, "read_episodes", lambda path, python: read)
    with pytest.raises(ConfigurationError, match=r"house\.glb of episode 0 is not in"):
        HabitatLab(HabitatLabSettings(episodes=str(HERE), scenes=str(tmp_path))).check(None, 2)


def test_the_world_uses_the_scene_data_set_of_the_episodes(
    monkeypatch: pytest.MonkeyPatch, suite: HabitatLab, tmp_path: Path
) -> None:
    assert suite.world_options == {}
    file = tmp_path / "flats.scene_dataset_config.json"
    file.write_text("{}")
    read = episodes(2, dataset=str(file))
    monkeypatch.setattr(habitat_lab, "read_episodes", lambda path, python: read)
    assert HabitatLab(HabitatLabSettings(episodes=str(HERE))).world_options == {"dataset": str(file)}
    both = EpisodeSet(read.kind, (*read.episodes, *episodes().episodes))
    monkeypatch.setattr(habitat_lab, "read_episodes", lambda path, python: both)
    with pytest.raises(ConfigurationError, match="2 scene data sets"):
        _ = HabitatLab(HabitatLabSettings(episodes=str(HERE))).world_options


def test_objectnav_suite_refuses_point_goals_and_names_the_command_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = EpisodeSet("PointNav-v1", episodes().episodes)
    monkeypatch.setattr(habitat_lab, "read_episodes", lambda path, python: read)
    with pytest.raises(ConfigurationError, match="stma bench pointnav"):
        HabitatLab(HabitatLabSettings(episodes=str(HERE))).check(None, 1)


def test_a_pickled_objectnav_suite_leaves_its_episodes_out(suite: HabitatLab) -> None:
    suite.check(None, 5)
    assert len(pickle.dumps(suite)) < 1000
    assert pickle.loads(pickle.dumps(suite)).episode(None, 3).seed == 3
