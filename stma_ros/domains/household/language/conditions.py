"""Reads conditions on the state that a request changes: "if the lamp is on, turn it off" asks to have it off."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stma_ros.domains.household.language import verbs
from stma_ros.domains.household.language.unread import UnreadError
from stma_ros.types import vocabulary as words

_OPPOSITES = {
    "open": words.STATE_CLOSED,
    "closed": words.STATE_OPEN,
    "shut": words.STATE_OPEN,
    "on": words.STATE_OFF,
    "running": words.STATE_OFF,
    "lit": words.STATE_OFF,
    "off": words.STATE_ON,
}
_SAME = {
    "open": words.STATE_OPEN,
    "closed": words.STATE_CLOSED,
    "shut": words.STATE_CLOSED,
    "on": words.STATE_ON,
    "running": words.STATE_ON,
    "lit": words.STATE_ON,
    "off": words.STATE_OFF,
    "full": words.STATE_FULL,
    "empty": words.STATE_EMPTY,
}
"""The state that is wanted where it does not hold yet. A vessel that is not full need not be empty."""

_STATE = (
    r"(?P<{0}>it|they|that|this|the [^.,;:]+?|my [^.,;:]+?|our [^.,;:]+?) (?:is|are)(?P<{1}> not)?"
    r"(?: (?:still|already|currently|left|turned|switched|yet|standing|wide|by any chance))*"
    rf" (?P<{{2}}>{'|'.join(_SAME)})"
)
_REQUEST = "|".join((*verbs.BASES, "you", "could", "can", "would"))
_FIRST = re.compile(
    rf"(?:(?<=^)|(?<=[.,;:] ))(?:if|in case) {_STATE.format('x', 'no', 'state')}"
    rf"(?:\s*,(?: then)?|(?= (?:please |then |kindly )*(?:{_REQUEST})\b))"
)
_LAST = re.compile(rf" if {_STATE.format('x', 'no', 'state')}(?=\s*(?:[.,;:]|and\b|$))")
_OTHER = re.compile(r"(?:^|\. )(?P<condition>in case [^.,;:]+)|(?P<rain>\bin case of [^.,;:]+)")
_MARKED = re.compile(rf"(?P<mark>given|provided) {_STATE.format('x', 'no', 'state')}")

FAULT = "is a condition that I cannot check before I act"
REMEDY = "Say what is wanted in any case."


@dataclass(frozen=True)
class Condition:
    """A condition on a state.

    Attributes:
        text: of the condition.
        thing: noun phrase or pronoun of the object.
        wanted: the state that a request under this condition has to ask for.
        comes_first: whether it stands before its request.
    """

    text: str
    thing: str
    wanted: str
    comes_first: bool

    @property
    def error(self) -> UnreadError:
        return UnreadError(self.text, FAULT, REMEDY)


def marked(text: str) -> str:
    """Returns a normalised text whose conditions on states are clauses that `read` recognises.

    Raises:
        UnreadError: the text begins with another condition.
    """
    text = _FIRST.sub(lambda m: f"given {_plain(m)} , ", text)
    other = _OTHER.search(text)
    if other:
        raise UnreadError(other["condition"] or other["rain"], FAULT, REMEDY)
    return _LAST.sub(lambda m: f" , provided {_plain(m)}", text)


def _plain(match: re.Match[str]) -> str:
    return f"{match['x']} is{match['no'] or ''} {match['state']}"


def is_condition(text: str) -> bool:
    """Whether a clause is a condition on a state."""
    return bool(_MARKED.fullmatch(text))


def read(text: str) -> Condition | None:
    """Returns the condition in a clause; None for other clauses.

    Raises:
        UnreadError: the opposite of the state is not one state.
    """
    match = _MARKED.fullmatch(text)
    if match is None:
        return None
    shown = f"if {match['x']} is{match['no'] or ''} {match['state']}"
    wanted = (_SAME if match["no"] else _OPPOSITES).get(match["state"], "")
    if not wanted:
        raise UnreadError(shown, FAULT, REMEDY)
    return Condition(shown, match["x"], wanted, match["mark"] == "given")
