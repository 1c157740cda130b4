"""Bounded, deterministic search for short plans.

Weighted A* over states of ground atoms, with the length of a relaxed plan as the heuristic (FF, Hoffmann and Nebel
2001) and the operators of that plan preferred (as in LAMA, Richter and Westphal 2010): with a large weight first, then
with smaller ones as long as the bound on evaluated states allows. The shortest plan found is returned; it is not proved
shortest.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from stma_ros.domains.pddl.ground_task import Atom, Operator
from stma_ros.domains.pddl.relaxation import DEAD_END, relaxed_plan

_WEIGHTS = (5, 3, 2, 1)
"""Weights of the heuristic, in this order."""

_PREFERENCES = {5: 1000}
"""Expansions of preferred operators in a row that progress earns, by weight. They make a search fast, its plan long."""


@dataclass(frozen=True)
class Condition:
    """Atoms that are to be true, and atoms that are to be false."""

    true: frozenset[Atom] = frozenset()
    false: frozenset[Atom] = frozenset()

    def holds(self, atoms: Collection[Atom]) -> bool:
        return all(atom in atoms for atom in self.true) and not any(atom in atoms for atom in self.false)


class StateSpace:
    """Operators over states. A state is an integer with one bit for each atom that can change and, where something
    needs it, one for its absence."""

    def __init__(
        self, operators: Sequence[Operator], atoms: Collection[Atom], wanted_false: Collection[Atom] = ()
    ) -> None:
        """Creates the space.

        Args:
            operators: every operator that may be used.
            atoms: atoms that are true, of which those that no operator changes are constant.
            wanted_false: atoms that conditions want to be false.
        """
        changing = dict.fromkeys(atom for op in operators for atom in (*op.adds, *op.deletes))
        self._bits = {atom: bit for bit, atom in enumerate(changing)}
        self._constant = frozenset(atom for atom in atoms if atom not in changing)
        absent = dict.fromkeys(atom for op in operators for atom in op.forbids)
        absent |= dict.fromkeys(sorted(wanted_false))
        names = [atom for atom in absent if atom in changing]
        self._absent_bits = {atom: len(self._bits) + number for number, atom in enumerate(names)}
        self._size = len(self._bits) + len(names)
        self.operators = tuple(op for op in operators if self._is_possible(op))
        needs = [self._needed(op.needs, op.forbids) for op in self.operators]
        adds = [self._made(op.adds, op.deletes) for op in self.operators]
        deletes = [self._made(op.deletes, op.adds) for op in self.operators]
        self._needs = [_mask(row) for row in needs]
        self._adds = [_mask(row) for row in adds]
        self._stays = [~(_mask(row) & ~added) for row, added in zip(deletes, self._adds, strict=True)]
        users: list[list[int]] = [[] for _ in range(self._size)]
        for number, row in enumerate(needs):
            for bit in row:
                users[bit].append(number)
        self._rows = (*_packed(needs), *_packed(adds), *_packed(users))

    def state(self, atoms: Collection[Atom]) -> int:
        held = frozenset(atoms)
        present = (bit for atom, bit in self._bits.items() if atom in held)
        absent = (bit for atom, bit in self._absent_bits.items() if atom not in held)
        return _mask((*present, *absent))

    def goal(self, condition: Condition) -> tuple[int, ...] | None:
        """Returns the bits of a condition; None if it can never hold."""
        if any(atom not in self._bits and atom not in self._constant for atom in condition.true):
            return None
        if any(atom in self._constant for atom in condition.false):
            return None
        return tuple(self._needed(sorted(condition.true), sorted(condition.false)))

    def successors(self, state: int) -> Iterable[tuple[int, int]]:
        """Yields every operator that can be applied, by its number, and the state after it."""
        for number, needed in enumerate(self._needs):
            if state & needed == needed:
                yield number, state & self._stays[number] | self._adds[number]

    def estimate(self, state: int, goal: NDArray[np.int32]) -> tuple[int, frozenset[int]]:
        """Returns the length of a relaxed plan and its operators; DEAD_END if there is none."""
        packed = np.frombuffer(state.to_bytes((self._size + 7) // 8, "little"), np.uint8)
        length, operators = relaxed_plan(
            np.unpackbits(packed, count=self._size, bitorder="little"), goal, *self._rows
        )
        return length, frozenset(operators.tolist())

    def _is_possible(self, operator: Operator) -> bool:
        needed = all(atom in self._bits or atom in self._constant for atom in operator.needs)
        return needed and not any(atom in self._constant for atom in operator.forbids)

    def _needed(self, true: Iterable[Atom], false: Iterable[Atom]) -> list[int]:
        return self._made(true, (atom for atom in false if atom in self._absent_bits))

    def _made(self, true: Iterable[Atom], false: Iterable[Atom]) -> list[int]:
        present = [self._bits[atom] for atom in true if atom in self._bits]
        return present + [self._absent_bits[atom] for atom in false if atom in self._absent_bits]


@dataclass
class Effort:
    """Number of states that may still be evaluated."""

    left: int


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
    start = space.state(atoms)
    left = Effort(effort)
    best: list[int] | None = None
    for weight in _WEIGHTS:
        bound = len(best) if best is not None else DEAD_END
        # Half of what is left: a search that finds nothing leaves effort to the next one.
        share = Effort(left.left // 2 if weight != _WEIGHTS[-1] else left.left)
        before = share.left
        found = _Search(space, goal, weight, bound).run(start, share)
        left.left -= before - share.left
        if found is not None and (best is None or len(found) < len(best)):
            best = found
        elif best is None and share.left > 0:
            return NoPlan(proved=True)
    if best is None:
        return NoPlan(proved=False)
    return Plan(tuple(space.operators[number] for number in best))


@dataclass
class _Search:
    """One weighted A* search."""

    space: StateSpace
    goal: tuple[int, ...]
    weight: int
    bound: int
    costs: dict[int, int] = field(default_factory=dict)
    parents: dict[int, tuple[int, int]] = field(default_factory=dict)

    def run(self, start: int, effort: Effort) -> list[int] | None:
        """Returns the numbers of the operators; None if nothing shorter than the bound was found."""
        target, goal = _mask(self.goal), np.array(self.goal, np.int32)
        estimates = {start: self.space.estimate(start, goal)}
        best = estimates[start][0]
        if best >= DEAD_END:
            return None
        self.costs = {start: 0}
        queues: tuple[list[tuple[int, int, int, int, int]], ...] = ([], [])  # all, and by preferred operators
        queues[0].append((0, best, 0, 0, start))
        turns = [0, 0]
        closed: dict[int, int] = {}
        order = 0
        while queues[0] or queues[1]:
            which = 0 if not queues[1] or (queues[0] and turns[0] <= turns[1]) else 1
            turns[which] += 1
            _, _, _, cost, state = heapq.heappop(queues[which])
            if closed.get(state, DEAD_END) <= cost:
                continue
            closed[state] = cost
            if state & target == target:
                return self._trace(state, start)
            preferred = estimates[state][1]
            for number, following in self.space.successors(state):
                if self.costs.get(following, DEAD_END) <= cost + 1:
                    continue
                if following not in estimates:
                    if effort.left <= 0:
                        return None
                    effort.left -= 1
                    estimates[following] = self.space.estimate(following, goal)
                estimate = estimates[following][0]
                shortest = cost + 1 + (following & target != target)
                if estimate >= DEAD_END or shortest >= self.bound:
                    continue
                self.costs[following] = cost + 1
                self.parents[following] = (state, number)
                order += 1
                entry = (cost + 1 + self.weight * estimate, estimate, order, cost + 1, following)
                heapq.heappush(queues[0], entry)
                if number in preferred:
                    heapq.heappush(queues[1], entry)
                if estimate < best:
                    best = estimate
                    turns[1] -= _PREFERENCES.get(self.weight, 0)
        return None

    def _trace(self, state: int, start: int) -> list[int]:
        steps = []
        while state != start:
            state, number = self.parents[state]
            steps.append(number)
        return steps[::-1]


def _mask(bits: Iterable[int]) -> int:
    mask = 0
    for bit in bits:
        mask |= 1 << bit
    return mask


def _packed(rows: Sequence[Sequence[int]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Returns where each row begins, and all rows one after the other."""
    starts = np.zeros(len(rows) + 1, np.int32)
    np.cumsum([len(row) for row in rows], out=starts[1:])
    return starts, np.array([bit for row in rows for bit in row], np.int32)
