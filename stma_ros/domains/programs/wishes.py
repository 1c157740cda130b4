"""Reads the task of an activity: what shall be so in the end, of things that are named by their kinds."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from stma_ros.domains.programs.observed_home import YOU
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import TaskNotUnderstoodError
from stma_ros.types.kind_names import kind_name

IS_STATE, ON, IN, HELD = "is", words.ON, words.IN, words.HELD_BY
"""The relations of wishes. IS_STATE: its object is a state."""

OPPOSITES: Final = {
    **words.OPPOSITE_STATE,
    "plugged in": "plugged out",
    "plugged out": "plugged in",
    "clean": "dirty",
    "dirty": "clean",
}
"""States that exclude each other; what can have one of them has one."""

_ORDER_OF_STATES: Final = ("open", "plugged in", "clean", "on", "off", "plugged out", "closed")
"""What is open has to be so before it is switched on, and what is switched on has its plug in before."""

ORDINALS: Final = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
)
"""The ordinals from 1; later ones are "13th" and so on."""

_STATES: Final = {
    "open": words.STATE_OPEN,
    "opened": words.STATE_OPEN,
    "closed": words.STATE_CLOSED,
    "shut": words.STATE_CLOSED,
    "on": words.STATE_ON,
    "switched on": words.STATE_ON,
    "turned on": words.STATE_ON,
    "off": words.STATE_OFF,
    "switched off": words.STATE_OFF,
    "turned off": words.STATE_OFF,
    "plugged in": "plugged in",
    "plugged out": "plugged out",
    "unplugged": "plugged out",
    "clean": "clean",
    "cleaned": "clean",
    "washed": "clean",
    "wiped": "clean",
    "dirty": "dirty",
    "unwashed": "dirty",
}
"""States of things as observations name them, by the words of tasks."""

_POSTURES: Final = {
    "sitting": "sitting",
    "sitting down": "sitting",
    "seated": "sitting",
    "lying": "lying",
    "lying down": "lying",
}
"""The same for the one who acts."""

_MARK: Final = "In the end: "
_THING = rf"the (?:(?P<{{0}}_number>{'|'.join(ORDINALS)}|\d+(?:st|nd|rd|th)) )?(?P<{{0}}_kind>\S+(?: \S+)?)"
_SUBJECT, _OBJECT = _THING.format("subject"), _THING.format("object")
_HOLD = re.compile(rf"you (?P<negated>do not )?hold {_OBJECT}", re.IGNORECASE)
_RELATION = re.compile(
    rf"(?:{_SUBJECT}|you) (?:is|are) (?P<negated>not )?(?P<relation>on|in) (?:{_OBJECT}|you)", re.IGNORECASE
)
_STATE = re.compile(
    rf"(?:{_SUBJECT}|you) (?:is|are) (?P<negated>not )?(?P<state>\w+(?: (?!the\b|you\b)\w+)*)", re.IGNORECASE
)


@dataclass(frozen=True)
class Wanted:
    """A thing of a task, or the one who acts.

    Attributes:
        kind: What it is, as observations name it: "coffee_pot" for a coffee pot; YOU = the one who acts.
        number: Which of several of its kind in the task, as "second"; empty = there is one.
    """

    kind: str
    number: str = ""

    def __str__(self) -> str:
        if self.kind == YOU:
            return YOU
        return f"the {self.number} {self.kind}" if self.number else f"the {self.kind}"


ME: Final = Wanted(YOU)


@dataclass(frozen=True)
class Wish:
    """Something that shall be so in the end, or no longer.

    Attributes:
        subject: What it is about.
        relation: One of IS_STATE, ON, IN and HELD.
        object: What it is on, in or held by; None with a state.
        state: As observations name it; empty with a relation.
        negated: Whether it shall be so no longer.
        text: As the task words it.
    """

    subject: Wanted
    relation: str
    object: Wanted | None
    state: str
    negated: bool
    text: str

    @property
    def things(self) -> tuple[Wanted, ...]:
        """What it is about, but for the one who acts."""
        named = (self.subject, self.object)
        return tuple(each for each in named if each is not None and each != ME)


def read_wishes(task: str, shown: Collection[str] = ()) -> tuple[Wish, ...]:
    """Returns what a task asks for, in its order: the sentences behind "In the end:", or else all of it.

    Args:
        task: Its text.
        shown: States that things were seen to have. A word that names none of the known states is one if it is among
            these; any other would not be so of anything, and "not" so of everything.

    Raises:
        TaskNotUnderstoodError: A sentence is of no known form, or one of its words is not known.
    """
    _, mark, told = task.rpartition(_MARK)
    told = (told if mark else task).strip().rstrip(".")
    return tuple(_wish(sentence.strip(), shown) for sentence in told.split(";"))


def asked_state(wish: Wish) -> str:
    """Returns the state that a wish asks for; empty = none is known that would do."""
    return OPPOSITES.get(wish.state, "") if wish.negated else wish.state


def place_of_state(wish: Wish) -> int:
    """Returns the place of what a wish asks for in the order in which states are made."""
    state = asked_state(wish)
    return _ORDER_OF_STATES.index(state) if state in _ORDER_OF_STATES else len(_ORDER_OF_STATES)


def seats_in_their_rooms(wishes: Iterable[Wish]) -> Iterator[Wish]:
    """Yields what follows for a seat where one shall sit or lie in the end: it is in the room in which one shall be.

    Who stands up from a seat and goes elsewhere is still on it for the world.
    """
    mine = [wish for wish in wishes if wish.subject == ME and not wish.negated]
    for seat in (wish.object for wish in mine if wish.relation == ON):
        for room in (wish.object for wish in mine if wish.relation == IN):
            if seat is not None and room is not None:
                yield _in_room(seat, room)


def rooms_of_places(wishes: Iterable[Wish], rooms: Collection[str]) -> Iterator[Wish]:
    """Yields what follows for a thing that another one shall be on or in: it is in the same room.

    Args:
        wishes: Of the task.
        rooms: The kinds of rooms.
    """
    placed = [
        (wish.subject, wish.object)
        for wish in wishes
        if wish.relation in (ON, IN) and not wish.negated and wish.object is not None
        if ME not in (wish.subject, wish.object)
    ]
    room_of = {thing: place for thing, place in placed if place.kind in rooms}
    for _ in placed:  # for chains: a cup on a tray on a table
        for thing, place in placed:
            if thing in room_of and place not in room_of and place.kind not in rooms:
                room_of[place] = room_of[thing]
                yield _in_room(place, room_of[thing])


def _in_room(thing: Wanted, room: Wanted) -> Wish:
    return Wish(thing, IN, room, "", False, f"{thing} is in {room}")


def _wish(text: str, shown: Collection[str]) -> Wish:
    held = _HOLD.fullmatch(text)
    if held is not None:
        return Wish(_wanted(held, "object"), HELD, ME, "", held["negated"] is not None, text)
    related = _RELATION.fullmatch(text)
    if related is not None:
        subject, item = _wanted(related, "subject"), _wanted(related, "object")
        if not subject == item == ME:
            return Wish(subject, related["relation"].lower(), item, "", related["negated"] is not None, text)
    told = _STATE.fullmatch(text)
    if told is not None:
        subject = _wanted(told, "subject")
        state = _state(told["state"].lower(), subject, shown)
        return Wish(subject, IS_STATE, None, state, told["negated"] is not None, text)
    raise TaskNotUnderstoodError(
        f"{text!r} says of nothing how it shall be in the end. Such sentences are 'the lamp is switched on', 'the cup "
        "is not on the table', 'you hold the novel' and 'you are in the kitchen', with semicolons between"
    )


def _state(word: str, subject: Wanted, shown: Collection[str]) -> str:
    known = _POSTURES if subject == ME else _STATES
    if subject != ME and word in shown:
        return word
    if word not in known:
        raise TaskNotUnderstoodError(
            f"what it means that {subject} {'are' if subject == ME else 'is'} {word!r} is not known. Say one of "
            f"{', '.join(known)}"
        )
    return known[word]


def _wanted(found: re.Match[str], part: str) -> Wanted:
    name = found[f"{part}_kind"]
    if not name:
        return ME
    first, _, noun = name.lower().partition(" ")
    if first in _STATES and noun:
        raise TaskNotUnderstoodError(
            f"which {noun} is meant by {name!r} is not understood. Say it in a sentence of its own, as in 'the {noun} "
            f"is {first}'"
        )
    kind = kind_name(name)
    if kind in ("", YOU):
        raise TaskNotUnderstoodError(f"{name!r} is no name of a thing. Say it as observations do")
    return Wanted(kind, (found[f"{part}_number"] or "").lower())
