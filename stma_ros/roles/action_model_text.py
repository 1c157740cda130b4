"""Renders an action model for prompts.

The text holds all of a model but its names of actions and predicates, which occur in no observation and no command:

    - fetch ?thing from ?container (?thing: portable; ?container)
      Needs: ?thing is in ?container; ?container is open
      Then: you have ?thing; ?thing is not in ?container
    Facts, each with its opposite:
    - ?container is open; ?container is not open
    - ?thing is in ?container (?thing: portable; ?container); ?thing is not in ?container; seen while ?container is open
    Types: container, portable; tool, wheel: portable
    Objects: boot: container; wrench, jack: tool

A variable is of the type that it is named after, such as `?container`, or `?wheel2`. Where the name does not say it,
the type is written. Facts are in the order of their predicates' names, and the variables of a fact are written where
their order is not that of its sentence. `testing.model_server.action_model_reader` reads all of it back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby

from stma_ros.types.action_model import EQUALS, ActionModel, ActionSchema, Literal, PredicateSchema, TypedName
from stma_ros.types.sentences import Sentences

FACTS = "Facts, each with its opposite:"
TYPES, OBJECTS = "Types: ", "Objects: "
NEEDS, THEN = "  Needs: ", "  Then: "
SEEN_WHILE = "seen while "
ITEM = "- "
BETWEEN = "; "
EQUAL, UNEQUAL = " = ", " != "
ANY = "any object"
"""The type of a variable that can stand for any object, where its name says another one."""


def action_model_text(model: ActionModel) -> str:
    """Returns the actions, the facts, the types and the objects of a model; empty without a model."""
    return "\n".join(_Writer(model).lines()) if model.name else ""


def type_by_name(variable: str, types: Collection[str]) -> str:
    """Returns the type that a variable is named after; empty if it is named after none."""
    bare = variable.removeprefix("?").rstrip("0123456789").rstrip("-_")
    return bare if bare in types else ""


class _Writer:
    def __init__(self, model: ActionModel) -> None:
        self._model = model
        self._sentences = Sentences(model)
        self._types = {item.name for item in model.types}

    def lines(self) -> Iterator[str]:
        for action in self._model.actions:
            yield from self._action(action)
        if self._model.predicates:
            yield FACTS
        for predicate in sorted(self._model.predicates, key=lambda each: each.name):
            yield self._fact(predicate)
        if self._model.types:
            yield TYPES + _typed(self._model.types)
        if self._model.objects:
            yield OBJECTS + _typed(self._model.objects)

    def _action(self, action: ActionSchema) -> Iterator[str]:
        command = self._sentences.command(action.name, _names(action.parameters))
        mentioned = command.split()
        parameters = sorted(action.parameters, key=lambda item: mentioned.index(item.name))
        yield ITEM + command + self._declaration(parameters, command)
        if action.preconditions:
            yield NEEDS + self._all(action.preconditions)
        if action.effects:
            yield THEN + self._all(action.effects)

    def _fact(self, predicate: PredicateSchema) -> str:
        names = _names(predicate.parameters)
        literals = (
            Literal(predicate=predicate.name, arguments=names, negated=negated) for negated in (False, True)
        )
        sentence, negation = map(self._sentence, literals)
        parts = [sentence + self._declaration(predicate.parameters, sentence), negation]
        if predicate.seen_when:
            parts.append(SEEN_WHILE + self._all(predicate.seen_when))
        return ITEM + BETWEEN.join(parts)

    def _declaration(self, parameters: Sequence[TypedName], text: str) -> str:
        """Returns the variables with their types, if the text does not show all there is to know of them."""
        written = [TypedName(name=item.name, type=self._written_type(item)) for item in parameters]
        in_text = tuple(dict.fromkeys(word for word in text.split() if word.startswith("?")))
        if in_text == _names(parameters) and not any(item.type for item in written):
            return ""
        return f" ({_typed(written)})"

    def _written_type(self, variable: TypedName) -> str:
        evident = type_by_name(variable.name, self._types)
        return "" if evident == variable.type else variable.type or ANY

    def _all(self, literals: Iterable[Literal]) -> str:
        return BETWEEN.join(map(self._sentence, literals))

    def _sentence(self, literal: Literal) -> str:
        if literal.predicate == EQUALS:  # a predicate may read "is", as the sentences of equality do
            return (UNEQUAL if literal.negated else EQUAL).join(literal.arguments)
        return self._sentences.sentence(literal)


def _typed(items: Iterable[TypedName]) -> str:
    """Returns names with the type after the last one of a row: "wrench, jack: tool; boot: container"."""
    rows = groupby(items, key=lambda item: item.type)
    return BETWEEN.join(", ".join(_names(row)) + (f": {kind}" if kind else "") for kind, row in rows)


def _names(items: Iterable[TypedName]) -> tuple[str, ...]:
    return tuple(item.name for item in items)
