"""Reads what is seen of a home, from an observation in the world's words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from stma_ros.types import vocabulary as words

_HERE = re.compile(r"You are in (\S+)\.")
_ROOMS = re.compile(r"The rooms are (.+)\.")
_POSTURE = re.compile(r"You (?P<verb>sit|lie|are)(?: on (?P<place>\S+))?\.")
_HELD = re.compile(r"You hold (.+)\.")
_THING = re.compile(
    r"(?P<name>[^\s()]+_\d+)(?: \((?P<states>[^()]*)\))?"
    r"(?: (?P<places>(?:on|in|held by) \S+(?:, (?:on|in|held by) \S+)*))?"
)
_STATES_OF = {"sit": "sitting", "lie": "lying"}
YOU: Final = "you"
"""The one who acts, in observations and tasks."""

_NUMBER = re.compile(r"_\d+$")


def kind_of(name: str) -> str:
    """Returns what a thing is, by its name: "sauce_pan" for sauce_pan_2."""
    return _NUMBER.sub("", name)


@dataclass(frozen=True)
class SeenThing:
    """A thing in sight.

    Attributes:
        name: Of the thing.
        states: As "closed".
        places: Relation, ON, IN or HELD_BY, and name of each thing that it is on, in or held by.
    """

    name: str
    states: tuple[str, ...] = ()
    places: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        states = f" ({', '.join(self.states)})" if self.states else ""
        places = ", ".join(f"{relation} {place}" for relation, place in self.places)
        return f"{self.name}{states}{f' {places}' if places else ''}"


@dataclass(frozen=True)
class ObservedHome:
    """What is seen at one moment.

    Attributes:
        room: Where the one who acts is; empty = it is not said.
        rooms: All rooms of the home.
        states: Of the one who acts: sitting or lying, or none.
        seats: What it is on.
        held: What it holds.
        things: What is seen, by name.
    """

    room: str = ""
    rooms: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    things: Mapping[str, SeenThing] = field(default_factory=dict)


def read_observation(text: str) -> ObservedHome:
    """Returns what an observation says; lines of other forms are left out."""
    room = ""
    rooms: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    states: dict[str, None] = {}
    seats: list[str] = []
    things: dict[str, SeenThing] = {}
    for line in map(str.strip, text.splitlines()):
        if here := _HERE.fullmatch(line):
            room = here[1]
        elif listed := _ROOMS.fullmatch(line):
            rooms = _listed(listed[1])
        elif inventory := _HELD.fullmatch(line):
            held = () if inventory[1] == "nothing" else _listed(inventory[1])
        elif posture := _POSTURE.fullmatch(line):
            states |= dict.fromkeys(filter(None, (_STATES_OF.get(posture["verb"]),)))
            seats += filter(None, (posture["place"],))
        elif thing := read_thing(line):
            things[thing.name] = thing
    return ObservedHome(room, rooms, tuple(states), tuple(seats), held, things)


def read_thing(text: str) -> SeenThing | None:
    """Returns a thing as one line of an observation tells it; None for other text."""
    found = _THING.fullmatch(text)
    if found is None:
        return None
    places = _listed(found["places"] or "")
    return SeenThing(found["name"], _listed(found["states"] or ""), tuple(map(_place, places)))


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part for part in text.split(", ") if part)


def _place(text: str) -> tuple[str, str]:
    relation, _, name = text.rpartition(" ")
    return relation, name


@dataclass(frozen=True)
class Look:
    """What was seen of a room at a step."""

    step: int
    room: str
    things: tuple[SeenThing, ...]

    def __str__(self) -> str:
        return f"Step {self.step}, {self.room}: {'; '.join(map(str, self.things)) or 'nothing'}"

    @classmethod
    def of(cls, step: int, home: ObservedHome) -> Look:
        held = {
            name: replace(home.things.get(name, SeenThing(name)), places=((words.HELD_BY, YOU),))
            for name in home.held
        }
        return cls(step, home.room, tuple({**home.things, **held}.values()))


_LOOK = re.compile(r"^Step (\d+), (\S+): (.*)$", re.MULTILINE)
_RECORD = re.compile(r"^Step: (\d+)$", re.MULTILINE)


def read_looks(text: str) -> tuple[Look, ...]:
    """Returns the looks in a history, oldest first: those of a summary, or those of records in the world's words."""
    looks = [
        Look(int(step), room, tuple(_things(told.split("; ")))) for step, room, told in _LOOK.findall(text)
    ]
    _, *records = _RECORD.split(text)
    for step, record in zip(records[::2], records[1::2], strict=True):
        home = read_observation(record.replace("Observation: ", "").replace("Inventory: ", ""))
        if home.room:
            looks.append(Look.of(int(step), home))
    return tuple(sorted(looks, key=lambda look: look.step))


def _things(lines: Iterable[str]) -> Iterable[SeenThing]:
    return filter(None, map(read_thing, lines))


def place_of(thing: SeenThing, room: str) -> tuple[str, str]:
    """Returns the one place of a thing that a graph holds: the one who acts, else what it is in or else on, else the
    room."""
    own = [(relation, words.ROBOT) for relation, place in thing.places if place == YOU]
    inside = [place for place in thing.places if place[0] == words.IN]
    return next(iter((*own, *inside, *thing.places)), (words.IN, room))
