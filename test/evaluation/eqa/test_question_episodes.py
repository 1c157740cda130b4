"""Question episodes: determinism, what the agent gets, the oracle's plan."""

from __future__ import annotations

import itertools
import json
import math
import subprocess
import sys
from dataclasses import asdict, fields
from functools import lru_cache

import numpy as np
import pytest

from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.eqa.generation.blind_prior import blind_prior
from stma_ros.evaluation.eqa.generation.episode import Category, PlanKind, QuestionEpisode, QuestionTask
from stma_ros.evaluation.eqa.generation.episode_geometry import EpisodeGeometry
from stma_ros.evaluation.eqa.generation.generator import category_of, question_episode
from stma_ros.evaluation.eqa.generation.grounding import Recognition
from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.suite import GROUNDED, EqaEpisode
from stma_ros.evaluation.registry import make_suite
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.planning import Evidence, TaskResult, TaskStatus
from stma_ros.types.standard import Pose
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.house.config import VARIED_STATES, HouseConfig
from stma_ros.worlds.house.house import House
from stma_ros.worlds.house.rendering.renderer import Renderer
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.sensors import camera_pose

CAMERA = Camera()
SEED = 1000


def test_categories_take_turns(episodes: list[QuestionEpisode]) -> None:
    categories = [episode.truth.category for episode in episodes]
    assert categories == [category_of(index) for index in range(len(episodes))]
    assert set(categories) == set(Category)


def test_an_episode_is_the_same_in_another_process_with_another_hash_seed(
    episodes: list[QuestionEpisode],
) -> None:
    seed = int(episodes[0].id.split("-")[0])
    code = (
        "import json; from dataclasses import asdict\n"
        "from stma_ros.evaluation.eqa.generation.generator import question_episode\n"
        f"print(json.dumps([asdict(question_episode({seed}, k)) for k in range(4)]))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONHASHSEED": "7"}, capture_output=True, text=True, check=True
    )
    assert json.loads(result.stdout) == json.loads(json.dumps([asdict(episode) for episode in episodes[:4]]))


def test_a_task_holds_scene_seed_and_text_alone(episodes: list[QuestionEpisode]) -> None:
    assert [field.name for field in fields(QuestionTask)] == ["scene", "seed", "text"]
    for episode in episodes:
        assert episode.task.scene == f"flat_{episode.flat_seed}"
        assert not any(name in episode.task.text for name in episode.truth.evidence_ids if "_" in name)


def test_the_world_starts_an_episode_at_its_start_in_its_state(episodes: list[QuestionEpisode]) -> None:
    world = House(HouseConfig(states=VARIED_STATES))
    for episode in episodes[:3]:
        world.reset(episode.task.scene, episode.task.seed)
        assert world.robot == episode.truth.start
        assert world.state == QuestionHome(episode.flat_seed).state


def test_the_length_of_a_plan_is_finite_and_at_least_the_straight_line(
    episodes: list[QuestionEpisode],
) -> None:
    for episode in episodes:
        truth = episode.truth
        line = math.hypot(truth.goal.x - truth.start.x, truth.goal.y - truth.start.y)
        assert line - 0.1 <= truth.path_length <= 40.0, episode.task.text


def test_a_plan_to_a_pose_is_as_long_as_the_robots_own_way(episodes: list[QuestionEpisode]) -> None:
    for episode in [one for one in episodes if one.truth.plan is PlanKind.POSE][:8]:
        flat = QuestionHome(episode.flat_seed).flat
        truth = episode.truth
        way = flat.ground(flat.initial).way(truth.start, truth.goal.x, truth.goal.y)
        assert way is not None
        points = [(truth.start.x, truth.start.y), *way]
        own = sum(math.dist(a, b) for a, b in itertools.pairwise(points))
        assert truth.path_length == pytest.approx(own, rel=0.05, abs=0.1), episode.task.text


@lru_cache(maxsize=1)
def _renderer(flat_seed: int) -> tuple[QuestionHome, Renderer]:
    home = QuestionHome(flat_seed)
    return home, Renderer(home.flat, CAMERA)


def _pixels(flat_seed: int, pose: Placement) -> dict[str, int]:
    """Returns the pixels of each thing in the image of the world's own camera."""
    home, renderer = _renderer(flat_seed)
    owners, counts = np.unique(renderer.render(pose, home.state).owner, return_counts=True)
    shown = zip(owners.tolist(), counts.tolist(), strict=True)
    return {renderer.owners[owner]: count for owner, count in shown if owner >= 0}


def _shows(episode: QuestionEpisode, pose: Placement) -> bool:
    home, _ = _renderer(episode.flat_seed)
    recognition = Recognition(home.flat, CAMERA)
    return recognition.shows_evidence(_pixels(episode.flat_seed, pose), episode.truth)


def test_the_pose_at_the_end_of_a_path_shows_the_evidence(episodes: list[QuestionEpisode]) -> None:
    to_poses = [episode for episode in episodes if episode.truth.plan is PlanKind.POSE]
    assert len(to_poses) > 10
    for episode in to_poses:
        assert _shows(episode, episode.truth.goal), episode.task.text


def test_the_scorer_sees_the_evidence_at_the_goal_and_not_at_the_start(
    episodes: list[QuestionEpisode],
) -> None:
    episode = next(one for one in episodes if one.truth.plan is PlanKind.POSE)
    truth, geometry = episode.truth, EpisodeGeometry(episode)
    assert geometry.shows_evidence(truth.goal)
    assert not geometry.shows_evidence(truth.start)
    closed = QuestionHome(episode.flat_seed).state.closed(
        *QuestionHome(episode.flat_seed).flat.openable_names
    )
    assert not geometry.shows_evidence(truth.start, closed)
    assert geometry.distance_to_goal(truth.goal) < 0.1
    assert geometry.distance_to_goal(truth.start) == pytest.approx(truth.path_length, rel=0.05, abs=0.1)


@pytest.mark.parametrize(("height", "grounded"), [("240", 100.0), ("60", 0.0)])
def test_a_cited_picture_shows_what_the_images_of_the_world_show(height: str, grounded: float) -> None:
    suite = make_suite("eqa", {"height": height})
    assert suite.world_options["height"] == int(height)
    episode = suite.episode(SEED, 5)
    assert isinstance(episode, EqaEpisode)
    goal = episode.question.truth.goal
    cited = Evidence(snapshot="snapshot_1", camera=camera_pose(CAMERA, goal))
    trace = EpisodeTrace()
    trace("ground_truth", GroundTruth(robot=Pose.planar(goal.x, goal.y, goal.yaw)))
    result = TaskResult(status=TaskStatus.SUCCEEDED, text="this one", evidence=(cited,))
    assert episode.score(result, trace).measures[GROUNDED] == grounded


@pytest.mark.timeout(900)
def test_at_most_a_tenth_of_the_starts_shows_the_evidence(many_episodes: list[QuestionEpisode]) -> None:
    turns = [2 * math.pi * k / 6 for k in range(6)]
    to_poses = [episode for episode in many_episodes if episode.truth.plan is PlanKind.POSE]
    shown = 0
    for episode in to_poses:
        start = episode.truth.start
        shown += any(_shows(episode, Placement(start.x, start.y, start.yaw + turn)) for turn in turns)
    assert shown <= 0.1 * len(many_episodes)


@pytest.mark.timeout(900)
def test_a_blind_answer_is_right_in_few_episodes(many_episodes: list[QuestionEpisode]) -> None:
    prior = blind_prior()
    right = [
        prior.answer(episode.task.text) in (episode.truth.answer, *episode.truth.extra_answers)
        for episode in many_episodes
    ]
    assert sum(right) <= 0.3 * len(many_episodes)


@pytest.mark.parametrize(("seed", "index"), [(-1, 0), (10**9, 0), (0, 1_000), (0, -1)])
def test_questions_refuse_seeds_and_indices_out_of_range(seed: int, index: int) -> None:
    with pytest.raises(ConfigurationError, match=r"from 0 to|another seed"):
        question_episode(seed, index)
