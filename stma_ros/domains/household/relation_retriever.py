"""Derives facts about the world from the outcomes of actions (STMA, section 4.2, retriever)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from stma_ros.domains.household.belief_index import PRESENCE, kind_in_id
from stma_ros.domains.household.outcome_index import Handling, begun_at, handlings
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.roles.relation_retriever import RelationQuery, Relations
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.planning import Outcome, Result
from stma_ros.types.scene_graph import Relation

# State of the target after a failure.
_TARGET_AFTER_FAILURE = {
    ErrorCode.ALREADY_OPEN: words.STATE_OPEN,
    ErrorCode.ALREADY_CLOSED: words.STATE_CLOSED,
    ErrorCode.ALREADY_ON: words.STATE_ON,
    ErrorCode.ALREADY_OFF: words.STATE_OFF,
    ErrorCode.NOT_OPENABLE: words.STATE_NOT_OPENABLE,
    ErrorCode.NO_SUCH_TARGET: words.STATE_MISSING,
}
# State of the object in the hand after a failure. A lost object is missing.
_HELD_AFTER_FAILURE = {
    ErrorCode.ALREADY_FULL: words.STATE_FULL,
    ErrorCode.ALREADY_EMPTY: words.STATE_EMPTY,
    ErrorCode.DROPPED: words.STATE_MISSING,
    ErrorCode.HAND_EMPTY: words.STATE_MISSING,
}
_TARGET_AFTER_SUCCESS = {
    words.SKILL_OPEN: words.STATE_OPEN,
    words.SKILL_CLOSE: words.STATE_CLOSED,
    words.SKILL_SWITCH_ON: words.STATE_ON,
    words.SKILL_SWITCH_OFF: words.STATE_OFF,
}
_HELD_AFTER_SUCCESS = {words.SKILL_FILL: words.STATE_FULL, words.SKILL_EMPTY: words.STATE_EMPTY}
_FILLING = words.STATE_DIMENSION[words.STATE_FULL]
_HELD_THERE = (words.SKILL_PLACE_ON, words.SKILL_PLACE_IN)
_NEED_OPEN = (words.SKILL_OPEN, words.SKILL_CLOSE, words.SKILL_PLACE_IN)


class SymbolicRelationRetriever:
    """A RelationRetrieverRole."""

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        """Takes the knowledge of categories."""
        self._knowledge = knowledge

    def answer(self, query: RelationQuery) -> Relations:
        """Returns the newest facts about each handled object, in the order of handling.

        There is one fact for each dimension of an object's state and one for its place. An object is held from its pick
        until it is placed or lost.
        """
        newest: dict[tuple[str, str], Relation] = {}
        held = ""
        for handling in handlings(query.temporal.completed):
            if handling.outcome.result == Result.SUCCEEDED and handling.outcome.action.arguments:
                newest.pop((handling.outcome.action.arguments[0], PRESENCE), None)
            for fact in _facts(handling, self._knowledge):
                dimension = fact.subject, words.STATE_DIMENSION.get(fact.object, "place")
                newest.pop(dimension, None)
                newest[dimension] = fact
            held = handling.held_after
            if handling.lost:
                newest.pop((handling.lost, "place"), None)
                filling = newest.get((handling.lost, _FILLING))
                if filling is not None and handling.outcome.error.code == ErrorCode.DROPPED:
                    newest[handling.lost, _FILLING] = _spilled(filling, handling.outcome)
        facts = (fact for fact in newest.values() if fact.predicate != words.HELD_BY or fact.subject == held)
        return Relations(tuple(facts))


def _facts(handling: Handling, knowledge: CategoryKnowledge) -> Iterator[Relation]:
    outcome, held = handling.outcome, handling.held
    target = outcome.action.target
    skill, code = outcome.action.skill, outcome.error.code

    # While something is opened, what is seen of it may be its swinging leaf.
    begun = begun_at(outcome) if outcome.result == Result.SUCCEEDED else outcome.header.stamp

    def fact(subject: str, predicate: str, item: str) -> Iterator[Relation]:
        if subject and item:
            stamp = outcome.header.stamp
            yield Relation(
                subject,
                predicate,
                item,
                source=EvidenceSource.OWN_ACTION,
                confidence=1.0,
                first_seen=begun if item == words.STATE_OPEN else stamp,
                last_seen=stamp,
            )

    if outcome.result == Result.FAILED:
        # What the hand holds is not among the things around the robot, but it is not missing.
        if code != ErrorCode.NO_SUCH_TARGET or target != held:
            yield from fact(target, words.STATE, _TARGET_AFTER_FAILURE.get(code, ""))
        # A vessel without room for a thing is not full of water.
        if code == ErrorCode.NO_ROOM and skill in _HELD_THERE and not knowledge.is_vessel(kind_in_id(target)):
            yield from fact(target, words.STATE, words.STATE_FULL)
        yield from fact(held, words.STATE, _HELD_AFTER_FAILURE.get(code, ""))
        if code == ErrorCode.IS_CLOSED and skill in _NEED_OPEN:
            yield from fact(target, words.STATE, words.STATE_CLOSED)
    elif outcome.result == Result.SUCCEEDED:
        yield from fact(target, words.STATE, _TARGET_AFTER_SUCCESS.get(skill, ""))
        yield from fact(held, words.STATE, _HELD_AFTER_SUCCESS.get(skill, ""))
        if skill == words.SKILL_PICK:
            yield from fact(target, words.HELD_BY, words.ROBOT)
        elif skill in words.PLACINGS:
            yield from fact(handling.placed, words.RELATION_AFTER[skill], target)


def _spilled(filling: Relation, outcome: Outcome) -> Relation:
    """Returns how full a vessel is that slipped out of the hand."""
    stamp = outcome.header.stamp
    return replace(filling, object=words.STATE_EMPTY, first_seen=stamp, last_seen=stamp)
