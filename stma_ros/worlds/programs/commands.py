"""The commands of the agent: the actions that leave a trace in a home, in words.

Others of VirtualHome, such as touching, change nothing that a task asks for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from stma_ros.worlds.programs.execution import Deed
from stma_ros.worlds.programs.home_graph import HANDS, HomeGraph

_TEXTS: Final[Mapping[str, str]] = {
    "WALK": "walk to {}",
    "GRAB": "grab {}",
    "PUTBACK": "put {} on {}",
    "PUTIN": "put {} in {}",
    "POUR": "pour {} into {}",
    "DROP": "drop {}",
    "OPEN": "open {}",
    "CLOSE": "close {}",
    "SWITCHON": "switch on {}",
    "SWITCHOFF": "switch off {}",
    "PLUGIN": "plug in {}",
    "PLUGOUT": "unplug {}",
    "WASH": "wash {}",
    "WIPE": "wipe {}",
    "PUTON": "wear {}",
    "PUTOFF": "take off {}",
    "SIT": "sit on {}",
    "LIE": "lie on {}",
    "STANDUP": "stand up",
}
_PATTERNS: Final = {
    action: re.compile(re.escape(text).replace(re.escape("{}"), r"(\S+)")) for action, text in _TEXTS.items()
}
FORMS: Final = ", ".join(text.replace("{}", "X", 1).replace("{}", "Y") for text in _TEXTS.values())
"""The forms of all commands, for messages."""


def command_text(action: str, names: Iterable[str]) -> str:
    """Returns the command of an action on things by their names."""
    return _TEXTS[action].format(*names)


def read_command(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Returns the action of a command and the names of its things; None for a text that is no command."""
    for action, pattern in _PATTERNS.items():
        found = pattern.fullmatch(text)
        if found:
            return action, found.groups()
    return None


def conceivable(graph: HomeGraph, things: Collection[int], rooms: Iterable[int]) -> Iterator[Deed]:
    """Yields the actions on what is seen and on rooms that are worth a check of what they need.

    Args:
        graph: the home.
        things: what is seen.
        rooms: all rooms; one can only walk to them.
    """
    held = dict.fromkeys(graph.targets(graph.character.id, *HANDS))  # a thing may be in both hands
    for room in rooms:
        yield "WALK", (room,)
    for action, text in _TEXTS.items():
        match text.count("{}"):
            case 0:
                yield action, ()
            case 1:
                yield from ((action, (thing,)) for thing in things)
            case _:
                yield from ((action, (thing, place)) for thing in held for place in things)
