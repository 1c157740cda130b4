"""The suite of cooking games: its games, its scores, and one game from the command line."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("textworld", reason="text games need TextWorld: pip install 'stma_ros[cooking]'")

from stma_ros.apps import bench, cli
from stma_ros.apps.episodes import Job
from stma_ros.evaluation.cooking import suite as cooking
from stma_ros.evaluation.cooking.oracle import Truth
from stma_ros.evaluation.cooking.suite import (
    Cooking,
    CookingEpisode,
    CookingSettings,
    fresh_seed,
    inferred_seed,
)
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.metrics import EpisodeRecord, rows
from stma_ros.evaluation.registry import make_suite
from stma_ros.evaluation.suite import Defaults, Failure
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.errors import ConfigurationError, ErrorCode
from stma_ros.types.planning import TaskResult, TaskStatus
from stma_ros.types.truth import GroundTruth

pytestmark = pytest.mark.filterwarnings(
    "ignore:Game .* is not fully supported"
)  # of TextWorld's own interpreter

TUNING_SEED = 1000
LEVELS = (1, 2, 3, 4)
INFERRED = {inferred_seed(level, number) for level in LEVELS for number in range(8)}


@pytest.fixture
def unmade(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaces the generation of games and of their plans."""
    monkeypatch.setattr(cooking, "game_file", lambda scene, seed, folder: Path(f"{scene}-{seed}.z8"))
    monkeypatch.setattr(cooking, "read_truth", lambda path: Truth((), {}, {}, f"cook {path}"))
    monkeypatch.setattr(cooking, "perfect_plan", lambda truth: ("prepare meal", "eat meal"))


def test_cooking_suite_without_a_seed_has_the_inferred_games(unmade: None) -> None:
    suite = Cooking()
    assert suite.defaults == Defaults(seed=None, episodes=32)
    games = [suite.episode(None, index) for index in range(32)]
    seeds = {level: [game.seed for game in games if game.group == f"level {level}"] for level in LEVELS}
    # What the paper prints: 1001, 1001, 20002 and 303.
    assert seeds[1] == seeds[2] == [1001, 2002, 3003, 4004, 5005, 6006, 7007, 8008]
    assert seeds[3] == [10001, 20002, 30003, 40004, 50005, 60006, 70007, 80008]
    assert seeds[4] == [101, 202, 303, 404, 505, 606, 707, 808]


def test_cooking_episodes_alternate_between_the_levels(unmade: None) -> None:
    suite = Cooking()
    episodes = [suite.episode(TUNING_SEED, index) for index in range(8)]
    assert [episode.scene for episode in episodes] == [f"level_{level}" for level in LEVELS] * 2
    assert len({episode.seed for episode in episodes}) == 8


def test_a_single_level_has_the_same_games_as_within_all_levels(unmade: None) -> None:
    one, all_levels = Cooking(CookingSettings(level="3", budget=20)), Cooking()
    assert one.defaults == Defaults(seed=None, episodes=8)
    for seed in (None, TUNING_SEED):
        alone = [one.episode(seed, index) for index in range(8)]
        among = [all_levels.episode(seed, 4 * index + 2) for index in range(8)]
        assert [game.seed for game in alone] == [game.seed for game in among]
        assert {game.group for game in alone} == {"level 3"}
        assert {game.max_commands for game in alone} == {20}
        assert {game.max_commands for game in among} == {50}


GAMES = st.tuples(st.integers(0, 9_999_999), st.sampled_from(LEVELS), st.integers(0, 99))


@given(GAMES, GAMES)
def test_fresh_games_have_distinct_seeds_that_no_inferred_game_has(
    first: tuple[int, int, int], second: tuple[int, int, int]
) -> None:
    assert (fresh_seed(*first) == fresh_seed(*second)) == (first == second)
    assert fresh_seed(*first) not in INFERRED
    assert 0 <= fresh_seed(*first) < 2**32


@pytest.mark.parametrize(
    ("seed", "index", "message"),
    [
        (None, 32, "8 games of each level; give --seed for others"),
        (None, -1, "8 games of each level"),
        (TUNING_SEED, 400, "100 games of each level; take another seed"),
        (TUNING_SEED, -1, "100 games of each level"),
        (-1, 0, "from 0 to 9999999, got -1"),
        (10_000_000, 0, "from 0 to 9999999, got 10000000"),
    ],
)
def test_cooking_games_out_of_range_are_refused(seed: int | None, index: int, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        Cooking().episode(seed, index)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"levels": "1"}, "cooking has no setting 'levels'. Did you mean 'level'"),
        ({"level": "5"}, "cooking.level must be one of all, 1, 2, 3, 4; got '5'"),
        ({"budget": "0"}, "cooking.budget must be from 1"),
    ],
)
def test_cooking_suite_refuses_bad_settings_by_name(settings: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        make_suite("cooking", settings)


# -- the score

EPISODE = CookingEpisode(0, "level 2", "level_2", 1, "cook", optimal_steps=10, max_commands=50)


def witness_of(*scores: float) -> EpisodeTrace:
    witness = EpisodeTrace()
    for score in scores:
        witness(topics.GROUND_TRUTH, GroundTruth(score=score, max_score=4))
    return witness


def result_of(code: ErrorCode = ErrorCode.NONE, status: TaskStatus = TaskStatus.FAILED) -> TaskResult:
    if code == ErrorCode.NONE:
        return TaskResult(status=TaskStatus.SUCCEEDED, commands=15)
    return TaskResult(status=status, error=Error(code, "so it says"), commands=15)


def test_a_game_with_every_point_is_solved() -> None:
    score = EPISODE.score(result_of(), witness_of(0, 0, 1, 1, 4))
    assert (score.failure, score.detail) == (Failure.NONE, "4 of 4 points")
    assert score.measures == {"average_score": 100.0, "commands_ratio": 1.5}
    assert score.series == {"scores": (0, 25, 25, 100)}


def test_a_game_without_every_point_is_not_solved_even_when_the_agent_reports_success() -> None:
    score = EPISODE.score(result_of(), witness_of(0, 3))
    assert (score.failure, score.measures["average_score"]) == (Failure.NOT_DONE, 75.0)


@pytest.mark.parametrize(
    ("result", "failure"),
    [
        (result_of(ErrorCode.OUT_OF_COMMANDS), Failure.OUT_OF_COMMANDS),
        (result_of(ErrorCode.EPISODE_LOST), Failure.LOST),
        (result_of(ErrorCode.IMPOSSIBLE), Failure.GAVE_UP),
        (result_of(ErrorCode.NO_PROGRESS), Failure.NO_PROGRESS),
        (result_of(ErrorCode.ROLE_FAILED, TaskStatus.ERROR), Failure.ERROR),
    ],
)
def test_a_lost_game_has_a_reason_and_its_points(result: TaskResult, failure: Failure) -> None:
    score = EPISODE.score(result, witness_of(0, 1, 1))
    assert score.failure is failure
    assert score.detail == f"{result.error.code.name}: so it says (1 of 4 points)"
    assert score.measures["average_score"] == 25.0


def test_cooking_rows_hold_the_standard_deviation_of_the_scores() -> None:
    def record(score: float) -> EpisodeRecord:
        how = (Failure.NONE, "", 9, 1.0, "", {"average_score": score})
        return EpisodeRecord("full", 0, "level 1", "level_1", 1, "cook", 50, 7, "STATUS", *how)

    row = rows([record(100.0), record(50.0)])[0]
    assert (row["average_score"], row["average_score_std"]) == (75.0, 25.0)


# -- with games


def test_a_cooking_episode_is_reproducible_and_has_the_text_of_its_game() -> None:
    suite = Cooking()
    episode = suite.episode(TUNING_SEED, 0)
    assert "cookbook" in episode.text
    assert (episode.scene, episode.seed) == ("level_1", 1_400_000)
    assert 5 <= episode.optimal_steps <= 20
    assert pickle.loads(pickle.dumps(suite)).episode(TUNING_SEED, 0) == episode


def test_bench_command_plays_and_scores_a_cooking_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["bench", "cooking", "--episodes", "1", "--seed", str(TUNING_SEED), "--set", "level=1"]
    arguments += ["--set", "spatial_memory.embedder=lexical", "--json", str(tmp_path / "result.json")]
    assert cli.main([*arguments, "--out", str(tmp_path / "bench")]) == 0
    assert "cooking, seed 1000" in capsys.readouterr().out
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["settings"]["suite"] == {
        "level": "1",
        "budget": 50,
        "noise": 0.0,
        "noise_seed": 0,
    }
    (episode,) = result["episodes"]
    assert (episode["group"], episode["seed"], episode["crashed"]) == ("level 1", 1_400_000, False)
    assert len(episode["scores"]) <= episode["steps"] <= 50
    assert episode["average_score"] == pytest.approx(episode["scores"][-1])
    assert episode["commands_ratio"] == pytest.approx(episode["steps"] / episode["optimal_steps"])
    level, whole = result["rows"]
    assert (level["group"], whole["group"]) == ("level 1", "all")
    for row in (level, whole):
        assert row["average_score"] == episode["average_score"]
        assert row["average_score_std"] == 0


def test_bench_command_without_a_seed_plays_the_inferred_games(
    unmade: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[int | None, int]] = []
    monkeypatch.setattr(bench, "run_episodes", lambda jobs, *rest: _nothing(jobs, asked))
    assert cli.main(["bench", "cooking", "--set", "level=2", "--out", str(tmp_path / "bench")]) == 0
    assert asked == [(None, index) for index in range(8)]
    assert ", seed" not in capsys.readouterr().out
    result = json.loads((tmp_path / "bench" / "metrics.json").read_text())
    assert (result["settings"]["seed"], result["settings"]["episodes"]) == (None, 8)


def test_bench_command_refuses_too_many_games_before_playing_any(
    unmade: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "run_episodes", lambda *arguments: pytest.fail("a game was played"))
    assert (
        cli.main(["bench", "cooking", "--episodes", "33", "--out", str(tmp_path / "bench")])
        == cli.EXIT_REFUSED
    )
    assert "8 games of each level; give --seed for others" in capsys.readouterr().err
    assert not (tmp_path / "bench").exists()


def _nothing(jobs: list[Job], asked: list[tuple[int | None, int]]) -> Iterator[EpisodeRecord]:
    asked += [(job.seed, job.index) for job in jobs]
    yield from ()
