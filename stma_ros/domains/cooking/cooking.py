"""General knowledge of cooking and houses (cooking.yaml), checked when it is read."""

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
    """See cooking.yaml.

    results: verb of a recipe -> the state it leaves. cutting_verbs, cutting_tool, appliances (verb -> appliance):
    with what it is done. common: room -> share of homes that have one. neighbours: room -> rooms next to it in a
    usual home. doors: word in a door's name -> the rooms that may be on either side. walled: rooms that are left by
    doors only, but for others of their group. found: thing or kind of food -> room -> likelihood. containers:
    container -> likelihood.
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
        return verb in self.cutting_verbs

    def tool(self, verb: str) -> str:
        """Returns the tool or appliance for a direction of a recipe."""
        return self.cutting_tool if self.cuts(verb) else self.appliances[verb]

    def command(self, verb: str, food: str) -> str:
        """Returns the command that follows a direction."""
        pattern = self._cut if self.cuts(verb) else self._cook
        return pattern.format(verb=verb, food=food, tool=self.tool(verb))

    @property
    def read(self) -> str:
        """Returns the command that reads the recipe."""
        return self._read.format(book=self.book)

    def likelihood(self, thing: str, room: str) -> float:
        """Returns the probability that an object without a known place is in such a room."""
        rooms = self._found.get(thing) or self._found[self.kind(thing)]
        return rooms.get(room_key(room), rooms[_DEFAULT])

    def likelihood_inside(self, container: str) -> float:
        """Returns the probability that an object is in an unopened container."""
        return self._containers.get(container, self._containers[_DEFAULT])

    def kind(self, food: str) -> str:
        names = food.casefold().split()
        return next((kind for kind, words in self._kinds.items() if set(words) & set(names)), _OTHER_FOOD)

    def beyond(self, room: str, door: str) -> tuple[str, ...]:
        """Returns the kinds of room that an exit may lead to, by the room it is in and the name of its door; empty = it
        has none."""
        here = room_key(room)
        near = [kind for kind in self.neighbours.get(here) or self.neighbours if kind != here]
        sides = next((sides for word, sides in self.doors.items() if word in door), None)
        if sides is not None and here in sides[0] | sides[1]:
            other = sides[1] if here in sides[0] else sides[0]
            return tuple(kind for kind in near if kind in other) or tuple(sorted(other))
        if not door:
            near = [kind for kind in near if not self._is_parted(here, kind)] or near
        return tuple(near)

    def _is_parted(self, one: str, other: str) -> bool:
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
            thing: {room_key(room): share for room, share in rooms.items()}
            for thing, rooms in data["found"].items()
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
