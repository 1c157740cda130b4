"""Words of an action model: literals as sentences, actions as commands, and both read back.

A template is a row of words in which {parameter} stands for the name of an object: "{block} is on {below}". Names of
objects contain no spaces, so that a sentence has as many words as its template, and is read without guessing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from stma_ros.types.action_model import (
    EQUALS,
    ActionModel,
    ActionSchema,
    Literal,
    PredicateSchema,
    TypedName,
)
from stma_ros.types.errors import ConfigurationError

SchemaT = TypeVar("SchemaT", PredicateSchema, ActionSchema)

END = "."
"""Ends a sentence. Neither templates nor names of objects contain it."""


class ObjectTypes:
    """The objects of each type, those of its subtypes included."""

    def __init__(self, types: Iterable[TypedName], objects: Iterable[TypedName]) -> None:
        """Creates the table. types: each with the type above it; objects: each with its own type."""
        above = {item.name: item.type for item in types}
        self._types: dict[str, frozenset[str]] = {}
        self._members: dict[str, list[str]] = {}
        for item in objects:
            kinds = dict.fromkeys(_upwards(item.type, above))
            self._types[item.name] = frozenset(kinds)
            for kind in kinds:
                self._members.setdefault(kind, []).append(item.name)

    def has(self, name: str, kind: str) -> bool:
        """Returns whether there is an object of this name and type. kind: empty = any type."""
        return kind in self._types.get(name, ())

    def members(self, kind: str) -> Sequence[str]:
        """Returns the objects of a type, in their order in the model. kind: empty = all."""
        return self._members.get(kind, ())


def _upwards(kind: str, above: Mapping[str, str]) -> Iterator[str]:
    """Yields a type, the types above it, and "", the type of everything."""
    seen: set[str] = set()
    while kind and kind not in seen:
        seen.add(kind)
        yield kind
        kind = above.get(kind, "")
    yield ""


@dataclass(frozen=True)
class _Template(Generic[SchemaT]):
    """words: literal words, and positions of parameters. kinds: types of the parameters, by position."""

    schema: SchemaT
    words: tuple[str | int, ...]
    kinds: tuple[str, ...]
    negated: bool = False

    def write(self, arguments: Sequence[str]) -> str:
        return " ".join(word if isinstance(word, str) else arguments[word] for word in self.words)

    def read(self, words: Sequence[str], objects: ObjectTypes) -> tuple[str, ...] | None:
        """Returns the arguments in words that fit; None if they do not."""
        arguments = [""] * len(self.kinds)
        for expected, word in zip(self.words, words, strict=True):
            if isinstance(expected, str):
                if word != expected:
                    return None
            elif arguments[expected] not in ("", word) or not objects.has(word, self.kinds[expected]):
                return None
            else:
                arguments[expected] = word
        return tuple(arguments)


class Sentences:
    """Writes and reads the sentences and commands of a model."""

    def __init__(self, model: ActionModel) -> None:
        """Creates the table of a model, whose wording is complete.

        Raises:
            ConfigurationError: a template does not fit its parameters.
        """
        self.objects = ObjectTypes(model.types, model.objects)
        self._literals: dict[tuple[str, bool], _Template[PredicateSchema]] = {}
        for predicate in model.predicates:
            for negated, text in ((False, predicate.sentence), (True, predicate.negation)):
                template = _template(predicate, predicate.parameters, text, negated)
                self._literals[predicate.name, negated] = template
        self._commands = {
            action.name: _template(action, action.parameters, action.command) for action in model.actions
        }
        self._sentences_by_length = _by_length(self._literals.values())
        self._commands_by_length = _by_length(self._commands.values())

    def sentence(self, literal: Literal) -> str:
        """Returns a literal as a sentence, without its full stop."""
        if literal.predicate == EQUALS:
            left, right = literal.arguments
            return f"{left} is not {right}" if literal.negated else f"{left} is {right}"
        return self._literals[literal.predicate, literal.negated].write(literal.arguments)

    def text(self, literals: Iterable[Literal]) -> str:
        """Returns literals as sentences with full stops."""
        return " ".join(self.sentence(literal) + END for literal in literals)

    def read_sentence(self, text: str) -> Literal | None:
        """Returns the literal that a sentence states, with or without its full stop; None if it states none."""
        words = tuple(text.strip().rstrip(END).split())
        for template in self._sentences_by_length.get(len(words), ()):
            arguments = template.read(words, self.objects)
            if arguments is not None:
                return Literal(predicate=template.schema.name, arguments=arguments, negated=template.negated)
        return None

    def command(self, action: str, arguments: Sequence[str]) -> str:
        """Returns the command for an action. arguments: names of objects or, for its description, of parameters."""
        return self._commands[action].write(arguments)

    def ambiguities(self) -> Iterator[tuple[str, str]]:
        """Yields the pairs of templates that the same words could be written with, so that they could not be read."""
        yield from _ambiguities(self._sentences_by_length, self.objects)
        yield from _ambiguities(self._commands_by_length, self.objects)

    def read_command(self, text: str) -> tuple[ActionSchema, tuple[str, ...]] | None:
        """Returns the action and the arguments that a command names; None if they are not of the right types."""
        words = tuple(text.split())
        for template in self._commands_by_length.get(len(words), ()):
            arguments = template.read(words, self.objects)
            if arguments is not None:
                return template.schema, arguments
        return None


def generic_sentence(name: str, parameters: Sequence[TypedName], *, negated: bool = False) -> str:
    """Returns the template of a predicate without a wording of its own: "{block} is clear", "{ball} at {room}",
    "handempty", with "not" where it is negated."""
    slots = [slot(item.name) for item in parameters]
    if len(slots) == 1:
        return f"{slots[0]} is not {name}" if negated else f"{slots[0]} is {name}"
    return " ".join((*(("not",) if negated else ()), *slots[:1], name, *slots[1:]))


def generic_command(name: str, parameters: Sequence[TypedName]) -> str:
    """Returns the template of an action without a wording of its own: "stack {block} {below}"."""
    return " ".join((name, *(slot(item.name) for item in parameters)))


def slot(parameter: str) -> str:
    """Returns the mark in a template for a parameter: "{block}" for "?block"."""
    return f"{{{parameter.removeprefix('?')}}}"


def _template(
    schema: SchemaT, parameters: Sequence[TypedName], text: str, negated: bool = False
) -> _Template[SchemaT]:
    positions = {slot(item.name): number for number, item in enumerate(parameters)}
    words = tuple(positions.get(word, word) for word in text.split())
    unknown = [word for word in words if isinstance(word, str) and set(word) & set("{}" + END)]
    missing = [mark for mark, number in positions.items() if number not in words]
    if unknown or missing or not words:
        raise ConfigurationError(
            f"the wording {text!r} does not fit: it needs each of {', '.join(positions) or 'no parameter'} as a word "
            "of its own, and neither other braces nor a full stop"
        )
    return _Template(schema, words, tuple(item.type for item in parameters), negated)


def _by_length(templates: Iterable[_Template[SchemaT]]) -> dict[int, list[_Template[SchemaT]]]:
    grouped: dict[int, list[_Template[SchemaT]]] = {}
    for template in templates:
        grouped.setdefault(len(template.words), []).append(template)
    return grouped


def _ambiguities(
    by_length: Mapping[int, Sequence[_Template[SchemaT]]], objects: ObjectTypes
) -> Iterator[tuple[str, str]]:
    for templates in by_length.values():
        for position, one in enumerate(templates):
            for other in templates[:position]:
                if _can_be_equal(one, other, objects):
                    yield " ".join(_marked(one)), " ".join(_marked(other))


def _marked(template: _Template[SchemaT]) -> Iterator[str]:
    names = [item.name for item in template.schema.parameters]
    return (word if isinstance(word, str) else slot(names[word]) for word in template.words)


def _can_be_equal(one: _Template[SchemaT], other: _Template[SchemaT], objects: ObjectTypes) -> bool:
    return all(
        _options(left, one, objects) & _options(right, other, objects)
        for left, right in zip(one.words, other.words, strict=True)
    )


def _options(word: str | int, template: _Template[SchemaT], objects: ObjectTypes) -> set[str]:
    return {word} if isinstance(word, str) else set(objects.members(template.kinds[word]))
