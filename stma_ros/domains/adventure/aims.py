"""The subgoals of the rules: a direction that is to be tried in a room."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stma_ros.domains.adventure.observed_text import Place

_SUBGOAL = re.compile(r"explore (?P<direction>\w+) (?:of|from) (?P<title>[^()]+?)(?: \((?P<named>[^()]*)\))?")
_WITHOUT_OF = ("up", "down", "in", "out")


@dataclass(frozen=True)
class Aim:
    """A subgoal.

    Attributes:
        direction: the direction.
        title: name of the room.
        named: the directions that the room names, where another one has the same name.
    """

    direction: str
    title: str
    named: tuple[str, ...] = ()

    def fits(self, place: Place) -> bool:
        """Returns whether a place may be meant."""
        return self.title == place.title and self.named in ((), place.named)

    def __str__(self) -> str:
        between = "from" if self.direction in _WITHOUT_OF else "of"
        return f"explore {self.direction} {between} {Place(self.title, self.named)}"


def read_aim(subgoal: str) -> Aim | None:
    """Returns the aim that a subgoal states; None if it is none."""
    match = _SUBGOAL.fullmatch(subgoal)
    if match is None:
        return None
    return Aim(match["direction"], match["title"], tuple(filter(None, (match["named"] or "").split(", "))))
