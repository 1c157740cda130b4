"""Plans the steps of a recipe whose objects have known places: in this room, and on a round trip through others."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from stma_ros.domains.cooking.game_state import GameState

_MAX_PERMUTED = 6  # visits of a trip whose orders are all compared; with more, the nearest room comes first


@dataclass(frozen=True)
class RoomVisit:
    """A visit to a room with something to take or cook.

    Attributes:
        room: name of the room.
        after: rooms that have to be visited before it.
    """

    room: str
    after: frozenset[str] = frozenset()


def doable_here(game_state: GameState) -> tuple[str, ...]:
    """Returns the commands that advance the recipe in this room, assuming that each succeeds."""
    return tuple(dict.fromkeys(_doable_here(game_state)))  # a container with two objects is opened once


def _doable_here(game_state: GameState) -> Iterator[str]:
    rules, recipe = game_state.rules, game_state.recipe
    if recipe is None:
        return
    here = {item.name for item in game_state.scene.objects}
    carried = set(game_state.states)
    for name in game_state.to_collect:
        if name in here or game_state.hidden_in(name):
            carried.add(name)
            yield from game_state.take_commands(name)
    left = []
    for step in game_state.todo:
        tool = rules.tool(step.verb)
        at_hand = tool in carried if rules.cuts(step.verb) else tool in here
        if step.food in carried and at_hand:
            yield rules.command(step.verb, step.food)
        else:
            left.append(step)
    complete = (
        not left and not game_state.impossible_steps and all(name in carried for name in recipe.ingredients)
    )
    if (complete and _can_prepare(game_state)) or rules.eat in game_state.commands:
        if rules.eat not in game_state.commands:
            yield rules.prepare
        yield rules.eat


def _can_prepare(game_state: GameState) -> bool:
    """Whether the meal can be made in this room; the game may list the command before it can succeed."""
    return game_state.rules.prepare in game_state.commands


def round_trip(game_state: GameState) -> tuple[str, ...]:
    """Returns the commands to the first room of the shortest trip through all rooms with something to do.

    The trip ends in the room where the meal is made. Without a known route the result is empty.
    """
    end = _meal_room(game_state)
    best = min(
        (tuple(visit.room for visit in order) for order in _orders(game_state)),
        key=lambda rooms: (_length(game_state, rooms, end), rooms),
    )
    return up_to_visit(game_state.route_to(next(iter(best), end)) or (), game_state)


def up_to_visit(route: tuple[str, ...], game_state: GameState) -> tuple[str, ...]:
    """Returns a route up to the first room on it in which something can be done at once."""
    stops = (game_state.route_to(visit.room) for visit in _visits(game_state) if not visit.after)
    return min((stop for stop in stops if stop and route[: len(stop)] == stop), key=len, default=route)


def nearest_visit(game_state: GameState) -> tuple[str, ...]:
    """Returns the commands to the nearest room in which something can be done at once; empty if there is none."""
    ready = (visit.room for visit in _visits(game_state) if not visit.after)
    routes = [route for room in ready if (route := game_state.route_to(room))]
    return min(routes, key=lambda route: (len(route), route), default=())


def _visits(game_state: GameState) -> Iterator[RoomVisit]:
    """Yields the visits to other rooms with objects to take or with a needed appliance."""
    rules = game_state.rules
    places = {name: game_state.places.get(name, "") for name in game_state.to_collect}
    to_take = {name: room for name, room in places.items() if game_state.route_to(room) is not None}
    cooking: dict[str, set[str]] = {}
    for step in game_state.todo:
        if rules.cuts(step.verb) or (step.food not in to_take and step.food not in game_state.states):
            continue
        room = game_state.places.get(rules.tool(step.verb), "")
        if game_state.route_to(room) is not None:
            cooking.setdefault(room, set()).update({to_take[step.food]} if step.food in to_take else ())
    taking = dict.fromkeys(room for room in to_take.values() if room != game_state.here)
    yield from map(RoomVisit, taking)
    for room, earlier in cooking.items():
        after = frozenset(earlier - {room, game_state.here})
        if room != game_state.here and (after or room not in taking):
            yield RoomVisit(room, after)


def _orders(game_state: GameState) -> Iterable[tuple[RoomVisit, ...]]:
    """Returns the orders in which every visit comes after those that it needs; with many visits a single order."""
    visits = tuple(_visits(game_state))
    if len(visits) > _MAX_PERMUTED:
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
    """Whether every visit comes after those that it needs."""
    visited: set[str] = set()
    for visit in order:
        if visit.after - visited:
            return False
        visited.add(visit.room)
    return True


def _length(game_state: GameState, rooms: Iterable[str], end: str) -> int:
    """Returns the length of a trip from this room through others, in moves."""
    stops = [game_state.here, *rooms, *([end] if end else [])]
    return sum(game_state.distance(one, two) for one, two in itertools.pairwise(stops))


def _meal_room(game_state: GameState) -> str:
    """Returns the room of the recipe if it is known, otherwise this room."""
    known = game_state.places.get(game_state.rules.book, "")
    return known or game_state.here
