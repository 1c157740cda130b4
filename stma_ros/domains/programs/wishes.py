"""Reads the task of an activity: what shall be so in the end, of things that are named by their kinds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from stma_ros.domains.programs.observed_home import YOU
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import TaskNotUnderstoodError

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

_MARK: Final = "In the end: "
_THING = r"(?:the (?P<{0}_number>\S+) (?P<{0}_kind>\S+)|the (?P<{0}_only>\S+))"
_SUBJECT, _OBJECT = _THING.format("subject"), _THING.format("object")
_HOLD = re.compile(rf"you (?P<negated>do not )?hold {_OBJECT}", re.IGNORECASE)
_RELATION = re.compile(
    rf"(?:{_SUBJECT}|you) (?:is|are) (?P<negated>not )?(?P<relation>on|in) (?:{_OBJECT}|you)", re.IGNORECASE
)
_STATE = re.compile(
    rf"(?:{_SUBJECT}|you) (?:is|are) (?P<negated>not )?(?P<state>\w+(?: (?!the\b|you\b)\w+)*)", re.IGNORECASE
)
_SWITCHED: Final = {"switched on": words.STATE_ON, "switched off": words.STATE_OFF}


@dataclass(frozen=True)
class Wanted:
    """A thing of a task, or the one who acts.

    Attributes:
        kind: What it is; YOU = the one who acts.
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


def read_wishes(task: str) -> tuple[Wish, ...]:
    """Returns what a task asks for, in its order: the sentences behind "In the end:", or else all of it.

    Raises:
        TaskNotUnderstoodError: A sentence is of no known form.
    """
    _, mark, told = task.rpartition(_MARK)
    told = (told if mark else task).strip().rstrip(".")
    return tuple(_wish(sentence.strip()) for sentence in told.split(";"))


def seats_in_their_rooms(wishes: Sequence[Wish]) -> Iterator[Wish]:
    """Yields what follows for a seat: it is in the room in which one shall be."""
    mine = [wish for wish in wishes if wish.subject == ME and not wish.negated and wish.object is not None]
    for seat in (wish.object for wish in mine if wish.relation == ON):
        for room in (wish.object for wish in mine if wish.relation == IN):
            if seat is not None:
                yield Wish(seat, IN, room, "", False, f"{seat} is in {room}")


def _wish(text: str) -> Wish:
    held = _HOLD.fullmatch(text)
    if held is not None:
        return Wish(_wanted(held, "object"), HELD, ME, "", held["negated"] is not None, text)
    related = _RELATION.fullmatch(text)
    if related is not None:
        subject, item = _wanted(related, "subject"), _wanted(related, "object")
        if not subject == item == ME:
            return Wish(subject, related["relation"].lower(), item, "", related["negated"] is not None, text)
    state = _STATE.fullmatch(text)
    if state is not None:
        name = _SWITCHED.get(state["state"].lower(), state["state"].lower())
        return Wish(_wanted(state, "subject"), IS_STATE, None, name, state["negated"] is not None, text)
    raise TaskNotUnderstoodError(
        f"{text!r} says of nothing how it shall be in the end. Such sentences are 'the lamp is switched on', 'the cup "
        "is not on the table', 'you hold the novel' and 'you are in the kitchen', with semicolons between"
    )


def _wanted(found: re.Match[str], part: str) -> Wanted:
    if found[f"{part}_only"]:
        return Wanted(found[f"{part}_only"].lower())
    kind = found[f"{part}_kind"]
    return Wanted(kind.lower(), found[f"{part}_number"].lower()) if kind else ME
