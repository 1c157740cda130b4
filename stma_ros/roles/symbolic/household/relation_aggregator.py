"""Tells facts and routes in plain English, with what follows from them (STMA, section 4.2: aggregator)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from stma_ros.memory.semantic import semantic_memory
from stma_ros.roles.contracts import AggregateQuery, Description
from stma_ros.roles.symbolic.household.views import OPENNESS, SpatialView, Thing, id_order
from stma_ros.types import vocabulary as words


class SymbolicRelationAggregator:
    """A RelationAggregatorRole."""

    def aggregate_relations(self, query: AggregateQuery) -> Description:
        """Where the robot is, the rooms with what is in them, then what is unopened and unexplored."""
        knowledge = semantic_memory()
        view = SpatialView(query.facts, query.routes, knowledge.rooms)
        room = f"in {view.described(query.room)}" if query.room else "in a room that is not known"
        sentences = [f"The robot is {room}."]
        sentences += [_contents(view, room) for room in view.rooms]
        homeless = [thing for thing in view.things.values() if not view.room_of(thing)]
        if homeless:
            sentences.append(f"In no known room: {_list(_thing(view, thing) for thing in homeless)}.")
        sentences += [_unopened(view, knowledge.is_container), _unexplored(view)]
        return Description("\n".join(sentence for sentence in sentences if sentence))


def _contents(view: SpatialView, room: str) -> str:
    things = [thing for thing in view.things.values() if view.room_of(thing) == room]
    listed = _list(_thing(view, thing) for thing in things) if things else "nothing that was seen"
    return f"{view.described(room)} contains {listed}."


def _thing(view: SpatialView, thing: Thing) -> str:
    """ "mug_1 (red, on table_1)"; the room is said elsewhere."""
    chain = [f"{predicate} {view.described(name)}" for predicate, name in view.chain(thing)]
    states = [fact.object for fact in thing.states if fact.object != words.STATE_UNKNOWN]
    hand = "in the robot's hand" if thing.held else ""
    remarks = [", ".join(thing.colours), ", ".join(states), hand, " ".join(chain)]
    said = ", ".join(remark for remark in remarks if remark)
    return f"{view.described(thing.id)} [{said}]" if said else view.described(thing.id)


def _unopened(view: SpatialView, is_container: Callable[[str], bool]) -> str:
    containers = [thing for thing in view.things.values() if is_container(thing.category)]
    unopened = ("", words.STATE_CLOSED, words.STATE_UNKNOWN)
    names = [thing.id for thing in containers if thing.state(OPENNESS) in unopened]
    if not names:
        return "No unopened container is known."
    return f"Unopened: {_list(_way(view, name) for name in _nearest_first(view, names))}."


def _unexplored(view: SpatialView) -> str:
    if not view.frontiers:
        return "Nothing unexplored is known."
    parts = []
    for name in _nearest_first(view, view.frontiers):
        frontier = view.frontiers[name]
        area = "" if math.isnan(frontier.area) else f", {frontier.area:.1f} m2 unknown"
        room = f", in {view.described(frontier.room)}" if frontier.room else ""
        parts.append(f"{_way(view, name)}{room}{area}")
    return f"Unexplored, nearest first: {'; '.join(parts)}."


def _nearest_first(view: SpatialView, names: Iterable[str]) -> list[str]:
    def key(name: str) -> tuple[float, tuple[str, int, str]]:
        return view.length(name) if view.reachable(name) else math.inf, id_order(name)

    return sorted(names, key=key)


def _way(view: SpatialView, name: str) -> str:
    length = view.length(name)
    if math.isnan(length):
        return f"{view.described(name)} (no way known)"
    return view.described(name) if math.isinf(length) else f"{view.described(name)} ({length:.1f} m away)"


def _list(names: Iterable[str]) -> str:
    items: Sequence[str] = list(names)
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
