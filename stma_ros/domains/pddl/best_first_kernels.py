"""Compiled loops of the best-first searches."""

from __future__ import annotations

import heapq
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stma_ros.domains.pddl.relaxation import DEAD_END, OperatorRows, relaxed_plan
from stma_ros.types.jit import kernel

FOUND: Final = 0
NONE: Final = 1
SPENT: Final = 2
"""How a search ends: with a plan, without one because there is none, or at the end of its effort."""

_MOST_PREFERRED = 32  # operators of one state


class OperatorTables(NamedTuple):
    """Operators as masks of W words of 64 bits, and as rows.

    Attributes:
        size: number of facts.
        need_masks: (operators, W) facts that are needed.
        stay_masks: (operators, W) facts that stay.
        add_masks: (operators, W) facts that are made true.
        rows: the same for relaxed plans.
    """

    size: int
    need_masks: NDArray[np.uint64]
    stay_masks: NDArray[np.uint64]
    add_masks: NDArray[np.uint64]
    rows: OperatorRows


class EvaluatedStates(NamedTuple):
    """States with their estimates, in a hash table.

    Attributes:
        masks: (capacity, W) states.
        table: numbers of states by hash, with open addressing; -1 = free.
        estimates: lengths of relaxed plans.
        preferred: (capacity, _MOST_PREFERRED) operators that can be applied and are in the relaxed plan; -1 = no more.
        total: one number, of states.
    """

    masks: NDArray[np.uint64]
    table: NDArray[np.int32]
    estimates: NDArray[np.int64]
    preferred: NDArray[np.int32]
    total: NDArray[np.int64]


class SearchQuestion(NamedTuple):
    """What to search for.

    Attributes:
        operators: the operators.
        states: what is known of states; what is evaluated is added.
        goal: facts that are wanted.
        target: the same as a mask.
        start: the state to begin with.
    """

    operators: OperatorTables
    states: EvaluatedStates
    goal: NDArray[np.int32]
    target: NDArray[np.uint64]
    start: NDArray[np.uint64]


def empty_states(capacity: int, words: int) -> EvaluatedStates:
    """Returns a table without states. words: of 64 bits, in one state."""
    slots = 1 << (2 * capacity).bit_length()
    return EvaluatedStates(
        np.zeros((capacity, words), np.uint64),
        np.full(slots, -1, np.int32),
        np.zeros(capacity, np.int64),
        np.full((capacity, _MOST_PREFERRED), -1, np.int32),
        np.zeros(1, np.int64),
    )


@kernel
def run_greedy(
    question: SearchQuestion,
    effort: int,
    boost: int,
) -> tuple[int, int, int, NDArray[np.int32], NDArray[np.int32]]:
    """Runs greedy search, in which a state waits with the estimate of the state before it.

    Args:
        question: what to search for.
        effort: number of states that may be evaluated.
        boost: turns of preferred operators in a row that progress earns.

    Returns:
        How it ended, the last state, what is left of the effort, and by state the state and the operator before it.
    """
    operators, states, capacity = question.operators, question.states, len(question.states.masks)
    parents = np.full(capacity, -1, np.int32)
    makers = np.full(capacity, -1, np.int32)
    is_expanded = np.zeros(capacity, np.uint8)
    first, effort = _state_number(question, question.start, effort)
    if first < 0:
        return SPENT, -1, effort, parents, makers
    plain = [(0, 0, -1, first)]
    favoured = [(0, 0, -1, first)]
    favoured.pop()
    plain_turns, favoured_turns = 0, 0
    best, order = DEAD_END, 0
    while len(plain) > 0 or len(favoured) > 0:
        if _is_plain_turn(len(plain), len(favoured), plain_turns, favoured_turns):
            plain_turns += 1
            _, _, maker, before = heapq.heappop(plain)
        else:
            favoured_turns += 1
            _, _, maker, before = heapq.heappop(favoured)
        number = before
        if maker >= 0:
            after = _successor(operators, states.masks[before], maker)
            number, effort = _state_number(question, after, effort)
            if number < 0:
                return SPENT, -1, effort, parents, makers
            if is_expanded[number]:
                continue
            parents[number], makers[number] = before, maker
        is_expanded[number] = 1
        mask, estimate = states.masks[number], int(states.estimates[number])
        if _holds(mask, question.target):
            return FOUND, number, effort, parents, makers
        if estimate >= DEAD_END:
            continue
        if estimate < best:
            best = estimate
            favoured_turns -= boost
        for operator in range(len(operators.need_masks)):
            if not _holds(mask, operators.need_masks[operator]):
                continue
            order += 1
            entry = (estimate, order, operator, number)
            heapq.heappush(plain, entry)
            if _is_preferred(states, number, operator):
                heapq.heappush(favoured, entry)
    return NONE, -1, effort, parents, makers


@kernel
def run_weighted(
    question: SearchQuestion,
    effort: int,
    boost: int,
    weight: int,
    bound: int,
    prune: bool,
) -> tuple[int, int, int, NDArray[np.int32], NDArray[np.int32]]:
    """Runs weighted A* for plans with fewer actions than a bound.

    Result and other arguments are as for `run_greedy`.

    Args:
        weight: of the estimates.
        bound: number of actions.
        prune: whether to leave out states from which a plan as long as the estimate would not stay below the bound.
    """
    operators, states, capacity = question.operators, question.states, len(question.states.masks)
    parents = np.full(capacity, -1, np.int32)
    makers = np.full(capacity, -1, np.int32)
    costs = np.full(capacity, DEAD_END, np.int64)
    closed = np.full(capacity, DEAD_END, np.int64)
    first, effort = _state_number(question, question.start, effort)
    if first < 0:
        return SPENT, -1, effort, parents, makers
    best, order = int(states.estimates[first]), 0
    if best >= DEAD_END:
        return NONE, -1, effort, parents, makers
    costs[first] = 0
    plain = [(0, best, 0, 0, first)]
    favoured = [(0, best, 0, 0, first)]
    favoured.pop()
    plain_turns, favoured_turns = 0, 0
    while len(plain) > 0 or len(favoured) > 0:
        if _is_plain_turn(len(plain), len(favoured), plain_turns, favoured_turns):
            plain_turns += 1
            _, _, _, cost, number = heapq.heappop(plain)
        else:
            favoured_turns += 1
            _, _, _, cost, number = heapq.heappop(favoured)
        if closed[number] <= cost:
            continue
        closed[number] = cost
        mask = states.masks[number]
        if _holds(mask, question.target):
            return FOUND, number, effort, parents, makers
        for operator in range(len(operators.need_masks)):
            if not _holds(mask, operators.need_masks[operator]):
                continue
            after = _successor(operators, mask, operator)
            following, effort = _state_number(question, after, effort)
            if following < 0:
                return SPENT, -1, effort, parents, makers
            if costs[following] <= cost + 1:
                continue
            estimate = int(states.estimates[following])
            is_reached = _holds(after, question.target)
            remaining = estimate if prune or is_reached else 1
            if estimate >= DEAD_END or cost + 1 + remaining >= bound:
                continue
            costs[following] = cost + 1
            parents[following], makers[following] = number, operator
            order += 1
            entry = (cost + 1 + weight * estimate, estimate, order, cost + 1, following)
            heapq.heappush(plain, entry)
            if _is_preferred(states, number, operator):
                heapq.heappush(favoured, entry)
            if estimate < best:
                best = estimate
                favoured_turns -= boost
    return NONE, -1, effort, parents, makers


@kernel
def _is_plain_turn(plain: int, favoured: int, plain_turns: int, favoured_turns: int) -> bool:
    """Returns whether the next state is one of the plain queue. plain, favoured: how many states wait."""
    return favoured == 0 or (plain > 0 and plain_turns <= favoured_turns)


@kernel
def _state_number(
    question: SearchQuestion,
    mask: NDArray[np.uint64],
    effort: int,
) -> tuple[int, int]:
    """Returns the number of a state, which is evaluated if it is new, and the effort that is left; -1 if there was
    none."""
    operators, states = question.operators, question.states
    at = _slot(states, mask)
    number = int(states.table[at])
    if number >= 0:
        return number, effort
    number = int(states.total[0])
    if effort <= 0 or number >= len(states.masks):
        return -1, effort
    states.total[0] = number + 1
    states.table[at] = number
    states.masks[number] = mask
    length, chosen = relaxed_plan(_unpacked(mask, operators.size), question.goal, operators.rows)
    states.estimates[number] = length
    place = 0
    for operator in chosen:
        if place < _MOST_PREFERRED and _holds(mask, operators.need_masks[operator]):
            states.preferred[number, place] = operator
            place += 1
    return number, effort - 1


@kernel
def _slot(states: EvaluatedStates, mask: NDArray[np.uint64]) -> int:
    """Returns the place of a state in the table, or the free one where it belongs."""
    value = np.uint64(14695981039346656037)
    for word in mask:
        value = (value ^ word) * np.uint64(1099511628211)
        value ^= value >> np.uint64(31)
    slots = len(states.table)
    at = int(np.int64(value & np.uint64(slots - 1)))
    while states.table[at] >= 0:
        known = states.masks[states.table[at]]
        is_same = True
        for place in range(len(mask)):
            is_same = is_same and known[place] == mask[place]
        if is_same:
            break
        at = (at + 1) & (slots - 1)
    return at


@kernel
def _holds(mask: NDArray[np.uint64], wanted: NDArray[np.uint64]) -> bool:
    for place in range(len(mask)):  # noqa: SIM110 - numba compiles no all()
        if mask[place] & wanted[place] != wanted[place]:
            return False
    return True


@kernel
def _successor(operators: OperatorTables, mask: NDArray[np.uint64], operator: int) -> NDArray[np.uint64]:
    after: NDArray[np.uint64] = mask & operators.stay_masks[operator] | operators.add_masks[operator]
    return after


@kernel
def _is_preferred(states: EvaluatedStates, number: int, operator: int) -> bool:
    for preferred in states.preferred[number]:
        if preferred == operator:
            return True
        if preferred < 0:
            return False
    return False


@kernel
def _unpacked(mask: NDArray[np.uint64], size: int) -> NDArray[np.uint8]:
    facts = np.empty(size, np.uint8)
    for fact in range(size):
        facts[fact] = mask[fact >> 6] >> np.uint64(fact & 63) & np.uint64(1)
    return facts
