"""Finds the shortest solution of a cooking game with full knowledge. For scorers only.

The generator writes the ground truth of a game to a file next to it: facts such as closed(d_0), on(f_3, s_1) and, for
the recipe, base(f_3, ingredient_0) and roasted(ingredient_0), with names for the objects in them. The solution searches
for nothing and does not read the recipe, since the engine does not require it.

The length is exact for games without a limit to the carried objects: the player carries out every possible subtask at
the first visit of a room, which never costs a command, so the search covers only paths through rooms and doors.
"""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stma_ros.types import vocabulary as words
from stma_ros.types.errors import StorageError, WorldError

Fact = tuple[str, ...]
"""A predicate's name, then the ids of its arguments."""

_APPLIANCES = {"fried": "stove", "roasted": "oven", "grilled": "toaster"}
"""Property of a prepared ingredient -> type of the appliance that produces it."""
_CUTS = {"chopped": "chop", "sliced": "slice", "diced": "dice"}
"""Property of a prepared ingredient -> verb of the command."""
_PLAYER, _INVENTORY = "P", "I"  # ids
_ROOM = "r"  # a type


@dataclass(frozen=True)
class Truth:
    """The initial state of a game. names, types: by id. objective: the objective that it states."""

    facts: tuple[Fact, ...]
    names: Mapping[str, str]
    types: Mapping[str, str]
    objective: str


def read_truth(path: Path) -> Truth:
    """Reads the ground truth that the generator has written next to a game. Raises StorageError."""
    try:
        game = json.loads(path.read_text(encoding="utf-8"))
        facts = tuple(
            (fact["name"], *(argument["name"] for argument in fact["arguments"])) for fact in game["world"]
        )
        things = dict(game["infos"])
        return Truth(
            facts,
            {key: thing["name"] or "" for key, thing in things.items()},
            {key: thing["type"] for key, thing in things.items()},
            game["objective"],
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StorageError(
            f"{path} does not say how its game really is ({type(error).__name__}: {error}); "
            "remove the game and the files next to it, so that it is generated again"
        ) from error


@dataclass(frozen=True)
class Exit:
    """An exit of a room. door: the id of the closed door in the way; empty = none."""

    direction: str
    room: str
    door: str


@dataclass(frozen=True)
class Subtask:
    """Commands to be given in one room, any of `places`, after another subtask, which is named by its position."""

    places: Mapping[str, tuple[str, ...]]
    after: int | None = None


def perfect_plan(truth: Truth) -> tuple[str, ...]:
    """Returns the fewest commands that win the game from its start. Raises WorldError when the game cannot be won."""
    world = _World(truth)
    way = _shortest_way(world, world.subtasks())
    return (*way, *world.cutting(), "prepare meal", "eat meal")


class _World:
    """A game's facts, indexed for the search."""

    def __init__(self, truth: Truth) -> None:
        self._names, self._types = truth.names, truth.types
        self._holder: dict[str, str] = {}
        self._properties: dict[str, set[str]] = defaultdict(set)
        for name, *about in truth.facts:
            if name in ("at", "in", "on"):
                self._holder[about[0]] = about[1]
            elif len(about) == 1:
                self._properties[about[0]].add(name)
        self.start = self._holder[_PLAYER]
        self.exits = self._exits(truth.facts)
        self.kitchen = next(about[0] for name, *about in truth.facts if name == "cooking_location")
        bases = sorted((about[1], about[0]) for name, *about in truth.facts if name == "base")
        self._dishes = [(food, self._properties[wanted] - self._properties[food]) for wanted, food in bases]

    def name(self, thing: str) -> str:
        return self._names[thing]

    def subtasks(self) -> list[Subtask]:
        """Returns the subtasks in their order: first to take the ingredients, then to cook them."""
        needed = [thing for thing in self._needed() if self._holder[thing] != _INVENTORY]
        rooms = list(dict.fromkeys(self._room(thing) for thing in needed))
        fetching = [
            Subtask({room: tuple(self._taking([thing for thing in needed if self._room(thing) == room]))})
            for room in rooms
        ]
        cooking = [
            Subtask(
                self._appliances(self.name(food), kind),
                rooms.index(self._room(food)) if food in needed else None,
            )
            for food, wanted in self._dishes
            for way, kind in _APPLIANCES.items()
            if way in wanted
        ]
        return [*fetching, *cooking]

    def cutting(self) -> list[str]:
        """Returns the cutting commands, which are possible anywhere once the player holds the knife."""
        return [
            f"{verb} {self.name(food)} with {self.name(self._knife())}"
            for food, wanted in self._dishes
            for way, verb in _CUTS.items()
            if way in wanted
        ]

    def _needed(self) -> list[str]:
        foods = [food for food, _ in self._dishes]
        return [*foods, self._knife()] if self.cutting() else foods

    def _taking(self, things: Iterable[str]) -> Iterator[str]:
        opened = set()
        for thing in things:
            holder = self._holder[thing]
            if "closed" in self._properties[holder] and holder not in opened:
                opened.add(holder)
                yield f"open {self.name(holder)}"
            lies = self._types[holder] == _ROOM
            yield f"take {self.name(thing)}" + ("" if lies else f" from {self.name(holder)}")

    def _knife(self) -> str:
        return min(thing for thing, properties in self._properties.items() if "sharp" in properties)

    def _appliances(self, food: str, kind: str) -> dict[str, tuple[str, ...]]:
        return {
            self._room(thing): (f"cook {food} with {self.name(thing)}",)
            for thing in self._holder
            if self._types[thing] == kind
        }

    def _room(self, thing: str) -> str:
        while self._types[thing] != _ROOM:
            thing = self._holder[thing]
        return thing

    def _exits(self, facts: Iterable[Fact]) -> dict[str, list[Exit]]:
        doors = {(about[0], about[2]): about[1] for name, *about in facts if name == "link"}
        exits: dict[str, dict[str, Exit]] = defaultdict(dict)
        for name, *about in facts:
            direction = name.removesuffix("_of")
            if direction not in words.OPPOSITE:
                continue
            there, here = about  # `there` lies north of `here`
            for room, way, beyond in ((here, direction, there), (there, words.OPPOSITE[direction], here)):
                door = doors.get((room, beyond), "")
                closed = door if "closed" in self._properties[door] else ""
                exits[room][way] = Exit(way, beyond, closed)
        return {room: [by_way[way] for way in sorted(by_way)] for room, by_way in exits.items()}


@dataclass(frozen=True)
class _State:
    """A state of the search. done: positions of the completed subtasks."""

    room: str
    opened: frozenset[str]
    done: frozenset[int]


def _shortest_way(world: _World, subtasks: Sequence[Subtask]) -> list[str]:
    """Returns the commands between the subtasks, by a breadth-first search over states to the kitchen with every
    subtask completed.

    A subtask costs the same in every room, so that it counts nothing here.
    """
    start, said = _do(_State(world.start, frozenset(), frozenset()), subtasks)
    reached: dict[_State, tuple[_State | None, list[str]]] = {start: (None, said)}
    waiting = deque([start])
    while waiting:
        state = waiting.popleft()
        if state.room == world.kitchen and len(state.done) == len(subtasks):
            return _trace(reached, state)
        for way in world.exits.get(state.room, ()):
            if way.door and way.door not in state.opened:
                following = _State(state.room, state.opened | {way.door}, state.done)
                said = [f"open {world.name(way.door)}"]
            else:
                following, subtask = _do(_State(way.room, state.opened, state.done), subtasks)
                said = [f"go {way.direction}", *subtask]
            if following not in reached:
                reached[following] = (state, said)
                waiting.append(following)
    raise WorldError("this game cannot be won: something that its recipe needs cannot be reached")


def _do(state: _State, subtasks: Sequence[Subtask]) -> tuple[_State, list[str]]:
    """Carries out everything that is possible in this room. A subtask that requires another one stands after it."""
    done = set(state.done)
    said: list[str] = []
    for number, subtask in enumerate(subtasks):
        if (
            number not in done
            and state.room in subtask.places
            and (subtask.after is None or subtask.after in done)
        ):
            done.add(number)
            said += subtask.places[state.room]
    return _State(state.room, state.opened, frozenset(done)), said


def _trace(reached: Mapping[_State, tuple[_State | None, list[str]]], end: _State) -> list[str]:
    steps: list[list[str]] = []
    state: _State | None = end
    while state is not None:
        state, said = reached[state]
        steps.append(said)
    return [command for said in reversed(steps) for command in said]
