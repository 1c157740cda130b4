"""Finds the things of a home that fulfil a goal best: a goal names classes, and any thing of the class will do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

import numpy as np
from scipy.optimize import linear_sum_assignment

from stma_ros.evaluation.programs.conditions import Condition, Goal
from stma_ros.types.errors import StmaError
from stma_ros.worlds.programs.home_graph import HomeGraph


def free_things(conditions: Iterable[Condition], graph: HomeGraph) -> tuple[int, ...]:
    """Returns the ids in conditions that stand for any node of their class: all but the character's."""
    who = graph.character.id
    return tuple(dict.fromkeys(id for condition in conditions for id in condition.nodes if id != who))


def siblings(id: int, graph: HomeGraph) -> list[int]:
    """Returns the ids of all nodes that are called as a node is, its own among them."""
    kind = graph.nodes[id].kind
    return [node.id for node in graph.nodes.values() if node.kind == kind]


def best_assignment(goal: Goal, graph: HomeGraph) -> Mapping[int, int]:
    """Returns the best assignment: the node that each free thing of a goal stands for, different ones for different
    things.

    No other one has more of the goal's givens, and with as many of them more of its conditions.

    Raises:
        TooManyChoicesError: It takes too long to find.
    """
    weights = dict.fromkeys(goal.conditions, 1.0)
    weights |= dict.fromkeys(goal.givens, 1.0 + len(goal.conditions))
    return _Search(weights, graph).best()


def fulfilled_by(conditions: Sequence[Condition], graph: HomeGraph) -> Mapping[int, int] | None:
    """Returns an assignment under which all conditions hold, or None if there is none.

    Raises:
        TooManyChoicesError: It takes too long to find.
    """
    found = _Search(dict.fromkeys(conditions, 1.0), graph).best()
    return found if all(condition.of(found).holds(graph) for condition in conditions) else None


_MOST_STEPS = 50_000  # of a search; it takes some 10 for ordinary goals


class TooManyChoicesError(StmaError):
    """Which things fulfil a goal best takes too long to find."""


class _Search:
    """Assigns some things by branch and bound, so many that no condition is about two others; the others are then an
    assignment problem for each class."""

    def __init__(self, weights: Mapping[Condition, float], graph: HomeGraph) -> None:
        self._weights = weights
        self._graph = graph
        self._candidates = {id: siblings(id, graph) for id in free_things(weights, graph)}
        self._fulfilling: dict[Condition, set[tuple[int, ...]]] = {
            condition: set(self._choices(condition)) for condition in weights
        }
        self._first = self._cover()
        self._best: dict[int, int] = {}
        self._score = -1.0
        self._steps = 0

    def best(self) -> Mapping[int, int]:
        who = self._graph.character.id
        self._extend({who: who}, self._first)
        return {id: self._best[id] for id in self._candidates}

    def _choices(self, condition: Condition) -> Iterator[tuple[int, ...]]:
        """Yields the nodes for which a condition holds, in the order in which it names them."""
        ids = dict.fromkeys(condition.nodes)
        for nodes in product(*(self._candidates.get(id, [id]) for id in ids)):
            instead = condition.of(dict(zip(ids, nodes, strict=True)))
            if instead.holds(self._graph):
                yield instead.nodes

    def _cover(self) -> list[int]:
        """Returns things such that every condition about two free things is about one of them, the most constrained
        first."""
        chosen = [id for id, candidates in self._candidates.items() if len(candidates) == 1]
        pairs = {
            condition.nodes
            for condition in self._weights
            if len(condition.nodes) == 2 and all(id in self._candidates for id in condition.nodes)
        }
        while open_pairs := [pair for pair in pairs if not set(pair) & set(chosen)]:
            [(most, _)] = Counter(sorted(id for pair in open_pairs for id in pair)).most_common(1)
            chosen.append(most)
        return sorted(chosen, key=lambda id: (len(self._candidates[id]), id))

    def _extend(self, chosen: dict[int, int], left: Sequence[int]) -> None:
        """Tries the assignments that go on from one, unless none of them can be better than the best.

        Args:
            chosen: the nodes of some things; the first ones that are neither here nor left do for no condition.
            left: the first ones that are still to choose.

        Raises:
            TooManyChoicesError: There are too many.
        """
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise TooManyChoicesError(
                f"{len(self._weights)} conditions can hold of {len(self._candidates)} things in too many ways to find "
                "the best one: leave the activity out of the folder"
            )
        done_for = set(self._first).difference(chosen, left)
        if any(self._limit(chosen, done_for, side) <= self._score for side in (0, -1)):
            return
        if not left:
            self._complete(chosen)
            return
        thing, *others = left
        own = [condition for condition in self._weights if thing in condition.nodes]
        for node in self._unused(thing, chosen):
            instead = {**chosen, thing: node}
            if any(True for condition in own for _ in self._open(condition, instead, done_for)):
                self._extend(instead, others)
        self._extend(chosen, others)

    def _limit(self, chosen: Mapping[int, int], done_for: set[int], side: int) -> float:
        """Returns a weight that no assignment that goes on from one exceeds.

        Each condition counts for one of its things that are not chosen yet, whatever the other one is, and different
        things get different nodes.

        Args:
            chosen: the nodes of some things.
            done_for: things that do for no condition.
            side: which of two things a condition counts for: 0 or -1.
        """
        limit = 0.0
        gains: dict[int, dict[int, float]] = {}
        for condition, weight in self._weights.items():
            found = list(self._open(condition, chosen, done_for))
            free = [at for at, id in enumerate(condition.nodes) if id not in chosen]
            if not free:
                limit += weight * bool(found)
                continue
            gain = gains.setdefault(condition.nodes[free[side]], {})
            for node in {nodes[free[side]] for nodes in found}:
                gain[node] = gain.get(node, 0.0) + weight
        return limit + sum(
            _greatest_gain([gains[thing] for thing in things]) for things in self._by_kind(gains)
        )

    def _by_kind(self, things: Iterable[int]) -> Iterable[list[int]]:
        by_kind: dict[str, list[int]] = {}
        for thing in things:
            by_kind.setdefault(self._graph.nodes[thing].kind, []).append(thing)
        return by_kind.values()

    def _open(
        self, condition: Condition, chosen: Mapping[int, int], done_for: set[int]
    ) -> Iterator[tuple[int, ...]]:
        """Yields the nodes for which a condition holds, and which its things may still get."""
        if done_for.intersection(condition.nodes):
            return
        used = set(chosen.values())
        for nodes in self._fulfilling[condition]:
            if all(
                chosen[id] == node if id in chosen else node not in used
                for id, node in zip(condition.nodes, nodes, strict=True)
            ):
                yield nodes

    def _unused(self, thing: int, chosen: Mapping[int, int]) -> Iterator[int]:
        used = set(chosen.values())
        return (candidate for candidate in self._candidates[thing] if candidate not in used)

    def _complete(self, chosen: dict[int, int]) -> None:
        found = dict(chosen)
        for things in self._by_kind(id for id in self._candidates if id not in chosen):
            nodes = list(self._unused(things[0], chosen))
            gains = np.array([[self._weight({**chosen, thing: node}) for node in nodes] for thing in things])
            rows, columns = linear_sum_assignment(gains, maximize=True)
            found |= {things[row]: nodes[column] for row, column in zip(rows, columns, strict=True)}
        score = self._weight(found)
        if score > self._score:
            self._best, self._score = found, score

    def _weight(self, chosen: Mapping[int, int]) -> float:
        """Returns the weight of the conditions that hold, of those about chosen things."""
        return sum(
            weight
            for condition, weight in self._weights.items()
            if tuple(chosen.get(id) for id in condition.nodes) in self._fulfilling[condition]
        )


def _greatest_gain(gains: Sequence[Mapping[int, float]]) -> float:
    """Returns the greatest sum of gains of different nodes, one of each mapping at most."""
    nodes = sorted({node for gain in gains for node in gain})
    if not nodes:
        return 0.0
    table = np.array([[gain.get(node, 0.0) for node in nodes] for gain in gains])
    return float(table[linear_sum_assignment(table, maximize=True)].sum())
