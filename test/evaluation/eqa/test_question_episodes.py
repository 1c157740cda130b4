"""Question episodes: determinism, what the agent gets, the oracle's plan."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import asdict, fields

import pytest

from stma_ros.evaluation.eqa.generation.episode import PlanKind, QuestionEpisode, QuestionTask
from stma_ros.evaluation.eqa.generation.generator import category_of, question_episode
from stma_ros.evaluation.eqa.generation.grounding import Recognition
from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.sight_scene import SightScene
from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.house.config import VARIED_STATES, HouseConfig
from stma_ros.worlds.house.house import House
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import Placement

SEED, EPISODES = 1000, 40


@pytest.fixture(scope="module")
def episodes() -> list[QuestionEpisode]:
    return [question_episode(SEED, index) for index in range(EPISODES)]


def _seen(episode: QuestionEpisode, pose: Placement) -> dict[str, int]:
    home = QuestionHome(episode.flat_seed)
    return SightScene(home.flat, home.state, Camera()).pixels(pose)


def test_categories_take_turns(episodes: list[QuestionEpisode]) -> None:
    assert [episode.truth.category for episode in episodes] == [category_of(k) for k in range(EPISODES)]


def test_an_episode_is_the_same_in_another_process_with_another_hash_seed(
    episodes: list[QuestionEpisode],
) -> None:
    code = (
        "import json; from dataclasses import asdict\n"
        "from stma_ros.evaluation.eqa.generation.generator import question_episode\n"
        f"print(json.dumps([asdict(question_episode({SEED}, k)) for k in range(5)]))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONHASHSEED": "7"}, capture_output=True, text=True, check=True
    )
    assert json.loads(result.stdout) == json.loads(json.dumps([asdict(episode) for episode in episodes[:5]]))


def test_a_task_holds_scene_seed_and_text_alone(episodes: list[QuestionEpisode]) -> None:
    assert [field.name for field in fields(QuestionTask)] == ["scene", "seed", "text"]
    for episode in episodes:
        assert episode.task.scene == f"flat_{episode.flat_seed}"
        assert not any(name in episode.task.text for name in episode.truth.evidence_ids if "_" in name)


def test_the_world_starts_an_episode_at_its_start(episodes: list[QuestionEpisode]) -> None:
    world = House(HouseConfig(states=VARIED_STATES))
    for episode in episodes[:3]:
        world.reset(episode.task.scene, episode.task.seed)
        assert world.robot == episode.truth.start
        assert world.state == QuestionHome(episode.flat_seed).state


def test_the_shortest_path_is_no_shorter_than_the_straight_line(episodes: list[QuestionEpisode]) -> None:
    for episode in episodes:
        truth = episode.truth
        line = math.hypot(truth.goal.x - truth.start.x, truth.goal.y - truth.start.y)
        assert line - 0.1 <= truth.path_length < 100.0, episode.task.text


def test_the_pose_at_the_end_of_a_path_shows_the_evidence(episodes: list[QuestionEpisode]) -> None:
    for episode in episodes:
        if episode.truth.plan is PlanKind.POSE:
            recognition = Recognition(QuestionHome(episode.flat_seed).flat, Camera())
            pixels = _seen(episode, episode.truth.goal)
            assert recognition.shows_evidence(pixels, episode.truth), episode.task.text


def test_few_starts_show_the_evidence(episodes: list[QuestionEpisode]) -> None:
    shown = 0
    for episode in episodes:
        if episode.truth.plan is PlanKind.POSE:
            recognition = Recognition(QuestionHome(episode.flat_seed).flat, Camera())
            shown += recognition.shows_evidence(_seen(episode, episode.truth.start), episode.truth)
    assert shown <= 0.1 * EPISODES


@pytest.mark.parametrize(("seed", "index"), [(-1, 0), (10**9, 0), (0, 1_000), (0, -1)])
def test_questions_refuse_seeds_and_indices_out_of_range(seed: int, index: int) -> None:
    with pytest.raises(ConfigurationError, match=r"from 0 to|another seed"):
        question_episode(seed, index)
