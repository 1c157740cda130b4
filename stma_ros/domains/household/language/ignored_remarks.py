"""Refuses texts whose ignored remarks may be requests that are not read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from stma_ros.domains.household.goals import Goal, PlaceGoal
from stma_ros.domains.household.language.requests import Request, RequestReader
from stma_ros.domains.household.language.unread import UnreadError

_SOMEBODY_THERE = re.compile(
    r"\b(?:i|we|he|she|they|(?:my|our) \w+) (?:am|are|is|was|were|(?:have|has) been|sit|sits|sat|stands?|stood|lies?"
    r"|lay|sleeps?|slept|works?|worked)"
    r"(?: (?:still|just|now|already|busy|stuck|sitting|standing|lying|sleeping|working))*"
    r" (?:on|in|at|by|near|behind|under|beside) the [\w-]+"
)
"""Where somebody is asks for nothing: "I am on the phone"."""

_CERTAIN_THING = re.compile(r"\bthe ((?:[\w-]+ )?[\w-]+)")


def check(reader: RequestReader, remarks: Sequence[str], requests: Sequence[Request]) -> None:
    """Raises UnreadError for a remark on a certain thing that no request is about."""
    named = {name for request in requests for name in _names(request.goal)}
    for remark in remarks:
        for noun in _CERTAIN_THING.findall(_SOMEBODY_THERE.sub("", remark)):
            parts = noun.split()
            found = [reader.knowledge.canonical(name) for name in (noun, parts[0], parts[-1])]
            if any(map(reader.is_handled, found)) and not named & set(found):
                raise UnreadError(remark)


def _names(goal: Goal) -> Iterator[str]:
    """Yields the categories of a goal, with those of its places and the words in them."""
    for thing in (goal.what, goal.destination if isinstance(goal, PlaceGoal) else None):
        while thing is not None:
            yield thing.category
            yield from thing.category.split()
            thing = thing.place
