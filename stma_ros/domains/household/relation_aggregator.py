"""Describes facts and routes in plain English (STMA, section 4.2, aggregator)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from stma_ros.domains.household.belief_index import (
    OPENNESS,
    BeliefIndex,
    KnownObject,
    Origin,
    id_order,
    is_certain,
)
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.nouns import listed, with_article
from stma_ros.roles.relation_aggregator import AggregateQuery, Description
from stma_ros.roles.rendering import percent
from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.scene_graph import Relation

_SURE = 0.995  # confidence from which the text omits it
_MIN_DIFFERENCE = 0.25  # [m] of the routes to an object and its holder from which the text states the former


class SymbolicRelationAggregator:
    """A RelationAggregatorRole. Its text holds all facts of a spatial belief that planner and critic use."""

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        self._knowledge = knowledge

    def answer(self, query: AggregateQuery) -> Description:
        """Returns the description.

        It states the robot's room, the objects within reach, the content of each room, neighbours, unopened containers,
        closed doors, frontiers, and what may not be there at all. An object comes with its colours, longest side,
        states, holder, confidence and the length of the route to it. A state without "perhaps" is certain, and an
        unknown one is left out.
        """
        view = BeliefIndex(query.facts, query.routes, self._knowledge)
        room = f"in {view.described(query.room)}" if query.room else "in a room that is not known"
        sentences = [f"The robot is {room}."]
        reach = [name for name in view.objects if view.at_hand(name)]
        sentences += [f"Within reach: {listed(reach)}."] if reach else []
        sentences += [_contents(view, room) for room in view.rooms]
        without_room = [thing for thing in view.objects.values() if not view.room_of(thing)]
        if without_room:
            sentences.append(f"In no known room: {listed(_object(view, thing) for thing in without_room)}.")
        sentences += [_neighbours(view), _unopened(view), _doors(view), _unexplored(view), _unconfirmed(view)]
        if view.objects and len({thing.first_seen for thing in view.objects.values()}) == 1:
            sentences.append("All of this was first seen at a single glance.")
        return Description("\n".join(sentence for sentence in sentences if sentence))


def _contents(view: BeliefIndex, room: str) -> str:
    objects = [thing for thing in view.objects.values() if view.room_of(thing) == room]
    contents = listed(_object(view, thing) for thing in objects) if objects else "nothing that was seen"
    return f"{view.described(room)} contains {contents}."


def _object(view: BeliefIndex, thing: KnownObject) -> str:
    """Returns a text such as "mug_1 [red, 9 cm, on table_1, 2.4 m]", without the room."""
    return _with_remarks(view.described(thing.id), _remarks(view, thing))


def _remarks(view: BeliefIndex, thing: KnownObject) -> Iterator[str]:
    yield from (f"perhaps {with_article(kind)}" for kind in thing.other_kinds)
    yield from thing.colours
    yield from (f"perhaps {colour}" for colour in thing.other_colours)
    if not math.isnan(thing.size):
        yield f"{100 * thing.size:.0f} cm"
    for fact in thing.states:
        if fact.object == words.STATE_MISSING:
            yield f"missing since {fact.last_seen.sec} s"
        elif not is_certain(fact):
            yield f"perhaps {fact.object} ({percent(fact.confidence)})"
        elif fact.object != words.STATE_UNKNOWN:
            yield fact.object
            if _inside_is_unseen(thing, fact):
                yield "inside not seen"
    if thing.held:
        yield "in the robot's hand"
    elif thing.holder:
        yield f"{words.IN if thing.inside else words.ON} {thing.holder}"
    elif thing.put_next_to:
        yield f"put on the floor next to {thing.put_next_to}"
    if thing.origin is not None:
        yield from _origin(thing.origin)
    if thing.confidence < _SURE:
        yield f"{percent(thing.confidence)} sure"
    if thing.seen_once:
        yield "seen once"
    if not _has_route_of_holder(view, thing):
        yield from _way(view, thing.id)


def _origin(origin: Origin) -> Iterator[str]:
    """Yields from where the robot took an object during the task."""
    if origin.inside:
        yield f"{words.TAKEN_OUT_OF} {origin.inside}"
    if origin.on:
        yield f"{words.TAKEN_OFF} {origin.on}"
    yield from (f"{words.TAKEN_FROM_BESIDE} {name}" for name in origin.near)
    if origin.room:
        yield f"{words.TAKEN_FROM} {origin.room}"


def _inside_is_unseen(thing: KnownObject, fact: Relation) -> bool:
    """Whether the robot opened an object that has not been in view since."""
    is_opened = fact.object == words.STATE_OPEN and fact.source == EvidenceSource.OWN_ACTION
    return is_opened and thing.last_seen < fact.last_seen


def _has_route_of_holder(view: BeliefIndex, thing: KnownObject) -> bool:
    """Whether the robot is at an object, or the route to it is about as long as that to its holder."""
    is_here = view.at_hand(thing.id) and view.reachable(thing.id)
    return is_here or abs(view.length(thing.id) - view.length(thing.holder)) < _MIN_DIFFERENCE


def _neighbours(view: BeliefIndex) -> str:
    """Returns the pairs of near objects, each once, without pairs that follow from the holders of the two objects."""
    near = {name: set(view.near(name)) for name in view.objects}
    pairs = []
    for name, thing in view.objects.items():
        others = (view.objects[other] for other in sorted(near[name] & near.keys(), key=id_order))
        apart = [
            other.id
            for other in others
            if id_order(name) < id_order(other.id)
            and not _is_at_or_near(other.id, thing.holder, near)
            and not _is_at_or_near(name, other.holder, near)
            and not (thing.holder and thing.holder == other.holder)
            and thing.put_next_to != other.id
            and other.put_next_to != name
        ]
        pairs += [f"{name} and {', '.join(apart)}"] if apart else []
    return f"Next to each other: {'; '.join(pairs)}." if pairs else ""


def _is_at_or_near(name: str, holder: str, near: Mapping[str, set[str]]) -> bool:
    return name == holder or name in near.get(holder, ())


def _unopened(view: BeliefIndex) -> str:
    objects = (thing for thing in view.objects.values() if view.knowledge.is_container(thing.category))
    names = [thing.id for thing in objects if _may_hide_something(thing)]
    if not names:
        return "No unopened container is known."
    return f"Unopened, nearest first: {listed(_nearest_first(view, names))}."


def _may_hide_something(thing: KnownObject) -> bool:
    shows = thing.is_certainly(words.STATE_OPEN) or thing.is_certainly(words.STATE_NOT_OPENABLE)
    return not shows and not thing.is_missing


def _doors(view: BeliefIndex) -> str:
    openable = (thing for thing in view.objects.values() if view.knowledge.is_openable(thing.category))
    doors = [
        thing
        for thing in openable
        if not view.knowledge.is_container(thing.category) and not thing.is_missing
    ]
    closed = [door.id for door in doors if door.state(OPENNESS) == words.STATE_CLOSED]
    return f"Closed doors, nearest first: {listed(_nearest_first(view, closed))}." if closed else ""


def _unexplored(view: BeliefIndex) -> str:
    if not view.frontiers:
        return "Nothing unexplored is known."
    parts = [_frontier(view, name) for name in _nearest_first(view, view.frontiers)]
    return f"Unexplored, nearest first: {listed(parts)}."


def _frontier(view: BeliefIndex, name: str) -> str:
    frontier = view.frontiers[name]
    room = [f"in {frontier.room}"] if frontier.room else []
    area = [] if math.isnan(frontier.area) else [f"{frontier.area:.1f} m2 unknown"]
    return _with_remarks(name, (*room, *area, *_way(view, name)))


def _unconfirmed(view: BeliefIndex) -> str:
    names = _nearest_first(view, view.unconfirmed)
    return (
        f"Not sure to be there, nearest first: {listed(_seeming(view, n) for n in names)}." if names else ""
    )


def _seeming(view: BeliefIndex, name: str) -> str:
    thing = view.unconfirmed[name]
    kinds = [
        f"{words.SEEMS} {kind} ({percent(view.likelihood_unconfirmed(thing, kind))})"
        for kind in (thing.category, *thing.other_kinds)
    ]
    room = [f"in {thing.room}"] if thing.room else []
    return _with_remarks(name, (*kinds, *thing.colours, *room, *_way(view, name)))


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


def _with_remarks(name: str, remarks: Iterable[str]) -> str:
    listed = ", ".join(remarks)
    return f"{name} [{listed}]" if listed else name
