"""The words of a task's observations and commands, which can be given in `wording.yaml` next to `domain.pddl`.

    predicates:
      on: "{block} is on {below}"
    negations:
      on: "{block} is not on {below}"
    commands:
      pickup: "pick up {block}"
    observation: effects

The last line says how a benchmark shows what an action did (`full` or `effects`), for the setting
`observation=domain`. What has no entry is worded by the generic rule of types/sentences.py. Whatever objects are
called, what is written can be read back: of templates that could give the same words, generic ones give way to a
notation of their own, `on ( b1 , b2 )`. Given ones do not: whoever has written them wants them used, and can reword
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from stma_ros.types.action_model import ActionModel, ActionSchema, PredicateSchema, TypedName
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.sentences import Sentences, generic_command, generic_sentence, slot
from stma_ros.types.settings import suggest
from stma_ros.worlds.pddl.config import EFFECTS, FULL
from stma_ros.worlds.pddl.reader import Source
from stma_ros.worlds.pddl.yaml_files import read_yaml

LOOK_AROUND: Final = "look around"
CHECK_VALID_ACTIONS: Final = "check valid actions"
FIXED_COMMANDS: Final = (LOOK_AROUND, CHECK_VALID_ACTIONS)
"""Commands of every task."""

_PREDICATES, _NEGATIONS, _COMMANDS = "predicates", "negations", "commands"
_SECTIONS = (_PREDICATES, _NEGATIONS, _COMMANDS)
_OBSERVATION = "observation"
_FORBIDDEN = "();"  # the notation of its own, and what separates sentences

Entry: TypeAlias = tuple[str, str]
"""A section and the name of a predicate or an action."""


@dataclass(frozen=True)
class Wording:
    """Templates that are given.

    Attributes:
        file: their file, for messages.
        observation: what an observation shows after an action, FULL or EFFECTS.
        templates: by section and name.
    """

    file: str = ""
    observation: str = FULL
    templates: Mapping[Entry, str] = field(default_factory=dict)


def read_wording(source: Source) -> Wording:
    """Reads a file of templates. Raises ConfigurationError."""
    content = dict(read_yaml(source))
    observation = content.pop(_OBSERVATION, FULL)
    if observation not in (FULL, EFFECTS):
        raise ConfigurationError(f"{source.file}: {_OBSERVATION}: {FULL} or {EFFECTS} is expected")
    templates: dict[Entry, str] = {}
    for section, entries in content.items():
        if section not in _SECTIONS:
            raise ConfigurationError(
                f"{source.file}: there is no section {section!r}. {suggest(section, _SECTIONS)}"
            )
        if not isinstance(entries, dict):
            raise ConfigurationError(f"{source.file}: {section}: entries such as `name: ...` are expected")
        for name, text in entries.items():
            if not isinstance(text, str):
                raise ConfigurationError(
                    f'{source.file}: {section}.{name}: a text is expected, in quotes: "..."'
                )
            if any(mark in text for mark in _FORBIDDEN):
                raise ConfigurationError(
                    f"{source.file}: {section}.{name}: a template contains none of {' '.join(_FORBIDDEN)}"
                )
            templates[section, name.lower()] = " ".join(text.split())
    return Wording(source.file, str(observation), templates)


def worded(model: ActionModel, wording: Wording) -> ActionModel:
    """Returns a model with complete wording.

    Raises:
        ConfigurationError: A given template belongs to nothing in the model, does not fit its parameters, or could be
            mistaken for another given one.
    """
    parameters = dict(_entries(model))
    for (section, name), text in wording.templates.items():
        _check(section, name, text, parameters, wording.file)
    generic = {entry: _generic(*entry, items) for entry, items in parameters.items()}
    functional: dict[Entry, str] = {}
    while True:
        texts = {**generic, **functional, **wording.templates}
        clashes = [entry for entries in _clashes(model, texts) for entry in entries]
        if not clashes:
            return _with_texts(model, texts)
        fixed = {**wording.templates, **functional}
        changed = [entry for entry in clashes if entry in parameters and entry not in fixed]
        if not changed:
            names = " and ".join(
                dict.fromkeys(f"{'.'.join(entry)} ({texts.get(entry, entry[1])})" for entry in clashes)
            )
            raise ConfigurationError(
                f"{wording.file}: with the objects of this problem the same words can be read as {names}: reword one"
            )
        functional |= {entry: _functional(*entry, parameters[entry]) for entry in changed}


def _entries(model: ActionModel) -> Iterator[tuple[Entry, Sequence[TypedName]]]:
    for predicate in model.predicates:
        yield (_PREDICATES, predicate.name), predicate.parameters
        yield (_NEGATIONS, predicate.name), predicate.parameters
    for action in model.actions:
        yield (_COMMANDS, action.name), action.parameters


def _generic(section: str, name: str, parameters: Sequence[TypedName]) -> str:
    if section == _COMMANDS:
        return generic_command(name, parameters)
    return generic_sentence(name, parameters, negated=section == _NEGATIONS)


def _functional(section: str, name: str, parameters: Sequence[TypedName]) -> str:
    """Returns a template that no other can be mistaken for: "on ( {block} , {below} )"."""
    slots = " , ".join(slot(item.name) for item in parameters)
    return " ".join((*(("not",) if section == _NEGATIONS else ()), name, "(", *slots.split(), ")"))


def _check(
    section: str, name: str, text: str, parameters: Mapping[Entry, Sequence[TypedName]], file: str
) -> None:
    if (section, name) not in parameters:
        known = {other: None for group, other in parameters if group == section}
        kind = "action" if section == _COMMANDS else "predicate"
        raise ConfigurationError(
            f"{file}: {section}.{name}: the domain has no {kind} {name!r}. {suggest(name, known)}"
        )
    schema = PredicateSchema(
        name=name, parameters=tuple(parameters[section, name]), sentence=text, negation=text
    )
    try:
        Sentences(ActionModel(predicates=(schema,)))
    except ConfigurationError as error:
        raise ConfigurationError(f"{file}: {section}.{name}: {error}") from None


def _clashes(model: ActionModel, texts: Mapping[Entry, str]) -> Iterator[list[Entry]]:
    """Yields the entries of templates that could give the same words."""
    complete = _with_texts(model, texts)
    fixed = tuple(ActionSchema(name=text, command=text) for text in FIXED_COMMANDS)
    # Sentences and commands apart: one can read like the other, as nobody expects both in the same place.
    sentences = replace(complete, actions=())
    commands = replace(complete, predicates=(), actions=(*complete.actions, *fixed))
    written = {**texts, **{(_COMMANDS, text): text for text in FIXED_COMMANDS}}
    for table, sections in ((sentences, (_PREDICATES, _NEGATIONS)), (commands, (_COMMANDS,))):
        for pair in Sentences(table).ambiguities():
            yield [entry for entry, text in written.items() if entry[0] in sections and text in pair]


def _with_texts(model: ActionModel, texts: Mapping[Entry, str]) -> ActionModel:
    predicates: Iterable[PredicateSchema] = (
        replace(item, sentence=texts[_PREDICATES, item.name], negation=texts[_NEGATIONS, item.name])
        for item in model.predicates
    )
    actions: Iterable[ActionSchema] = (
        replace(item, command=texts[_COMMANDS, item.name]) for item in model.actions
    )
    return replace(model, predicates=tuple(predicates), actions=tuple(actions))
