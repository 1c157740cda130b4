"""Predicates that are seen only under conditions, which can be given in `senses.yaml` next to `domain.pddl`.

    in: [open ?container]

An atom of `in` is visible where all conditions hold in the true state. They are literals, with `not` before those that
have to be false, over the parameters of the predicate in the domain's own names, objects, and further variables: it is
enough that there are objects for these.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from stma_ros.types.action_model import ActionModel, Literal, PredicateSchema
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.sentences import ObjectTypes
from stma_ros.types.settings import suggest
from stma_ros.worlds.pddl.conditions import Conjunction, State
from stma_ros.worlds.pddl.reader import Atom, Source
from stma_ros.worlds.pddl.yaml_files import read_yaml


class Visibility:
    """Says which atoms are visible in a state, by the conditions of a model's predicates."""

    def __init__(self, model: ActionModel) -> None:
        objects = ObjectTypes(model.types, model.objects)
        self._parameters = {
            item.name: tuple(parameter.name for parameter in item.parameters) for item in model.predicates
        }
        self._conditions = {
            item.name: Conjunction(item.seen_when, _variables(item), objects)
            for item in model.predicates
            if item.seen_when
        }

    def sees(self, atom: Atom, state: State) -> bool:
        """Returns whether it is visible in a state that an atom is true or false."""
        condition = self._conditions.get(atom[0])
        if condition is None:
            return True
        binding = dict(zip(self._parameters[atom[0]], atom[1:], strict=True))
        return next(condition.solutions(state, binding), None) is not None

    def visible(self, state: State) -> frozenset[Atom]:
        """Returns the atoms that are true and visible."""
        if not self._conditions:
            return state.atoms
        return frozenset(atom for atom in state.atoms if self.sees(atom, state))


def with_senses(model: ActionModel, source: Source | None) -> ActionModel:
    """Returns a model with the conditions of a file. source: None = there is none. Raises ConfigurationError."""
    if source is None:
        return model
    predicates = {item.name: item for item in model.predicates}
    objects = {item.name for item in model.objects}
    for written, lines in read_yaml(source).items():
        name = written.lower()
        try:
            predicates[name] = replace(
                _named(name, predicates), seen_when=tuple(_literals(lines, predicates, objects))
            )
        except ConfigurationError as error:
            raise ConfigurationError(f"{source.file}: {written}: {error}") from None
    return replace(model, predicates=tuple(predicates.values()))


def _variables(predicate: PredicateSchema) -> dict[str, str]:
    """Returns the types of all variables of a predicate's conditions."""
    names = [name for literal in predicate.seen_when for name in literal.arguments if name.startswith("?")]
    return dict.fromkeys(names, "") | {item.name: item.type for item in predicate.parameters}


def _named(name: str, predicates: Mapping[str, PredicateSchema]) -> PredicateSchema:
    if name not in predicates:
        raise ConfigurationError(f"the domain has no such predicate. {suggest(name, predicates)}")
    return predicates[name]


def _literals(
    lines: Any, predicates: Mapping[str, PredicateSchema], objects: Collection[str]
) -> list[Literal]:
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise ConfigurationError("a list of conditions is expected, such as [open ?container]")
    return [_literal(line, predicates, objects) for line in lines]


def _literal(line: str, predicates: Mapping[str, PredicateSchema], objects: Collection[str]) -> Literal:
    words = line.lower().split()
    negated = words[:1] == ["not"]
    name, *arguments = words[negated:] or [""]
    if name not in predicates:
        hint = suggest(name, predicates)
        raise ConfigurationError(
            f"the condition {line!r} does not begin with a predicate of the domain. {hint}"
        )
    expected = len(predicates[name].parameters)
    if len(arguments) != expected:
        raise ConfigurationError(
            f"the condition {line!r} has {len(arguments)} arguments; {name} takes {expected}"
        )
    for argument in arguments:
        if not argument.startswith("?") and argument not in objects:
            raise ConfigurationError(
                f"the condition {line!r} names {argument!r}, which is no object of the problem; variables begin with ?"
            )
    return Literal(predicate=name, arguments=tuple(arguments), negated=negated)
