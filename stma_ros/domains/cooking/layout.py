"""Estimates the layout of rooms by dead reckoning, with one grid step for each exit."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation

Cell: TypeAlias = tuple[int, int, int]
"""A position on a grid, in steps to the east, to the north and up."""

_STEPS: Mapping[str, Cell] = {
    "north": (0, 1, 0),
    "south": (0, -1, 0),
    "east": (1, 0, 0),
    "west": (-1, 0, 0),
    "up": (0, 0, 1),
    "down": (0, 0, -1),
}


def likely_loops(start: str, facts: Iterable[Relation]) -> frozenset[tuple[str, str]]:
    """Returns the unexplored exits that likely lead to a known room.

    An exit likely leads to a known room if dead reckoning places that room behind it, and the room has an unexplored
    exit on the facing side.

    Args:
        start: name of the room at the origin of the grid.
        facts: the exits of all rooms.

    Returns:
        Pairs of a room and the direction of an exit in it.
    """
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
    """Returns the cells of the rooms that can be reached by known exits.

    Where routes to a room disagree, the one with the fewest moves counts.
    """
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
