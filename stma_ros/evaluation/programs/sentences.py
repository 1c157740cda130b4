"""Says the goal of an activity in English: its things by their classes, never by their ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from stma_ros.evaluation.programs.conditions import (
    HOLDS,
    Condition,
    Goal,
    RelationCondition,
    StateCondition,
)
from stma_ros.worlds.programs.home_graph import INSIDE, ON, ROOM, HomeGraph
from stma_ros.worlds.programs.program import Program

IN_THE_END: Final = "In the end: "
"""Begins the conditions in a task text."""

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
_SAID: Final = {"ON": "switched on", "OFF": "switched off"}  # "on" is a relation
_ORDINALS: Final = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()


def task_text(program: Program, goal: Goal, graph: HomeGraph) -> str:
    """Returns the title, the description and the goal of an activity.

    Args:
        program: of the activity; its steps are not told.
        goal: of the activity.
        graph: any graph of the home, for the classes of things.
    """
    told = [_closed(text) for text in (program.title, program.description) if text]
    return " ".join([*told, f"{IN_THE_END}{'; '.join(goal_sentences(goal, graph))}."])


def goal_sentences(goal: Goal, graph: HomeGraph) -> list[str]:
    """Returns a sentence for each condition that no other one implies, without a full stop."""
    said = stated((*goal.conditions, *goal.givens), graph)
    names = _names(said, graph)
    return [_sentence(condition, names, graph) for condition in said]


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
        case RelationCondition(), RelationCondition():
            return _is_other_room(one, other, graph) or _was_taken(one, graph) in other.nodes
    return False


def _is_other_room(one: RelationCondition, other: RelationCondition, graph: HomeGraph) -> bool:
    are_rooms = all(graph.nodes[each.target].category == ROOM for each in (one, other))
    return are_rooms and one.source == other.source and one.relation == other.relation == INSIDE


def _was_taken(condition: RelationCondition, graph: HomeGraph) -> int | None:
    """Returns the thing that one has to take to fulfil a condition, and leaves or releases in one place only."""
    if condition.relation == HOLDS:
        return condition.target
    place = graph.nodes[condition.target]
    if condition.source == graph.character.id or place.category == ROOM:
        return None
    return None if condition.relation == INSIDE and "RECIPIENT" in place.properties else condition.source


def _names(conditions: Iterable[Condition], graph: HomeGraph) -> Mapping[int, str]:
    """Returns how things are called: by their class, with an ordinal where there are several."""
    by_class: dict[str, list[int]] = {}
    for id in dict.fromkeys(id for condition in conditions for id in condition.nodes):
        by_class.setdefault(graph.nodes[id].name, []).append(id)
    return {
        id: f"the {name}" if len(ids) == 1 else f"the {ordinal(number)} {name}"
        for name, ids in by_class.items()
        for number, id in enumerate(ids, 1)
    }


def ordinal(number: int) -> str:
    """Returns the ordinal of a number from 1: "first", ..., "twelfth", "13th", ..."""
    if number <= len(_ORDINALS):
        return _ORDINALS[number - 1]
    return f"{number}{'th' if number % 100 in (11, 12, 13) else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def _sentence(condition: Condition, names: Mapping[int, str], graph: HomeGraph) -> str:
    who = graph.character.id
    negation = "" if condition.expected else "not "
    match condition:
        case StateCondition(node, state):
            said = _SAID.get(state, state.lower().replace("_", " "))
            return f"you are {negation}{said}" if node == who else f"{names[node]} is {negation}{said}"
        case RelationCondition(_, relation, target) if relation == HOLDS:
            return f"you hold {names[target]}" if condition.expected else f"you do not hold {names[target]}"
        case RelationCondition(source, relation, target):
            subject = "you are" if source == who else f"{names[source]} is"
            preposition = {ON: "on", INSIDE: "in"}[relation]
            return f"{subject} {negation}{preposition} {'you' if target == who else names[target]}"


def _closed(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
