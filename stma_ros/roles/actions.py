"""Reads actions in replies, which write them in the form of `str(Action)`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from stma_ros.roles.spec import UnusableReplyError
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action

_CALL = re.compile(r"(?P<skill>[a-z][a-z_]*)\((?P<arguments>[^()]*)\)", re.IGNORECASE)
_QUOTES = "\"'`"
_ENDS = ". "
_AROUND = _QUOTES + _ENDS  # marks that models put around an action
_MAX_SIMILAR = 8  # allowed actions in an error
_MAX_QUOTED = 100  # [characters] of a text that an error quotes


def read_action(text: str, allowed: Sequence[Action], *, any_command: bool = False) -> Action:
    """Returns the allowed action that a text names, ignoring case and quotes.

    An action that is not allowed is returned as it is written, because it may become possible later in a plan.

    Args:
        text: the text.
        allowed: the actions that are listed.
        any_command: whether any text is a command, even if no command is listed.

    Raises:
        UnusableReplyError: the text is not an action. In text games any text is a command, elsewhere only a call is an
            action.
    """
    bare = _bare(text)
    known = {_key(str(action)): action for action in allowed}
    known |= {str(action): action for action in allowed}  # tells apart two actions that differ in case alone
    found = known.get(text) or known.get(bare) or known.get(bare.casefold())
    if found is not None:
        return found
    call = _CALL.fullmatch(bare)
    if call is not None:
        arguments = map(_bare, call["arguments"].split(","))
        action = Action(call["skill"], tuple(filter(None, arguments)))
        return known.get(_key(str(action)), action)
    if bare and (any_command or any(action.skill == words.SKILL_COMMAND for action in allowed)):
        return Action(words.SKILL_COMMAND, (_without_quotes(text),))
    raise UnusableReplyError(
        f"{text[:_MAX_QUOTED]!r} is no action; write it as the allowed ones are written, such as: "
        f"{similar(bare, allowed)}"
    )


def not_allowed(action: Action, allowed: Sequence[Action]) -> str:
    """Returns an explanation that the action is not allowed, with similar actions that are."""
    return f"{str(action)[:_MAX_QUOTED]!r} is not possible now; possible: {similar(str(action), allowed)}"


def similar(text: str, allowed: Sequence[Action]) -> str:
    """Returns the allowed actions that are most similar to a text, at most eight, best first."""
    texts = {str(action).casefold(): str(action) for action in allowed}
    close = get_close_matches(text.casefold()[:_MAX_QUOTED], texts, _MAX_SIMILAR, cutoff=0.0)
    return ", ".join(texts[item] for item in close) or "nothing"


def _bare(text: str) -> str:
    return " ".join(text.split()).strip(_AROUND)


def _without_quotes(text: str) -> str:
    """Returns a command without marks around the whole of it; those of what is said in it stay: say "hello"."""
    command = " ".join(text.split()).strip(_ENDS)
    while len(command) > 1 and command[0] == command[-1] and command[0] in _QUOTES:
        command = command[1:-1].strip(_ENDS)
    return command


def _key(text: str) -> str:
    return _bare(text).casefold()
