"""Reads facts in replies, in the vocabulary of the knowledge graph."""

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


OBSERVABLE = (
    words.IN,
    words.ON,
    words.HELD_BY,
    words.STATE,
    *(words.EXIT + direction for direction in words.OPPOSITE),
    *(words.DOOR + direction for direction in words.OPPOSITE),
)
"""Predicates of facts that can be observed."""

INFERABLE = (
    *OBSERVABLE,
    words.IS_A,
    words.IN_ROOM,
    *(words.FARTHER + direction for direction in words.OPPOSITE),
)
"""Predicates of facts that can be observed or inferred from observed ones."""


def read_fact(fact: Fact, predicates: Collection[str]) -> Relation:
    """Returns a fact in canonical form.

    Raises:
        UnusableReplyError: the fact has an empty name, or its predicate is not one of `predicates`.
    """
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
    """Returns the canonical name of a room. Raises UnusableReplyError for an empty one."""
    try:
        return canonical_name(name)
    except MalformedTripleError:
        raise UnusableReplyError(f"{name!r} is no name of a room") from None
