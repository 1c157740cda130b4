"""The subtasks of a household task: objects and the place or state in which they are to be."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Place:
    """A place by which people describe a thing: in or on ("in", "on") a kind of furniture, or in a kind of room."""

    category: str
    preposition: str


@dataclass(frozen=True)
class Things:
    """Some things of a flat as a task names them: `number` of those that fit the description.

    names: the world's own, of all that fit. category, colour, size ("large", "small") and place say what they have in
    common; what is not needed to tell them apart is empty. A room is named by its kind as its category.
    """

    category: str
    names: tuple[str, ...]
    number: int = 1
    colour: str = ""
    size: str = ""
    place: Place | None = None

    @property
    def is_definite(self) -> bool:
        """There is one such thing only."""
        return len(self.names) == 1

    @property
    def is_all(self) -> bool:
        """Every one of several such things is meant."""
        return self.number == len(self.names) > 1


class SpatialRelation(enum.Enum):
    """How things are to be at a place."""

    IN = "in"
    ON = "on"
    TO = "to"  # in or on it
    ROOM = "room"  # anywhere in the room, but neither in the hand nor on the floor


@dataclass(frozen=True)
class Find:
    """Report where one of the objects is."""

    things: Things


@dataclass(frozen=True)
class Put:
    """The objects are to be at one of the places.

    source: their first place, if the task states it.
    """

    things: Things
    places: Things
    relation: SpatialRelation
    source: Place | None = None


@dataclass(frozen=True)
class Fetch:
    """One of the things is to be in the robot's hand."""

    things: Things


@dataclass(frozen=True)
class SetState:
    """The things are to be in a state: a word of types.vocabulary."""

    things: Things
    state: str


Subtask: TypeAlias = Find | Put | Fetch | SetState
