"""Refuses texts whose ignored remarks may be requests that are not read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from stma_ros.domains.household.goals import Goal, PlaceGoal
from stma_ros.domains.household.language.requests import Request, RequestReader
from stma_ros.domains.household.language.unread import UnreadError

_OF_PEOPLE = re.compile(r"(?:i|we|he|she|they|nobody|no one|(?:some|every)(?:one|body)|(?:my|our) \w+)\b")
_CERTAIN_THING = re.compile(r"\bthe ((?:[\w-]+ )?[\w-]+)")


def check(reader: RequestReader, remarks: Sequence[str], requests: Sequence[Request]) -> None:
    """Raises UnreadError for a remark on a certain thing that no request is about."""
    named = {name for request in requests for name in _names(request.goal)}
    for remark in remarks:
        if _OF_PEOPLE.match(remark):
            continue
        for noun in _CERTAIN_THING.findall(remark):
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
