"""The subtasks of a household task: objects and the place or state in which they are to be."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Place:
    """A place in the description of an object: in or on ("in", "on") a kind of furniture, or in a kind of room."""

    category: str
    preposition: str


@dataclass(frozen=True)
class Things:
    """Objects of a flat as a task names them: `number` of those that fit the description.

    Attributes:
        category: common category; a room's is its kind.
        names: the world's names of all objects that fit.
        number: how many of them are meant.
        colour: common colour; empty where the description does not need it.
        size: "large", "small", likewise.
        place: common place, likewise.
    """

    category: str
    names: tuple[str, ...]
    number: int = 1
    colour: str = ""
    size: str = ""
    place: Place | None = None

    @property
    def is_definite(self) -> bool:
        """Whether only one object fits."""
        return len(self.names) == 1

    @property
    def is_all(self) -> bool:
        """Whether all of several objects are meant."""
        return self.number == len(self.names) > 1


class SpatialRelation(enum.Enum):
    """The relation of objects to a place."""

    IN = "in"
    ON = "on"
    TO = "to"  # in or on it
    ROOM = "room"  # anywhere in the room, but neither in the hand nor on the floor


@dataclass(frozen=True)
class Find:
    """Report the place of one of the objects."""

    things: Things


@dataclass(frozen=True)
class Put:
    """The objects are to be at one of the places.

    Attributes:
        source: their first place, if the task states it.
    """

    things: Things
    places: Things
    relation: SpatialRelation
    source: Place | None = None


@dataclass(frozen=True)
class Fetch:
    """One of the objects is to be in the robot's gripper."""

    things: Things


@dataclass(frozen=True)
class SetState:
    """The objects are to be in a state: a word of types.vocabulary."""

    things: Things
    state: str


Subtask: TypeAlias = Find | Put | Fetch | SetState
