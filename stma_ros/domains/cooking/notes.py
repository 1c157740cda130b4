"""The sentences in which the summariser keeps what was seen, and their readers.

A note is one line of plain English; reading it gives back what it was made from. Names that could be taken for
something else ("book on cooking") stand in quotes. The readers take the world's own words as well, so that a history
which nobody has summarised can be read, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from stma_ros.domains.cooking.scene import Carried, Exit, Scene, Thing, read_scene
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import Summary, TemporalBelief

# The readers are laxer than the writer: a note may come from somebody who quotes nothing.
_QUOTED = r'"(?:[^"\\\n]|\\.)*"'
_ANY = rf'(?:{_QUOTED}|[^"\n])*?'
_COMMAND = r'[^()"\n]+'
_NOTE = re.compile(
    rf"Step (?P<step>\d+)(?: \((?P<action>{_QUOTED}|{_COMMAND})\))?(?:, (?P<room>{_QUOTED}|[^;\"\n]*?))?\. "
    rf"Exits: (?P<exits>{_ANY})\. There: (?P<things>{_ANY})\. Carried: (?P<carried>{_ANY})\.(?=\s|\Z)",
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
_USUAL_COMMAND = re.compile(_COMMAND)
_USUAL_NAME = re.compile(rf"(?!{_NOTHING}$)(?!.*\b(?:{words.IN}|{words.ON})\b)[\w'&/-]+(?: [\w'&/-]+)*")

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
    """What was to be seen after an action. action: the command, empty at the first step."""

    step: int
    action: str
    scene: Scene

    def __str__(self) -> str:
        scene = self.scene
        action = f" ({_spelt(self.action, _USUAL_COMMAND)})" if self.action else ""
        room = f", {_named(scene.room)}" if scene.room else ""
        return (
            f"Step {self.step}{action}{room}. Exits: {_listed(map(_exit, scene.exits))}. "
            f"There: {_listed(map(_thing, scene.things))}. Carried: {_listed(map(_load, scene.carried))}."
        )


def noted(source: TemporalBelief | Summary) -> str:
    """What was written down of the history; where nothing was, the history as it is."""
    return "\n".join(source.observations) or source.text


def read_notes(text: str) -> tuple[Note, ...]:
    """The notes in a text, and the raw records, in the order of their steps; the rest of it is passed over."""
    notes = {note.step: note for note in _raw(text)}
    notes |= {note.step: note for note in (_read(match) for match in _NOTE.finditer(text))}
    return tuple(notes[step] for step in sorted(notes))


def _named(name: str) -> str:
    return _spelt(name, _USUAL_NAME)


def _spelt(name: str, usual: re.Pattern[str]) -> str:
    """As it is, or in quotes where it could be misread; in lower case, too, as some read it."""
    return name if usual.fullmatch(name.casefold()) else json.dumps(name, ensure_ascii=False)


def _name(named: str) -> str:
    """The name that was spelt so. What only looks like JSON was not written here, and is taken as it is."""
    if not named.startswith('"'):
        return named
    try:
        return str(json.loads(named))
    except ValueError:
        return named.strip('"')


def _listed(items: Iterable[str]) -> str:
    return "; ".join(items) or _NOTHING


def _with(named: str, states: Iterable[str]) -> str:
    listed = ", ".join(map(_named, states))
    return f"{named} ({listed})" if listed else named


def _exit(item: Exit) -> str:
    state = words.STATE_CLOSED if item.closed else words.STATE_OPEN
    return _with(item.direction, (item.door, state) if item.door else ())


def _thing(item: Thing) -> str:
    where = f" {words.IN if item.inside else words.ON} {_named(item.holder)}" if item.holder else ""
    return _with(_named(item.name) + where, (item.state,) if item.state else ())


def _load(item: Carried) -> str:
    return _with(_named(item.name), item.states)


def _items(listed: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """The items of a list that are worded in a certain way."""
    found = (match.group().strip() for match in _ITEM.finditer(listed))
    return (match for item in found if item != _NOTHING and (match := pattern.fullmatch(item)))


def _states(match: re.Match[str]) -> tuple[str, ...]:
    return tuple(_name(state.group().strip()) for state in _STATE.finditer(match["states"] or ""))


def _read(match: re.Match[str]) -> Note:
    scene = Scene(
        _name(match["room"] or ""),
        tuple(map(_read_exit, _items(match["exits"], _NAMED))),
        tuple(map(_read_thing, _items(match["things"], _PLACED))),
        tuple(Carried(_name(item["name"]), _states(item)) for item in _items(match["carried"], _NAMED)),
    )
    return Note(int(match["step"]), _name(match["action"] or ""), scene)


def _read_exit(match: re.Match[str]) -> Exit:
    *door, state = _states(match) or ("",)
    return Exit(match["name"], ", ".join(door), bool(door) and state == words.STATE_CLOSED)


def _read_thing(match: re.Match[str]) -> Thing:
    inside = (match["relation"] or "").casefold() == words.IN
    states = _states(match)
    return Thing(_name(match["name"]), _name(match["holder"] or ""), inside, states[0] if states else "")


def _raw(text: str) -> Iterator[Note]:
    """Records as `memory.working.records` words them."""
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
