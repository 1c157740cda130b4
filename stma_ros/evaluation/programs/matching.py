"""Finds the things of a home that fulfil a goal best: a goal names classes, and any thing of the class will do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from stma_ros.evaluation.programs.conditions import Condition, Goal
from stma_ros.worlds.programs.home_graph import HomeGraph


def free_things(conditions: Iterable[Condition], graph: HomeGraph) -> tuple[int, ...]:
    """Returns the ids in conditions that stand for any node of their class: all but the character's."""
    who = graph.character.id
    return tuple(dict.fromkeys(id for condition in conditions for id in condition.nodes if id != who))


def siblings(id: int, graph: HomeGraph) -> list[int]:
    """Returns the ids of all nodes of a node's class, its own among them."""
    name = graph.nodes[id].name
    return [node.id for node in graph.nodes.values() if node.name == name]


def best_assignment(goal: Goal, graph: HomeGraph) -> Mapping[int, int]:
    """Returns the best assignment: the node that each free thing of a goal stands for, different ones for different
    things.

    No other one has more of the goal's givens, and with as many of them more of its conditions.
    """
    weights = dict.fromkeys(goal.conditions, 1.0)
    weights |= dict.fromkeys(goal.givens, 1.0 + len(goal.conditions))
    return _Search(weights, graph).best()


def fulfilled_by(conditions: Sequence[Condition], graph: HomeGraph) -> Mapping[int, int] | None:
    """Returns an assignment under which all conditions hold, or None if there is none."""
    found = _Search(dict.fromkeys(conditions, 1.0), graph).best()
    return found if all(condition.of(found).holds(graph) for condition in conditions) else None


class _Search:
    """Assigns some things by backtracking, so many that no condition is about two others; the others are then an
    assignment problem for each class."""

    def __init__(self, weights: Mapping[Condition, float], graph: HomeGraph) -> None:
        self._weights = weights
        self._graph = graph
        self._candidates = {id: siblings(id, graph) for id in free_things(weights, graph)}
        self._first = self._cover()
        self._total = sum(weights.values())
        self._best: dict[int, int] = {}
        self._score = -1.0

    def best(self) -> Mapping[int, int]:
        self._extend({}, 0.0, frozenset(self._weights))
        return self._best

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

    def _extend(self, chosen: dict[int, int], score: float, undecided: frozenset[Condition]) -> None:
        """Tries what is left. score: of the conditions that are decided by what is chosen."""
        decided = {each for each in undecided if not self._is_open(each, chosen)}
        score += sum(self._weights[each] for each in decided if each.of(chosen).holds(self._graph))
        undecided -= decided
        if score + sum(self._weights[each] for each in undecided) <= self._score:
            return
        if len(chosen) == len(self._first):
            self._complete(chosen, score, undecided)
            return
        thing = self._first[len(chosen)]
        for candidate in self._unused(thing, chosen):
            self._extend({**chosen, thing: candidate}, score, undecided)
            if self._score == self._total:
                return

    def _is_open(self, condition: Condition, chosen: Mapping[int, int]) -> bool:
        return any(id in self._candidates and id not in chosen for id in condition.nodes)

    def _unused(self, thing: int, chosen: Mapping[int, int]) -> Iterator[int]:
        used = set(chosen.values())
        return (candidate for candidate in self._candidates[thing] if candidate not in used)

    def _complete(self, chosen: dict[int, int], score: float, undecided: frozenset[Condition]) -> None:
        by_class: dict[str, list[int]] = {}
        for thing in (id for id in self._candidates if id not in chosen):
            by_class.setdefault(self._graph.nodes[thing].name, []).append(thing)
        found = dict(chosen)
        for things in by_class.values():
            candidates = list(self._unused(things[0], chosen))
            gains = np.array([[self._gain(t, c, chosen, undecided) for c in candidates] for t in things])
            rows, columns = linear_sum_assignment(gains, maximize=True)
            score += float(gains[rows, columns].sum())
            found |= {things[row]: candidates[column] for row, column in zip(rows, columns, strict=True)}
        if score > self._score:
            self._best, self._score = found, score

    def _gain(
        self, thing: int, candidate: int, chosen: Mapping[int, int], undecided: frozenset[Condition]
    ) -> float:
        own = [condition for condition in undecided if thing in condition.nodes]
        others = {**chosen, thing: candidate}
        return sum(self._weights[each] for each in own if each.of(others).holds(self._graph))
