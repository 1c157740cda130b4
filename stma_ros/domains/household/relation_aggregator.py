"""Tells facts and routes in plain English, with what follows from them (STMA, section 4.2: aggregator)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from stma_ros.domains.household.belief_index import OPENNESS, BeliefIndex, Thing, id_order
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.roles.relation_aggregator import AggregateQuery, Description
from stma_ros.types import vocabulary as words

_SURE = 0.995  # confidence from which nothing is said of it
_ROUNDING = 1e-4  # of a percent, that a number of 32 bits may lack
_DETOUR = 0.25  # [m] by which the way to a thing has to differ from that to its place to be told
_NOT_OPEN = ("", words.STATE_CLOSED, words.STATE_UNKNOWN)


class SymbolicRelationAggregator:
    """A RelationAggregatorRole: all that planner and critic ask of a spatial belief is in the text."""

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        self._knowledge = knowledge

    def answer(self, query: AggregateQuery) -> Description:
        """Where the robot is, what it can reach, the rooms with what is in them, then what is shut and unexplored.

        Of a thing: colours, longest side, states, what it is in or on, how sure it is what it is, and the way there.
        """
        view = BeliefIndex(query.facts, query.routes, self._knowledge)
        room = f"in {view.described(query.room)}" if query.room else "in a room that is not known"
        sentences = [f"The robot is {room}."]
        reach = [name for name in view.things if view.at_hand(name)]
        sentences += [f"Within reach: {_list(reach)}."] if reach else []
        sentences += [_contents(view, room) for room in view.rooms]
        homeless = [thing for thing in view.things.values() if not view.room_of(thing)]
        if homeless:
            sentences.append(f"In no known room: {_list(_thing(view, thing) for thing in homeless)}.")
        sentences += [_neighbours(view), _unopened(view), _doors(view), _unexplored(view)]
        if view.things and len({thing.first_seen for thing in view.things.values()}) == 1:
            sentences.append("All of this was first seen at a single glance.")
        return Description("\n".join(sentence for sentence in sentences if sentence))


def _contents(view: BeliefIndex, room: str) -> str:
    things = [thing for thing in view.things.values() if view.room_of(thing) == room]
    listed = _list(_thing(view, thing) for thing in things) if things else "nothing that was seen"
    return f"{view.described(room)} contains {listed}."


def _thing(view: BeliefIndex, thing: Thing) -> str:
    """ "mug_1 [red, 9 cm, on table_1, 2.4 m]"; the room is said elsewhere."""
    return _remarked(view.described(thing.id), _remarks(view, thing))


def _remarks(view: BeliefIndex, thing: Thing) -> Iterator[str]:
    yield from thing.colours
    if not math.isnan(thing.size):
        yield f"{100 * thing.size:.0f} cm"
    for fact in thing.states:
        if fact.object == words.STATE_MISSING:
            yield f"missing since {fact.last_seen.sec} s"
        elif fact.object != words.STATE_UNKNOWN:
            yield fact.object
    if thing.held:
        yield "in the robot's hand"
    elif thing.holder:
        yield f"{words.IN if thing.inside else words.ON} {thing.holder}"
    if thing.confidence < _SURE:
        yield f"{math.floor(100 * thing.confidence + _ROUNDING)}% sure"
    if thing.seen_once:
        yield "seen once"
    if not _is_told_by_place(view, thing):
        yield from _way(view, thing.id)


def _is_told_by_place(view: BeliefIndex, thing: Thing) -> bool:
    """Whether the way to a thing is none, or as good as that to what holds it."""
    is_here = view.at_hand(thing.id) and view.reachable(thing.id)
    return is_here or abs(view.length(thing.id) - view.length(thing.holder)) < _DETOUR


def _neighbours(view: BeliefIndex) -> str:
    """Each pair once, but for those whose place says it: what lies in or on what the other is, is in or is near to."""
    near = {name: set(view.near(name)) for name in view.things}
    pairs = []
    for name, thing in view.things.items():
        others = (view.things[other] for other in sorted(near[name] & near.keys(), key=id_order))
        apart = [
            other.id
            for other in others
            if id_order(name) < id_order(other.id)
            and not _is_beside(other.id, thing.holder, near)
            and not _is_beside(name, other.holder, near)
            and not (thing.holder and thing.holder == other.holder)
        ]
        pairs += [f"{name} and {', '.join(apart)}"] if apart else []
    return f"Next to each other: {'; '.join(pairs)}." if pairs else ""


def _is_beside(name: str, holder: str, near: Mapping[str, set[str]]) -> bool:
    return name == holder or name in near.get(holder, ())


def _unopened(view: BeliefIndex) -> str:
    things = (thing for thing in view.things.values() if view.knowledge.is_container(thing.category))
    names = [thing.id for thing in things if thing.state(OPENNESS) in _NOT_OPEN and not thing.is_missing]
    if not names:
        return "No unopened container is known."
    return f"Unopened, nearest first: {_list(_nearest_first(view, names))}."


def _doors(view: BeliefIndex) -> str:
    openable = (thing for thing in view.things.values() if view.knowledge.is_openable(thing.category))
    doors = [
        thing
        for thing in openable
        if not view.knowledge.is_container(thing.category) and not thing.is_missing
    ]
    shut = [door.id for door in doors if door.state(OPENNESS) == words.STATE_CLOSED]
    return f"Closed doors, nearest first: {_list(_nearest_first(view, shut))}." if shut else ""


def _unexplored(view: BeliefIndex) -> str:
    if not view.frontiers:
        return "Nothing unexplored is known."
    parts = [_frontier(view, name) for name in _nearest_first(view, view.frontiers)]
    return f"Unexplored, nearest first: {_list(parts)}."


def _frontier(view: BeliefIndex, name: str) -> str:
    frontier = view.frontiers[name]
    room = [f"in {frontier.room}"] if frontier.room else []
    area = [] if math.isnan(frontier.area) else [f"{frontier.area:.1f} m2 unknown"]
    return _remarked(name, (*room, *area, *_way(view, name)))


def _nearest_first(view: BeliefIndex, names: Iterable[str]) -> list[str]:
    def key(name: str) -> tuple[float, tuple[str, int, str]]:
        return view.length(name) if view.reachable(name) else math.inf, id_order(name)

    return sorted(names, key=key)


def _way(view: BeliefIndex, name: str) -> Iterator[str]:
    length = view.length(name)
    if math.isnan(length):
        yield "no way known"
    elif not math.isinf(length):
        yield f"{length:.1f} m"


def _remarked(name: str, remarks: Iterable[str]) -> str:
    said = ", ".join(remarks)
    return f"{name} [{said}]" if said else name


def _list(names: Iterable[str]) -> str:
    items: Sequence[str] = list(names)
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
