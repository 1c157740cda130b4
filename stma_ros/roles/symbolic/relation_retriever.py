"""Derives facts about the world from what was done (STMA, section 4.2: retriever)."""

from __future__ import annotations

from stma_ros.roles.contracts import RelationQuery, Relations
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Outcome, Result
from stma_ros.types.scene_graph import Triple

_STATE_AFTER_FAILURE = {
    ErrorCode.ALREADY_OPEN: words.STATE_OPEN,
    ErrorCode.NOT_OPENABLE: words.STATE_NOT_OPENABLE,
    ErrorCode.NO_SUCH_TARGET: words.STATE_MISSING,
}


class SymbolicRelationRetriever:
    """A RelationRetrieverRole."""

    def retrieve_relations(self, query: RelationQuery) -> Relations:
        """The newest state of each thing handled, in the order of handling."""
        states: dict[str, Triple] = {}
        for outcome in query.temporal.completed:
            fact = _state(outcome)
            if fact is not None:
                states.pop(fact.subject, None)
                states[fact.subject] = fact
        return Relations(tuple(states.values()))


def _state(outcome: Outcome) -> Triple | None:
    if not outcome.action.arguments:
        return None
    target = outcome.action.arguments[0]
    if outcome.result == Result.FAILED and outcome.error.code in _STATE_AFTER_FAILURE:
        return _fact(target, _STATE_AFTER_FAILURE[outcome.error.code], outcome)
    if outcome.result == Result.SUCCEEDED and outcome.action.skill == words.SKILL_OPEN:
        return _fact(target, words.STATE_OPEN, outcome)
    return None


def _fact(target: str, state: str, outcome: Outcome) -> Triple:
    return Triple(target, words.STATE, state, 1.0, outcome.header.stamp, outcome.header.stamp)
