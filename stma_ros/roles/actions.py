"""Reads actions in replies, where they are written as `str(Action)` writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from stma_ros.roles.spec import UnusableReplyError
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action

_CALL = re.compile(r"(?P<skill>[a-z][a-z_]*)\((?P<arguments>[^()]*)\)", re.IGNORECASE)
_AROUND = "\"'`. "  # what models put around an action, and is no part of it
_SHOWN = 8  # allowed actions that a refusal names
_LONGEST = 100  # [characters] of a text that an error repeats


def read_action(text: str, allowed: Sequence[Action]) -> Action:
    """Returns the allowed action that a text names, ignoring case and quotes; otherwise the action as written, which
    may be possible later.

    Raises:
        UnusableReplyError: the text is not an action: in text games any text is a command, elsewhere only a call.
    """
    said = _bare(text)
    known = {_key(str(action)): action for action in allowed}
    known |= {
        str(action): action for action in allowed
    }  # of two that differ in their case, the one that was meant
    found = known.get(text) or known.get(said) or known.get(said.casefold())
    if found is not None:
        return found
    call = _CALL.fullmatch(said)
    if call is not None:
        arguments = map(_bare, call["arguments"].split(","))
        action = Action(call["skill"], tuple(filter(None, arguments)))
        return known.get(_key(str(action)), action)
    if said and any(action.skill == words.SKILL_COMMAND for action in allowed):
        return Action(words.SKILL_COMMAND, (said,))
    raise UnusableReplyError(
        f"{text[:_LONGEST]!r} is no action; write it as the allowed ones are written, such as: {similar(said, allowed)}"
    )


def not_allowed(action: Action, allowed: Sequence[Action]) -> str:
    """Returns a text that says that the action is not allowed, and which similar ones are."""
    return f"{str(action)[:_LONGEST]!r} is not possible now; possible: {similar(str(action), allowed)}"


def similar(text: str, allowed: Sequence[Action]) -> str:
    """Returns the allowed actions that are most similar to a text, eight at most, best first."""
    texts = {str(action).casefold(): str(action) for action in allowed}
    close = get_close_matches(text.casefold()[:_LONGEST], texts, _SHOWN, cutoff=0.0)
    return ", ".join(texts[item] for item in close) or "nothing"


def _bare(text: str) -> str:
    return " ".join(text.split()).strip(_AROUND)


def _key(text: str) -> str:
    return _bare(text).casefold()
