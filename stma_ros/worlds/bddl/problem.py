"""Reads the problem of an activity: its objects, its initial conditions and its goal, in BDDL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.bddl.expressions import (
    And,
    Atom,
    Expression,
    ForAll,
    ForPairs,
    ForSome,
    Literal,
    Not,
    Or,
    Variable,
)
from stma_ros.worlds.pddl.s_expressions import Form, Node, Symbol, read_forms

PREDICATES: Final[Mapping[str, int]] = {
    **dict.fromkeys(("cooked", "frozen", "open", "folded", "unfolded", "toggled_on", "hot", "on_fire"), 1),
    **dict.fromkeys(("future", "real", "broken"), 1),
    **dict.fromkeys(("saturated", "covered", "filled", "contains", "ontop", "nextto", "under"), 2),
    **dict.fromkeys(("touching", "inside", "overlaid", "attached", "draped", "insource", "inroom"), 2),
    "grasped": 2,
}
"""The number of terms of each predicate of the language."""

ANY: Final = "*"
"""The number of an instance that stands for all things of its class in a room."""

_INSTANCE = re.compile(r"(?P<category>.+)_(?P<number>\d+|\*)")
_QUANTIFIERS = ("exists", "forall", "forn", "forpairs", "fornpairs")


@dataclass(frozen=True)
class Problem:
    """An activity.

    Attributes:
        name: as "store_honey".
        objects: the instances of each class, without the agent's.
        initial: what is true or not at first, apart from where the agent is.
        goal: what is to be reached.
    """

    name: str
    objects: Mapping[str, tuple[str, ...]]
    initial: tuple[Literal, ...]
    goal: Expression

    def category(self, instance: str) -> str:
        """Returns the class of an instance."""
        return instance.rpartition("_")[0]


def read_problem(name: str, text: str, file: str) -> Problem:
    """Returns the problem of an activity.

    Args:
        name: of the activity.
        text: in BDDL.
        file: name of the file, for error messages.

    Raises:
        ConfigurationError: the text is no problem, or names a predicate, a quantifier or an object that it does not
            declare. The message names the place.
    """
    forms = read_forms(text, file)
    if len(forms) != 1 or not isinstance(forms[0], Form) or forms[0].head != "define":
        raise ConfigurationError(
            f"{file} is no problem of an activity: it begins with (define (problem NAME) ..."
        )
    parts = {part.head: part for part in forms[0].items if isinstance(part, Form)}
    missing = [part for part in (":objects", ":init", ":goal") if part not in parts]
    if missing:
        raise forms[0].place.error(f"the problem has no ({missing[0]} ...)")
    instances = dict(_objects(parts[":objects"]))
    initial = tuple(
        literal
        for literal in (_literal(node) for node in parts[":init"].items[1:])
        if not _is_agent(literal.atom.terms[0])
    )
    goals = parts[":goal"].items[1:]
    if len(goals) != 1:
        raise parts[":goal"].place.error("a goal is one expression")
    for literal in initial:
        for term in literal.atom.terms[: 1 if literal.atom.predicate == "inroom" else 2]:
            instances.setdefault(term, _category(term))  # some are used without a declaration
    goal = _Goal(instances).read(goals[0], {})
    objects: dict[str, tuple[str, ...]] = {}
    for instance, category in instances.items():
        if not _is_agent(instance):
            objects[category] = (*objects.get(category, ()), instance)
    return Problem(name, objects, initial, goal)


def _objects(part: Form) -> Iterator[tuple[str, str]]:
    """Yields the declared instances with their classes."""
    names: list[str] = []
    items = iter(part.items[1:])
    for item in items:
        if not isinstance(item, Symbol):
            raise part.place.error("objects are names such as 'mug.n.04_1 mug.n.04_2 - mug.n.04'")
        if item.text != "-":
            names.append(item.text)
            continue
        category = next(items, None)
        if not isinstance(category, Symbol):
            raise item.place.error("a class follows on '-'")
        yield from ((name, category.text) for name in names)
        names = []
    if names:
        raise part.place.error(f"{names[0]} has no class")


def _literal(node: Node) -> Literal:
    if isinstance(node, Form) and node.head == "not" and len(node.items) == 2:
        return Literal(_atom(node.items[1]), expected=False)
    return Literal(_atom(node))


def _atom(node: Node) -> Atom:
    if not isinstance(node, Form) or not node.head:
        raise node.place.error("a condition is a list such as (ontop mug.n.04_1 table.n.02_1)")
    if node.head not in PREDICATES:
        raise node.place.error(
            f"there is no predicate {node.head!r}; there are {', '.join(sorted(PREDICATES))}"
        )
    terms = tuple(item.text.removeprefix("?") for item in node.items[1:] if isinstance(item, Symbol))
    if len(terms) != PREDICATES[node.head] or len(terms) != len(node.items) - 1:
        raise node.place.error(
            f"{node.head} has {PREDICATES[node.head]} term(s), here are {len(node.items) - 1}"
        )
    return Atom(node.head, terms)


def _category(instance: str) -> str:
    match = _INSTANCE.fullmatch(instance)
    return match["category"] if match else instance


def _is_agent(instance: str) -> bool:
    return instance.startswith("agent.n.")


class _Goal:
    """Reads a goal. instances: the declared ones, with their classes."""

    def __init__(self, instances: Mapping[str, str]) -> None:
        self._instances = instances

    def read(self, node: Node, variables: Mapping[str, str]) -> Expression:
        """Returns an expression. variables: in scope, with their classes."""
        if not isinstance(node, Form):
            raise node.place.error("a goal is a list such as (and ...)")
        arguments = node.items[1:]
        match node.head:
            case "and" | "or":
                parts = tuple(self.read(part, variables) for part in arguments)
                return And(parts) if node.head == "and" else Or(parts)
            case "not" if len(arguments) == 1:
                return Not(self.read(arguments[0], variables))
            case "imply" if len(arguments) == 2:
                cause, effect = (self.read(part, variables) for part in arguments)
                return Or((Not(cause), effect))
            case quantifier if quantifier in _QUANTIFIERS:
                return self._quantified(node, variables)
        atom = _atom(node)
        for term in atom.terms:
            if term not in variables and term not in self._instances:
                raise node.place.error(f"{term} is neither an object of the problem nor a variable here")
        return atom

    def _quantified(self, node: Form, variables: Mapping[str, str]) -> Expression:
        arguments = list(node.items[1:])
        count = (
            self._number(node, arguments.pop(0)) if node.head in ("forn", "fornpairs") and arguments else 0
        )
        pairs = node.head in ("forpairs", "fornpairs")
        if len(arguments) != (3 if pairs else 2):
            raise node.place.error(
                f"{node.head} has {'two variables' if pairs else 'a variable'} and a condition"
            )
        bound = [self._variable(node, each) for each in arguments[:-1]]
        part = self.read(arguments[-1], {**variables, **{each.name: each.category for each in bound}})
        if pairs:
            return ForPairs(bound[0], bound[1], count, part)
        return ForAll(bound[0], part) if node.head == "forall" else ForSome(bound[0], count or 1, part)

    @staticmethod
    def _variable(node: Form, declared: Node) -> Variable:
        words: Sequence[Node] = declared.items if isinstance(declared, Form) else ()
        texts = [word.text for word in words if isinstance(word, Symbol)]
        if len(texts) != 3 or texts[1] != "-":
            raise node.place.error("a variable is declared as in (?mug.n.04 - mug.n.04)")
        return Variable(texts[0].removeprefix("?"), texts[2])

    @staticmethod
    def _number(node: Form, given: Node) -> int:
        inner = given.items[0] if isinstance(given, Form) and len(given.items) == 1 else given
        if not isinstance(inner, Symbol) or not inner.text.isdecimal() or int(inner.text) < 1:
            raise node.place.error(f"{node.head} names how many, as in ({node.head} (2) ...)")
        return int(inner.text)
