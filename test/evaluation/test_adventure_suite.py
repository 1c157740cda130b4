"""The suite of text adventures: its games and stories, its scores, and games from the command line."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jericho", reason="text adventures need jericho: pip install 'stma_ros[adventure]'")
pytest.importorskip("textworld", reason="text games need TextWorld: pip install 'stma_ros[cooking]'")

from stma_ros.apps import cli
from stma_ros.evaluation.adventure import suite as adventure
from stma_ros.evaluation.adventure.suite import STAND_IN, Adventure, AdventureEpisode, AdventureSettings
from stma_ros.evaluation.cooking.suite import fresh_seed
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.registry import SUITES, make_suite
from stma_ros.evaluation.suite import Defaults, Failure
from stma_ros.memory.working.chunk_text import pair_text
from stma_ros.types import topics
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ConfigurationError, ErrorCode
from stma_ros.types.planning import TaskResult, TaskStatus
from stma_ros.types.sensing import Observation
from stma_ros.types.telemetry import RoleCall
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.jericho.config import OBJECTIVE
from support.worlds.story_files import GENERATED, QUIT, generate_story, small_story, stated

SEED = 1000


@pytest.fixture
def unmade(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaces the generation of games."""
    monkeypatch.setattr(adventure, "game_file", lambda scene, seed, folder: Path(f"{scene}-{seed}.z8"))


@pytest.fixture
def story(tmp_path: Path) -> Path:
    path = tmp_path / "mine.z3"
    path.write_bytes(stated(small_story(QUIT)))
    return path


# -- games and stories


def test_adventure_suite_has_a_row_and_the_papers_budget(unmade: None) -> None:
    assert "adventure" in SUITES
    suite = make_suite("adventure", {})
    assert suite.worlds == ("jericho",)
    assert suite.defaults == Defaults(seed=0, episodes=20)
    episode = suite.episode(SEED, 0)
    assert (episode.max_commands, episode.text, episode.optimal_steps) == (30, OBJECTIVE, 0)


def test_generated_adventures_are_said_to_stand_in_and_stories_are_not(story: Path) -> None:
    assert Adventure().notes == (STAND_IN,)
    assert "stand in for the paper's Jericho row" in STAND_IN
    assert Adventure(AdventureSettings(game=str(story))).notes == ()


def test_generated_adventures_are_the_games_of_the_cooking_suite_level_by_level(unmade: None) -> None:
    episodes = [Adventure().episode(SEED, index) for index in range(8)]
    seeds = [fresh_seed(SEED, level, number) for number in (0, 1) for level in (1, 2, 3, 4)]
    assert [each.scene for each in episodes] == [
        f"level_{level}-{seed}.z8" for level, seed in zip((1, 2, 3, 4) * 2, seeds, strict=True)
    ]
    assert [each.group for each in episodes[:5]] == ["level 1", "level 2", "level 3", "level 4", "level 1"]


def test_episodes_of_a_story_have_different_random_numbers(story: Path) -> None:
    suite = Adventure(AdventureSettings(game=str(story), budget=7))
    assert suite.defaults == Defaults(seed=0, episodes=1)
    episodes = [suite.episode(seed, index) for seed, index in ((0, 0), (0, 1), (3, 0))]
    assert [each.seed for each in episodes] == [0, 1, 3000]
    assert {(each.scene, each.group, each.max_commands) for each in episodes} == {(str(story), "mine", 7)}
    assert pickle.loads(pickle.dumps(suite)).episode(3, 0) == episodes[2]


@pytest.mark.parametrize(
    ("game", "seed", "episodes", "message"),
    [
        (False, SEED, 401, "100 games of each level"),
        (False, -1, 1, "from 0 to 9999999, got -1"),
        (True, 0, 1001, "1000 episodes of a story; take another seed"),
        (True, 2_000_000, 1, "from 0 to 1999999, got 2000000"),
        (True, -1, 1, "from 0 to 1999999, got -1"),
    ],
)
def test_adventures_out_of_range_are_refused(
    story: Path, game: bool, seed: int, episodes: int, message: str
) -> None:
    suite = Adventure(AdventureSettings(game=str(story) if game else ""))
    with pytest.raises(ConfigurationError, match=message):
        suite.check(seed, episodes)


def test_a_file_that_is_no_story_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    path = tmp_path / "notes.z5"
    path.write_text("Dear diary, today I was eaten by a fog that nobody had seen coming over the hills.")
    with pytest.raises(ConfigurationError, match="cannot be played: its first byte is 68"):
        Adventure(AdventureSettings(game=str(path))).check(0, 1)


def test_a_bounded_window_is_a_setting_of_the_memory() -> None:
    assert Adventure().component_settings == {}
    assert Adventure(AdventureSettings(window=400)).component_settings == {"temporal_memory": {"window": 400}}


# -- the score

EPISODE = AdventureEpisode(0, "level 1", "game.z8", 0, OBJECTIVE, 30)
SPENT = TaskResult(
    status=TaskStatus.FAILED, error=Error(ErrorCode.OUT_OF_COMMANDS, "the budget is spent"), commands=3
)


def trace_of(*seen: tuple[str, float], max_score: float = 10) -> EpisodeTrace:
    trace = EpisodeTrace()
    for room, score in seen:
        trace(topics.GROUND_TRUTH, GroundTruth(room=room, score=score, max_score=max_score))
    return trace


def test_an_adventure_is_scored_by_points_and_rooms() -> None:
    score = EPISODE.score(SPENT, trace_of(("Mill", 0), ("Bank", 0), ("Bank", 2), ("Bank", 2), ("Mill", 2)))
    assert score.failure is Failure.OUT_OF_COMMANDS
    assert score.detail == "OUT_OF_COMMANDS: the budget is spent (2 of 10 points, 2 rooms)"
    assert score.measures == {"points": 2.0, "rooms": 2.0, "average_score": 20.0}
    assert score.series == {"scores": (0.0, 2.0, 2.0, 2.0), "rooms_seen": (2.0, 2.0, 2.0, 2.0)}
    assert score.shares == {"changing": (3, 4)}


def test_an_adventure_whose_largest_score_is_unknown_has_points_alone() -> None:
    score = EPISODE.score(SPENT, trace_of(("Mill", 0), ("Mill", 5), max_score=0))
    assert score.measures == {"points": 5.0, "rooms": 1.0}
    assert score.detail.endswith("(5 points, 1 rooms)")


def test_an_unknown_room_is_not_counted() -> None:
    assert EPISODE.score(SPENT, trace_of(("", 0), ("Mill", 0), ("", 0))).measures["rooms"] == 1.0


def test_a_story_that_is_won_is_solved_whatever_its_points() -> None:
    result = TaskResult(status=TaskStatus.SUCCEEDED, commands=1)
    score = EPISODE.score(result, trace_of(("Mill", 0), ("Bank", 4)))
    assert (score.failure, score.detail) == (Failure.NONE, "4 of 10 points, 2 rooms")


@pytest.mark.parametrize(
    ("code", "failure"),
    [(ErrorCode.EPISODE_LOST, Failure.LOST), (ErrorCode.TARGET_NOT_FOUND, Failure.NOT_FOUND)],
)
def test_a_story_that_is_not_won_has_a_cause(code: ErrorCode, failure: Failure) -> None:
    result = TaskResult(status=TaskStatus.FAILED, error=Error(code, "so it says"), commands=1)
    assert EPISODE.score(result, trace_of(("Mill", 0), ("Mill", 0))).failure is failure


def test_an_adventure_has_the_lengths_of_histories_without_the_first_look_and_of_prompts() -> None:
    trace = trace_of(("Mill", 0), ("Bank", 0))
    look = Observation(feedback="You are in a mill.")
    trace(topics.OBSERVATION, look)
    for text, length in (("", 10), ("a b", 20)):
        trace(topics.TEMPORAL_BELIEF, TemporalBelief(text=f"{pair_text(look)}\n{text}"))
        trace(topics.ROLE_CALLS, RoleCall(role="policy", context_tokens=length))
    measures = EPISODE.score(SPENT, trace).measures
    assert {key: measures[key] for key in measures if "tokens" in key} == {
        "history_tokens": 1.0,
        "context_tokens": 15.0,
        "last_history_tokens": 2.0,
    }


# -- from the command line


def bench(tmp_path: Path, *arguments: str) -> dict[str, Any]:
    out = ["--json", str(tmp_path / "result.json"), "--out", str(tmp_path / "bench")]
    assert cli.main(["bench", "adventure", *arguments, *out]) == 0
    result: dict[str, Any] = json.loads((tmp_path / "result.json").read_text())
    return result


def test_bench_command_plays_and_scores_a_generated_adventure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    presets = ("--preset", "hiagent", "--preset", "standard")
    result = bench(tmp_path, *presets, "--episodes", "1", "--seed", str(SEED), "--set", "budget=12")
    assert STAND_IN in capsys.readouterr().out
    assert result["settings"]["notes"] == [STAND_IN]
    assert result["settings"]["suite"] == {"game": "", "budget": 12, "window": 0}
    for row in result["rows"]:
        assert (row["average_score"], row["points"], row["mean_steps"], row["crashed"]) == (0, 0, 12, 0)
        assert 3 <= row["rooms"] <= 6
        assert 0 < row["changing"] <= 100
    by_preset = {row["preset"]: row for row in result["rows"]}
    assert by_preset["hiagent"]["history_tokens"] < by_preset["standard"]["history_tokens"]


def test_bench_command_plays_a_story_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    generate_story()
    result = bench(tmp_path, "--preset", "standard", "--set", f"game={GENERATED}", "--set", "budget=5")
    assert STAND_IN not in capsys.readouterr().out
    (episode,) = result["episodes"]
    assert (episode["group"], episode["steps"], len(episode["rooms_seen"])) == ("adventure", 5, 5)
    assert episode["rooms"] == episode["rooms_seen"][-1] >= 2


def test_bench_command_refuses_another_story_of_the_world(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["bench", "adventure", "--preset", "standard", "--set", "world.story=mine.z5"]
    assert cli.main([*arguments, "--out", str(tmp_path / "bench")]) == cli.EXIT_REFUSED
    assert "leave world.story out" in capsys.readouterr().err
