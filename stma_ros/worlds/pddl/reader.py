"""Reads domains and problems: files in PDDL become action models, initial states and goals.

unified-planning parses the files and checks their types. What is read does not depend on it afterwards: its simulator
needs milliseconds for a step, and sets of atoms microseconds.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from stma_ros.types.action_model import (
    EQUALS,
    ActionModel,
    ActionSchema,
    Literal,
    PredicateSchema,
    TypedName,
)
from stma_ros.types.errors import ConfigurationError, MissingDependencyError
from stma_ros.worlds.pddl.dialect import checked_domain, checked_problem
from stma_ros.worlds.pddl.parser_text import ParserText
from stma_ros.worlds.pddl.s_expressions import read_forms
from stma_ros.worlds.pddl.typed_lists import OBJECT

Atom: TypeAlias = tuple[str, ...]
"""A predicate's name and the names of its arguments."""


@dataclass(frozen=True)
class Source:
    """The text of a file. file: its name in messages."""

    file: str
    text: str


@dataclass(frozen=True)
class PlanningTask:
    """A task. model: without wording. atoms: what is true at first. goal: literals without variables."""

    model: ActionModel
    atoms: frozenset[Atom]
    goal: tuple[Literal, ...]


def unified_planning() -> Any:
    """Returns the library. Raises MissingDependencyError."""
    try:
        import unified_planning.environment
        import unified_planning.io
    except ImportError as error:
        raise MissingDependencyError(
            f"PDDL needs unified-planning ({error}): pip install 'stma_ros[pddl]', in a checkout `make pddl`"
        ) from error
    return unified_planning


@functools.lru_cache(maxsize=16)  # an episode reads its task a few times, which takes a tenth of a second
def read_task(domain: Source, problem: Source) -> PlanningTask:
    """Reads a task.

    Raises:
        ConfigurationError: The files are malformed or use what this world does not simulate; the text names the file,
            the line and the reason.
        MissingDependencyError: unified-planning is not installed.
    """
    checked = checked_domain(read_forms(domain.text, domain.file), domain.file)
    form = checked_problem(read_forms(problem.text, problem.file), problem.file, checked)
    text = ParserText(checked.form, form, checked.predicates)
    return _Conversion(checked.name, text).task(_parsed(text, domain, problem))


def _parsed(text: ParserText, domain: Source, problem: Source) -> Any:
    library = unified_planning()
    environment = library.environment.Environment()
    environment.credits_stream = None
    environment.error_used_name = False
    try:
        with warnings.catch_warnings():  # about the names that it was told to accept
            warnings.simplefilter("ignore", UserWarning)
            return library.io.PDDLReader(environment).parse_problem_string(text.domain, text.problem)
    except Exception as error:  # the library raises exceptions of any type
        reason = " ".join(str(error).split()).partition(" Error ")[0]
        if "UPTypeError" in reason:
            reason = "the arguments have not the types that are declared for them"
        place = text.place(error)
        if place is not None:
            raise place.error(reason) from error
        raise ConfigurationError(
            f"{problem.file} with {domain.file} cannot be read: {type(error).__name__}: {reason}"
        ) from error


class _Conversion:
    """Converts a problem of unified-planning, with the names of the files."""

    def __init__(self, domain: str, text: ParserText) -> None:
        self._domain = domain
        self._name = text.original

    def task(self, problem: Any) -> PlanningTask:
        atoms = (
            (self._name(key.fluent().name), *map(self._term, key.args))
            for key, value in problem.explicit_initial_values.items()
            if value.is_true()
        )
        goal = (literal for condition in problem.goals for literal in self._literals(condition))
        return PlanningTask(self._model(problem), frozenset(atoms), tuple(dict.fromkeys(goal)))

    def _model(self, problem: Any) -> ActionModel:
        return ActionModel(
            name=self._domain,
            types=tuple(
                TypedName(name=self._name(kind.name), type=self._type(kind.father))
                for kind in problem.user_types
                if kind.name != OBJECT
            ),
            objects=tuple(self._typed(item) for item in problem.all_objects),
            predicates=tuple(
                PredicateSchema(
                    name=self._name(fluent.name),
                    parameters=tuple(self._typed(item, "?") for item in fluent.signature),
                )
                for fluent in problem.fluents
            ),
            actions=tuple(self._action(action) for action in problem.actions),
        )

    def _action(self, action: Any) -> ActionSchema:
        return ActionSchema(
            name=self._name(action.name),
            parameters=tuple(self._typed(item, "?") for item in action.parameters),
            preconditions=tuple(
                literal for condition in action.preconditions for literal in self._literals(condition)
            ),
            effects=tuple(
                self._atom(effect.fluent, negated=effect.value.is_false()) for effect in action.effects
            ),
        )

    def _literals(self, condition: Any, *, negated: bool = False) -> Iterator[Literal]:
        if condition.is_and():
            for part in condition.args:
                yield from self._literals(part)
        elif condition.is_not():
            yield from self._literals(condition.args[0], negated=True)
        elif condition.is_equals():
            yield Literal(predicate=EQUALS, arguments=tuple(map(self._term, condition.args)), negated=negated)
        elif not condition.is_true():
            yield self._atom(condition, negated=negated)

    def _atom(self, expression: Any, *, negated: bool) -> Literal:
        name = self._name(expression.fluent().name)
        return Literal(predicate=name, arguments=tuple(map(self._term, expression.args)), negated=negated)

    def _term(self, expression: Any) -> str:
        if expression.is_parameter_exp():
            return "?" + self._name(expression.parameter().name)
        return self._name(expression.object().name)

    def _typed(self, item: Any, mark: str = "") -> TypedName:
        return TypedName(name=mark + self._name(item.name), type=self._type(item.type))

    def _type(self, kind: Any) -> str:
        return "" if kind is None or kind.name == OBJECT else self._name(kind.name)
