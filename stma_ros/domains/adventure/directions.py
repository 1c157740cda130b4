"""The directions of text adventures, in commands and in descriptions."""

from __future__ import annotations

import re
from collections.abc import Mapping

COMPASS = ("north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest")
DIRECTIONS = (*COMPASS, "up", "down", "in", "out")
"""All directions, in the order in which they are tried. Each is a command."""

_PAIRS = (
    ("north", "south"), ("east", "west"), ("northeast", "southwest"), ("northwest", "southeast"),
    ("up", "down"), ("in", "out"),
)  # fmt: skip
OPPOSITES: Mapping[str, str] = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])}

_SHORT: Mapping[str, str] = {
    "n": "north", "s": "south", "e": "east", "w": "west", "ne": "northeast", "nw": "northwest",
    "se": "southeast", "sw": "southwest", "u": "up", "d": "down", "enter": "in", "exit": "out", "leave": "out",
}  # fmt: skip
_GOING = re.compile(r"(?:go|walk|run|head|move|climb) (?:to the )?")
_NAMED = re.compile(
    r"\b(?:(?P<compass>(?:north|south)[- ]?(?:east|west)|north|south|east|west)(?:ern|wards?)?"
    r"|(?P<up>up|upwards?|upstairs)|(?P<down>down|downwards?|downstairs))\b",
    re.IGNORECASE,
)


def direction_of(command: str) -> str:
    """Returns the direction in which a command moves the player; empty for other commands."""
    bare = _GOING.sub("", " ".join(command.casefold().split()), count=1)
    direction = _SHORT.get(bare, bare)
    return direction if direction in OPPOSITES else ""


def named_directions(text: str) -> tuple[str, ...]:
    """Returns the directions that a text names, in the order of DIRECTIONS.

    "in" and "out" do not count: they nearly always mean something else.
    """
    named = set()
    for match in _NAMED.finditer(text):
        compass = match["compass"]
        named.add(re.sub(r"[- ]", "", compass.casefold()) if compass else "up" if match["up"] else "down")
    return tuple(each for each in DIRECTIONS if each in named)
