"""What can be done where everything needed is known: in this room at once, and on a round trip through others."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from stma_ros.domains.cooking.game_state import GameState

_MANY = 6  # errands of a round up to which every order is tried; beyond it the nearest comes first


@dataclass(frozen=True)
class RoomVisit:
    """A visit to a room where something is to be done. after: rooms that have to be visited before it."""

    room: str
    after: frozenset[str] = frozenset()


def doable_here(game_state: GameState) -> tuple[str, ...]:
    """Returns the commands that bring the recipe forward in this room, assuming that each succeeds."""
    return tuple(dict.fromkeys(_doable_here(game_state)))  # what holds two things is opened once


def _doable_here(game_state: GameState) -> Iterator[str]:
    rules, recipe = game_state.rules, game_state.recipe
    if recipe is None:
        return
    here = {thing.name for thing in game_state.scene.things}
    carried = set(game_state.states)
    for name in game_state.lacking:
        if name in here or game_state.hidden_in(name):
            carried.add(name)
            yield from game_state.taking(name)
    left = []
    for step in game_state.todo:
        tool = rules.tool(step.verb)
        at_hand = tool in carried if rules.cuts(step.verb) else tool in here
        if step.food in carried and at_hand:
            yield rules.command(step.verb, step.food)
        else:
            left.append(step)
    complete = not left and not game_state.undoable and all(name in carried for name in recipe.ingredients)
    if (complete and _can_prepare(game_state)) or rules.eat in game_state.commands:
        if rules.eat not in game_state.commands:
            yield rules.prepare
        yield rules.eat


def _can_prepare(game_state: GameState) -> bool:
    """Whether the meal can be made here: the game lists the command, sometimes before it can succeed."""
    return game_state.rules.prepare in game_state.commands


def round_trip(game_state: GameState) -> tuple[str, ...]:
    """Returns the commands to the first room of the shortest round trip through all rooms with something to do; empty
    if no way is known.

    The trip ends where the meal is made.
    """
    end = _meal_room(game_state)
    best = min(
        (tuple(visit.room for visit in order) for order in _orders(game_state)),
        key=lambda rooms: (_length(game_state, rooms, end), rooms),
    )
    return up_to_visit(game_state.way_to(next(iter(best), end)) or (), game_state)


def up_to_visit(way: tuple[str, ...], game_state: GameState) -> tuple[str, ...]:
    """Returns the way up to the first room on it in which something can be done at once."""
    stops = (game_state.way_to(visit.room) for visit in _visits(game_state) if not visit.after)
    return min((stop for stop in stops if stop and way[: len(stop)] == stop), key=len, default=way)


def nearest_visit(game_state: GameState) -> tuple[str, ...]:
    """Returns the commands to the nearest room in which something can be done at once; empty if there is none."""
    ready = (visit.room for visit in _visits(game_state) if not visit.after)
    ways = [way for room in ready if (way := game_state.way_to(room))]
    return min(ways, key=lambda way: (len(way), way), default=())


def _visits(game_state: GameState) -> Iterator[RoomVisit]:
    """Returns the visits to other rooms with something to take, or with an appliance that is needed."""
    rules = game_state.rules
    places = {name: game_state.places.get(name, "") for name in game_state.lacking}
    to_take = {name: room for name, room in places.items() if game_state.way_to(room) is not None}
    cooking: dict[str, set[str]] = {}
    for step in game_state.todo:
        if rules.cuts(step.verb) or (step.food not in to_take and step.food not in game_state.states):
            continue
        room = game_state.places.get(rules.tool(step.verb), "")
        if game_state.way_to(room) is not None:
            cooking.setdefault(room, set()).update({to_take[step.food]} if step.food in to_take else ())
    taking = dict.fromkeys(room for room in to_take.values() if room != game_state.here)
    yield from map(RoomVisit, taking)
    for room, earlier in cooking.items():
        after = frozenset(earlier - {room, game_state.here})
        if room != game_state.here and (after or room not in taking):
            yield RoomVisit(room, after)


def _orders(game_state: GameState) -> Iterable[tuple[RoomVisit, ...]]:
    """Yields orders in which everything that a room needs is fetched before; of many visits one good order."""
    visits = tuple(_visits(game_state))
    if len(visits) > _MANY:
        return (_nearest_first(game_state, visits),)
    return filter(_is_in_time, itertools.permutations(visits))


def _nearest_first(game_state: GameState, visits: Iterable[RoomVisit]) -> tuple[RoomVisit, ...]:
    left, order = list(visits), []
    here, visited = game_state.here, set[str]()
    while left:
        ready = (visit for visit in left if visit.after <= visited)
        nearest = min(ready, key=lambda visit: (game_state.distance(here, visit.room), visit.room))
        left.remove(nearest)
        order.append(nearest)
        here = nearest.room
        visited.add(here)
    return tuple(order)


def _is_in_time(order: tuple[RoomVisit, ...]) -> bool:
    """Whether everything that a room needs is fetched before."""
    visited: set[str] = set()
    for visit in order:
        if visit.after - visited:
            return False
        visited.add(visit.room)
    return True


def _length(game_state: GameState, rooms: Iterable[str], end: str) -> int:
    """Returns the length of a round trip, by the rooms' places in the belief."""
    stops = [game_state.here, *rooms, *([end] if end else [])]
    return sum(game_state.distance(one, two) for one, two in itertools.pairwise(stops))


def _meal_room(game_state: GameState) -> str:
    """Returns the room of the recipe, if it is known, else this room."""
    known = game_state.places.get(game_state.rules.book, "")
    return known or game_state.here
