"""Facts as replies give them, brought to the words that knowledge graphs of text games are made of."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from stma_ros.memory.predicates import canonical, canonical_name
from stma_ros.roles.spec import UnusableReplyError
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import MalformedTripleError
from stma_ros.types.scene_graph import Relation


@dataclass(frozen=True)
class Fact:
    subject: str
    predicate: str
    object: str


SEEN = (
    words.IN,
    words.ON,
    words.HELD_BY,
    words.STATE,
    *(words.EXIT + direction for direction in words.OPPOSITE),
    *(words.DOOR + direction for direction in words.OPPOSITE),
)
"""The predicates of what can be seen."""

CONCLUDED = (*SEEN, words.IN_ROOM, *(words.FARTHER + direction for direction in words.OPPOSITE))
"""... and of what follows from it."""


def read_fact(fact: Fact, predicates: Collection[str]) -> Relation:
    """In lower case and without articles, as the graph has it. Raises UnusableReplyError for a fact that names nothing,
    or says of it what is not among the predicates."""
    try:
        triple = canonical(Relation(fact.subject, fact.predicate, fact.object))
    except MalformedTripleError as error:
        raise UnusableReplyError(f"a fact cannot be read: {error}") from None
    if triple.predicate not in predicates:
        raise UnusableReplyError(
            f"no fact has the predicate {fact.predicate!r}; use: {', '.join(predicates)}"
        )
    return triple


def read_name(name: str) -> str:
    """Likewise of a room."""
    try:
        return canonical_name(name)
    except MalformedTripleError:
        raise UnusableReplyError(f"{name!r} is no name of a room") from None
