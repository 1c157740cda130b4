"""Which facts exclude one another: facts that share a slot."""

from __future__ import annotations

from typing import Final, TypeAlias

from stma_ros.memory.states import dimension
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation

Slot: TypeAlias = tuple[str, str, str]
"""Subject, aspect, and, where several facts of that sort hold at once, the object."""

PLACE: Final = "place"
_PLACES: Final = (words.IN, words.ON, words.HELD_BY)
_SINGLE: Final = (words.IS_A, words.IN_ROOM, words.SIZE, words.UNKNOWN_AREA)
_LITERAL: Final = frozenset(
    (
        words.IS_A,
        words.MAY_BE,
        words.SEEMS,
        words.STATE,
        words.COLOUR,
        words.MAY_HAVE_COLOUR,
        words.SIZE,
        words.UNKNOWN_AREA,
    )
)
NOT_KNOWN: Final = frozenset((words.UNEXPLORED, words.STATE_UNKNOWN))


def slot_of(fact: Relation) -> Slot:
    """Returns the slot of a canonical fact."""
    if fact.predicate in _PLACES:
        return place_slot(fact.subject)
    if fact.predicate == words.STATE:
        return fact.subject, words.STATE, dimension(fact.object)
    if fact.predicate in _SINGLE or fact.predicate.startswith((words.EXIT, words.DOOR)):
        return fact.subject, fact.predicate, ""
    return fact.subject, fact.predicate, fact.object


def place_slot(thing: str) -> Slot:
    """Returns the slot of what an object is in, on or held by."""
    return thing, PLACE, ""


def is_link(fact: Relation) -> bool:
    """Whether the fact's object is an entity, not a value."""
    return fact.predicate not in _LITERAL and fact.object not in NOT_KNOWN
