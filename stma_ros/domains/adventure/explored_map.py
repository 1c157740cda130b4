"""The rooms of a story as far as they are known, and what came of the directions that were tried in them."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.domains.adventure.aims import Aim
from stma_ros.domains.adventure.directions import direction_of
from stma_ros.domains.adventure.observed_text import Place


@dataclass
class Exit:
    """A direction that was tried in a room.

    Attributes:
        leads_to: where the player was after the last attempt; the room itself = there was no way.
        obstacle: what was closed and in the way at the last attempt.
        is_opened: whether it was opened since then, or that was attempted.
    """

    leads_to: Place
    obstacle: str = ""
    is_opened: bool = False


class ExploredMap:
    """A map of rooms.

    Attributes:
        here: where the player is; None = unknown.
        exits: for each room the directions that were tried in it.
    """

    def __init__(self) -> None:
        self.here: Place | None = None
        self.exits: dict[Place, dict[str, Exit]] = {}

    def arrive(self, place: Place | None) -> None:
        """Sets where the player is, however that came about."""
        self.here = place
        if place is not None:
            self.exits.setdefault(place, {})

    def learn(self, command: str, place: Place, obstacle: str = "") -> None:
        """Adds what came of a command.

        Args:
            command: the command.
            place: where the player was after it.
            obstacle: what is closed and in the way by the reply; empty = nothing is said of it.
        """
        if self.here is not None:
            exits, direction = self.exits[self.here], direction_of(command)
            if direction:
                before = exits.get(direction)
                in_vain = before is not None and before.is_opened
                exits[direction] = Exit(place, obstacle if place == self.here and not in_vain else "")
            for tried in exits.values():
                tried.is_opened |= bool(tried.obstacle) and command == opening(tried.obstacle)
        self.arrive(place)

    def learn_of(self, aim: Aim, place: Place) -> None:
        """Adds that the player was at a place after an aim was pursued, of which nothing else is known."""
        for room in self.exits:
            if aim.fits(room):
                self.exits[room][aim.direction] = Exit(place)
        self.arrive(place)

    def update(self, newer: ExploredMap) -> None:
        """Adds another map, which is right where the two differ."""
        for place, exits in newer.exits.items():
            self.exits.setdefault(place, {}).update(exits)
        self.arrive(newer.here)

    def short(self, place: Place) -> Place:
        """Returns a place without the directions that it names, if no other one has its name."""
        others = (other for other in self.exits if other.title == place.title and other != place)
        return Place(place.title) if next(others, None) is None else place

    def long(self, short: Place) -> Place:
        """Returns the place of which `short` was made."""
        if short in self.exits:
            return short
        return next((place for place in self.exits if place.title == short.title), short)


def opening(obstacle: str) -> str:
    """Returns the command that opens what is in the way."""
    return f"open {obstacle}"
