"""The world's port over a text adventure: commands, observations, and stories that break the interpreter."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("jericho", reason="text adventures need jericho: pip install 'stma_ros[adventure]'")
pytest.importorskip("textworld", reason="text games need TextWorld: pip install 'stma_ros[cooking]'")

from stma_ros.evaluation.cooking.oracle import perfect_plan, read_truth
from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ConfigurationError, ErrorCode, MissingDependencyError, WorldError
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.sensing import EpisodeState
from stma_ros.worlds.jericho.adventure_world import MAX_COMMAND, AdventureWorld
from stma_ros.worlds.jericho.config import OBJECTIVE, JerichoConfig
from stma_ros.worlds.registry import make_world, objective
from stma_ros.worlds.textworld.games import TRUTH_SUFFIX, game_file, games_folder
from support.worlds.story_files import (
    ECHO_KEYS,
    FILL_THE_STACK,
    GENERATED_SCENE,
    GENERATED_SEED,
    ILLEGAL,
    PRINT_A_RANDOM_NUMBER,
    QUIT,
    RUN_FOREVER,
    generate_story,
    small_story,
    stated,
)
from support.worlds.text_turns import execute, look_around, say, texts

SEED = 12


@pytest.fixture(scope="module")
def story() -> str:
    return str(generate_story())


@pytest.fixture(scope="module")
def plan() -> tuple[str, ...]:
    game = game_file(GENERATED_SCENE, GENERATED_SEED, games_folder(""))
    return perfect_plan(read_truth(game.with_suffix(TRUTH_SUFFIX)))


@pytest.fixture
def world(story: str) -> Iterator[AdventureWorld]:
    made = AdventureWorld(JerichoConfig())
    assert made.reset(story, SEED) == story
    yield made
    made.close()


# -- what the agent and the scorer get


def test_the_first_observation_of_an_adventure_has_its_opening(world: AdventureWorld) -> None:
    first, second = look_around(world), look_around(world)
    assert texts(first) == texts(second)
    assert "You are hungry!" in first.feedback
    assert first.description.startswith("-= Bathroom =-\n")
    assert first.feedback.endswith(first.description)
    assert first.inventory == "You are carrying: a raw pork chop."
    assert (first.any_command, first.admissible_commands) == (True, ())
    assert (first.episode, first.last_outcome) == (EpisodeState.RUNNING, Outcome())


def test_the_ground_truth_of_an_adventure_names_the_room(world: AdventureWorld) -> None:
    assert execute(world, Action("observe"))[1].room == "-= Bathroom =-"
    assert say(world, "frobnicate")[1].room == "-= Bathroom =-"
    assert say(world, "go south")[1].room == "-= Corridor =-"


def test_the_opening_of_an_adventure_is_not_repeated_after_a_command(world: AdventureWorld) -> None:
    say(world, "inventory")
    assert look_around(world).feedback == ""


def test_an_adventure_replies_to_any_text(world: AdventureWorld) -> None:
    observation, truth, outcome = say(world, "frobnicate the 3rd 'mill'!")
    assert outcome.result == Result.SUCCEEDED
    assert observation.feedback == "That's not a verb I recognise."
    assert (outcome.request_id, outcome.task_id, outcome.step, outcome.duration) == ("t1/4", "t1", 4, 1.0)
    assert (observation.task_id, observation.step, observation.last_outcome) == ("t1", 4, outcome)
    assert observation.header == truth.header == outcome.header


def test_description_and_inventory_of_an_adventure_cost_no_turn(world: AdventureWorld) -> None:
    say(world, "go south")
    for _ in range(3):
        look_around(world)
    assert "in 2 turns" in say(world, "score")[0].feedback


def test_observations_of_an_adventure_do_not_contain_the_score(
    world: AdventureWorld, plan: tuple[str, ...]
) -> None:
    scores = []
    for command in plan:
        observation, truth, _ = say(world, command)
        scores.append(truth.score)
        for text in texts(observation)[: 3 if command != plan[-1] else 0]:
            assert not re.search(r"^>|=-\s*\d|\d+/\d+|out of", text, re.MULTILINE)
    assert scores == sorted(scores)
    assert (scores[0], scores[-1], truth.max_score) == (0, 7, 7)


def test_a_won_adventure_accepts_no_further_command(world: AdventureWorld, plan: tuple[str, ...]) -> None:
    for command in plan[:-1]:
        assert say(world, command)[0].episode == EpisodeState.RUNNING
    won = say(world, plan[-1])[0]
    assert (won.episode, won.any_command) == (EpisodeState.WON, False)
    after, truth, outcome = say(world, "restart")
    assert (outcome.result, outcome.error.code) == (Result.FAILED, ErrorCode.ACTION_NOT_ALLOWED)
    assert (after.episode, truth.score) == (EpisodeState.WON, 7)


def test_quitting_an_adventure_loses_it(world: AdventureWorld) -> None:
    asked = say(world, "quit")[0]
    assert (asked.episode, asked.feedback) == (EpisodeState.RUNNING, "Are you sure you want to quit?")
    assert say(world, "no")[0].description.startswith("-= Bathroom =-")
    say(world, "quit")
    observation, _, outcome = say(world, "yes")
    assert (observation.episode, outcome.result) == (EpisodeState.LOST, Result.SUCCEEDED)
    assert say(world, "look")[2].error.code == ErrorCode.ACTION_NOT_ALLOWED


# -- what is no command


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((), "one text that is not empty"),
        (("",), "one text that is not empty"),
        (("   ",), "one text that is not empty"),
        (("look", "look"), "one text that is not empty"),
        (("look\nlook",), "one line"),
        (("look\r",), "one line"),
        (("look\x00",), "one line"),
        (("take caf\u00e9",), "of ASCII"),
        (("x" * (MAX_COMMAND + 1),), "has 101 characters, and a story reads at most 100"),
        (("\\s",), r"must not contain any of \\ /"),
        (("open \\help",), "must not contain"),
        (("script ../../here",), "must not contain"),
    ],
)
def test_a_text_that_is_no_command_is_refused_without_a_turn(
    world: AdventureWorld, arguments: tuple[str, ...], reason: str
) -> None:
    before = look_around(world)
    observation, _, outcome = execute(world, Action("command", arguments))
    assert (outcome.result, outcome.error.code) == (Result.FAILED, ErrorCode.ACTION_NOT_ALLOWED)
    assert re.search(reason, outcome.error.text)
    assert (outcome.duration, observation.feedback) == (0.0, "")
    assert texts(look_around(world)) == texts(before)


def test_a_command_of_the_greatest_length_reaches_the_story(world: AdventureWorld) -> None:
    assert say(world, "x" * MAX_COMMAND)[0].feedback == "That's not a verb I recognise."
    assert say(world, "inventory")[0].feedback.startswith("You are carrying")


def test_an_adventure_knows_no_skill_but_commands(world: AdventureWorld) -> None:
    outcome = execute(world, Action("navigate", ("mill",)))[2]
    assert (outcome.result, outcome.error.code) == (Result.FAILED, ErrorCode.SKILL_UNKNOWN)


def test_a_cancelled_command_of_an_adventure_is_not_executed(world: AdventureWorld) -> None:
    before = look_around(world)
    cancel = CancelToken()
    cancel.cancel("enough")
    _, _, outcome = execute(world, Action("command", ("go south",)), cancel)
    assert (outcome.result, outcome.error.code) == (Result.CANCELED, ErrorCode.CANCELED)
    assert texts(look_around(world)) == texts(before)


# -- episodes


def test_an_adventure_starts_again_at_every_reset(world: AdventureWorld, plan: tuple[str, ...]) -> None:
    def play() -> list[tuple[str, ...]]:
        return [texts(look_around(world)), *(texts(say(world, command)[0]) for command in plan)]

    first = play()
    assert world.reset("", SEED)
    assert play() == first


def test_an_adventure_can_be_saved_and_restored_within_an_episode(
    world: AdventureWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert say(world, "save")[0].feedback == "Ok."
    say(world, "go south")
    assert say(world, "restore")[0].description.startswith("-= Bathroom =-")
    assert "transcript" in say(world, "script")[0].feedback
    assert not list(tmp_path.iterdir())
    world.reset("", SEED)
    assert "failed" in say(world, "restore")[0].feedback


def test_the_clock_of_an_adventure_continues_over_resets(world: AdventureWorld) -> None:
    before = say(world, "look")[2].header.stamp.nanoseconds
    world.reset("", SEED)
    assert look_around(world).header.stamp.nanoseconds > before


def test_the_seed_of_an_adventure_decides_its_random_numbers(world: AdventureWorld, tmp_path: Path) -> None:
    path = tmp_path / "dice.z3"
    path.write_bytes(small_story(PRINT_A_RANDOM_NUMBER))

    def roll(seed: int) -> str:
        world.reset(str(path), seed)
        return look_around(world).feedback

    rolls = [roll(seed) for seed in (0, 1, 2, 3)]
    assert [roll(seed) for seed in (0, 1, 2, 3)] == rolls
    assert len(set(rolls)) > 1
    assert all(1 <= int(number) <= 100 for number in rolls)


def test_a_story_that_waits_for_a_key_gets_the_first_character(world: AdventureWorld, tmp_path: Path) -> None:
    path = tmp_path / "keys.z5"
    path.write_bytes(small_story(ECHO_KEYS, version=5))
    world.reset(str(path), SEED)
    assert [say(world, command)[0].feedback for command in ("yes", "no", "x")] == ["y", "n", "x"]


@pytest.mark.parametrize("seed", [-1, 2**31 - 1])
def test_a_seed_out_of_range_of_the_interpreter_is_refused(world: AdventureWorld, seed: int) -> None:
    with pytest.raises(ConfigurationError, match=f"from 0 to 2147483646, got {seed}"):
        world.reset("", seed)


def test_the_objective_of_an_adventure_is_to_explore_it_and_to_score(story: str) -> None:
    assert objective("jericho", story, SEED) == OBJECTIVE


# -- files that are no story, and stories that break the interpreter


def test_an_adventure_without_a_story_says_what_to_give() -> None:
    world = AdventureWorld(JerichoConfig())
    with pytest.raises(ConfigurationError, match=r"no story to play yet: give the path of a story file"):
        world.reset("", SEED)
    with pytest.raises(WorldError, match="reset the world first; give the path of a story file"):
        look_around(world)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        pytest.param(b"", "it has 0 bytes, fewer than the header", id="empty"),
        pytest.param(b"Once upon a time, there was a mill. " * 9, "its first byte is 79", id="text"),
        pytest.param(b"Glul" + bytes(200), "it is a Glulx story", id="glulx"),
        pytest.param(b"FORM" + bytes(200), "it is a Blorb archive", id="blorb"),
        pytest.param(bytes(small_story(QUIT, version=6)), "its first byte is 6", id="graphics"),
        pytest.param(
            bytes(small_story(QUIT))[:500],
            "it is damaged or cut off: its code would begin at byte",
            id="cut_off",
        ),
        pytest.param(
            bytes(stated(small_story(QUIT)))[:-2], "it is cut off after 674 of 676 bytes", id="short"
        ),
        pytest.param(
            bytes(stated(small_story(QUIT)))[:-1] + b"x", "it is damaged: its checksum is wrong", id="changed"
        ),
    ],
)
def test_a_file_that_is_no_story_is_refused_with_the_reason(
    world: AdventureWorld, tmp_path: Path, content: bytes, fault: str
) -> None:
    before = look_around(world)
    path = tmp_path / "mine.z5"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=rf"mine\.z5' cannot be played: {fault}"):
        world.reset(str(path), SEED)
    assert texts(look_around(world)) == texts(before)


@pytest.mark.parametrize("name", ["missing.z5", "."])
def test_a_story_that_cannot_be_read_is_refused(world: AdventureWorld, tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        world.reset(str(tmp_path / name), SEED)


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        pytest.param(RUN_FOREVER, "did not finish within 0.2 s of computing time in its opening", id="endless"),
        pytest.param(FILL_THE_STACK, "was ended by SIG", id="crash"),
        pytest.param(ILLEGAL, "did something that the z-machine does not allow", id="illegal"),
    ],
)  # fmt: skip
def test_a_story_that_breaks_the_interpreter_raises_an_error_until_the_next_reset(
    story: str, tmp_path: Path, code: bytes, fault: str
) -> None:
    world = AdventureWorld(JerichoConfig(deadline=0.2))
    path = tmp_path / "mine.z3"
    path.write_bytes(small_story(code))
    with pytest.raises(WorldError, match=fault):
        world.reset(str(path), SEED)
    with pytest.raises(WorldError, match="reset the world first"):
        look_around(world)
    assert world.reset(story, SEED) == story
    assert look_around(world).episode == EpisodeState.RUNNING
    world.close()


def test_a_story_that_quits_in_its_opening_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "mine.z3"
    path.write_bytes(stated(small_story(QUIT)))
    world = AdventureWorld(JerichoConfig())
    world.reset(str(path), SEED)
    observation, truth, _ = execute(world, Action("observe"))
    assert (observation.episode, truth.score, truth.max_score) == (EpisodeState.LOST, 0, 0)
    world.close()


def test_an_adventure_whose_interpreter_is_killed_raises_an_error(world: AdventureWorld) -> None:
    assert world._interpreter is not None
    world._interpreter._process.kill()
    with pytest.raises(WorldError, match="was ended by SIGKILL at 'look'"):
        say(world, "look")
    with pytest.raises(WorldError, match="reset the world first"):
        say(world, "look")
    world.reset("", SEED)
    assert say(world, "look")[2].result == Result.SUCCEEDED


def test_adventures_without_jericho_are_refused_with_the_extra_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "jericho", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'stma_ros\[adventure\]'"):
        make_world("jericho")
