"""Describes facts about rooms and objects in plain English, and infers others (STMA, section 4.2, aggregator).

The inferred facts are the exit that leads back from each known room, the rooms farther in each direction from the
robot, and the room of each object in or on another one. The routes are the shortest known ones to each room and each
unexplored exit. Facts that belong to no sentence come last, as triples.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from stma_ros.roles.relation_aggregator import AggregateQuery, Description
from stma_ros.roles.rendering import fact_text
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation, Route


def exit_target(direction: str, room: str) -> str:
    """Returns the target of a route to an unexplored exit."""
    return f"exit {direction} of {room}"


_EXIT_TARGET = re.compile(rf"exit ({'|'.join(words.OPPOSITE)}) of (.+)", re.DOTALL)


def read_exit_target(target: str) -> tuple[str, str] | None:
    """Returns the direction and the room of an unexplored exit; None for the target of any other route."""
    match = _EXIT_TARGET.fullmatch(target)
    return (match[1], match[2]) if match else None


@dataclass
class _Room:
    exits: dict[str, str] = field(default_factory=dict)  # direction -> room, or UNEXPLORED
    doors: dict[str, str] = field(default_factory=dict)  # direction -> door


class TextRelationAggregator:
    """A RelationAggregatorRole for cooking games."""

    def answer(self, query: AggregateQuery) -> Description:
        """Returns the description with the inferred facts and routes."""
        rooms = _rooms(query.facts)
        exits_back = tuple(_exits_back(rooms))
        for fact in exits_back:
            rooms.setdefault(fact.subject, _Room()).exits[fact.predicate.removeprefix(words.EXIT)] = (
                fact.object
            )
        farther = tuple(_farther(query.room, rooms))
        states: dict[str, tuple[str, ...]] = {}
        for fact in query.facts:
            if fact.predicate == words.STATE:
                states[fact.subject] = (*states.get(fact.subject, ()), fact.object)
        places = {f.subject: f for f in query.facts if f.predicate in (words.IN, words.ON, words.HELD_BY)}
        contained = tuple(_in_rooms(places, rooms))
        routes = tuple(_routes(query.room, rooms, states))
        remaining = _RemainingFacts(query.facts, states)
        text = "\n".join(
            (*_sentences(query, rooms, remaining, places, contained, farther, routes), *remaining.sentence())
        )
        return Description(text, (*exits_back, *farther, *contained), routes)


def _rooms(facts: Iterable[Relation]) -> dict[str, _Room]:
    rooms: dict[str, _Room] = {}
    for fact in facts:
        if fact.predicate.startswith(words.EXIT):
            rooms.setdefault(fact.subject, _Room()).exits[fact.predicate.removeprefix(words.EXIT)] = (
                fact.object
            )
            if fact.object != words.UNEXPLORED:
                rooms.setdefault(fact.object, _Room())
        elif fact.predicate.startswith(words.DOOR):
            rooms.setdefault(fact.subject, _Room()).doors[fact.predicate.removeprefix(words.DOOR)] = (
                fact.object
            )
        elif fact.predicate == words.IN and fact.subject == words.ROBOT:
            rooms.setdefault(fact.object, _Room())
    return rooms


def _exits_back(rooms: Mapping[str, _Room]) -> Iterator[Relation]:
    """Yields the exits that lead back: an exit to the north of a room leads back by the south exit of the other room.

    An exit that is known to lead elsewhere is left out. If it would lead back to several rooms, the first one counts.
    """
    found: set[tuple[str, str]] = set()
    for name, room in rooms.items():
        for direction, other in room.exits.items():
            back = words.OPPOSITE.get(direction)
            if other == words.UNEXPLORED or back is None:
                continue
            if (
                rooms[other].exits.get(back, words.UNEXPLORED) == words.UNEXPLORED
                and (other, back) not in found
            ):
                found.add((other, back))
                yield Relation(other, words.EXIT + back, name)


def _farther(start: str, rooms: Mapping[str, _Room]) -> Iterator[Relation]:
    """Yields the rooms behind the next one in each direction, as far as known exits lead straight on."""
    for direction in rooms[start].exits if start in rooms else ():
        passed = [start]
        while (ahead := rooms[passed[-1]].exits.get(direction, "")) in rooms and ahead not in passed:
            passed.append(ahead)
            if len(passed) > 2:
                yield Relation(start, words.FARTHER + direction, ahead)


def _in_rooms(places: Mapping[str, Relation], rooms: Mapping[str, _Room]) -> Iterator[Relation]:
    """Yields the room of each object, at the end of its chain of holders."""
    for name, fact in places.items():
        holder = fact.object
        seen = {name}
        while holder in places and holder not in rooms and holder not in seen:
            seen.add(holder)
            holder = places[holder].object
        if holder in rooms and name != words.ROBOT:
            yield Relation(name, words.IN_ROOM, holder)


def _routes(start: str, rooms: Mapping[str, _Room], states: Mapping[str, tuple[str, ...]]) -> Iterator[Route]:
    """Yields the routes with the fewest commands (Dijkstra). A closed door costs one more; ties are in text order."""
    if start not in rooms:
        return
    queue: list[tuple[int, tuple[str, ...], str]] = [(0, (), start)]
    done: set[str] = set()
    while queue:
        length, moves, target = heapq.heappop(queue)
        if target in done:
            continue
        done.add(target)
        yield Route(target=target, length=length, moves=moves)
        for direction, other in rooms[target].exits.items() if target in rooms else ():
            door = rooms[target].doors.get(direction, "")
            opening = (f"open {door}",) if words.STATE_CLOSED in states.get(door, ()) else ()
            step = (*moves, *opening, f"go {direction}")
            following = exit_target(direction, target) if other == words.UNEXPLORED else other
            if following not in done:
                heapq.heappush(queue, (len(step), step, following))


class _RemainingFacts:
    """The facts that no sentence states yet."""

    def __init__(self, facts: Iterable[Relation], states: Mapping[str, tuple[str, ...]]) -> None:
        self._left = {(fact.subject, fact.predicate, fact.object): fact for fact in facts}
        self._states = states

    def remove(self, subject: str, predicate: str, item: str) -> None:
        """Removes a fact that a sentence states; without effect for an unknown fact."""
        self._left.pop((subject, predicate, item), None)

    def with_states(self, name: str) -> str:
        """Returns a name with all its states, which are removed."""
        states = self._states.get(name, ())
        for state in states:
            self.remove(name, words.STATE, state)
        return f"{name} ({', '.join(states)})" if states else name

    def sentence(self) -> Iterator[str]:
        """Yields a sentence with all remaining facts, if there are any."""
        if self._left:
            yield f"Also: {'; '.join(map(fact_text, self._left.values()))}."


def _sentences(
    query: AggregateQuery,
    rooms: Mapping[str, _Room],
    remaining: _RemainingFacts,
    places: Mapping[str, Relation],
    contained: Iterable[Relation],
    farther: Iterable[Relation],
    routes: Iterable[Route],
) -> Iterator[str]:
    yield f"The robot is in the {query.room}." if query.room else "Where the robot is, is not known."
    remaining.remove(words.ROBOT, words.IN, query.room)
    room_of = {f.subject: f.object for f in contained if places[f.subject].predicate != words.HELD_BY}
    for name, room in rooms.items():
        objects = [
            _object(places[item], place, remaining) for item, place in room_of.items() if place == name
        ]
        yield f"The {name} holds {_list(objects)}."
        exits = (_exit(name, direction, room, remaining) for direction in sorted(room.exits))
        yield f"From the {name}: {_list(exits)}."
    names_by_direction: dict[str, list[str]] = {}
    for fact in farther:
        remaining.remove(fact.subject, fact.predicate, fact.object)
        names_by_direction.setdefault(fact.predicate, []).append(fact.object)
    for where, names in names_by_direction.items():
        yield f"{where.capitalize()}: {_list(f'the {name}' for name in names)}."
    yield f"The robot carries {_list(_carried(places, remaining))}."
    for route in routes:
        if route.moves:
            yield f"To the {route.target}, {route.length:.0f} commands: {', '.join(route.moves)}."


def _object(place: Relation, room: str, remaining: _RemainingFacts) -> str:
    remaining.remove(place.subject, place.predicate, place.object)
    remaining.remove(place.subject, words.IN_ROOM, room)
    is_in_room = (place.predicate, place.object) == (words.IN, room)
    where = "" if is_in_room else f" {place.predicate} the {place.object}"
    return remaining.with_states(place.subject) + where


def _exit(name: str, direction: str, room: _Room, remaining: _RemainingFacts) -> str:
    other, door = room.exits[direction], room.doors.get(direction, "")
    # The question may hold this exit as unexplored, if its target was inferred.
    for target in (other, words.UNEXPLORED):
        remaining.remove(name, words.EXIT + direction, target)
    remaining.remove(name, words.DOOR + direction, door)
    through = f" through the {remaining.with_states(door)}" if door else ""
    target_text = "nobody has been there" if other == words.UNEXPLORED else f"the {other}"
    return f"{direction}{through}: {target_text}"


def _carried(places: Mapping[str, Relation], remaining: _RemainingFacts) -> Iterator[str]:
    for fact in places.values():
        if (fact.predicate, fact.object) == (words.HELD_BY, words.ROBOT):
            remaining.remove(fact.subject, fact.predicate, fact.object)
            yield remaining.with_states(fact.subject)


def _list(items: Iterable[str]) -> str:
    return "; ".join(items) or "nothing that is known"
