"""Parses an action model from a prompt; the inverse of `roles.action_model_text`.

Actions and predicates get numbers for names, since the text has none. Facts are sorted as by their names: predicates
are numbered in that order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product

from stma_ros.roles.action_model_text import (
    ANY,
    BETWEEN,
    EQUAL,
    FACTS,
    ITEM,
    NEEDS,
    OBJECTS,
    SEEN_WHILE,
    THEN,
    TYPES,
    UNEQUAL,
    type_by_name,
)
from stma_ros.testing.model_server.sections import UnreadableQuestionError
from stma_ros.types.action_model import EQUALS, ActionModel, ActionSchema, Literal, PredicateSchema, TypedName
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.sentences import Sentences, slot

_NAME = "world"
_DECLARATION = re.compile(r" \((?P<variables>\?[^()]*)\)")


@lru_cache(maxsize=16)  # all questions about a task have the same one
def read_action_model(text: str) -> ActionModel:
    """Parses an action model. An empty text is that of no model.

    Raises:
        UnreadableQuestionError: A line has another format, or states a fact that is not listed.
    """
    if not text:
        return ActionModel()
    lines = _Lines.of(text)
    reader = _Reader(tuple(_typed(lines.types)), tuple(_typed(lines.objects)))
    try:
        return reader.model(lines)
    except ConfigurationError as error:
        raise UnreadableQuestionError(f"the wording of a fact or an action: {error}") from None


@dataclass
class _Action:
    """The lines of an action. needs, effects: sentences."""

    command: str
    needs: Sequence[str] = ()
    effects: Sequence[str] = ()


@dataclass
class _Lines:
    """The lines of a model by what they are about."""

    actions: list[_Action] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    types: str = ""
    objects: str = ""

    @classmethod
    def of(cls, text: str) -> _Lines:
        lines = cls()
        in_facts = False
        for line in text.split("\n"):
            head = next((head for head in (NEEDS, THEN, TYPES, OBJECTS, ITEM) if line.startswith(head)), "")
            rest = line.removeprefix(head)
            if line == FACTS:
                in_facts = True
            elif head == TYPES:
                lines.types = rest
            elif head == OBJECTS:
                lines.objects = rest
            elif head == ITEM and in_facts:
                lines.facts.append(rest)
            elif head == ITEM:
                lines.actions.append(_Action(rest))
            elif head == NEEDS and lines.actions:
                lines.actions[-1].needs = rest.split(BETWEEN)
            elif head == THEN and lines.actions:
                lines.actions[-1].effects = rest.split(BETWEEN)
            else:
                raise UnreadableQuestionError(f"{line!r} is no line of an action model")
        return lines


class _Reader:
    def __init__(self, types: tuple[TypedName, ...], objects: tuple[TypedName, ...]) -> None:
        self._types = frozenset(item.name for item in types)
        self._model = ActionModel(name=_NAME, types=types, objects=objects)

    def model(self, lines: _Lines) -> ActionModel:
        facts = [self._fact(f"{number:06}", line) for number, line in enumerate(lines.facts)]
        self._model = replace(self._model, predicates=tuple(predicate for predicate, _ in facts))
        return replace(
            self._model,
            predicates=tuple(
                replace(predicate, seen_when=self._literals(conditions, predicate.parameters))
                for predicate, conditions in facts
            ),
            actions=tuple(self._action(str(number), action) for number, action in enumerate(lines.actions)),
        )

    def _fact(self, name: str, line: str) -> tuple[PredicateSchema, Sequence[str]]:
        """Returns a predicate, and the conditions under which it is seen as sentences."""
        text, parameters = self._declared(line)
        sentence, negation, *conditions = *text.split(BETWEEN), ""
        conditions = [each.removeprefix(SEEN_WHILE) for each in filter(None, conditions)]
        schema = PredicateSchema(
            name=name, parameters=parameters, sentence=_template(sentence), negation=_template(negation)
        )
        return schema, conditions

    def _action(self, name: str, lines: _Action) -> ActionSchema:
        command, parameters = self._declared(lines.command)
        return ActionSchema(
            name=name,
            parameters=parameters,
            preconditions=self._literals(lines.needs, parameters),
            effects=self._literals(lines.effects, parameters),
            command=_template(command),
        )

    def _declared(self, line: str) -> tuple[str, tuple[TypedName, ...]]:
        """Returns a line without the declaration of its variables, and the variables with their types."""
        declaration = _DECLARATION.search(line)
        if declaration is None:
            text, variables = line, _typed(", ".join(_variables(line.split(BETWEEN)[0])))
        else:
            text = line[: declaration.start()] + line[declaration.end() :]
            variables = _typed(declaration["variables"])
        return text, tuple(map(self._with_type, variables))

    def _with_type(self, variable: TypedName) -> TypedName:
        kind = variable.type or type_by_name(variable.name, self._types)
        return replace(variable, type="" if kind == ANY else kind)

    def _literals(self, sentences: Iterable[str], variables: Sequence[TypedName]) -> tuple[Literal, ...]:
        return tuple(self._literal(sentence, variables) for sentence in sentences)

    def _literal(self, sentence: str, variables: Sequence[TypedName]) -> Literal:
        """Returns the literal that a sentence states of objects and variables.

        Raises:
            UnreadableQuestionError: It states none.
        """
        for mark in (UNEQUAL, EQUAL):
            if mark in sentence:
                return Literal(
                    predicate=EQUALS, arguments=tuple(sentence.split(mark)), negated=mark == UNEQUAL
                )
        known = {item.name for item in variables}
        # A condition of what is seen may have further variables, which can be of any type.
        further = [name for name in _variables(sentence) if name not in known]
        for kinds in product(("", *sorted(self._types)), repeat=len(further)):
            others = (TypedName(name=name, type=kind) for name, kind in zip(further, kinds, strict=True))
            objects = (*self._model.objects, *variables, *others)
            literal = Sentences(replace(self._model, objects=objects)).read_sentence(sentence)
            if literal is not None:
                return literal
        raise UnreadableQuestionError(f"{sentence!r} is none of the facts")


def _variables(text: str) -> Iterable[str]:
    """Returns the variables in a text, in their order."""
    return dict.fromkeys(word for word in text.split() if word.startswith("?"))


def _template(text: str) -> str:
    return " ".join(slot(word) if word.startswith("?") else word for word in text.split())


def _typed(text: str) -> Iterator[TypedName]:
    """Yields the names of a list such as "wrench, jack: tool; boot: container", with their types."""
    for row in filter(None, text.split(BETWEEN)):
        names, _, kind = row.partition(": ")
        yield from (TypedName(name=name, type=kind) for name in names.split(", "))
