"""Extracts facts from the looks at rooms (STMA, section 4.2, relation retriever)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from stma_ros.domains.programs.observed_home import Look, place_of, read_looks
from stma_ros.roles.relation_retriever import RelationQuery, Relations
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation


class ProgramsRelationRetriever:
    """A RelationRetrieverRole. It reads looks of the summariser and records in the world's own words."""

    def answer(self, query: RelationQuery) -> Relations:
        """Returns the facts of the looks that are new, oldest first, each with its step."""
        text = "\n".join(query.temporal.observations) or query.temporal.text
        looks = [look for look in read_looks(text) if look.step >= query.since]
        found = [(fact, look.step) for look in looks for fact in _facts(look)]
        return Relations(tuple(fact for fact, _ in found), tuple(step for _, step in found))


def _facts(look: Look) -> Iterator[Relation]:
    yield Relation(words.ROBOT, words.IN, look.room)
    places = {thing.name: place_of(thing, look.room) for thing in look.things}
    for thing in look.things:
        if _is_in_a_circle(thing.name, places):
            places[thing.name] = words.IN, look.room
        yield Relation(thing.name, *places[thing.name])
        for state in thing.states:
            yield Relation(thing.name, words.STATE, state)


def _is_in_a_circle(name: str, places: Mapping[str, tuple[str, str]]) -> bool:
    """Whether a thing is on or in itself, by way of others: there are such homes, and then it is just in the room."""
    passed: set[str] = set()
    _, place = places[name]
    while place in places and place != name and place not in passed:
        passed.add(place)
        _, place = places[place]
    return place == name
