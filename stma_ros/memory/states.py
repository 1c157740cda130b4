"""The states of one object: the newest fact of each dimension, with the time during which it held."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import StateEstimate
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Time

States = tuple[Relation, ...]
"""At most one fact for each dimension, sorted by the dimensions' names, and at most MAX_UNKNOWN states that the
vocabulary does not know."""

OPENNESS, PRESENCE = "openness", "presence"

MAX_UNKNOWN = 4
"""States of one object that are stored although the vocabulary does not know them; the newest ones."""


def dimension(state: str) -> str:
    """Returns the dimension of a state; a state that the vocabulary does not know is a dimension of its own."""
    return words.STATE_DIMENSION.get(state, state)


def completed(states: tuple[str, ...], others: Iterable[str]) -> tuple[str, ...]:
    """Returns `states`, followed by those of `others` in dimensions that `states` does not have."""
    known_dimensions = {dimension(state) for state in states}
    return (*states, *(state for state in others if dimension(state) not in known_dimensions))


def oldest_surplus(states: Iterable[Relation]) -> Relation | None:
    """Returns the oldest of the states that the vocabulary does not know if they are too many, else None."""
    unknown = [fact for fact in states if fact.object not in words.STATE_DIMENSION]
    return min(unknown, key=lambda fact: fact.last_seen) if len(unknown) > MAX_UNKNOWN else None


def state_in(states: States, wanted: str) -> Relation | None:
    """Returns the fact in dimension `wanted`, or None."""
    return next((fact for fact in states if dimension(fact.object) == wanted), None)


def with_reported(states: States, fact: Relation) -> States:
    """Returns the states with a fact that follows from an action.

    It replaces a fact that is not newer: if the same moment was seen as well, the action's result counts.
    """
    known = state_in(states, dimension(fact.object))
    if known is None:
        return _with(states, fact)
    if known.last_seen <= fact.last_seen:
        since = known.first_seen if known.object == fact.object else fact.first_seen
        return _with(states, replace(fact, first_seen=since))
    return states


def with_observed(states: States, subject: str, seen: Iterable[StateEstimate], stamp: Time) -> States:
    """Returns the states with those that a view at `stamp` shows of the object `subject`."""
    for estimate in seen:
        known = state_in(states, dimension(estimate.state))
        if known is not None and known.last_seen >= stamp:
            continue
        lasts = known is not None and known.object == estimate.state
        fact = Relation(
            subject,
            words.STATE,
            estimate.state,
            source=estimate.source,
            confidence=estimate.confidence,
            first_seen=known.first_seen if known is not None and lasts else stamp,
            last_seen=stamp,
        )
        states = _with(states, fact)
    return states


def without(states: States, gone: str) -> States:
    """Returns the states without the fact in dimension `gone`."""
    if state_in(states, gone) is None:
        return states
    return tuple(fact for fact in states if dimension(fact.object) != gone)


def ended(before: States, after: States) -> States:
    """Returns the facts of `before` that are not in `after`."""
    remaining = {fact.object for fact in after}
    return tuple(fact for fact in before if fact.object not in remaining)


def _with(states: States, fact: Relation) -> States:
    others = without(states, dimension(fact.object))
    all_of_them = sorted((*others, fact), key=lambda item: dimension(item.object))
    oldest = oldest_surplus(all_of_them)
    return tuple(item for item in all_of_them if item is not oldest)
