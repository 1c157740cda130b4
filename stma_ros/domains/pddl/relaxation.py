"""Relaxed plans: what would lead to a goal if nothing were ever undone (FF, Hoffmann and Nebel 2001)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.jit import kernel

DEAD_END = 1 << 30
"""The length of a relaxed plan that does not exist."""

_FACT_BITS = 20
_FACT_MASK = (1 << _FACT_BITS) - 1


class OperatorRows(NamedTuple):
    """What operators need and make true, as rows of facts, one after the other.

    Attributes:
        need_starts: where the needs of each operator begin, and their end.
        needs: facts that operators need.
        add_starts: likewise for what they make true.
        adds: facts that operators make true.
        user_starts: likewise for the operators that need a fact.
        users: operators that need a fact.
    """

    need_starts: NDArray[np.int32]
    needs: NDArray[np.int32]
    add_starts: NDArray[np.int32]
    adds: NDArray[np.int32]
    user_starts: NDArray[np.int32]
    users: NDArray[np.int32]


@kernel
def relaxed_plan(
    state: NDArray[np.uint8], goal: NDArray[np.int32], rows: OperatorRows
) -> tuple[int, NDArray[np.int32]]:
    """Returns the length of a relaxed plan and its operators; DEAD_END if the goal is out of reach.

    The operator that makes a fact is the cheapest one by the additive heuristic (Bonet and Geffner 2001).

    Args:
        state: 1 for each fact that is true.
        goal: facts that are wanted.
        rows: the operators.
    """
    makers, reached = _cheapest_makers(state, goal, rows)
    need_starts, needs = rows.need_starts, rows.needs
    operators = len(need_starts) - 1
    if not reached:
        return DEAD_END, np.empty(0, np.int32)
    chosen = np.zeros(operators, np.uint8)
    marked = np.zeros(len(state), np.uint8)
    waiting = np.empty(len(state), np.int32)
    top = 0
    for fact in goal:
        if not marked[fact]:
            marked[fact] = 1
            waiting[top] = fact
            top += 1
    length = 0
    while top > 0:
        top -= 1
        operator = makers[waiting[top]]
        if operator < 0 or chosen[operator]:
            continue
        chosen[operator] = 1
        length += 1
        for at in range(need_starts[operator], need_starts[operator + 1]):
            fact = needs[at]
            if not marked[fact]:
                marked[fact] = 1
                waiting[top] = fact
                top += 1
    return length, np.flatnonzero(chosen).astype(np.int32)


@kernel
def _cheapest_makers(
    state: NDArray[np.uint8], goal: NDArray[np.int32], rows: OperatorRows
) -> tuple[NDArray[np.int32], bool]:
    """Returns the cheapest operator that makes each fact (-1 = it is true, or not reached), and whether all of the goal
    is reached.

    Dijkstra's algorithm over facts; an operator costs 1 and the sum of what it needs.
    """
    need_starts, _, add_starts, adds, user_starts, users = rows
    facts, operators = len(state), len(need_starts) - 1
    costs = np.full(facts, np.int64(DEAD_END))
    makers = np.full(facts, -1, np.int32)
    missing = (need_starts[1:] - need_starts[:-1]).astype(np.int32)
    sums = np.ones(operators, np.int64)
    is_settled = np.zeros(facts, np.uint8)
    heap = np.empty(facts + len(adds), np.int64)  # a cost and a fact in each number
    size = 0
    for fact in range(facts):
        if state[fact]:
            costs[fact] = 0
            size = _push(heap, size, 0, fact)
    for operator in range(operators):
        if missing[operator] == 0:
            for at in range(add_starts[operator], add_starts[operator + 1]):
                fact = adds[at]
                if costs[fact] > 1:
                    costs[fact] = 1
                    makers[fact] = operator
                    size = _push(heap, size, 1, fact)
    is_wanted = np.zeros(facts, np.uint8)
    open_goals = 0
    for fact in goal:
        open_goals += 1 - is_wanted[fact]
        is_wanted[fact] = 1
    while size > 0 and open_goals > 0:
        cost, fact = heap[0] >> _FACT_BITS, heap[0] & _FACT_MASK
        size = _pop(heap, size)
        if is_settled[fact]:
            continue
        is_settled[fact] = 1
        open_goals -= is_wanted[fact]
        for at in range(user_starts[fact], user_starts[fact + 1]):
            operator = users[at]
            missing[operator] -= 1
            sums[operator] = min(sums[operator] + cost, DEAD_END - 1)
            if missing[operator] > 0:
                continue
            for place in range(add_starts[operator], add_starts[operator + 1]):
                made = adds[place]
                if sums[operator] < costs[made]:
                    costs[made] = sums[operator]
                    makers[made] = operator
                    size = _push(heap, size, sums[operator], made)
    return makers, open_goals == 0


@kernel
def _push(heap: NDArray[np.int64], size: int, cost: int, fact: int) -> int:
    """Puts a fact into a binary heap, and returns the new size."""
    key = (np.int64(cost) << _FACT_BITS) | np.int64(fact)
    at = size
    while at > 0 and heap[(at - 1) // 2] > key:
        heap[at] = heap[(at - 1) // 2]
        at = (at - 1) // 2
    heap[at] = key
    return size + 1


@kernel
def _pop(heap: NDArray[np.int64], size: int) -> int:
    """Takes the cheapest fact off a binary heap, and returns the new size."""
    size -= 1
    key = heap[size]
    at = 0
    while 2 * at + 1 < size:
        below = 2 * at + 1
        if below + 1 < size and heap[below + 1] < heap[below]:
            below += 1
        if heap[below] >= key:
            break
        heap[at] = heap[below]
        at = below
    heap[at] = key
    return size
