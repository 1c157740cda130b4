"""Tells facts on rooms and things in plain English, with what follows from them (STMA, section 4.2: aggregator).

What follows: the way back of every way, what lies farther in each direction from where the robot is, the room of what
is in or on something, which exits nobody has taken, and the shortest known route to each room and each such exit.
Facts that no sentence is made for come last, as they are.
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
    """What a route to an exit that nobody has taken is called."""
    return f"exit {direction} of {room}"


_EXIT_TARGET = re.compile(rf"exit ({'|'.join(words.OPPOSITE)}) of (.+)", re.DOTALL)


def read_exit_target(target: str) -> tuple[str, str] | None:
    """Direction and room of such a route; None for a route to anything else."""
    match = _EXIT_TARGET.fullmatch(target)
    return (match[1], match[2]) if match else None


@dataclass
class _Room:
    exits: dict[str, str] = field(default_factory=dict)  # direction -> room, or UNEXPLORED
    doors: dict[str, str] = field(default_factory=dict)  # direction -> door


class TextRelationAggregator:
    """A RelationAggregatorRole."""

    def answer(self, query: AggregateQuery) -> Description:
        rooms = _rooms(query.facts)
        backward = tuple(_ways_back(rooms))
        for fact in backward:
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
        mentions = _Mentions(query.facts, states)
        text = "\n".join(
            (*_sentences(query, rooms, mentions, places, contained, farther, routes), *mentions.rest())
        )
        return Description(text, (*backward, *farther, *contained), routes)


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


def _ways_back(rooms: Mapping[str, _Room]) -> Iterator[Relation]:
    """Who went north comes back going south, unless that is known to lead elsewhere; of two rooms that claim to be
    there the first is believed."""
    said: set[tuple[str, str]] = set()
    for name, room in rooms.items():
        for direction, other in room.exits.items():
            back = words.OPPOSITE.get(direction)
            if other == words.UNEXPLORED or back is None:
                continue
            if (
                rooms[other].exits.get(back, words.UNEXPLORED) == words.UNEXPLORED
                and (other, back) not in said
            ):
                said.add((other, back))
                yield Relation(other, words.EXIT + back, name)


def _farther(start: str, rooms: Mapping[str, _Room]) -> Iterator[Relation]:
    """The rooms beyond the next one in each direction, as far as the known ways go straight on."""
    for direction in rooms[start].exits if start in rooms else ():
        passed = [start]
        while (ahead := rooms[passed[-1]].exits.get(direction, "")) in rooms and ahead not in passed:
            passed.append(ahead)
            if len(passed) > 2:
                yield Relation(start, words.FARTHER + direction, ahead)


def _in_rooms(places: Mapping[str, Relation], rooms: Mapping[str, _Room]) -> Iterator[Relation]:
    """The room at the end of each chain of places."""
    for name, fact in places.items():
        holder = fact.object
        seen = {name}
        while holder in places and holder not in rooms and holder not in seen:
            seen.add(holder)
            holder = places[holder].object
        if holder in rooms and name != words.ROBOT:
            yield Relation(name, words.IN_ROOM, holder)


def _routes(start: str, rooms: Mapping[str, _Room], states: Mapping[str, tuple[str, ...]]) -> Iterator[Route]:
    """The shortest by commands, a closed door being one more (Dijkstra); ties by the commands' names."""
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
            aim = exit_target(direction, target) if other == words.UNEXPLORED else other
            if aim not in done:
                heapq.heappush(queue, (len(step), step, aim))


class _Mentions:
    """Which facts the sentences were made of, and which are left."""

    def __init__(self, facts: Iterable[Relation], states: Mapping[str, tuple[str, ...]]) -> None:
        self._left = {(fact.subject, fact.predicate, fact.object): fact for fact in facts}
        self._states = states

    def add(self, subject: str, predicate: str, item: str) -> None:
        self._left.pop((subject, predicate, item), None)

    def named(self, name: str) -> str:
        """A thing with all its states."""
        states = self._states.get(name, ())
        for state in states:
            self.add(name, words.STATE, state)
        return f"{name} ({', '.join(states)})" if states else name

    def rest(self) -> Iterator[str]:
        if self._left:
            yield f"Also: {'; '.join(map(fact_text, self._left.values()))}."


def _sentences(
    query: AggregateQuery,
    rooms: Mapping[str, _Room],
    mentions: _Mentions,
    places: Mapping[str, Relation],
    contained: Iterable[Relation],
    farther: Iterable[Relation],
    routes: Iterable[Route],
) -> Iterator[str]:
    yield f"The robot is in the {query.room}." if query.room else "Where the robot is, is not known."
    mentions.add(words.ROBOT, words.IN, query.room)
    home = {f.subject: f.object for f in contained if places[f.subject].predicate != words.HELD_BY}
    for name, room in rooms.items():
        things = [_thing(places[thing], there, mentions) for thing, there in home.items() if there == name]
        yield f"The {name} holds {_list(things)}."
        ways = (_way(name, direction, room, mentions) for direction in sorted(room.exits))
        yield f"From the {name}: {_list(ways)}."
    beyond: dict[str, list[str]] = {}
    for fact in farther:
        mentions.add(fact.subject, fact.predicate, fact.object)
        beyond.setdefault(fact.predicate, []).append(fact.object)
    for where, names in beyond.items():
        yield f"{where.capitalize()}: {_list(f'the {name}' for name in names)}."
    yield f"The robot carries {_list(_carried(places, mentions))}."
    for route in routes:
        if route.moves:
            yield f"To the {route.target}, {route.length:.0f} commands: {', '.join(route.moves)}."


def _thing(place: Relation, room: str, mentions: _Mentions) -> str:
    mentions.add(place.subject, place.predicate, place.object)
    mentions.add(place.subject, words.IN_ROOM, room)
    is_in_room = (place.predicate, place.object) == (words.IN, room)
    where = "" if is_in_room else f" {place.predicate} the {place.object}"
    return mentions.named(place.subject) + where


def _way(name: str, direction: str, room: _Room, mentions: _Mentions) -> str:
    other, door = room.exits[direction], room.doors.get(direction, "")
    # Where it leads may have been concluded from the way back.
    for said in (other, words.UNEXPLORED):
        mentions.add(name, words.EXIT + direction, said)
    mentions.add(name, words.DOOR + direction, door)
    through = f" through the {mentions.named(door)}" if door else ""
    aim = "nobody has been there" if other == words.UNEXPLORED else f"the {other}"
    return f"{direction}{through}: {aim}"


def _carried(places: Mapping[str, Relation], mentions: _Mentions) -> Iterator[str]:
    for fact in places.values():
        if (fact.predicate, fact.object) == (words.HELD_BY, words.ROBOT):
            mentions.add(fact.subject, fact.predicate, fact.object)
            yield mentions.named(fact.subject)


def _list(items: Iterable[str]) -> str:
    return "; ".join(items) or "nothing that is known"
