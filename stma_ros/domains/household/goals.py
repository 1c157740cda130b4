"""What a task asks for, as the reader of English understands it and the planner pursues it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from stma_ros.memory.descriptions import Description

ALL: Final = 0
"""As a count: every such thing in the home."""


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
