"""Bounded, deterministic search for short plans.

Fast searches first, then ones whose plans are shorter, as long as the bound on evaluated states allows. The shortest
plan found is returned; it is not proved shortest.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from stma_ros.domains.pddl.best_first import BOOST, Effort, Searches, Steps
from stma_ros.domains.pddl.ground_task import Atom, Operator
from stma_ros.domains.pddl.plan_shortening import shortened
from stma_ros.domains.pddl.relaxation import DEAD_END
from stma_ros.domains.pddl.state_space import Condition, StateSpace, mask_of


@dataclass(frozen=True)
class Plan:
    """Operators that lead to a condition."""

    operators: tuple[Operator, ...]


@dataclass(frozen=True)
class NoPlan:
    """There is no plan, or it was not found. proved: whether there is none."""

    proved: bool


def find_plan(space: StateSpace, atoms: Collection[Atom], condition: Condition, effort: int) -> Plan | NoPlan:
    """Returns a short plan from a state to a condition.

    Args:
        space: the operators.
        atoms: all atoms that are true.
        condition: what is to hold at the end.
        effort: largest number of states that are evaluated.
    """
    goal = space.goal(condition)
    if goal is None:
        return NoPlan(proved=True)
    search = _Search(space, goal, space.state(atoms), Effort(effort))
    search.weighted(5, share=0.5, boost=BOOST)
    if search.best is None:
        search.greedy(share=0.5)
    if search.best is None:
        search.weighted(3, share=0.5)
    search.tighten(3, share=0.3)
    search.tighten(2, share=0.3)
    search.shorten(share=0.3)
    search.tighten(1, share=0.3)
    search.weighted(1, share=1)
    if search.best is None:
        return NoPlan(search.is_proved)
    return Plan(tuple(space.operators[number] for number in search.best))


class _Search:
    """The searches for one plan, each with a share of the effort that is left.

    Attributes:
        best: the shortest plan found so far.
        is_proved: whether there is no plan.
    """

    def __init__(self, space: StateSpace, goal: tuple[int, ...], start: int, effort: Effort) -> None:
        self.best: Steps | None = None
        self.is_proved = False
        self._space = space
        self._goal = goal
        self._start = start
        self._effort = effort
        self._searches = Searches(space, start, goal, effort.left)

    def weighted(self, weight: int, *, share: float, boost: int = 0, prune: bool = False) -> None:
        """Runs weighted A* for a plan shorter than the best one."""
        if self.is_proved:
            return
        bound = DEAD_END if self.best is None else len(self.best)
        with self._effort.share(share) as part:
            self._take(self._searches.weighted(part, weight=weight, bound=bound, boost=boost, prune=prune))

    def tighten(self, weight: int, *, share: float) -> None:
        """Runs weighted A* as long as that makes the best plan shorter, without states whose estimate is too long."""
        before = DEAD_END
        while self.best is not None and len(self.best) < before:
            before = len(self.best)
            self.weighted(weight, share=share, boost=BOOST, prune=True)

    def greedy(self, *, share: float) -> None:
        """Runs greedy search."""
        if self.is_proved:
            return
        with self._effort.share(share) as part:
            self._take(self._searches.greedy(part))

    def shorten(self, *, share: float) -> None:
        """Shortens the best plan, if there is one."""
        if self.best is not None:
            with self._effort.share(share) as part:
                self.best = shortened(self._space, self._start, mask_of(self._goal), self.best, part)

    def _take(self, found: Steps | None) -> None:
        """Takes what a search that was not cut off has found."""
        if found is not None:
            self.best = found
        self.is_proved = self.best is None
