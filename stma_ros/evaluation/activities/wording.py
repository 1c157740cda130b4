"""Says the goal of an activity in English, as a person would ask for it: by the names of things, and of rooms where
there are several of a kind. The text holds the conditions of the goal, never where things are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from stma_ros.memory.nouns import is_plural, listed, plural
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
    literals,
)
from stma_ros.worlds.house.activities.classes import FLOOR
from stma_ros.worlds.house.activities.instantiation import ActivityHome, inside_of
from stma_ros.worlds.house.flat import Furniture
from stma_ros.worlds.robot.scene import Thing

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_BESIDE: Final = {"nextto": "next to", "touching": "against", "under": "under"}
_PLACING: Final = frozenset({"inside", "ontop", *_BESIDE})
_STATES: Final = {
    ("open", True): "Open",
    ("open", False): "Close",
    ("toggled_on", True): "Turn on",
    ("toggled_on", False): "Turn off",
}


@dataclass(frozen=True)
class _Request:
    """A part of a text: what is to be done with a thing, and where it goes, as in "Put", "the mug", "on the table".
    Requests with different `choice` leave separate choices of a place."""

    verb: str
    thing: str
    where: str = ""
    choice: int = 0


class ActivityWording:
    """Words an activity in its flat."""

    def __init__(self, home: ActivityHome) -> None:
        self._home = home
        self._problem = home.problem
        self._choices = 0  # number of choices of a place for several things together

    def text(self) -> str:
        """Returns the task text."""
        requests: dict[tuple[str, str, int], list[str]] = {}
        for request in self._requests(self._problem.goal, {}):
            things = requests.setdefault((request.verb, request.where, request.choice), [])
            if request.thing not in things:
                things.append(request.thing)
        return " ".join(
            " ".join(filter(None, (verb, listed(things), where))) + "."
            for (verb, where, _), things in requests.items()
        )

    def _requests(self, goal: Expression, said: Mapping[str, str]) -> Iterator[_Request]:
        """Yields the parts of a text. said: what is said for a term, such as a variable: "all the mugs"."""
        match goal:
            case And(parts):
                yield from self._of_all(parts, said)
            case Atom():
                yield from self._of_literal(Literal(goal), said)
            case Not(Atom() as atom):
                yield from self._of_literal(Literal(atom, expected=False), said)
            case ForAll(variable, part):
                yield from self._for_all(variable, part, said)
            case ForSome(variable, count, part):
                yield from self._for_some(variable, count, part, said)
            case ForPairs():
                yield from self._for_pairs(goal, said)
            case Or(parts):
                yield from self._of_any(parts, said)
            case Not(part):
                for literal in literals(part, expected=False):
                    yield from self._of_literal(literal, said)

    def _of_all(self, parts: Iterable[Expression], said: Mapping[str, str]) -> Iterator[_Request]:
        """Yields the requests of parts; instances of a class that go to one place are named together."""
        alike: dict[tuple[str, str, str], list[Atom]] = {}
        for part in parts:
            if isinstance(part, Atom) and part.predicate in _PLACING and part.terms[0] not in said:
                category = self._problem.category(part.terms[0])
                alike.setdefault((part.predicate, category, part.terms[1]), []).append(part)
        done: set[tuple[str, str, str]] = set()
        for part in parts:
            if isinstance(part, Atom) and part.predicate in _PLACING and part.terms[0] not in said:
                key = (part.predicate, self._problem.category(part.terms[0]), part.terms[1])
                if key not in done:
                    done.add(key)
                    yield self._placed(part, self._some(key[1], len(alike[key])), said)
            else:
                yield from self._requests(part, said)

    def _of_literal(self, literal: Literal, said: Mapping[str, str]) -> Iterator[_Request]:
        atom = literal.atom
        verb = _STATES.get((atom.predicate, literal.expected))
        if verb is not None:
            if self._can_be(atom):
                yield _Request(verb, self._said(atom.terms[0], said))
        elif literal.expected:
            yield self._placed(atom, self._said(atom.terms[0], said), said)
        else:
            request = self._placed(atom, self._said(atom.terms[0], said), said)
            yield _Request("Keep", request.thing, f"away from {self._said(atom.terms[1], said)}")

    def _for_all(self, variable: Variable, part: Expression, said: Mapping[str, str]) -> Iterator[_Request]:
        everything = {**said, variable.name: self._every(variable.category)}
        match part:
            case ForSome(inner, count, Atom() as atom) if atom.terms[1:] == (variable.name,):
                each = {**said, variable.name: f"each {self._noun(variable.category)}"}
                yield self._placed(atom, self._counted(inner.category, count), each)
            case Or(parts) if _is_about_each_other(parts, variable):
                predicate = next(literals(part)).atom.predicate
                how = "together" if predicate in _BESIDE else "on top of one another"
                yield _Request("Put", everything[variable.name], how)
            case _:
                yield from self._requests(part, everything)

    def _for_some(
        self, variable: Variable, count: int, part: Expression, said: Mapping[str, str]
    ) -> Iterator[_Request]:
        found = [each for each in literals(part) if each.atom.terms[1:] == (variable.name,)]
        if not found:  # the things are counted, not their places
            some = self._counted(variable.category, count)
            if isinstance(part, Or) and _is_about_each_other(part.parts, variable):
                yield _Request("Put", some, "on top of one another")
                return
            yield from self._requests(part, {**said, variable.name: some})
            return
        several = len(self._problem.objects.get(variable.category, ())) > 1
        together = not isinstance(part, Atom)
        one = (
            f"one {self._noun(variable.category)}"
            if together
            else f"one of the {self._nouns(variable.category)}"
        )
        place = one if several else self._the_only(variable.category)
        kept = [each for each in found if each.expected]
        part = _without_denials(part, variable.name)
        self._choices += 1
        choice = self._choices if together and several else 0
        for request in self._requests(part, {**said, variable.name: place}):
            yield replace(request, choice=choice)
        apart = [each.atom.terms[0] for each in found if not each.expected]
        if apart and kept and several:
            yield _Request(
                "Do not put",
                listed(dict.fromkeys(self._kind_said(term) for term in apart)),
                f"in the same {self._noun(variable.category)} as {self._kind_said(kept[0].atom.terms[0])}",
            )

    def _for_pairs(self, goal: ForPairs, said: Mapping[str, str]) -> Iterator[_Request]:
        if not isinstance(goal.part, Atom) or len(goal.part.terms) != 2:
            yield from self._requests(goal.part, said)
            return
        categories = {each.name: each.category for each in (goal.first, goal.second)}
        thing, place = (categories[term] for term in goal.part.terms)
        numbers = [len(self._problem.objects.get(category, ())) for category in (thing, place)]
        if numbers[0] >= numbers[1]:
            where = f"each {self._noun(place)}"
            yield self._placed(goal.part, f"one {self._noun(thing)}", {**said, goal.part.terms[1]: where})
        else:
            where = f"a {self._noun(place)} of its own"
            yield self._placed(goal.part, f"each {self._noun(thing)}", {**said, goal.part.terms[1]: where})

    def _of_any(self, parts: tuple[Expression, ...], said: Mapping[str, str]) -> Iterator[_Request]:
        """Yields one request that leaves a choice of places, or the first part's."""
        placed = [part for part in parts if isinstance(part, Atom) and part.predicate in _PLACING]
        if len(placed) == len(parts) and len({atom.terms[0] for atom in placed}) == 1:
            requests = [self._placed(atom, self._said(atom.terms[0], said), said) for atom in placed]
            yield _Request("Put", requests[0].thing, " or ".join(each.where for each in requests))
            return
        yield from self._requests(parts[0], said)

    def _placed(self, atom: Atom, thing: str, said: Mapping[str, str]) -> _Request:
        place = self._said(atom.terms[1], said)
        category = self._problem.category(atom.terms[1])
        if category == self._problem.category(atom.terms[0]) and not {*atom.terms} & said.keys():
            place = f"the other {self._noun(category)}"
        return _Request("Put", thing, f"{self._preposition(atom)} {place}")

    def _preposition(self, atom: Atom) -> str:
        if atom.predicate in _BESIDE:
            return _BESIDE[atom.predicate]
        holder = self._example(atom.terms[1])
        inside = atom.predicate == "inside"
        return "in" if holder is not None and inside_of(holder, inside=inside) else "on"

    def _example(self, term: str) -> Thing | None:
        """Returns a thing that a term can mean; None for floors."""
        instance = next(iter(self._problem.objects.get(term, (term,))))
        name = self._home.names.get(instance, "")
        flat = self._home.flat
        return flat.items_by_name.get(name) or flat.fixed_by_name.get(name)

    def _can_be(self, atom: Atom) -> bool:
        """Whether a thing can be open, or on, at all."""
        thing = self._example(atom.terms[0])
        if thing is None:
            return False
        return thing.is_device if atom.predicate == "toggled_on" else not thing.portable and thing.opens

    def _said(self, term: str, said: Mapping[str, str]) -> str:
        if term in said:
            return said[term]
        category = self._problem.category(term)
        if category == FLOOR:
            return f"the floor of the {self._room(self._home.names[term])}"
        instances = self._problem.objects[category]
        thing = self._example(term)
        if isinstance(thing, Furniture):
            return self._furniture(thing)
        return f"the {self._noun(category)}" if len(instances) == 1 else f"one of the {self._nouns(category)}"

    def _furniture(self, piece: Furniture) -> str:
        """Returns the name of a piece of furniture, with its room where there are others of that name."""
        flat = self._home.flat
        word = piece.category.split()[-1]
        alike = [other for other in flat.furniture if other.category.split()[-1] == word]
        here = f" in the {flat.layout.rooms[piece.room].kind}" if len(alike) > 1 else ""
        return f"the {piece.category}{here}"

    def _room(self, name: str) -> str:
        return self._home.flat.layout.rooms[int(name.rpartition("_")[2]) - 1].kind

    def _the_only(self, category: str) -> str:
        (instance,) = self._problem.objects[category]
        return self._said(instance, {})

    def _every(self, category: str) -> str:
        return self._some(category, len(self._problem.objects.get(category, ())))

    def _some(self, category: str, count: int) -> str:
        """Returns "the mug", "all the mugs", or "two of the mugs"."""
        total = len(self._problem.objects.get(category, ()))
        if total == 1:
            return f"the {self._noun(category)}"
        return f"all the {self._nouns(category)}" if count == total else self._counted(category, count)

    def _counted(self, category: str, count: int) -> str:
        number = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
        return f"{number} of the {self._nouns(category)}" if count > 1 else f"one {self._noun(category)}"

    def _kind_said(self, term: str) -> str:
        """Returns the name of a kind for a term, whether it is an instance or a class."""
        category = term if term in self._problem.objects else self._problem.category(term)
        return self._every(category).removeprefix("all ")

    def _noun(self, category: str) -> str:
        thing = self._example(category)
        return category if thing is None else thing.category

    def _nouns(self, category: str) -> str:
        noun = self._noun(category)
        head, of, rest = noun.partition(" of ")
        return noun if is_plural(head) else f"{plural(head)}{of}{rest}"


def _is_about_each_other(parts: Iterable[Expression], variable: Variable) -> bool:
    """Whether parts relate each instance of a class to instances of the same class."""
    atoms = [part for part in parts if isinstance(part, Atom)]
    return bool(atoms) and all(
        len(atom.terms) == 2
        and atom.terms[0] == variable.name
        and atom.terms[1].rpartition("_")[0] == variable.category
        for atom in atoms
    )


def _without_denials(part: Expression, place: str) -> Expression:
    """Returns a part without what it says is not to be at a place, a variable; other denials stay."""
    match part:
        case And(parts):
            return And(tuple(_without_denials(each, place) for each in parts if not _is_denied(each, place)))
        case ForAll(variable, inner):
            return ForAll(variable, _without_denials(inner, place))
    return part


def _is_denied(part: Expression, place: str) -> bool:
    """Whether a part only says what is not to be at a place."""
    return all(not each.expected and each.atom.terms[1:] == (place,) for each in literals(part))
