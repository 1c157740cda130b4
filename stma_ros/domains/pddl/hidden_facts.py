"""Facts that are not always seen, and when they are."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from stma_ros.domains.pddl.ground_task import Atom, atom_of
from stma_ros.domains.pddl.state_space import Condition
from stma_ros.types.action_model import ActionModel, Literal, PredicateSchema
from stma_ros.types.sentences import ObjectTypes, Sentences

_MAX_ATOMS = 20_000  # of one predicate that are considered


class HiddenFacts:
    """The predicates of a model that are not always seen."""

    def __init__(self, model: ActionModel, sentences: Sentences) -> None:
        self._objects = sentences.objects
        self._changing = {each.predicate for action in model.actions for each in action.effects}
        self._predicates: Mapping[str, PredicateSchema] = {
            each.name: each for each in sorted(model.predicates, key=lambda each: each.name) if each.seen_when
        }

    def __bool__(self) -> bool:
        return bool(self._predicates)

    def __contains__(self, predicate: str) -> bool:
        return predicate in self._predicates

    def atoms(self) -> Iterator[Atom]:
        """Yields the atoms of these predicates, at most _MAX_ATOMS of each."""
        for predicate in self._predicates.values():
            choices = (self._objects.members(item.type) for item in predicate.parameters)
            for arguments in itertools.islice(itertools.product(*choices), _MAX_ATOMS):
                yield (predicate.name, *arguments)

    def seen_in(self, true: Iterable[Atom]) -> View:
        """Returns what would be seen, if it were true, while these atoms are true."""
        return View(self._predicates, self._objects, true)

    def ways_to_see(self, atom: Atom, true: Iterable[Atom]) -> Iterator[Condition]:
        """Yields conditions under each of which an atom would be seen if it were true.

        Variables in conditions that no action changes are bound to objects with which these hold now.

        Args:
            atom: the atom.
            true: the atoms that are true.
        """
        predicate = self._predicates[atom[0]]
        constant = tuple(each for each in predicate.seen_when if each.predicate not in self._changing)
        changing = [each for each in predicate.seen_when if each.predicate in self._changing]
        view = self.seen_in(true)
        for bound in view.bindings(constant, _binding(predicate, atom)):
            for full in self._completed(changing, bound):
                yield Condition(
                    frozenset(atom_of(each, full) for each in changing if not each.negated),
                    frozenset(atom_of(each, full) for each in changing if each.negated),
                )

    def _completed(self, conditions: Iterable[Literal], binding: dict[str, str]) -> Iterator[dict[str, str]]:
        free = list(dict.fromkeys(name for each in conditions for name in _free(each, binding)))
        for names in itertools.product(self._objects.members(""), repeat=len(free)):
            yield {**binding, **dict(zip(free, names, strict=True))}


class View:
    """What would be seen while some atoms are true."""

    def __init__(
        self, predicates: Mapping[str, PredicateSchema], objects: ObjectTypes, true: Iterable[Atom]
    ) -> None:
        self._predicates = predicates
        self._objects = objects
        self._true: dict[str, set[Atom]] = defaultdict(set)
        for atom in true:
            self._true[atom[0]].add(atom)
        self._known: dict[tuple[str, tuple[tuple[str, str], ...]], bool] = {}

    def __contains__(self, atom: Atom) -> bool:
        predicate = self._predicates[atom[0]]
        named = {name for each in predicate.seen_when for name in each.arguments}
        binding = {name: value for name, value in _binding(predicate, atom).items() if name in named}
        key = atom[0], tuple(sorted(binding.items()))
        if key not in self._known:
            found = self.bindings(predicate.seen_when, binding)
            self._known[key] = next(found, None) is not None
        return self._known[key]

    def bindings(self, conditions: tuple[Literal, ...], binding: dict[str, str]) -> Iterator[dict[str, str]]:
        """Yields the bindings of further variables with which all conditions hold."""
        if not conditions:
            yield binding
            return
        # What is to be false comes last, when its variables are bound.
        first = next((each for each in conditions if not each.negated), conditions[0])
        others = tuple(each for each in conditions if each is not first)
        if not first.negated:
            for atom in sorted(self._true[first.predicate]):
                found = _unified(first, atom, binding)
                if found is not None:
                    yield from self.bindings(others, found)
            return
        free = _free(first, binding)
        if free:
            for name in self._objects.members(""):
                yield from self.bindings(conditions, {**binding, free[0]: name})
        elif atom_of(first, binding) not in self._true[first.predicate]:
            yield from self.bindings(others, binding)


def _binding(predicate: PredicateSchema, atom: Atom) -> dict[str, str]:
    return {item.name: name for item, name in zip(predicate.parameters, atom[1:], strict=True)}


def _free(literal: Literal, binding: Collection[str]) -> list[str]:
    """Returns the variables of a literal that are not bound."""
    return [name for name in literal.arguments if name.startswith("?") and name not in binding]


def _unified(literal: Literal, atom: Atom, binding: Mapping[str, str]) -> dict[str, str] | None:
    found = dict(binding)
    for name, value in zip(literal.arguments, atom[1:], strict=True):
        if name.startswith("?"):
            if found.setdefault(name, value) != value:
                return None
        elif name != value:
            return None
    return found
