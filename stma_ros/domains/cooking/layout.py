"""Where rooms lie, by dead reckoning: one step for each exit that was taken."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation

Cell: TypeAlias = tuple[int, int, int]
"""Steps to the east, to the north and up."""

_STEPS: Mapping[str, Cell] = {
    "north": (0, 1, 0),
    "south": (0, -1, 0),
    "east": (1, 0, 0),
    "west": (-1, 0, 0),
    "up": (0, 0, 1),
    "down": (0, 0, -1),
}


def likely_loops(start: str, facts: Iterable[Relation]) -> frozenset[tuple[str, str]]:
    """The exits (room, direction) that nobody has taken and that likely lead to a room that is known: it lies there,
    and has an exit that nobody has taken on the side where one would come in."""
    exits: dict[str, dict[str, str]] = {}
    for fact in facts:
        direction = fact.predicate.removeprefix(words.EXIT)
        if direction != fact.predicate and direction in _STEPS:
            exits.setdefault(fact.subject, {})[direction] = fact.object
    cells = _cells(start, exits)
    rooms = {cell: room for room, cell in reversed(cells.items())}
    return frozenset(
        (room, direction)
        for room, cell in cells.items()
        for direction, target in exits.get(room, {}).items()
        if target == words.UNEXPLORED
        and exits.get(rooms.get(_next(cell, direction), ""), {}).get(words.OPPOSITE[direction])
        == words.UNEXPLORED
    )


def _cells(start: str, exits: Mapping[str, Mapping[str, str]]) -> dict[str, Cell]:
    """Of the rooms that known ways lead to; where ways disagree, by the one with the fewest moves."""
    cells: dict[str, Cell] = {start: (0, 0, 0)}
    waiting = deque(cells)
    while waiting:
        room = waiting.popleft()
        for direction, target in exits.get(room, {}).items():
            if target != words.UNEXPLORED and target not in cells:
                cells[target] = _next(cells[room], direction)
                waiting.append(target)
    return cells


def _next(cell: Cell, direction: str) -> Cell:
    east, north, up = _STEPS[direction]
    return cell[0] + east, cell[1] + north, cell[2] + up
