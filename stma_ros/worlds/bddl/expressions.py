"""Goals of activities: expressions over the objects of a problem, as the package `bddl` evaluates them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Protocol, TypeAlias

Objects: TypeAlias = Mapping[str, tuple[str, ...]]
"""The instances of each class, as {"mug.n.04": ("mug.n.04_1", "mug.n.04_2")}."""

Way: TypeAlias = "tuple[Literal, ...]"
"""Ground literals that together reach a goal."""


@dataclass(frozen=True)
class Atom:
    """A predicate on terms: instances, as "mug.n.04_1", or variables."""

    predicate: str
    terms: tuple[str, ...]

    def __str__(self) -> str:
        return f"({' '.join((self.predicate, *self.terms))})"


@dataclass(frozen=True)
class Literal:
    """An atom that is to be true, or not."""

    atom: Atom
    expected: bool = True

    def __str__(self) -> str:
        return str(self.atom) if self.expected else f"(not {self.atom})"


@dataclass(frozen=True)
class Variable:
    """A variable of a quantifier, over the instances of a class."""

    name: str
    category: str

    def __str__(self) -> str:
        return f"({self.name} - {self.category})"


@dataclass(frozen=True)
class Not:
    part: Expression

    def __str__(self) -> str:
        return f"(not {self.part})"


@dataclass(frozen=True)
class And:
    parts: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"(and {' '.join(map(str, self.parts))})"


@dataclass(frozen=True)
class Or:
    parts: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"(or {' '.join(map(str, self.parts))})"


@dataclass(frozen=True)
class ForAll:
    """For all instances."""

    variable: Variable
    part: Expression

    def __str__(self) -> str:
        return f"(forall {self.variable} {self.part})"


@dataclass(frozen=True)
class ForSome:
    """For at least `count` instances: `exists` and `forn`."""

    variable: Variable
    count: int
    part: Expression

    def __str__(self) -> str:
        return f"(forn {self.count} {self.variable} {self.part})"


@dataclass(frozen=True)
class ForPairs:
    """At least `count` instances of either class are in a pair that fulfils the part: `fornpairs`; with count 0, as
    many as the smaller class has: `forpairs`."""

    first: Variable
    second: Variable
    count: int
    part: Expression

    def __str__(self) -> str:
        count = f"{self.count} " if self.count else ""
        return f"(forpairs {count}{self.first} {self.second} {self.part})"


Expression: TypeAlias = Atom | Not | And | Or | ForAll | ForSome | ForPairs


class Facts(Protocol):
    """What is true of instances."""

    def holds(self, atom: Atom) -> bool: ...


def holds(goal: Expression, objects: Objects, facts: Facts) -> bool:
    """Whether a goal without free variables is reached."""
    match goal:
        case Atom():
            return facts.holds(goal)
        case Not(part):
            return not holds(part, objects, facts)
        case And(parts):
            return all(holds(part, objects, facts) for part in parts)
        case Or(parts):
            return any(holds(part, objects, facts) for part in parts)
        case ForAll():
            return all(holds(part, objects, facts) for part in _instances(goal, objects))
        case ForSome():
            return sum(holds(part, objects, facts) for part in _instances(goal, objects)) >= goal.count
        case ForPairs():
            fulfilled = [pair for pair, part in _pairs(goal, objects) if holds(part, objects, facts)]
            wanted = _count(goal, objects)
            return all(len({pair[side] for pair in fulfilled}) >= wanted for side in (0, 1))


def ways(goal: Expression, objects: Objects, *, expected: bool = True) -> Iterator[Way]:
    """Yields ways to reach a goal, those with the first instances first. Of `forpairs`, each instance is in one pair.

    Args:
        goal: the goal.
        objects: the instances of each class.
        expected: whether the goal is to be true.
    """
    match goal:
        case Atom():
            yield (Literal(goal, expected),)
        case Not(part):
            yield from ways(part, objects, expected=not expected)
        case And(parts) | Or(parts):
            everything = isinstance(goal, And) is expected
            yield from _ways(parts, len(parts) if everything else 1, objects, expected)
        case ForAll():
            every = _instances(goal, objects)
            yield from _ways(every, len(every) if expected else 1, objects, expected)
        case ForSome():
            every = _instances(goal, objects)
            yield from _ways(
                every, goal.count if expected else len(every) - goal.count + 1, objects, expected
            )
        case ForPairs() if expected:
            parts_of = dict(_pairs(goal, objects))
            for matching in _matchings(goal, objects):
                yield from _all(tuple(parts_of[pair] for pair in matching), objects, expected)
        case ForPairs():
            yield from _all(tuple(part for _, part in _pairs(goal, objects)), objects, expected)


def literals(goal: Expression, *, expected: bool = True) -> Iterator[Literal]:
    """Yields all literals of a goal, with its variables."""
    match goal:
        case Atom():
            yield Literal(goal, expected)
        case Not(part):
            yield from literals(part, expected=not expected)
        case And(parts) | Or(parts):
            for part in parts:
                yield from literals(part, expected=expected)
        case ForAll(part=part) | ForSome(part=part) | ForPairs(part=part):
            yield from literals(part, expected=expected)


def substituted(goal: Expression, values: Mapping[str, str]) -> Expression:
    """Returns an expression with instances in the place of free variables."""
    match goal:
        case Atom(predicate, terms):
            return Atom(predicate, tuple(values.get(term, term) for term in terms))
        case Not(part):
            return Not(substituted(part, values))
        case And(parts):
            return And(tuple(substituted(part, values) for part in parts))
        case Or(parts):
            return Or(tuple(substituted(part, values) for part in parts))
        case ForAll(variable, part):
            return ForAll(variable, substituted(part, _without(values, variable)))
        case ForSome(variable, count, part):
            return ForSome(variable, count, substituted(part, _without(values, variable)))
        case ForPairs(first, second, count, part):
            return ForPairs(first, second, count, substituted(part, _without(values, first, second)))


def _without(values: Mapping[str, str], *hidden: Variable) -> dict[str, str]:
    names = {variable.name for variable in hidden}
    return {name: value for name, value in values.items() if name not in names}


def _instances(goal: ForAll | ForSome, objects: Objects) -> tuple[Expression, ...]:
    """Returns the part of a quantifier for each instance."""
    name, category = goal.variable.name, goal.variable.category
    return tuple(substituted(goal.part, {name: instance}) for instance in objects.get(category, ()))


def _pairs(goal: ForPairs, objects: Objects) -> Iterator[tuple[tuple[str, str], Expression]]:
    """Yields the pairs of different instances, each with the part for it."""
    for one in objects.get(goal.first.category, ()):
        for other in objects.get(goal.second.category, ()):
            if one != other:
                yield (one, other), substituted(goal.part, {goal.first.name: one, goal.second.name: other})


def _count(goal: ForPairs, objects: Objects) -> int:
    numbers = (len(objects.get(variable.category, ())) for variable in (goal.first, goal.second))
    return goal.count or min(numbers)


def _matchings(goal: ForPairs, objects: Objects) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yields the sets of disjoint pairs of the wanted number."""
    ones, others = (objects.get(variable.category, ()) for variable in (goal.first, goal.second))
    count = _count(goal, objects)
    for some in combinations(ones, count):
        for order in permutations(others, count):
            if all(one != other for one, other in zip(some, order, strict=True)):
                yield tuple(zip(some, order, strict=True))


def _ways(parts: tuple[Expression, ...], count: int, objects: Objects, expected: bool) -> Iterator[Way]:
    """Yields ways to give `count` of the parts the expected value."""
    for some in combinations(parts, count):
        yield from _all(some, objects, expected)


def _all(parts: tuple[Expression, ...], objects: Objects, expected: bool) -> Iterator[Way]:
    if not parts:
        yield ()
        return
    for way in ways(parts[0], objects, expected=expected):
        for rest in _all(parts[1:], objects, expected):
            yield (*way, *rest)
