"""Says the goal of an activity in English: its things by their classes, never by their ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from stma_ros.domains.programs.wishes import ORDINALS
from stma_ros.evaluation.programs.conditions import (
    HOLDS,
    Condition,
    Goal,
    RelationCondition,
    StateCondition,
)
from stma_ros.evaluation.programs.implications import stated
from stma_ros.types.errors import StorageError
from stma_ros.worlds.programs.home_graph import INSIDE, ON, HomeGraph
from stma_ros.worlds.programs.program import Program

IN_THE_END: Final = "In the end: "
"""Begins the conditions in a task text."""

_SAID: Final = {"ON": "switched on", "OFF": "switched off"}  # "on" is a relation


def task_text(program: Program, goal: Goal, graph: HomeGraph) -> str:
    """Returns the title, the description and the goal of an activity.

    Args:
        program: of the activity; its steps are not told.
        goal: of the activity.
        graph: any graph of the home, for the classes of things.
    """
    told = [_closed(text) for text in (program.title, program.description) if text]
    return " ".join([*told, f"{IN_THE_END}{'; '.join(goal_sentences(goal, graph).values())}."])


def goal_sentences(goal: Goal, graph: HomeGraph) -> dict[Condition, str]:
    """Returns a sentence for each condition that no other one implies, without a full stop.

    Raises:
        StorageError: a condition is about the hands of another character.
    """
    said = stated((*goal.conditions, *goal.givens), graph)
    names = _names(said, graph)
    return {condition: _sentence(condition, names, graph) for condition in said}


def _names(conditions: Iterable[Condition], graph: HomeGraph) -> Mapping[int, str]:
    """Returns how things are called: by their kind, with an ordinal where there are several."""
    by_kind: dict[str, list[int]] = {}
    for id in dict.fromkeys(id for condition in conditions for id in condition.nodes):
        by_kind.setdefault(graph.nodes[id].kind, []).append(id)
    return {
        id: f"the {name}" if len(ids) == 1 else f"the {ordinal(number)} {name}"
        for name, ids in by_kind.items()
        for number, id in enumerate(ids, 1)
    }


def ordinal(number: int) -> str:
    """Returns the ordinal of a number from 1: "first", ..., "twelfth", "13th", ..."""
    if number <= len(ORDINALS):
        return ORDINALS[number - 1]
    return f"{number}{'th' if number % 100 in (11, 12, 13) else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def _sentence(condition: Condition, names: Mapping[int, str], graph: HomeGraph) -> str:
    who = graph.character.id
    negation = "" if condition.expected else "not "
    match condition:
        case StateCondition(node, state):
            said = _SAID.get(state, state.lower().replace("_", " "))
            return f"you are {negation}{said}" if node == who else f"{names[node]} is {negation}{said}"
        case RelationCondition(source, relation, target) if relation == HOLDS:
            if source != who:
                raise StorageError(
                    f"what {graph.nodes[source]} holds cannot be asked for: others act by themselves"
                )
            return f"you hold {names[target]}" if condition.expected else f"you do not hold {names[target]}"
        case RelationCondition(source, relation, target):
            subject = "you are" if source == who else f"{names[source]} is"
            preposition = {ON: "on", INSIDE: "in"}[relation]
            return f"{subject} {negation}{preposition} {'you' if target == who else names[target]}"


def _closed(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
