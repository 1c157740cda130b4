"""What can be done where everything needed is known: in this room at once, and on a round through others."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from stma_ros.domains.cooking.situation import Situation

_MANY = 6  # errands of a round up to which every order is tried; beyond it the nearest comes first


@dataclass(frozen=True)
class Errand:
    """Something to be done in a room. after: rooms that have to be visited before it."""

    room: str
    after: frozenset[str] = frozenset()


def doable_here(situation: Situation) -> tuple[str, ...]:
    """The commands that bring the recipe forward in this room, one after the other, as if each succeeded."""
    return tuple(dict.fromkeys(_doable_here(situation)))  # what holds two things is opened once


def _doable_here(situation: Situation) -> Iterator[str]:
    rules, recipe = situation.rules, situation.recipe
    if recipe is None:
        return
    here = {thing.name for thing in situation.scene.things}
    carried = set(situation.states)
    for name in situation.lacking:
        if name in here or situation.hidden_in(name):
            carried.add(name)
            yield from situation.taking(name)
    left = []
    for step in situation.todo:
        tool = rules.tool(step.verb)
        at_hand = tool in carried if rules.cuts(step.verb) else tool in here
        if step.food in carried and at_hand:
            yield rules.command(step.verb, step.food)
        else:
            left.append(step)
    complete = not left and not situation.undoable and all(name in carried for name in recipe.ingredients)
    if (complete and _can_prepare(situation)) or rules.eat in situation.commands:
        if rules.eat not in situation.commands:
            yield rules.prepare
        yield rules.eat


def _can_prepare(situation: Situation) -> bool:
    """The game says where: it lists the command there, sometimes before it can succeed."""
    return situation.rules.prepare in situation.commands


def round_trip(situation: Situation) -> tuple[str, ...]:
    """The commands to the first room of the shortest known round through everything that is to be done elsewhere, which
    ends where the meal is made; empty when no way is known."""
    end = _meal_room(situation)
    best = min(
        (tuple(errand.room for errand in order) for order in _orders(situation)),
        key=lambda rooms: (_length(situation, rooms, end), rooms),
    )
    return up_to_errand(situation.way_to(next(iter(best), end)) or (), situation)


def up_to_errand(way: tuple[str, ...], situation: Situation) -> tuple[str, ...]:
    """The way as far as the first room on it in which something can be done at once: nobody walks past that, wherever
    else the way leads."""
    stops = (situation.way_to(errand.room) for errand in _errands(situation) if not errand.after)
    return min((stop for stop in stops if stop and way[: len(stop)] == stop), key=len, default=way)


def nearest_errand(situation: Situation) -> tuple[str, ...]:
    """The commands to the nearest room in which something can be done at once; empty when there is none."""
    ready = (errand.room for errand in _errands(situation) if not errand.after)
    ways = [way for room in ready if (way := situation.way_to(room))]
    return min(ways, key=lambda way: (len(way), way), default=())


def _errands(situation: Situation) -> Iterator[Errand]:
    """Rooms other than this one that hold what has to be taken, or an appliance for what can be had."""
    rules = situation.rules
    places = {name: situation.places.get(name, "") for name in situation.lacking}
    to_take = {name: room for name, room in places.items() if situation.way_to(room) is not None}
    cooking: dict[str, set[str]] = {}
    for step in situation.todo:
        if rules.cuts(step.verb) or (step.food not in to_take and step.food not in situation.states):
            continue
        room = situation.places.get(rules.tool(step.verb), "")
        if situation.way_to(room) is not None:
            cooking.setdefault(room, set()).update({to_take[step.food]} if step.food in to_take else ())
    taking = dict.fromkeys(room for room in to_take.values() if room != situation.here)
    yield from map(Errand, taking)
    for room, earlier in cooking.items():
        after = frozenset(earlier - {room, situation.here})
        if room != situation.here and (after or room not in taking):
            yield Errand(room, after)


def _orders(situation: Situation) -> Iterable[tuple[Errand, ...]]:
    """Each in which everything that a room needs was fetched before; of many errands one that is seldom the best."""
    errands = tuple(_errands(situation))
    if len(errands) > _MANY:
        return (_nearest_first(situation, errands),)
    return filter(_is_in_time, itertools.permutations(errands))


def _nearest_first(situation: Situation, errands: Iterable[Errand]) -> tuple[Errand, ...]:
    left, order = list(errands), []
    here, visited = situation.here, set[str]()
    while left:
        ready = (errand for errand in left if errand.after <= visited)
        nearest = min(ready, key=lambda errand: (situation.distance(here, errand.room), errand.room))
        left.remove(nearest)
        order.append(nearest)
        here = nearest.room
        visited.add(here)
    return tuple(order)


def _is_in_time(order: tuple[Errand, ...]) -> bool:
    """Whether everything that a room needs was fetched before."""
    visited: set[str] = set()
    for errand in order:
        if errand.after - visited:
            return False
        visited.add(errand.room)
    return True


def _length(situation: Situation, rooms: Iterable[str], end: str) -> int:
    """Of a round, by what the belief says of the rooms' places."""
    stops = [situation.here, *rooms, *([end] if end else [])]
    return sum(situation.distance(one, two) for one, two in itertools.pairwise(stops))


def _meal_room(situation: Situation) -> str:
    """Where the recipe was, if that is known; else this room."""
    known = situation.places.get(situation.rules.book, "")
    return known or situation.here
