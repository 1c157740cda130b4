"""Reads a choice of places for one thing: "put the mug on the table or in the sink"."""

from __future__ import annotations

import re

from stma_ros.domains.household.language.patterns import PREPOSITION
from stma_ros.memory.asked_kinds import PARTS_OF_HOME

_PLACE = rf"{PREPOSITION} (?:the|my|our|an?|one of the) (?:(?! (?:or|{PREPOSITION}) )[^&])+(?: (?:in|of) the [\w' ]+?)?"
_CHOICE = re.compile(rf"(?P<things>.+?) (?P<places>{_PLACE}(?: or {_PLACE})+)")


def places(rest: str) -> tuple[str, ...]:
    """Returns what is to be put, with each of the places of which the text leaves the choice; those that are parts of a
    home, as its floor, come last. Empty = it leaves none.

    Args:
        rest: of an imperative with "put": "the mug on the table or in the sink".
    """
    match = _CHOICE.fullmatch(rest)
    if match is None or re.search(rf" (?:or|{PREPOSITION}) ", match["things"]):
        return ()
    found = re.split(rf" or (?={PREPOSITION} )", match["places"])
    found.sort(key=lambda place: bool(PARTS_OF_HOME & {*place.split()}))
    return tuple(f"{match['things']} {place}" for place in found)
