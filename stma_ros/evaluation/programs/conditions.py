"""The goal conditions of an activity: what differs between its initial and its final scene graph."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from stma_ros.worlds.programs.home_graph import HANDS, INSIDE, ON, HomeGraph

HOLDS = "HOLDS"
"""The relation of a condition on what is in either hand."""


@dataclass(frozen=True)
class StateCondition:
    """That a node has a state, as "ON", or has it no longer."""

    node: int
    state: str
    expected: bool = True

    @property
    def nodes(self) -> tuple[int, ...]:
        """The ids that it is about."""
        return (self.node,)

    def of(self, others: Mapping[int, int]) -> StateCondition:
        """Returns the condition about other nodes. others: their ids by the ids that they replace."""
        return replace(self, node=others.get(self.node, self.node))

    def holds(self, graph: HomeGraph) -> bool:
        return (self.state in graph.states(self.node)) is self.expected


@dataclass(frozen=True)
class RelationCondition:
    """That two nodes have a relation (ON, INSIDE or HOLDS), or have it no longer."""

    source: int
    relation: str
    target: int
    expected: bool = True

    @property
    def nodes(self) -> tuple[int, ...]:
        """The ids that it is about."""
        return self.source, self.target

    def of(self, others: Mapping[int, int]) -> RelationCondition:
        """Returns the condition about other nodes. others: their ids by the ids that they replace."""
        source, target = (others.get(id, id) for id in self.nodes)
        return replace(self, source=source, target=target)

    def holds(self, graph: HomeGraph) -> bool:
        relations = HANDS if self.relation == HOLDS else (self.relation,)
        found = any(graph.has(self.source, relation, self.target) for relation in relations)
        return found is self.expected


Condition = StateCondition | RelationCondition


class Scope(enum.Enum):
    """What an activity changes."""

    OBJECTS = "an object"
    CHARACTER = "the character alone"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Goal:
    """The conditions of an activity.

    Attributes:
        conditions: what the activity changes.
        scope: what these are about.
        givens: what holds before, and has to hold in the end, too: it tells the things that are meant from others of
            their class.
    """

    conditions: tuple[Condition, ...]
    scope: Scope
    givens: tuple[Condition, ...] = ()

    def reached(self, graph: HomeGraph) -> bool:
        """Whether all conditions hold. A goal without any is reached by doing nothing, and is not scored."""
        return all(condition.holds(graph) for condition in self.conditions)


def goal_of(before: HomeGraph, after: HomeGraph) -> Goal:
    """Returns what differs: states, and relations ON, INSIDE and HOLDS; where one stands and looks is not compared.

    Args:
        before: the initial graph.
        after: the final graph, of the same nodes.
    """
    conditions: list[Condition] = []
    for id in before.nodes:
        new, old = after.states(id) - before.states(id), before.states(id) - after.states(id)
        conditions += [StateCondition(id, state) for state in sorted(new)]
        conditions += [StateCondition(id, state, expected=False) for state in sorted(old)]
    facts = [set(_compared(graph)) for graph in (before, after)]
    conditions += [RelationCondition(*fact) for fact in sorted(facts[1] - facts[0])]
    conditions += [RelationCondition(*fact, expected=False) for fact in sorted(facts[0] - facts[1])]
    return Goal(tuple(conditions), _scope(conditions, before.character.id))


def _compared(graph: HomeGraph) -> Iterable[tuple[int, str, int]]:
    for source, relation, target in graph.facts():
        if relation in HANDS:
            yield source, HOLDS, target
        elif relation in (ON, INSIDE):
            yield source, relation, target


def _scope(conditions: Iterable[Condition], who: int) -> Scope:
    """Returns what conditions are about: what is in the character's hands is its own change."""
    about = {
        condition.node if isinstance(condition, StateCondition) else condition.source
        for condition in conditions
    }
    if about - {who}:
        return Scope.OBJECTS
    return Scope.CHARACTER if about else Scope.NOTHING
