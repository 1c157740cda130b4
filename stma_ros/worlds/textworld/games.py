"""Generates text games and caches them, since compiling one takes seconds."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Protocol

from stma_ros.types.errors import ConfigurationError, MissingDependencyError, WorldError
from stma_ros.worlds.textworld.roomy_home import home_settings

GAME_SUFFIX = ".z8"
TRUTH_SUFFIX = ".json"
"""The generator's file with the ground truth of a game, for scorers only."""

_ROOMS = (1, 6, 9, 12)
_MOST_INGREDIENTS = 5
_SEEDS = 2**32
_SCENE = re.compile(r"cooking_recipe(\d+)_take(\d+)_go(\d+)")


class GameKind(Protocol):
    """A kind of game, which a scene's name denotes; each seed gives one game."""

    @property
    def scene(self) -> str: ...

    def build(self, engine: Any, options: Any, seed: int) -> Any:
        """Returns a TextWorld `Game` that can be compiled. engine: the module textworld; options: its GameOptions."""
        ...


@dataclass(frozen=True)
class GameSettings:
    """Cooking games, as a GameKind. Doors and containers are closed, ingredients have to be cut and cooked (STMA,
    appendix A.1).

    Attributes:
        recipe: number of ingredients.
        take: number of ingredients that have to be found; the player holds the others from the start.
        go: number of rooms.
    """

    recipe: int
    take: int
    go: int

    @property
    def scene(self) -> str:
        return f"cooking_recipe{self.recipe}_take{self.take}_go{self.go}"

    def build(self, engine: Any, options: Any, seed: int) -> Any:
        """Implements GameKind.build."""
        from textworld.challenges import CHALLENGES

        _, make_game, _ = CHALLENGES["tw-cooking"]
        mix = {"recipe": self.recipe, "take": self.take, "go": self.go}
        flags = {"open": True, "cook": True, "cut": True, "drop": False, "recipe_seed": 0, "split": None}
        return make_game(settings={**mix, **flags}, options=options)


LEVELS = {
    1: GameSettings(recipe=1, take=0, go=6),
    2: GameSettings(recipe=2, take=1, go=9),
    3: GameSettings(recipe=3, take=2, go=9),
    4: GameSettings(recipe=4, take=3, go=12),
}
"""The four levels of the paper (appendix A.1)."""


def game_settings(scene: str) -> GameKind:
    """Parses a scene's name: "level_3", or "cooking_recipe3_take2_go9" for any other mix, or "home_30" for a home of 30
    rooms. Raises ConfigurationError."""
    home = home_settings(scene)
    if home is not None:
        return home
    level = scene.removeprefix("level_")
    if level != scene and level.isdecimal() and int(level) in LEVELS:
        return LEVELS[int(level)]
    named = _SCENE.fullmatch(scene)
    if named is None:
        raise ConfigurationError(
            f"textworld has no scene {scene!r}; its scenes are level_1 to level_4, mixes such as "
            f"{LEVELS[4].scene}, homes such as home_30, and the files of games ({GAME_SUFFIX})"
        )
    settings = GameSettings(*map(int, named.groups()))
    if (
        settings.go not in _ROOMS
        or not 1 <= settings.recipe <= _MOST_INGREDIENTS
        or settings.take > settings.recipe
    ):
        raise ConfigurationError(
            f"{scene}: rooms (go) must be one of {', '.join(map(str, _ROOMS))}, a recipe has 1 to {_MOST_INGREDIENTS} "
            "ingredients, and no more of them can be missing (take)"
        )
    return settings


def games_folder(configured: str) -> Path:
    """Returns the folder of cached games."""
    if configured:
        return Path(configured).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stma_ros" / "games"


def game_file(scene: str, seed: int, folder: Path) -> Path:
    """Returns the file of a game, and generates it if it does not exist. scene: as for `game_settings`, or a game's own
    file.

    Raises:
        ConfigurationError: the scene does not exist, or the seed is out of range.
        MissingDependencyError: TextWorld is not installed.
        WorldError: the generator fails.
    """
    if scene.endswith(GAME_SUFFIX):
        for file in (Path(scene), Path(scene).with_suffix(TRUTH_SUFFIX)):
            if not file.is_file():
                raise ConfigurationError(
                    f"there is no file {file}: tw-make writes the two of a game together"
                )
        return Path(scene)
    kind = game_settings(scene)
    if not 0 <= seed < _SEEDS:
        raise ConfigurationError(f"the seed of a game must be from 0 to {_SEEDS - 1}, got {seed}")
    path = folder / f"textworld-{_engine()}" / f"{kind.scene}_seed{seed}{GAME_SUFFIX}"
    if not path.is_file() or not path.with_suffix(TRUTH_SUFFIX).is_file():
        _make(kind, seed, path)
    return path


def textworld() -> Any:
    """Returns the engine's module. Raises MissingDependencyError."""
    try:
        import textworld
    except ImportError as error:
        raise MissingDependencyError(
            f"text games need TextWorld ({error}): pip install 'stma_ros[cooking]', in a checkout `make cooking`"
        ) from error
    return textworld


def _engine() -> str:
    try:
        return version("textworld")  # other versions make other games from the same seed
    except PackageNotFoundError:
        textworld()
        raise


def _make(kind: GameKind, seed: int, path: Path) -> None:
    """Generates a game in a temporary folder first, as another process may be generating the same one."""
    engine = textworld()
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        options = engine.GameOptions()
        options.seeds = seed
        options.path = str(Path(folder) / path.name)
        options.file_ext = GAME_SUFFIX
        options.force_recompile = True
        try:
            game = kind.build(engine, options, seed)
            made = Path(engine.generator.compile_game(game, options))
        except Exception as error:  # the generator raises whatever its parts raise
            raise WorldError(f"TextWorld could not make {kind.scene} with seed {seed}: {error}") from error
        # The ground truth first, so that it exists for every finished game.
        made.with_suffix(TRUTH_SUFFIX).replace(path.with_suffix(TRUTH_SUFFIX))
        made.replace(path)
