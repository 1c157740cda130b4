"""Shorter plans from a plan: parts of it are replaced by shorter ones that serve the rest as well.

The parts are windows over the plan (Siddiqui and Haslum 2015, without their block deordering).
"""

from __future__ import annotations

from collections.abc import Sequence

from stma_ros.domains.pddl.best_first import Effort, Searches, Steps
from stma_ros.domains.pddl.state_space import StateSpace, bits_of

_WIDTHS = (6, 10, 16)
"""Actions that are replaced at once."""

_PART, _LEAST = 1 / 12, 50
"""Of the effort, what the search for one window may use."""


def shortened(space: StateSpace, start: int, goal: int, plan: Sequence[int], effort: Effort) -> Steps:
    """Returns a plan that is at most as long.

    Args:
        space: the operators.
        start: the state to begin with.
        goal: the bits that are wanted, as an integer.
        plan: numbers of operators.
        effort: what it may evaluate.
    """
    steps = list(plan)
    for width in _WIDTHS:
        first = 0
        while first < len(steps) - 1 and effort.left > 0:
            shorter = _shorter_part(
                space, start, goal, steps, (first, min(first + width, len(steps))), effort
            )
            if shorter is None:
                first += width // 3
            else:
                steps[first : first + width] = shorter
    return steps


def _shorter_part(
    space: StateSpace, start: int, goal: int, steps: Sequence[int], window: tuple[int, int], effort: Effort
) -> Steps | None:
    first, end = window
    state, wanted = start, goal
    for number in steps[:first]:
        state = space.successor(state, number)
    for number in reversed(steps[end:]):
        wanted = space.regress(wanted, number)
    found: Steps | None = None
    with effort.share(_PART, _LEAST) as part:
        searches = Searches(space, state, bits_of(wanted), part.left)
        found = searches.weighted(part, weight=1, bound=end - first)
    return found  # noqa: RET504 - the block may end early
