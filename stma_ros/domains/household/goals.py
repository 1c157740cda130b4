"""What a task asks for, as the reader of English understands it and the planner pursues it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

ALL: Final = 0
"""As a count: every such thing in the home."""

SMALL: Final = "small"
LARGE: Final = "large"


@dataclass(frozen=True)
class Description:
    """A thing, a place or a room as people name it.

    category: a canonical name (memory.semantic). colours: basic colour words that must fit. size: SMALL, LARGE, or
    empty; compared among things of the category. relation and place: where it is said to be (words.IN, ON, NEAR or
    IN_ROOM; empty relation = in or on it). An object's id of the scene graph is a description too: `id`.
    """

    category: str
    colours: tuple[str, ...] = ()
    size: str = ""
    relation: str = ""
    place: Description | None = None
    id: str = ""

    def __str__(self) -> str:
        words = " ".join(word for word in (self.size, *self.colours, self.category) if word)
        if self.place is None:
            return words
        return f"{words} {self.relation.removesuffix(' room') or 'in or on'} the {self.place}"


@dataclass(frozen=True)
class FindGoal:
    """Say where `count` such things are. beside: and stand before one, at the end."""

    what: Description
    count: int = 1
    beside: bool = False

    def __str__(self) -> str:
        return f"{'go to' if self.beside else 'find'} {_counted(self.what, self.count)}"


@dataclass(frozen=True)
class PlaceGoal:
    """`count` such things are to be somewhere else.

    relation: words.IN, ON or NEAR a thing, IN_ROOM, or HELD_BY (fetch it: the hand holds it at the end); empty: in or
    on the destination, as it takes them. destination: None for HELD_BY, and where each thing's usual place is meant
    ("tidy away the toys").
    """

    what: Description
    count: int = 1
    relation: str = ""
    destination: Description | None = None

    def __str__(self) -> str:
        thing = _counted(self.what, self.count)
        if self.destination is None:
            return f"put {thing} away" if not self.relation else f"fetch {thing}"
        return f"put {thing} {self.relation.removesuffix(' room') or 'in or on'} the {self.destination}"


@dataclass(frozen=True)
class StateGoal:
    """`count` such things are to be in a state: one of words.STATE_OPEN, CLOSED, ON, OFF, FULL, EMPTY."""

    what: Description
    state: str
    count: int = 1

    def __str__(self) -> str:
        return f"{_counted(self.what, self.count)} {self.state}"


Goal: TypeAlias = FindGoal | PlaceGoal | StateGoal


def _counted(what: Description, count: int) -> str:
    if count == 1:
        return f"the {what}"
    return f"{'all' if count == ALL else count} {what}"
