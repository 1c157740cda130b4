"""What is still to be tried on a map, and how far it is."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from stma_ros.domains.adventure.aims import Aim
from stma_ros.domains.adventure.directions import COMPASS, DIRECTIONS, OPPOSITES
from stma_ros.domains.adventure.explored_map import ExploredMap, opening
from stma_ros.domains.adventure.observed_text import UNNAMED, Place

# What a direction costs besides the way to it [commands]: most directions that no description names lead nowhere.
_CARDINAL, _DIAGONAL, _OTHER = 3, 5, 4
_BACK = 6  # it most likely leads to where the player came from
_UNSEEN = 10  # where nothing is to be seen, as in the dark


@dataclass(frozen=True)
class Candidate:
    """Something to be tried.

    Attributes:
        place: where.
        direction: the direction.
        command: what to say now: a move on the way, or there the direction, or what opens the way.
        cost: estimated number of commands.
    """

    place: Place
    direction: str
    command: str
    cost: int


def candidates(explored: ExploredMap) -> list[Candidate]:
    """Returns what can be tried from where the player is, cheapest first."""
    found = list(_candidates(explored))
    found.sort(key=lambda each: (each.cost, DIRECTIONS.index(each.direction)))
    return found


def aim_of(candidate: Candidate, explored: ExploredMap) -> Aim:
    """Returns a candidate as a subgoal."""
    place = explored.short(candidate.place)
    return Aim(candidate.direction, place.title, place.named)


def _candidates(explored: ExploredMap) -> Iterator[Candidate]:
    assumed = _assumed_exits(explored)
    for place, (first, distance) in _ways(explored, assumed).items():
        for direction in DIRECTIONS:
            tried = explored.exits[place].get(direction)
            if tried is None:
                cost, command = _cost(place, direction, direction in assumed.get(place, {})), direction
            elif tried.obstacle:
                cost, command = 0, direction if tried.is_opened else opening(tried.obstacle)
            else:
                continue
            yield Candidate(place, direction, first or command, distance + cost)


def _assumed_exits(explored: ExploredMap) -> dict[Place, dict[str, Place]]:
    """Returns the directions that were not tried, and most likely lead back to where the player came from."""
    assumed: dict[Place, dict[str, Place]] = {}
    for place, exits in explored.exits.items():
        for direction, tried in exits.items():
            back = OPPOSITES[direction]
            if tried.leads_to != place and back not in explored.exits.get(tried.leads_to, {}):
                assumed.setdefault(tried.leads_to, {})[back] = place
    return assumed


def _ways(
    explored: ExploredMap, assumed: Mapping[Place, Mapping[str, Place]]
) -> dict[Place, tuple[str, int]]:
    """Returns the first command of the shortest way to each room that can be reached, and its length."""
    if explored.here is None:
        return {}
    ways = {explored.here: ("", 0)}
    queue = deque((explored.here,))
    while queue:
        place = queue.popleft()
        first, distance = ways[place]
        known = {direction: tried.leads_to for direction, tried in explored.exits[place].items()}
        for direction, to in {**known, **assumed.get(place, {})}.items():
            if to not in ways and to in explored.exits:
                ways[to] = first or direction, distance + 1
                queue.append(to)
    return ways


def _cost(place: Place, direction: str, leads_back: bool) -> int:
    if place.title == UNNAMED:
        return _UNSEEN
    if leads_back:
        return _BACK
    if direction in place.named:
        return 0
    if direction not in COMPASS:
        return _OTHER
    return _CARDINAL if direction in COMPASS[:4] else _DIAGONAL
