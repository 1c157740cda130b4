"""Conditions, effects and initial facts: conjunctions of literals, without what this world does not simulate."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from stma_ros.types.action_model import EQUALS
from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.pddl.s_expressions import Form, Node, Place, Symbol

ACCEPTED: Final = (":strips", ":typing", ":equality", ":negative-preconditions", ":action-costs")
"""The requirements that this world fulfils."""

TOTAL_COST: Final = "total-cost"

_AND, _NOT, _INCREASE = "and", "not", "increase"
_NUMERIC = "numbers that change (:numeric-fluents)"
_CONSTRUCTS: Mapping[str, str] = {
    "or": "a disjunction (:disjunctive-preconditions)",
    "imply": "an implication (:disjunctive-preconditions)",
    "exists": "a quantifier (:existential-preconditions)",
    "forall": "a quantifier (:universal-preconditions, or :conditional-effects)",
    "when": "a conditional effect (:conditional-effects)",
    "preference": "a preference (:preferences)",
    "oneof": "an unknown initial state (:contingent)",
    "unknown": "an unknown initial state (:contingent)",
    **dict.fromkeys((_INCREASE, "decrease", "assign", "scale-up", "scale-down"), _NUMERIC),
    **dict.fromkeys(("<", ">", "<=", ">=", "+", "-", "*", "/"), _NUMERIC),
    **dict.fromkeys(
        ("always", "sometime", "within", "at-most-once", "sometime-after", "sometime-before", "hold-during"),
        "a constraint on the way to the goal (:constraints)",
    ),
}
RESERVED: Final = frozenset({_AND, _NOT, EQUALS, "or", "imply", "exists", "forall", "when", _INCREASE})
"""Words of formulas, which no predicate can be called."""


def unsupported(what: str, place: Place) -> ConfigurationError:
    """Returns the error for a part of PDDL that this world does not simulate."""
    return place.error(
        f"{what} is not supported; this world simulates {', '.join(ACCEPTED[:-1])}, and ignores {ACCEPTED[-1]}"
    )


@dataclass(frozen=True)
class Vocabulary:
    """Names that formulas may use, and checks of formulas.

    Attributes:
        predicates: Number of arguments of each predicate.
        objects: Names of the objects.
        costs: Whether total-cost, which is ignored, is declared.
    """

    predicates: Mapping[str, int]
    objects: Collection[str]
    costs: bool

    def condition(self, node: Node, parameters: Collection[str]) -> Form:
        """Returns a precondition as a flat conjunction. parameters: those of the action, with question marks."""
        return _conjunction(self._literals(node, parameters, equality=True), node.place)

    def goal(self, node: Node) -> Form:
        """Returns a goal as a flat conjunction. It has no equalities: no action could change them."""
        return _conjunction(self._literals(node, (), equality=False), node.place)

    def effect(self, node: Node, parameters: Collection[str]) -> Form:
        """Returns an effect as a flat conjunction, without costs."""
        return _conjunction(self._effects(node, parameters), node.place)

    def initial(self, nodes: Collection[Node]) -> Iterator[Form]:
        """Yields the facts of an initial state, without costs."""
        for node in nodes:
            form = _list(node)
            if form.head == EQUALS:
                self._check_cost(form)
            elif form.head == _AND:
                yield from self.initial(form.items[1:])
            elif form.head == "at" and any(isinstance(item, Form) for item in form.items):
                raise unsupported("a timed initial literal (:timed-initial-literals)", form.place)
            else:
                yield self._literal(form, ())

    def _literals(self, node: Node, parameters: Collection[str], *, equality: bool) -> Iterator[Form]:
        form = _list(node)
        if not form.items:
            return
        if form.head == _AND:
            for item in form.items[1:]:
                yield from self._literals(item, parameters, equality=equality)
        else:
            yield self._literal(form, parameters, equality=equality)

    def _effects(self, node: Node, parameters: Collection[str]) -> Iterator[Form]:
        form = _list(node)
        if not form.items:
            return
        if form.head == _AND:
            for item in form.items[1:]:
                yield from self._effects(item, parameters)
        elif not (self.costs and form.head == _INCREASE and _is_total_cost(form.items[1:2])):
            yield self._literal(form, parameters)

    def _literal(self, form: Form, parameters: Collection[str], *, equality: bool = False) -> Form:
        if form.head != _NOT:
            self._check_atom(form, parameters, equality)
            return form
        if len(form.items) != 2:
            raise form.place.error("(not ...) takes one atom")
        atom = _list(form.items[1])
        if atom.head in (_AND, _NOT):
            raise unsupported(f"(not ({atom.head} ...)) (:disjunctive-preconditions)", atom.place)
        self._check_atom(atom, parameters, equality)
        return form

    def _check_atom(self, form: Form, parameters: Collection[str], equality: bool) -> None:
        name = form.head
        arguments = form.items[1:]
        if name in self.predicates:
            expected = self.predicates[name]
        elif name == EQUALS and equality:
            expected = 2
        else:
            raise self._unknown_predicate(form)
        for argument in arguments:
            self._check_argument(argument, parameters)
        if len(arguments) != expected:
            raise form.place.error(f"{name} takes {_counted(expected)}, and has {len(arguments)} here")

    def _unknown_predicate(self, form: Form) -> ConfigurationError:
        name = form.head
        if name == EQUALS:
            return unsupported("an equality here (outside of the preconditions of actions)", form.place)
        if name in _CONSTRUCTS:
            return unsupported(_CONSTRUCTS[name], form.place)
        if not name:
            return form.place.error("an atom is expected here, such as (on b1 b2)")
        return form.place.error(f"the predicate {name!r} is not declared")

    def _check_argument(self, node: Node, parameters: Collection[str]) -> None:
        if isinstance(node, Form):
            if node.head in _CONSTRUCTS or node.head == TOTAL_COST:
                raise unsupported(_NUMERIC, node.place)
            raise node.place.error("the name of an object or a parameter is expected here, not a list")
        kind, known = ("parameter", parameters) if node.text.startswith("?") else ("object", self.objects)
        if node.text not in known:
            raise node.place.error(f"the {kind} {node.text!r} is not declared")

    def _check_cost(self, form: Form) -> None:
        valued = (
            len(form.items) == 3 and isinstance(form.items[1], Form) and isinstance(form.items[2], Symbol)
        )
        if not (self.costs and valued):
            raise unsupported(f"{_NUMERIC} or an equality in the initial state", form.place)


def _is_total_cost(items: tuple[Node, ...]) -> bool:
    return any(isinstance(item, Form) and item.head == TOTAL_COST for item in items)


def _list(node: Node) -> Form:
    if isinstance(node, Symbol):
        raise node.place.error(f"a list such as (on b1 b2) is expected here, not {node.text!r}")
    return node


def _conjunction(literals: Iterator[Form], place: Place) -> Form:
    return Form((Symbol(_AND, place), *literals), place)


def _counted(number: int) -> str:
    return "1 argument" if number == 1 else f"{number} arguments"
