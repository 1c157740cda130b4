"""Writes and reads the notes in which the summariser stores the scene of each step.

A note is one line of plain English, and reading it returns the scene that was written. Ambiguous names ("book on
cooking") are put in quotes. The reader also accepts records in the world's own words, so that a history without a
summary can be read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from stma_ros.domains.cooking.scene import CarriedObject, Exit, GameObject, Scene, read_scene
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import Summary, TemporalBelief

# The reader is more lenient than the writer, because notes of a language model may lack the quotes.
_QUOTED = r'"(?:[^"\\\n]|\\.)*"'
_ANY = rf'(?:{_QUOTED}|[^"\n])*?'
_COMMAND = r'[^()"\n]+'
_NOTE = re.compile(
    rf"Step (?P<step>\d+)(?: \((?P<action>{_QUOTED}|{_COMMAND})\))?(?:, (?P<room>{_QUOTED}|[^;\"\n]*?))?\. "
    rf"Exits: (?P<exits>{_ANY})\. There: (?P<objects>{_ANY})\. Carried: (?P<carried>{_ANY})\.(?=\s|\Z)",
    re.IGNORECASE,
)
_NOTHING = "none"
_ITEM = re.compile(rf'(?:{_QUOTED}|[^;"])+')
_NAME = rf'{_QUOTED}|[^()"]+?'
_NAMED = re.compile(rf"(?P<name>{_NAME})(?: \((?P<states>{_ANY})\))?")
_PLACED = re.compile(
    rf"(?P<name>{_NAME})(?: (?P<relation>{words.IN}|{words.ON}) (?P<holder>{_NAME}))?(?: \((?P<states>{_ANY})\))?"
)
_STATE = re.compile(rf'(?:{_QUOTED}|[^,"])+')
_PLAIN_COMMAND = re.compile(_COMMAND)
_PLAIN_NAME = re.compile(rf"(?!{_NOTHING}$)(?!.*\b(?:{words.IN}|{words.ON})\b)[\w'&/-]+(?: [\w'&/-]+)*")

_RECORD = re.compile(
    r"^(?:Action: (?P<action>.*)\n(?:Failed: .*\n)?)?Step: (?P<step>\d+)$", re.MULTILINE | re.IGNORECASE
)
_PARTS = re.compile(
    r"^Observation: (?P<description>.*?)(?:\nInventory: (?P<inventory>[^\n]*))?"
    r"(?:\nPossible commands: (?P<commands>[^\n]*))?\Z",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)


@dataclass(frozen=True)
class Note:
    """The scene after an action.

    Attributes:
        step: at which the scene was observed.
        action: the command; empty at the first step.
        scene: the scene.
    """

    step: int
    action: str
    scene: Scene

    def __str__(self) -> str:
        scene = self.scene
        action = f" ({_quoted_unless(_PLAIN_COMMAND, self.action)})" if self.action else ""
        room = f", {_named(scene.room)}" if scene.room else ""
        return (
            f"Step {self.step}{action}{room}. Exits: {_listed(map(_exit, scene.exits))}. "
            f"There: {_listed(map(_object, scene.objects))}. Carried: {_listed(map(_carried, scene.carried))}."
        )


def history_text(source: TemporalBelief | Summary) -> str:
    """Returns the notes of a history, or its whole text if it has none."""
    return "\n".join(source.observations) or source.text


def read_notes(text: str) -> tuple[Note, ...]:
    """Returns the notes and the raw records in a text in the order of their steps; other text is ignored."""
    notes = {note.step: note for note in _raw(text)}
    notes |= {note.step: note for note in (_read(match) for match in _NOTE.finditer(text))}
    return tuple(notes[step] for step in sorted(notes))


def _named(name: str) -> str:
    return _quoted_unless(_PLAIN_NAME, name)


def _quoted_unless(plain: re.Pattern[str], name: str) -> str:
    """Returns a name as it is if it matches, otherwise in quotes.

    The name is matched in lower case, because some readers see the note in lower case.
    """
    return name if plain.fullmatch(name.casefold()) else json.dumps(name, ensure_ascii=False)


def _read_name(text: str) -> str:
    """Returns a name without its quotes. Quoted text that is not JSON, as models may write it, is not unescaped."""
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        return text.strip('"')


def _listed(items: Iterable[str]) -> str:
    return "; ".join(items) or _NOTHING


def _with(text: str, states: Iterable[str]) -> str:
    listed = ", ".join(map(_named, states))
    return f"{text} ({listed})" if listed else text


def _exit(item: Exit) -> str:
    state = words.STATE_CLOSED if item.closed else words.STATE_OPEN
    return _with(item.direction, (item.door, state) if item.door else ())


def _object(item: GameObject) -> str:
    where = f" {words.IN if item.inside else words.ON} {_named(item.holder)}" if item.holder else ""
    return _with(_named(item.name) + where, (item.state,) if item.state else ())


def _carried(item: CarriedObject) -> str:
    return _with(_named(item.name), item.states)


def _items(listed: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yields the matches of the items of a list; items that do not match are left out."""
    found = (match.group().strip() for match in _ITEM.finditer(listed))
    return (match for item in found if item != _NOTHING and (match := pattern.fullmatch(item)))


def _states(match: re.Match[str]) -> tuple[str, ...]:
    return tuple(_read_name(state.group().strip()) for state in _STATE.finditer(match["states"] or ""))


def _read(match: re.Match[str]) -> Note:
    scene = Scene(
        _read_name(match["room"] or ""),
        tuple(map(_read_exit, _items(match["exits"], _NAMED))),
        tuple(map(_read_object, _items(match["objects"], _PLACED))),
        tuple(
            CarriedObject(_read_name(item["name"]), _states(item))
            for item in _items(match["carried"], _NAMED)
        ),
    )
    return Note(int(match["step"]), _read_name(match["action"] or ""), scene)


def _read_exit(match: re.Match[str]) -> Exit:
    *door, state = _states(match) or ("",)
    return Exit(match["name"], ", ".join(door), bool(door) and state == words.STATE_CLOSED)


def _read_object(match: re.Match[str]) -> GameObject:
    inside = (match["relation"] or "").casefold() == words.IN
    states = _states(match)
    holder = _read_name(match["holder"] or "")
    return GameObject(_read_name(match["name"]), holder, inside, states[0] if states else "")


def _raw(text: str) -> Iterator[Note]:
    """Yields the notes of the records in a text in the format of `memory.working.records`."""
    starts = list(_RECORD.finditer(text))
    ends = [match.start() for match in starts[1:]] + [len(text)]
    for match, end in zip(starts, ends, strict=False):
        block = text[match.end() : end].strip()
        at = block.casefold().find("observation: ")
        parts = _PARTS.search(block[at:]) if at >= 0 else None
        if parts is not None:
            commands = (parts["commands"] or "").split("; ")
            scene = read_scene(parts["description"], parts["inventory"] or "", commands)
            yield Note(int(match["step"]), match["action"] or "", scene)
