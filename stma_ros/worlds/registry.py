"""The registry of worlds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import SettingValue, configure, suggest
from stma_ros.types.world import Senses, World, WorldOffer
from stma_ros.worlds.habitat.config import HabitatConfig
from stma_ros.worlds.house.config import HouseConfig
from stma_ros.worlds.jericho.config import OBJECTIVE, JerichoConfig
from stma_ros.worlds.pddl.config import PddlConfig
from stma_ros.worlds.programs.config import ProgramsConfig
from stma_ros.worlds.robot.detector.errors import FLAWLESS, DetectorErrors
from stma_ros.worlds.scripted.config import ScriptedConfig
from stma_ros.worlds.textworld.config import TextWorldConfig


@dataclass(frozen=True)
class WorldEntry:
    """A world's settings, its offer to an agent, and its factory, which imports the world's engine.

    Attributes:
        config: class of the settings.
        offer: senses, skills and domain.
        make: makes the world.
        objective: returns the task that a scene with its seed has by itself; None = people state the task.
        drawn: returns the settings that an episode in a scene with its seed has, of those that may be drawn from the
            scene; None = there are none.
        load_time: deadline for making the world and loading a scene [s].
    """

    config: type[Any]
    offer: WorldOffer
    make: Callable[[Any], World]
    objective: Callable[[Any, str, int], str] | None = None
    drawn: Callable[[Any, str, int], Mapping[str, SettingValue]] | None = None
    load_time: float = 60.0


def _house(config: HouseConfig) -> World:
    from stma_ros.worlds.house.house import House

    return House(config)


def _habitat(config: HabitatConfig) -> World:
    from stma_ros.worlds.habitat.habitat import Habitat

    return Habitat(config)


def _frame_of_flat(config: HouseConfig, scene: str, seed: int) -> Mapping[str, SettingValue]:
    from stma_ros.worlds.house.place import home_of, scene_of

    return config.map_frame(home_of(scene or scene_of(seed))).settings


def _frame_in_habitat(config: HabitatConfig, scene: str, seed: int) -> Mapping[str, SettingValue]:
    from stma_ros.worlds.house.place import is_flat

    if config.dataset or (scene and not is_flat(scene)):
        return config.map_frame("").settings
    return _frame_of_flat(config, scene, seed)


def _scripted(config: ScriptedConfig) -> World:
    from stma_ros.worlds.scripted.scripted_robot import ScriptedRobot

    return ScriptedRobot(config)


def _textworld(config: TextWorldConfig) -> World:
    from stma_ros.worlds.textworld.game_world import GameWorld

    return GameWorld(config)


def _objective_of_game(config: TextWorldConfig, scene: str, seed: int) -> str:
    from stma_ros.worlds.textworld.game_world import GameWorld

    with closing(GameWorld(config)) as world:
        world.reset(scene, seed)
        return world.objective


def _pddl(config: PddlConfig) -> World:
    from stma_ros.worlds.pddl.pddl_world import PddlWorld

    return PddlWorld(config)


def _objective_of_problem(config: PddlConfig, scene: str, seed: int) -> str:
    from stma_ros.worlds.pddl.pddl_world import PddlWorld

    with closing(PddlWorld(config)) as world:
        world.reset(scene, seed)
        return world.objective


def _jericho(config: JerichoConfig) -> World:
    from stma_ros.worlds.jericho.adventure_world import AdventureWorld

    return AdventureWorld(config)


def _objective_of_adventure(config: JerichoConfig, scene: str, seed: int) -> str:
    return OBJECTIVE


def _programs(config: ProgramsConfig) -> World:
    from stma_ros.worlds.programs.programs_world import ProgramsWorld

    return ProgramsWorld(config)


_HOME = WorldOffer(
    "household",
    Senses.CAMERA,
    (words.SKILL_NAVIGATE, words.SKILL_EXPLORE, words.SKILL_LOOK_AROUND, *words.MANIPULATIONS),
    true_outlines=True,
)
_GAME = WorldOffer("cooking", Senses.TEXT, (words.SKILL_COMMAND,))
_ADVENTURE = WorldOffer("adventure", Senses.TEXT, (words.SKILL_COMMAND,))
_PLANNING_TASK = WorldOffer("pddl", Senses.TEXT, (words.SKILL_COMMAND,))
_ACTIVITY = WorldOffer("programs", Senses.TEXT, (words.SKILL_COMMAND,))

WORLDS: Mapping[str, WorldEntry] = {
    "house": WorldEntry(HouseConfig, _HOME, _house, drawn=_frame_of_flat),
    "habitat": WorldEntry(HabitatConfig, _HOME, _habitat, drawn=_frame_in_habitat, load_time=360.0),
    "scripted": WorldEntry(ScriptedConfig, _HOME, _scripted),
    "textworld": WorldEntry(TextWorldConfig, _GAME, _textworld, _objective_of_game),
    "jericho": WorldEntry(JerichoConfig, _ADVENTURE, _jericho, _objective_of_adventure),
    "pddl": WorldEntry(PddlConfig, _PLANNING_TASK, _pddl, _objective_of_problem),
    "programs": WorldEntry(ProgramsConfig, _ACTIVITY, _programs),
}


def world_entry(name: str) -> WorldEntry:
    """Raises ConfigurationError for a world that does not exist."""
    if name not in WORLDS:
        raise ConfigurationError(f"there is no world {name!r}. {suggest(name, WORLDS)}")
    return WORLDS[name]


def world_offer(name: str, settings: Mapping[str, Any] | None = None) -> WorldOffer:
    """Returns what a world with these settings, which may be text, offers an agent.

    Raises:
        ConfigurationError: an unknown world or setting, or a value out of range.
    """
    entry = world_entry(name)
    config = configure(entry.config, settings or {}, name)
    errors: DetectorErrors = getattr(config, "detector_errors", FLAWLESS)
    if not errors.boxes:
        return entry.offer
    return replace(entry.offer, true_outlines=False, segments_are_boxes=True)


def make_world(name: str, settings: Mapping[str, Any] | None = None) -> World:
    """Makes a world by name, with settings that may be text.

    Raises:
        ConfigurationError: an unknown world or setting, or a value out of range.
        MissingDependencyError: the world's engine is not installed; the text says what to install.
    """
    entry = world_entry(name)
    return entry.make(configure(entry.config, settings or {}, name))


def objective(name: str, scene: str, seed: int, settings: Mapping[str, Any] | None = None) -> str:
    """Returns the task that a scene has by itself; empty where people state the task. Raises as make_world and
    World.reset."""
    entry = world_entry(name)
    if entry.objective is None:
        return ""
    return entry.objective(configure(entry.config, settings or {}, name), scene, seed)


def drawn_settings(
    name: str, scene: str, seed: int, settings: Mapping[str, Any] | None = None
) -> Mapping[str, SettingValue]:
    """Returns the settings of an episode, of those that a world may draw from its scene: a home's map frame. With them,
    every episode in the scene is the same as without. Raises ConfigurationError."""
    entry = world_entry(name)
    if entry.drawn is None:
        return {}
    return entry.drawn(configure(entry.config, settings or {}, name), scene, seed)
