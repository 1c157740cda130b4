"""Describes facts about a home in plain English, and infers what things are and in which rooms (STMA, section 4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from stma_ros.domains.programs.observed_home import kind_of
from stma_ros.roles.relation_aggregator import AggregateQuery, Description
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation

_PLACES = (words.IN, words.ON, words.HELD_BY)


class ProgramsRelationAggregator:
    """A RelationAggregatorRole."""

    def answer(self, query: AggregateQuery) -> Description:
        """Returns the description, a line for each room, with the inferred facts."""
        places = {fact.subject: fact for fact in query.facts if fact.predicate in _PLACES}
        states: dict[str, list[str]] = {}
        for fact in query.facts:
            if fact.predicate == words.STATE:
                states.setdefault(fact.subject, []).append(fact.object)
        rooms = {name: _room(name, places) for name in places if name != words.ROBOT}
        inferred = tuple(_inferred(query.room, rooms))
        lines = [f"The robot is in {query.room}." if query.room else "Where the robot is, is not known."]
        for room in dict.fromkeys(rooms.values()):
            things = [_thing(places[name], states, room) for name, where in rooms.items() if where == room]
            lines.append(f"{room}: {'; '.join(things)}.")
        return Description("\n".join(lines), inferred)


def _room(name: str, places: Mapping[str, Relation]) -> str:
    """Returns the end of the chain of what a thing is in, on or held by, which is its room."""
    seen: set[str] = set()
    while name in places and name not in seen:
        seen.add(name)
        name = places[name].object
    return name


def _inferred(here: str, rooms: Mapping[str, str]) -> Iterator[Relation]:
    for room in dict.fromkeys((here, *rooms.values()) if here else rooms.values()):
        yield Relation(room, words.IS_A, kind_of(room))
    for name, room in rooms.items():
        yield Relation(name, words.IS_A, kind_of(name))
        yield Relation(name, words.IN_ROOM, room)


def _thing(fact: Relation, states: Mapping[str, list[str]], room: str) -> str:
    told = f" ({', '.join(states[fact.subject])})" if fact.subject in states else ""
    where = "" if fact.object == room else f" {fact.predicate} {fact.object}"
    return f"{fact.subject}{told}{where}"
