"""Extracts facts from the looks at rooms (STMA, section 4.2, relation retriever)."""

from __future__ import annotations

from collections.abc import Iterator

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
    for thing in look.things:
        yield Relation(thing.name, *place_of(thing, look.room))
        for state in thing.states:
            yield Relation(thing.name, words.STATE, state)
