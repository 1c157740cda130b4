"""Grounding: the instances of an action model's actions that can be reached from what is true."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.types.action_model import EQUALS, ActionModel, ActionSchema, Literal
from stma_ros.types.errors import RoleError
from stma_ros.types.sentences import ObjectTypes

Atom: TypeAlias = tuple[str, ...]
"""A predicate's name, then the names of its arguments."""

MAX_OPERATORS = 30_000

Binding: TypeAlias = Mapping[str, str]
"""Objects by the parameters that stand for them."""


class ProblemTooLargeError(RoleError):
    """A problem has more reachable actions than rules search through."""


@dataclass(frozen=True)
class Operator:
    """An instance of an action.

    Attributes:
        action: name of the action.
        arguments: names of objects.
        needs: atoms that are true before it.
        forbids: atoms that are false before it.
        adds: atoms that it makes true.
        deletes: atoms that it makes false.
    """

    action: str
    arguments: tuple[str, ...]
    needs: tuple[Atom, ...]
    forbids: tuple[Atom, ...]
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]

    def after(self, atoms: Set[Atom]) -> frozenset[Atom]:
        """Returns what is true after it. atoms: what is true before it."""
        return frozenset(atoms - set(self.deletes) | set(self.adds))


def atom_of(literal: Literal, binding: Binding = {}) -> Atom:  # noqa: B006 - it is only read
    """Returns the atom of a literal whose parameters are bound to objects."""
    return (literal.predicate, *(binding.get(name, name) for name in literal.arguments))


def literal_of(atom: Atom, *, negated: bool = False) -> Literal:
    """Returns the literal that states an atom, or its negation."""
    return Literal(predicate=atom[0], arguments=atom[1:], negated=negated)


def operator_of(action: ActionSchema, arguments: Sequence[str]) -> Operator:
    """Returns the instance of an action with these objects."""
    binding = {item.name: name for item, name in zip(action.parameters, arguments, strict=True)}
    conditions = [literal for literal in action.preconditions if literal.predicate != EQUALS]
    adds = _atoms((literal for literal in action.effects if not literal.negated), binding)
    deletes = _atoms((literal for literal in action.effects if literal.negated), binding)
    return Operator(
        action.name,
        tuple(arguments),
        _atoms((literal for literal in conditions if not literal.negated), binding),
        _atoms((literal for literal in conditions if literal.negated), binding),
        adds,
        tuple(atom for atom in deletes if atom not in adds),  # in PDDL, what is also added stays true
    )


def ground(model: ActionModel, atoms: Collection[Atom]) -> tuple[Operator, ...]:
    """Returns the operators that could ever be applied if nothing were deleted, in a fixed order.

    Raises:
        ProblemTooLargeError: there are more than MAX_OPERATORS.
    """
    return _Grounder(model).run(atoms)


@dataclass(frozen=True)
class _Schema:
    """An action, with its preconditions by kind."""

    action: ActionSchema
    kinds: Mapping[str, str]
    positive: tuple[Literal, ...]
    equalities: tuple[Literal, ...]


class _Grounder:
    """Applies each newly reached atom to every precondition that it can meet, joined with those reached before."""

    def __init__(self, model: ActionModel) -> None:
        self._objects = ObjectTypes(model.types, model.objects)
        self._schemas = [_schema(action) for action in model.actions]
        self._uses: dict[str, list[tuple[_Schema, int]]] = defaultdict(list)
        for schema in self._schemas:
            for position, literal in enumerate(schema.positive):
                self._uses[literal.predicate].append((schema, position))
        self._by_predicate: dict[str, dict[Atom, None]] = defaultdict(dict)
        self._by_argument: dict[tuple[str, int, str], dict[Atom, None]] = defaultdict(dict)
        self._reached: dict[Atom, None] = {}
        self._operators: dict[tuple[str, tuple[str, ...]], Operator] = {}

    def run(self, atoms: Collection[Atom]) -> tuple[Operator, ...]:
        self._reached = dict.fromkeys(sorted(atoms))
        waiting = list(self._reached)
        for schema in self._schemas:
            if not schema.positive:
                waiting += self._add(schema, {})
        for atom in waiting:  # it grows while it is read
            self._index(atom)
            for schema, position in self._uses[atom[0]]:
                binding = self._unify(schema, schema.positive[position], atom, {})
                if binding is None:
                    continue
                others = (*schema.positive[:position], *schema.positive[position + 1 :])
                for found in list(self._join(schema, others, binding)):
                    waiting += self._add(schema, found)
        return tuple(self._operators.values())

    def _index(self, atom: Atom) -> None:
        self._by_predicate[atom[0]][atom] = None
        for place, name in enumerate(atom[1:]):
            self._by_argument[atom[0], place, name][atom] = None

    def _add(self, schema: _Schema, binding: Binding) -> list[Atom]:
        """Adds the operators of a binding, and returns the atoms that are new by them."""
        new: list[Atom] = []
        for complete in self._completed(schema, binding):
            arguments = tuple(complete[item.name] for item in schema.action.parameters)
            key = (schema.action.name, arguments)
            if key in self._operators:
                continue
            operator = operator_of(schema.action, arguments)
            self._operators[key] = operator
            if len(self._operators) > MAX_OPERATORS:
                raise ProblemTooLargeError(
                    f"more than {MAX_OPERATORS} actions can be reached, which is more than rules search through: have "
                    "a model answer the policy (model.policy), or use fewer objects"
                )
            new += (atom for atom in operator.adds if atom not in self._reached)
            self._reached.update(dict.fromkeys(operator.adds))
        return new

    def _join(
        self, schema: _Schema, literals: tuple[Literal, ...], binding: Binding
    ) -> Iterator[dict[str, str]]:
        """Yields the bindings with which all literals are reached."""
        if not literals:
            yield dict(binding)
            return
        options = [self._candidates(schema, literal, binding) for literal in literals]
        best = min(range(len(literals)), key=lambda number: len(options[number]))
        others = (*literals[:best], *literals[best + 1 :])
        for atom in tuple(options[best]):
            found = self._unify(schema, literals[best], atom, binding)
            if found is not None:
                yield from self._join(schema, others, found)

    def _candidates(self, schema: _Schema, literal: Literal, binding: Binding) -> Collection[Atom]:
        """Returns the atoms that could meet a literal, or a superset of them."""
        best = self._by_predicate[literal.predicate]
        for place, name in enumerate(literal.arguments):
            value = binding.get(name) if name in schema.kinds else name
            if value is not None:
                narrowed = self._by_argument.get((literal.predicate, place, value), {})
                best = narrowed if len(narrowed) < len(best) else best
        return best

    def _unify(
        self, schema: _Schema, literal: Literal, atom: Atom, binding: Binding
    ) -> dict[str, str] | None:
        found = dict(binding)
        for name, value in zip(literal.arguments, atom[1:], strict=True):
            kind = schema.kinds.get(name)
            if kind is None:
                if name != value:
                    return None
            elif found.setdefault(name, value) != value or not self._objects.has(value, kind):
                return None
        return found

    def _completed(self, schema: _Schema, binding: Binding) -> Iterator[Binding]:
        """Yields the binding with every choice of objects for the parameters that no precondition names."""
        # By name: the text of a prompt gives parameters in another order, and the order of operators breaks ties.
        unbound = (item for item in schema.action.parameters if item.name not in binding)
        free = min(unbound, key=lambda item: item.name, default=None)
        if free is None:
            if all(_is_met(literal, binding) for literal in schema.equalities):
                yield binding
            return
        for name in self._objects.members(free.type):
            yield from self._completed(schema, {**binding, free.name: name})


def _schema(action: ActionSchema) -> _Schema:
    conditions = action.preconditions
    return _Schema(
        action,
        {item.name: item.type for item in action.parameters},
        tuple(each for each in conditions if not each.negated and each.predicate != EQUALS),
        tuple(each for each in conditions if each.predicate == EQUALS),
    )


def _is_met(equality: Literal, binding: Binding) -> bool:
    left, right = (binding.get(name, name) for name in equality.arguments)
    return (left == right) != equality.negated


def _atoms(literals: Iterator[Literal] | Collection[Literal], binding: Binding) -> tuple[Atom, ...]:
    return tuple(dict.fromkeys(atom_of(literal, binding) for literal in literals))
