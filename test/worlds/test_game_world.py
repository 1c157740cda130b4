"""The world's port over a text game: commands, observations and the end of a game."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("textworld", reason="text games need TextWorld: pip install 'stma_ros[cooking]'")

from stma_ros.evaluation.cooking.oracle import perfect_plan, read_truth
from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ConfigurationError, ErrorCode, WorldError
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.sensing import EpisodeState
from stma_ros.worlds.textworld.config import TextWorldConfig
from stma_ros.worlds.textworld.game_world import GameWorld
from stma_ros.worlds.textworld.games import TRUTH_SUFFIX, game_file, games_folder
from support.worlds.text_turns import execute, look_around, say, texts

pytestmark = pytest.mark.filterwarnings(
    "ignore:Game .* is not fully supported"
)  # of TextWorld's own interpreter

SCENE, SEED = "level_2", 1_400_001


@pytest.fixture(scope="module")
def game() -> Path:
    return game_file(SCENE, SEED, games_folder(""))


@pytest.fixture(scope="module")
def plan(game: Path) -> tuple[str, ...]:
    return perfect_plan(read_truth(game.with_suffix(TRUTH_SUFFIX)))


@pytest.fixture
def world() -> Iterator[GameWorld]:
    made = GameWorld(TextWorldConfig())
    assert made.reset(SCENE, SEED) == SCENE
    yield made
    made.close()


def test_looking_around_does_not_use_a_move_of_the_game(world: GameWorld) -> None:
    first, second = look_around(world), look_around(world)
    assert texts(first) == texts(second)
    assert first.description.startswith("-= ")
    assert first.inventory.startswith("You are carrying")
    assert {"look", "inventory"} <= set(first.admissible_commands)
    assert (first.feedback, first.episode) == ("", EpisodeState.RUNNING)
    assert first.last_outcome == Outcome()


def test_the_outcome_of_a_command_carries_the_ids_of_its_request(world: GameWorld) -> None:
    observation, truth, outcome = say(world, "inventory")
    assert (outcome.request_id, outcome.task_id, outcome.step) == ("t1/4", "t1", 4)
    assert (outcome.result, outcome.duration) == (Result.SUCCEEDED, 1.0)
    assert (observation.task_id, observation.step, observation.last_outcome) == ("t1", 4, outcome)
    assert observation.feedback.startswith("You are carrying")
    assert observation.header == truth.header == outcome.header
    assert truth.scene == SCENE


def test_observations_of_a_game_do_not_contain_the_score(world: GameWorld, plan: tuple[str, ...]) -> None:
    scores = []
    for command in plan:
        observation, truth, _ = say(world, command)
        scores.append(truth.score)
        for text in texts(observation):
            assert not re.search(r"^>|=-\s*\d|\d+/\d+|out of|\bturns?\b", text, re.MULTILINE)
    assert scores == sorted(scores)
    assert (scores[0], scores[-1], truth.max_score) == (0, 7, 7)


def test_a_won_game_accepts_no_further_command(world: GameWorld, plan: tuple[str, ...]) -> None:
    for command in plan[:-1]:
        observation, _, outcome = say(world, command)
        assert (observation.episode, outcome.error.code) == (EpisodeState.RUNNING, ErrorCode.NONE)
        assert observation.admissible_commands
    won, _, _ = say(world, plan[-1])
    assert (won.episode, won.admissible_commands) == (EpisodeState.WON, ())
    after, truth, outcome = say(world, "look")
    assert (outcome.result, outcome.error.code) == (Result.FAILED, ErrorCode.ACTION_NOT_ALLOWED)
    assert (after.episode, truth.score) == (EpisodeState.WON, 7)


def test_a_lost_game_accepts_no_further_command(world: GameWorld, plan: tuple[str, ...]) -> None:
    cooking = next(position for position, command in enumerate(plan) if command.startswith("cook "))
    for command in plan[: cooking + 1]:
        _, before, _ = say(world, command)
    lost, truth, outcome = say(world, plan[cooking])  # once more: it burns
    assert outcome.result == Result.SUCCEEDED  # the command was; the game is over
    assert (lost.episode, lost.admissible_commands) == (EpisodeState.LOST, ())
    assert truth.score == before.score
    assert say(world, "look")[2].error.code == ErrorCode.ACTION_NOT_ALLOWED


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Action("command", ("eat cookbook",)), ErrorCode.ACTION_NOT_ALLOWED),
        (Action("command", ("look\ninventory",)), ErrorCode.ACTION_NOT_ALLOWED),
        (Action("command", ("RESTART",)), ErrorCode.ACTION_NOT_ALLOWED),
        (Action("command", ()), ErrorCode.ACTION_NOT_ALLOWED),
        (Action("command", ("look", "look")), ErrorCode.ACTION_NOT_ALLOWED),
        (Action("navigate", ("mug_1",)), ErrorCode.SKILL_UNKNOWN),
    ],
)
def test_an_inadmissible_command_is_not_executed(world: GameWorld, action: Action, code: ErrorCode) -> None:
    before = look_around(world)
    observation, _, outcome = execute(world, action)
    assert (outcome.result, outcome.error.code, outcome.duration) == (Result.FAILED, code, 0.0)
    assert texts(observation) == texts(before)
    assert observation.admissible_commands == before.admissible_commands


def test_a_cancelled_command_of_a_game_is_not_executed(world: GameWorld, plan: tuple[str, ...]) -> None:
    before = look_around(world)
    cancel = CancelToken()
    cancel.cancel("enough")
    observation, _, outcome = execute(world, Action("command", plan[:1]), cancel)
    assert (outcome.result, outcome.error.code) == (Result.CANCELED, ErrorCode.CANCELED)
    assert texts(observation) == texts(before)


def test_a_game_starts_again_at_every_reset(world: GameWorld, plan: tuple[str, ...]) -> None:
    def play() -> list[tuple[str, ...]]:
        return [texts(look_around(world)), *(texts(say(world, command)[0]) for command in plan)]

    first = play()
    assert world.reset("", SEED) == SCENE
    assert play() == first


def test_the_clock_of_a_game_world_continues_over_resets(world: GameWorld, plan: tuple[str, ...]) -> None:
    for command in plan[:3]:
        before, truth, outcome = say(world, command)
    assert world.reset("", SEED) == SCENE

    after = look_around(world)

    assert before.header == truth.header == outcome.header
    assert before.header.stamp.nanoseconds < after.header.stamp.nanoseconds


def test_the_objective_of_a_game_world_is_that_of_its_game(world: GameWorld, game: Path) -> None:
    assert world.objective == read_truth(game.with_suffix(TRUTH_SUFFIX)).objective
    assert "cookbook" in world.objective


def test_a_game_can_be_loaded_from_a_file(game: Path, plan: tuple[str, ...], tmp_path: Path) -> None:
    for suffix in (game.suffix, TRUTH_SUFFIX):
        shutil.copy(game.with_suffix(suffix), tmp_path / f"mine{suffix}")
    world = GameWorld(TextWorldConfig())
    assert world.reset(str(tmp_path / "mine.z8"), 0) == str(tmp_path / "mine.z8")
    assert plan[0] in look_around(world).admissible_commands
    world.close()


def test_a_damaged_game_raises_an_error_instead_of_ending_the_process(
    world: GameWorld, game: Path, tmp_path: Path
) -> None:
    path = tmp_path / "mine.z8"
    path.write_bytes(game.read_bytes()[:20_000])
    shutil.copy(game.with_suffix(TRUTH_SUFFIX), path.with_suffix(TRUTH_SUFFIX))
    with pytest.raises(WorldError, match=r"mine\.z8 is damaged; remove it"):
        world.reset(str(path), 0)
    shutil.copy(game, path)
    path.with_suffix(TRUTH_SUFFIX).write_text('{"version"')
    with pytest.raises(WorldError, match=r"mine\.z8 cannot be played: .*have it made again"):
        world.reset(str(path), 0)
    with pytest.raises(WorldError, match="reset the world first"):
        look_around(world)


def test_a_reset_to_an_unknown_scene_leaves_the_game_unchanged(world: GameWorld) -> None:
    before = look_around(world)
    with pytest.raises(ConfigurationError, match="no scene 'kitchen'"):
        world.reset("kitchen", 0)
    assert texts(look_around(world)) == texts(before)


def test_a_game_world_refuses_commands_before_the_first_reset() -> None:
    world = GameWorld(TextWorldConfig())
    with pytest.raises(WorldError, match="reset the world first, with a scene such as 'level_1'"):
        look_around(world)
