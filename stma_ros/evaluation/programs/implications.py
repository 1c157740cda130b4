"""Which conditions of a goal follow from others, so that they need not be said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stma_ros.evaluation.programs.conditions import HOLDS, Condition, RelationCondition, StateCondition
from stma_ros.worlds.programs.home_graph import INSIDE, ROOM, HomeGraph

_OPPOSITES: Final = {
    frozenset(pair)
    for pair in (
        ("ON", "OFF"),
        ("OPEN", "CLOSED"),
        ("CLEAN", "DIRTY"),
        ("PLUGGED_IN", "PLUGGED_OUT"),
        ("SITTING", "LYING"),
    )
}


def stated(conditions: Sequence[Condition], graph: HomeGraph) -> list[Condition]:
    """Returns the conditions that do not follow from the others, in their order.

    A thing that is taken leaves where it was, and what lies on it stays behind; so that it is no longer there, or in
    a hand, follows from its new place. What is poured may come back to where it was, however.
    """
    wanted = [condition for condition in conditions if condition.expected]
    return [
        condition
        for condition in dict.fromkeys(conditions)
        if condition.expected or not any(_implies(each, condition, graph) for each in wanted)
    ]


def _implies(one: Condition, other: Condition, graph: HomeGraph) -> bool:
    """Whether what one condition wants ends what the other one wants no longer."""
    match one, other:
        case StateCondition(), StateCondition():
            return one.node == other.node and frozenset((one.state, other.state)) in _OPPOSITES
        case RelationCondition(), RelationCondition() if graph.nodes[other.target].category == ROOM:
            is_elsewhere = one.relation == INSIDE and graph.nodes[one.target].category == ROOM
            return is_elsewhere and one.source == other.source
        case RelationCondition(), RelationCondition():
            return _was_taken(one, graph) in other.nodes
    return False


def _was_taken(condition: RelationCondition, graph: HomeGraph) -> int | None:
    """Returns the thing that one has to take to fulfil a condition, and leaves or releases in one place only."""
    if condition.relation == HOLDS:
        return condition.target
    place = graph.nodes[condition.target]
    if condition.source == graph.character.id or place.category == ROOM:
        return None
    return None if condition.relation == INSIDE and "RECIPIENT" in place.properties else condition.source
