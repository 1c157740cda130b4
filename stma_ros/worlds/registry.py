"""The worlds by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import configure, suggest
from stma_ros.types.world import World
from stma_ros.worlds.house.config import HouseConfig


@dataclass(frozen=True)
class WorldEntry:
    """A world's described settings and how it is made from them. Making it imports its engine."""

    config: type[Any]
    make: Callable[[Any], World]


def _house(config: HouseConfig) -> World:
    from stma_ros.worlds.house.house import House

    return House(config)


WORLDS: Mapping[str, WorldEntry] = {"house": WorldEntry(HouseConfig, _house)}


def world_entry(name: str) -> WorldEntry:
    """Raises ConfigurationError for a world that does not exist."""
    if name not in WORLDS:
        raise ConfigurationError(f"there is no world {name!r}. {suggest(name, WORLDS)}")
    return WORLDS[name]


def make_world(name: str, settings: Mapping[str, Any] | None = None) -> World:
    """A world by name, with settings that may be text.

    Raises:
        ConfigurationError: an unknown world or setting, or a value out of range.
        MissingDependencyError: the world's engine is not installed; the text says what to install.
    """
    entry = world_entry(name)
    return entry.make(configure(entry.config, settings or {}, name))
