"""Homes of many rooms with a meal that cannot be prepared, as there is no cookbook.

A cooking game is won within some thirty commands. A home can be played for any number of commands, which tests an
agent's handling of a long history.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.textworld.home_plan import HomePlan, plan_home

OBJECTIVE = (
    "You are hungry! Let's cook a delicious meal. Check the cookbook in the kitchen for the recipe. "
    "Once done, enjoy your meal!"
)
"""The objective in the words of TextWorld's cooking games."""

_SCENE = re.compile(r"home_(\d+)")
_LEAST_ROOMS, _MOST_ROOMS = 2, 36  # more rooms do not fit into a story file
_BACK = {"north": "south", "east": "west"}


@dataclass(frozen=True)
class HomeSettings:
    """A GameKind. rooms: number of rooms."""

    rooms: int

    @property
    def scene(self) -> str:
        return f"home_{self.rooms}"

    def build(self, engine: Any, options: Any, seed: int) -> Any:
        """Implements GameKind.build. The layout follows from the seed alone, the wording from the options' seeds."""
        maker = engine.GameMaker(options)
        _furnish(maker, plan_home(self.rooms, np.random.default_rng(seed)))
        _ask_for_a_meal(maker, engine.generator.game)
        game = maker.build()
        game.objective = OBJECTIVE
        return game


def home_settings(scene: str) -> HomeSettings | None:
    """Returns the settings that a scene's name states; None for another kind of scene. Raises ConfigurationError for an
    impossible number of rooms."""
    named = _SCENE.fullmatch(scene)
    if named is None:
        return None
    rooms = int(named[1])
    if not _LEAST_ROOMS <= rooms <= _MOST_ROOMS:
        raise ConfigurationError(f"{scene}: a home has {_LEAST_ROOMS} to {_MOST_ROOMS} rooms")
    return HomeSettings(rooms)


def _furnish(maker: Any, plan: HomePlan) -> None:
    """Adds rooms and objects. Types and properties are those of TextWorld's own logic: c, s, o, f, d are containers,
    supporters, objects, food and doors."""
    rooms = [maker.new_room(name) for name in plan.rooms]
    for way in plan.ways:
        path = maker.connect(
            rooms[way.first].exits[way.direction], rooms[way.second].exits[_BACK[way.direction]]
        )
        if way.door:
            maker.new_door(path, way.door).add_property("closed")
    for item in plan.furniture:
        holder = maker.new(type="c" if item.opens else "s", name=item.name)
        if item.opens:
            holder.add_property("closed")
        rooms[item.room].add(holder)
        for kind, names in (("f", item.foods), ("o", item.others)):
            holder.add(*(maker.new(type=kind, name=name) for name in names))
    maker.set_player(rooms[plan.start])


def _ask_for_a_meal(maker: Any, parts: Any) -> None:
    """Adds the winning condition: the player holds a meal, which does not exist."""
    meal = maker.new(type="f", name="meal")
    meal.add_property("edible")
    maker.nowhere.append(meal)
    in_hand = maker.new_fact("in", meal, maker.inventory)
    maker.quests = [parts.Quest(win_events=[parts.Event(conditions={in_hand})])]
