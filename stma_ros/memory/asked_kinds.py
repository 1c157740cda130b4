"""What a task takes for granted of the things that it names: what is to be carried can be carried, and what others are
to go into or onto holds them, whatever a vocabulary says of its kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Final

from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.types import vocabulary as words
from stma_ros.types.goals import Goal, GoalKind

PARTS_OF_HOME: Final = frozenset({"floor", "ground", "wall", "ceiling"})
"""Parts of a home that nobody carries."""


def with_asked(knowledge: CategoryKnowledge, goals: Iterable[Goal]) -> CategoryKnowledge:
    """Returns knowledge in which the goals of a task can be tried: an attempt then shows whether the task is right.

    Args:
        knowledge: of categories. What it says of furniture, rooms and living beings stays.
        goals: of the task.
    """
    placing = [goal for goal in goals if goal.kind == GoalKind.PLACE and goal.what]
    carried = {knowledge.canonical(goal.what[0].category) for goal in placing}
    places = [
        (goal.relation, knowledge.canonical(goal.destination[0].category))
        for goal in placing
        if goal.destination
    ]
    onto = {kind for relation, kind in places if relation == words.ON and not knowledge.is_surface(kind)}
    into = {
        kind
        for relation, kind in places
        if relation == words.IN and not knowledge.is_receptacle(kind) and not knowledge.is_device(kind)
    }
    unknown = {kind for kind in carried if not knowledge.is_portable(kind) and not knowledge.knows(kind)}
    asked = (
        frozenset(kind for kind in kinds if not _is_fixed(knowledge, kind)) for kinds in (unknown, onto, into)
    )
    return _extended(knowledge, *asked)


def _is_fixed(knowledge: CategoryKnowledge, kind: str) -> bool:
    """Whether what can be done with a kind is known in full: to furniture, parts of a home, rooms, living beings."""
    return (
        knowledge.is_furniture(kind)
        or knowledge.is_openable(kind)
        or knowledge.is_room(kind)
        or knowledge.is_living(kind)
        or kind in PARTS_OF_HOME
    )


@lru_cache(maxsize=64)
def _extended(
    knowledge: CategoryKnowledge, carried: frozenset[str], onto: frozenset[str], into: frozenset[str]
) -> CategoryKnowledge:
    if not (carried or onto or into):
        return knowledge
    return replace(
        knowledge,
        portables=knowledge.portables | carried,
        surfaces=knowledge.surfaces | onto,
        open_receptacles=knowledge.open_receptacles | into,
    )
