"""States of ground atoms as integers, and the operators between them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from stma_ros.domains.pddl.best_first_kernels import OperatorTables
from stma_ros.domains.pddl.ground_task import Atom, Operator
from stma_ros.domains.pddl.relaxation import OperatorRows


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
        self._all = (1 << self._size) - 1
        needs = [self._needed(op.needs, op.forbids) for op in self.operators]
        adds = [self._made(op.adds, op.deletes) for op in self.operators]
        deletes = [self._made(op.deletes, op.adds) for op in self.operators]
        self._needs = [mask_of(row) for row in needs]
        self._adds = [mask_of(row) for row in adds]
        self._stays = [~(mask_of(row) & ~added) for row, added in zip(deletes, self._adds, strict=True)]
        users: list[list[int]] = [[] for _ in range(self._size)]
        for number, row in enumerate(needs):
            for bit in row:
                users[bit].append(number)
        self._rows = OperatorRows(*_packed(needs), *_packed(adds), *_packed(users))

    def state(self, atoms: Collection[Atom]) -> int:
        held = frozenset(atoms)
        present = (bit for atom, bit in self._bits.items() if atom in held)
        absent = (bit for atom, bit in self._absent_bits.items() if atom not in held)
        return mask_of((*present, *absent))

    def goal(self, condition: Condition) -> tuple[int, ...] | None:
        """Returns the bits of a condition; None if it can never hold."""
        if any(atom not in self._bits and atom not in self._constant for atom in condition.true):
            return None
        if any(atom in self._constant for atom in condition.false):
            return None
        return tuple(self._needed(sorted(condition.true), sorted(condition.false)))

    def successor(self, state: int, number: int) -> int:
        """Returns the state after an operator."""
        return state & self._stays[number] | self._adds[number]

    def regress(self, wanted: int, number: int) -> int:
        """Returns the bits that are needed before an operator for some to be true after it."""
        return wanted & ~self._adds[number] | self._needs[number]

    @cached_property
    def tables(self) -> OperatorTables:
        """The operators, as searches need them."""
        return OperatorTables(
            self._size,
            self._stacked(self._needs),
            self._stacked(self._stays),
            self._stacked(self._adds),
            self._rows,
        )

    @property
    def words(self) -> int:
        """Number of words of 64 bits in a state."""
        return self._size // 64 + 1

    def words_of(self, mask: int) -> NDArray[np.uint64]:
        """Returns an integer as words of 64 bits, the lowest first."""
        return np.frombuffer((mask & self._all).to_bytes(8 * self.words, "little"), "<u8").astype(np.uint64)

    def _stacked(self, masks: Sequence[int]) -> NDArray[np.uint64]:
        stacked = np.zeros((len(masks), self.words), np.uint64)
        for row, mask in zip(stacked, masks, strict=True):
            row[:] = self.words_of(mask)
        return stacked

    def _is_possible(self, operator: Operator) -> bool:
        needed = all(atom in self._bits or atom in self._constant for atom in operator.needs)
        return needed and not any(atom in self._constant for atom in operator.forbids)

    def _needed(self, true: Iterable[Atom], false: Iterable[Atom]) -> list[int]:
        return self._made(true, (atom for atom in false if atom in self._absent_bits))

    def _made(self, true: Iterable[Atom], false: Iterable[Atom]) -> list[int]:
        present = [self._bits[atom] for atom in true if atom in self._bits]
        return present + [self._absent_bits[atom] for atom in false if atom in self._absent_bits]


def mask_of(bits: Iterable[int]) -> int:
    """Returns the integer with these bits."""
    mask = 0
    for bit in bits:
        mask |= 1 << bit
    return mask


def bits_of(mask: int) -> tuple[int, ...]:
    """Returns the bits of an integer."""
    return tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1)


def _packed(rows: Sequence[Sequence[int]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Returns where each row begins, and all rows one after the other."""
    starts = np.zeros(len(rows) + 1, np.int32)
    np.cumsum([len(row) for row in rows], out=starts[1:])
    return starts, np.array([bit for row in rows for bit in row], np.int32)
