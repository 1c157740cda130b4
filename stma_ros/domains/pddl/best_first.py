"""Best-first searches for a plan: a greedy one that is fast, and weighted A*, whose plans are shorter.

Both use the length of a relaxed plan as the heuristic (FF, Hoffmann and Nebel 2001), and prefer the operators of that
plan, in a queue of their own that progress makes more frequent (LAMA, Richter and Westphal 2010).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from stma_ros.domains.pddl.best_first_kernels import (
    FOUND,
    SPENT,
    SearchQuestion,
    empty_states,
    run_greedy,
    run_weighted,
)
from stma_ros.domains.pddl.relaxation import DEAD_END
from stma_ros.domains.pddl.state_space import StateSpace, mask_of

BOOST = 1000
"""Expansions of preferred operators in a row that progress earns, where a search is to be fast and its plan may be
long."""

Steps: TypeAlias = list[int]
"""Numbers of operators, in their order."""


class SpentError(Exception):
    """A search has spent its effort."""


@dataclass
class Effort:
    """Number of states that may still be evaluated."""

    left: int

    @contextmanager
    def share(self, part: float, least: int = 0) -> Iterator[Effort]:
        """Lends a part, or a least number of states. A search that spends it ends the block; what is left returns."""
        lent = min(max(int(self.left * part), least), self.left)
        share = Effort(lent)
        self.left -= lent
        with suppress(SpentError):
            yield share
        self.left += share.left


class Searches:
    """Searches from one state for one goal. Each state is evaluated once."""

    def __init__(self, space: StateSpace, start: int, goal: Sequence[int], most: int) -> None:
        """Creates the searches.

        Args:
            space: the operators.
            start: the state to begin with.
            goal: bits that are wanted (`StateSpace.goal`).
            most: number of states that all searches together evaluate.
        """
        self._question = SearchQuestion(
            space.tables,
            empty_states(most + 1, space.words),
            np.array(goal, np.int32),
            space.words_of(mask_of(goal)),
            space.words_of(start),
        )

    def greedy(self, effort: Effort) -> Steps | None:
        """Returns a plan by a search that evaluates a state only when its turn comes.

        Until then it takes the estimate of the state before it. Where the heuristic is good, it evaluates about as many
        states as the plan has actions, however many actions are possible in each.

        Returns:
            None where there is no plan.

        Raises:
            SpentError: none was found.
        """
        return self._plan(effort, *run_greedy(self._question, effort.left, BOOST))

    def weighted(
        self, effort: Effort, *, weight: int, bound: int = DEAD_END, boost: int = 0, prune: bool = False
    ) -> Steps | None:
        """Returns a plan by weighted A*.

        Args:
            effort: what it may evaluate.
            weight: of the heuristic.
            bound: number of actions that the plan has to stay below.
            boost: expansions of preferred operators in a row that progress earns.
            prune: whether to leave out states from which a plan as long as the estimate would not stay below the bound.

        Returns:
            None where there is no plan below the bound or, with `prune`, none was found.

        Raises:
            SpentError: none was found.
        """
        return self._plan(effort, *run_weighted(self._question, effort.left, boost, weight, bound, prune))

    @staticmethod
    def _plan(
        effort: Effort,
        end: int,
        state: int,
        left: int,
        parents: NDArray[np.int32],
        makers: NDArray[np.int32],
    ) -> Steps | None:
        effort.left = left
        if end == SPENT:
            raise SpentError
        if end != FOUND:
            return None
        steps = []
        while parents[state] >= 0:
            steps.append(int(makers[state]))
            state = parents[state]
        return steps[::-1]
