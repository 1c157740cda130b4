"""The commands of activities, as the world words them: "walk to kitchen_1", "put cup_1 on table_1", "stand up"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from stma_ros.types import vocabulary as words

HANDS: Final = 2
"""Number of things that one can hold."""

STATE_AFTER: Final = {
    "open": "open",
    "close": "closed",
    "switch on": "on",
    "switch off": "off",
    "plug in": "plugged in",
    "unplug": "plugged out",
    "wash": "clean",
    "wipe": "clean",
}
"""The state of a thing after a command, by its verb."""

WALK: Final = "walk to"
PLACING: Final = ("put", "pour")

_NAME = re.compile(r"\S+_\d+")
_RELATIONS = {"on": words.ON, "in": words.IN, "into": words.IN}


@dataclass(frozen=True)
class Command:
    """A command in its parts.

    Attributes:
        verb: The words before the first name, such as "switch on".
        names: Of the things that it handles, in order.
        relation: Between the two things of a command that places one, ON or IN; else empty.
    """

    verb: str
    names: tuple[str, ...] = ()
    relation: str = ""


def read_command(text: str) -> Command:
    """Returns the parts of a command."""
    told = text.split()
    names = [number for number, word in enumerate(told) if _NAME.fullmatch(word)]
    verb = " ".join(told[: names[0]] if names else told)
    between = told[names[0] + 1 : names[1]] if len(names) > 1 else []
    return Command(verb, tuple(told[number] for number in names), _RELATIONS.get(" ".join(between), ""))
