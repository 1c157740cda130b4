"""A map as a summary of what was done, in one line, which people and the policy's rules can read:

Map: Mill (east): east to Bank, north nowhere, up blocked by trap door; Bank: nothing tried. Here: Bank
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from stma_ros.domains.adventure.directions import DIRECTIONS
from stma_ros.domains.adventure.explored_map import Exit, ExploredMap
from stma_ros.domains.adventure.observed_text import Place

_BEGIN, _HERE = "Map: ", ". Here: "
_NOWHERE, _OPENED, _UNTRIED = "nowhere", " (opened)", "nothing tried"
_PLACE = r"[^().,:;]+(?: \([a-z, ]+\))?"
_ROOM = re.compile(rf"(?P<place>{_PLACE}): (?P<exits>.*)")
_EXIT = re.compile(
    rf"(?P<direction>{'|'.join(DIRECTIONS)}) "
    rf"(?:to (?P<to>{_PLACE})|{_NOWHERE}|blocked by (?P<obstacle>[^(),;]+?)(?P<opened>{re.escape(_OPENED)})?)(?:, |$)"
)


def map_text(explored: ExploredMap) -> str:
    """Returns a map in one line."""
    rooms = "; ".join(
        f"{place}: {', '.join(_exits(explored, place)) or _UNTRIED}" for place in explored.exits
    )
    return f"{_BEGIN}{rooms}{_HERE}{explored.here}" if explored.here else f"{_BEGIN}{rooms}"


def _exits(explored: ExploredMap, place: Place) -> Iterator[str]:
    for direction, tried in explored.exits[place].items():
        if tried.obstacle:
            yield f"{direction} blocked by {tried.obstacle}{_OPENED if tried.is_opened else ''}"
        elif tried.leads_to == place:
            yield f"{direction} {_NOWHERE}"
        else:
            yield f"{direction} to {explored.short(tried.leads_to)}"


def read_map(text: str) -> ExploredMap:
    """Returns the map that a summary holds; one without rooms for any other text."""
    begin, _, content = text.partition(_BEGIN)
    rooms, _, here = ("" if begin else content).partition(_HERE)
    read = [match for room in rooms.split("; ") if (match := _ROOM.fullmatch(room)) is not None]
    explored = ExploredMap()
    for match in read:
        explored.exits[_place(match["place"])] = {}
    for match in read:
        place = _place(match["place"])
        for each in _EXIT.finditer(match["exits"]):
            leads_to = explored.long(_place(each["to"])) if each["to"] else place
            found = Exit(leads_to, each["obstacle"] or "", each["opened"] is not None)
            explored.exits[place][each["direction"]] = found
    explored.arrive(_place(here) if here else None)
    return explored


def _place(text: str) -> Place:
    title, _, named = text.partition(" (")
    return Place(title, tuple(named.removesuffix(")").split(", ")) if named else ())
