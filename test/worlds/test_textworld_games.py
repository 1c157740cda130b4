"""Generation and caching of games, and the errors when a game cannot be generated."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("textworld", reason="text games need TextWorld: pip install 'stma_ros[cooking]'")

import textworld
from textworld.challenges import CHALLENGES

from stma_ros.types.errors import ConfigurationError, MissingDependencyError, WorldError
from stma_ros.worlds.registry import make_world
from stma_ros.worlds.textworld.games import (
    LEVELS,
    TRUTH_SUFFIX,
    GameSettings,
    game_file,
    game_settings,
    games_folder,
)
from stma_ros.worlds.textworld.story_file import check_story

SCENE, SEED = "level_1", 1_400_000
MAKE = "import sys; from pathlib import Path; from stma_ros.worlds.textworld.games import game_file; "
MAKE += f"print(game_file({SCENE!r}, {SEED}, Path(sys.argv[1])))"


@pytest.fixture(scope="module")
def game() -> Path:
    return game_file(SCENE, SEED, games_folder(""))


@given(
    st.integers(1, 5).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))),
    st.sampled_from([1, 6, 9, 12]),
)
def test_a_scene_name_states_the_settings_of_its_game(ingredients: tuple[int, int], rooms: int) -> None:
    settings = GameSettings(*ingredients, rooms)
    assert game_settings(settings.scene) == settings


@pytest.mark.parametrize("level", LEVELS)
def test_the_levels_of_the_paper_have_scene_names(level: int) -> None:
    assert game_settings(f"level_{level}") == LEVELS[level]


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        ("level_5", "no scene 'level_5'; its scenes are level_1 to level_4"),
        ("flat_7", "no scene 'flat_7'"),
        ("cooking_recipe3_take2_go7", r"rooms \(go\) must be one of 1, 6, 9, 12"),
        ("cooking_recipe0_take0_go6", "a recipe has 1 to 5 ingredients"),
        ("cooking_recipe6_take2_go9", "a recipe has 1 to 5 ingredients"),
        ("cooking_recipe1_take2_go9", "no more of them can be missing"),
    ],
)
def test_an_unknown_game_scene_is_refused_by_name(scene: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=message):
        game_file(scene, SEED, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_out_of_range_of_the_generator_is_refused(seed: int, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=f"from 0 to 4294967295, got {seed}"):
        game_file(SCENE, seed, tmp_path)


def test_a_cached_game_is_not_generated_again(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textworld.generator, "compile_game", None)
    assert game_file(SCENE, SEED, games_folder("")) == game


def test_two_processes_can_generate_the_same_game_at_once(game: Path, tmp_path: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", MAKE, str(tmp_path)],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONHASHSEED": str(number), "PYTHONPATH": str(Path(__file__).parents[2])},
        )
        for number in (1, 2)
    ]
    paths = [process.communicate(timeout=120)[0].strip() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert paths[0] == paths[1]
    made = Path(paths[0])
    assert sorted(made.parent.iterdir()) == sorted([made, made.with_suffix(TRUTH_SUFFIX)])
    check_story(made)
    mine, theirs = (json.loads(path.with_suffix(TRUTH_SUFFIX).read_text()) for path in (game, made))
    for part in ("world", "infos", "objective"):
        assert mine[part] == theirs[part]


def test_a_failed_generation_of_a_game_leaves_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(game: object, options: textworld.GameOptions) -> str:
        Path(options.path).write_bytes(b"half")
        raise RuntimeError("the compiler broke")

    generator = (None, lambda settings, options: object(), None)
    monkeypatch.setitem(CHALLENGES, "tw-cooking", generator)
    monkeypatch.setattr(textworld.generator, "compile_game", fail)
    with pytest.raises(WorldError, match=f"could not make .* with seed {SEED}: the compiler broke"):
        game_file(SCENE, SEED, tmp_path)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_game_file_without_its_ground_truth_is_refused(game: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.z8"
    with pytest.raises(ConfigurationError, match=r"there is no file .*mine\.z8: tw-make writes"):
        game_file(str(mine), 0, tmp_path)
    mine.write_bytes(game.read_bytes())
    with pytest.raises(ConfigurationError, match=r"there is no file .*mine\.json: tw-make writes"):
        game_file(str(mine), 0, tmp_path)
    mine.with_suffix(TRUTH_SUFFIX).write_bytes(game.with_suffix(TRUTH_SUFFIX).read_bytes())
    assert game_file(str(mine), 0, tmp_path) == mine


def test_textworld_without_its_package_is_refused_with_the_extra_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "textworld", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'stma_ros\[cooking\]'"):
        make_world("textworld")


# -- damaged files, which the interpreter would end the process for

BODY = 200


def story() -> bytearray:
    """Returns the smallest file that passes for undamaged."""
    content = bytearray(64 + BODY)
    content[0] = 8
    content[64:] = bytes(range(BODY))
    content[0x1A:0x1C] = (len(content) // 8).to_bytes(2, "big")
    content[0x1C:0x1E] = (sum(content[64:]) % 2**16).to_bytes(2, "big")
    return content


def test_an_undamaged_story_file_passes_the_check(game: Path, tmp_path: Path) -> None:
    check_story(game)
    path = tmp_path / "game.z8"
    path.write_bytes(story() + b"padding")
    check_story(path)


@given(st.integers(0, BODY - 1), st.integers(1, 255))
def test_a_changed_byte_of_a_story_file_is_detected(
    tmp_path_factory: pytest.TempPathFactory, position: int, change: int
) -> None:
    damaged = story()
    damaged[64 + position] = (damaged[64 + position] + change) % 256
    path = tmp_path_factory.getbasetemp() / "changed.z8"
    path.write_bytes(damaged)
    with pytest.raises(WorldError, match="is damaged; remove it"):
        check_story(path)


@given(st.integers(0, 64 + BODY - 1))
def test_a_truncated_story_file_is_detected(tmp_path_factory: pytest.TempPathFactory, length: int) -> None:
    path = tmp_path_factory.getbasetemp() / "cut_off.z8"
    path.write_bytes(story()[:length])
    with pytest.raises(WorldError, match=r"is damaged; remove it|is no game that can be played"):
        check_story(path)


def test_an_unreadable_story_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match="cannot be read"):
        check_story(tmp_path)
