"""Conjunctions of literals over variables, and the objects for which they hold in a state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from stma_ros.types.action_model import EQUALS, Literal
from stma_ros.types.sentences import ObjectTypes
from stma_ros.worlds.pddl.reader import Atom


class State:
    """The atoms that are true."""

    def __init__(self, atoms: frozenset[Atom]) -> None:
        self.atoms = atoms

    @cached_property
    def by_predicate(self) -> Mapping[str, Sequence[Atom]]:
        """The atoms of each predicate."""
        grouped: dict[str, list[Atom]] = defaultdict(list)
        for atom in self.atoms:
            grouped[atom[0]].append(atom)
        return grouped


def grounded(literal: Literal, binding: Mapping[str, str]) -> Atom:
    """Returns the atom of a literal. binding: names of objects for its variables."""
    return (literal.predicate, *(binding.get(name, name) for name in literal.arguments))


def holds(literal: Literal, binding: Mapping[str, str], state: State) -> bool:
    """Returns whether a literal is true in a state. binding: names of objects for all its variables."""
    atom = grounded(literal, binding)
    true = atom[1] == atom[2] if literal.predicate == EQUALS else atom in state.atoms
    return true != literal.negated


class Conjunction:
    """A conjunction of literals."""

    def __init__(
        self, literals: Sequence[Literal], variables: Mapping[str, str], objects: ObjectTypes
    ) -> None:
        """Creates it. variables: types of the variables, by their names with question marks."""
        self._variables = variables
        self._objects = objects
        self._positive = tuple(item for item in literals if not item.negated and item.predicate != EQUALS)
        self._others = tuple(item for item in literals if item.negated or item.predicate == EQUALS)

    def solutions(self, state: State, binding: Mapping[str, str]) -> Iterator[Mapping[str, str]]:
        """Yields the names of objects for all variables for which it holds, in no particular order. binding: those of
        some variables."""
        for found in self._joined(self._positive, state, binding):
            for complete in self._completed(found):
                if all(holds(literal, complete, state) for literal in self._others):
                    yield complete

    def _joined(
        self, literals: Sequence[Literal], state: State, binding: Mapping[str, str]
    ) -> Iterator[Mapping[str, str]]:
        if not literals:
            yield binding
            return
        # The literal with the fewest open variables restricts the others most.
        chosen = min(literals, key=lambda literal: self._open(literal, binding))
        rest = tuple(literal for literal in literals if literal is not chosen)
        for atom in self._candidates(chosen, state, binding):
            extended = self._unified(chosen, atom, binding)
            if extended is not None:
                yield from self._joined(rest, state, extended)

    def _open(self, literal: Literal, binding: Mapping[str, str]) -> int:
        return sum(name in self._variables and name not in binding for name in literal.arguments)

    def _candidates(self, literal: Literal, state: State, binding: Mapping[str, str]) -> Sequence[Atom]:
        if self._open(literal, binding):
            return state.by_predicate.get(literal.predicate, ())
        atom = grounded(literal, binding)
        return (atom,) if atom in state.atoms else ()

    def _unified(self, literal: Literal, atom: Atom, binding: Mapping[str, str]) -> Mapping[str, str] | None:
        extended = dict(binding)
        for name, value in zip(literal.arguments, atom[1:], strict=True):
            kind = self._variables.get(name)
            if kind is None:
                if name != value:
                    return None
            elif extended.setdefault(name, value) != value or not self._objects.has(value, kind):
                return None
        return extended

    def _completed(self, binding: Mapping[str, str]) -> Iterator[Mapping[str, str]]:
        """Yields bindings of the variables that occur in no positive literal, too."""
        free = next((name for name in self._variables if name not in binding), None)
        if free is None:
            yield binding
            return
        for value in self._objects.members(self._variables[free]):
            yield from self._completed({**binding, free: value})
