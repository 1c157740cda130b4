"""General knowledge about cooking and houses, from cooking.yaml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

_DEFAULT = "default"
_OTHER_FOOD = "other food"


@dataclass(frozen=True)
class CookingRules:
    """The rules of cooking.yaml.

    Attributes:
        results: the state of food after each verb of a recipe.
        cutting_verbs: verbs that need the cutting tool in hand.
        cutting_tool: name of the cutting tool.
        appliances: the appliance for each verb of cooking.
        prepare: command that makes the meal.
        eat: command that eats the meal.
        book: name of the object that holds the recipe.
        book_room: kind of the room with that object.
        idle: verbs of commands that change nothing.
        common: share of homes that have each kind of room.
        neighbours: kinds of rooms that are often next to each kind of room.
        doors: the kinds of rooms on the two sides of a door, by a word in its name.
        walled: groups of kinds of rooms. A room of a group and a room outside the group are connected by doors alone.
    """

    results: Mapping[str, str]
    cutting_verbs: tuple[str, ...]
    cutting_tool: str
    appliances: Mapping[str, str]
    prepare: str
    eat: str
    book: str
    book_room: str
    idle: tuple[str, ...]
    common: Mapping[str, float]
    neighbours: Mapping[str, tuple[str, ...]]
    doors: Mapping[str, tuple[frozenset[str], frozenset[str]]]
    walled: tuple[frozenset[str], ...]
    _cut: str
    _cook: str
    _read: str
    _kinds: Mapping[str, tuple[str, ...]]
    _found: Mapping[str, Mapping[str, float]]
    _containers: Mapping[str, float]

    def cuts(self, verb: str) -> bool:
        """Whether a verb of a recipe needs the cutting tool."""
        return verb in self.cutting_verbs

    def tool(self, verb: str) -> str:
        """Returns the tool or appliance for a direction of a recipe."""
        return self.cutting_tool if self.cuts(verb) else self.appliances[verb]

    def command(self, verb: str, food: str) -> str:
        """Returns the command for a direction of a recipe."""
        pattern = self._cut if self.cuts(verb) else self._cook
        return pattern.format(verb=verb, food=food, tool=self.tool(verb))

    @property
    def read(self) -> str:
        """The command that reads the recipe."""
        return self._read.format(book=self.book)

    def likelihood(self, name: str, room: str) -> float:
        """Returns the probability that an object of unknown place is in a room of this name."""
        rooms = self._found.get(name) or self._found[self.kind(name)]
        return rooms.get(room_key(room), rooms[_DEFAULT])

    def likelihood_inside(self, container: str) -> float:
        """Returns the probability that an object is in an unopened container."""
        return self._containers.get(container, self._containers[_DEFAULT])

    def kind(self, food: str) -> str:
        """Returns the kind of a food, by a word in its name."""
        names = food.casefold().split()
        return next((kind for kind, words in self._kinds.items() if set(words) & set(names)), _OTHER_FOOD)

    def rooms_behind(self, room: str, door: str) -> tuple[str, ...]:
        """Returns the kinds of room that an exit may lead to.

        Args:
            room: name of the room with the exit.
            door: name of its door; empty = it has none.
        """
        here = room_key(room)
        near = [kind for kind in self.neighbours.get(here) or self.neighbours if kind != here]
        sides = next((sides for word, sides in self.doors.items() if word in door), None)
        if sides is not None and here in sides[0] | sides[1]:
            other = sides[1] if here in sides[0] else sides[0]
            return tuple(kind for kind in near if kind in other) or tuple(sorted(other))
        if not door:
            near = [kind for kind in near if not self._has_walls_between(here, kind)] or near
        return tuple(near)

    def _has_walls_between(self, one: str, other: str) -> bool:
        """Whether there are walls between two rooms of these kinds."""
        return any((one in group) != (other in group) for group in self.walled)


def room_key(room: str) -> str:
    """Returns the kind of a room as the rules spell it: "living room" and "Livingroom" are the same."""
    return room.casefold().replace(" ", "")


@cache
def cooking_rules() -> CookingRules:
    """Returns the rules of cooking.yaml."""
    data: Any = yaml.safe_load(files(__package__).joinpath("cooking.yaml").read_text(encoding="utf-8"))
    places = {name: frozenset(map(room_key, rooms)) for name, rooms in data["places"].items()}
    common = {room_key(room): share for rooms in data["places"].values() for room, share in rooms.items()}
    return CookingRules(
        results=data["results"],
        cutting_verbs=tuple(data["cutting"]["verbs"]),
        cutting_tool=data["cutting"]["with"],
        appliances=data["cooking"]["with"],
        prepare=data["meal"]["prepare"],
        eat=data["meal"]["eat"],
        book=data["recipe"]["in"],
        book_room=room_key(data["recipe"]["room"]),
        idle=tuple(data["idle"]),
        common=common,
        neighbours=_both_ways(data["next_to"]),
        doors={word: (places[one], places[other]) for word, (one, other) in data["doors"].items()},
        walled=tuple(places[name] for name in data["walled"]),
        _cut=data["cutting"]["command"],
        _cook=data["cooking"]["command"],
        _read=data["recipe"]["read"],
        _kinds=_tuples(data["kinds"]),
        _found={
            name: {room_key(room): share for room, share in rooms.items()}
            for name, rooms in data["found"].items()
        },
        _containers=data["containers"],
    )


def _tuples(lists: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(values) for key, values in lists.items()}


def _both_ways(next_to: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for room, others in next_to.items():
        for other in others:
            found.setdefault(room_key(room), {})[room_key(other)] = None
            found.setdefault(room_key(other), {})[room_key(room)] = None
    return {room: tuple(others) for room, others in found.items()}
