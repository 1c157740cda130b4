"""Reads clauses that tell more of the requests before them: "it is on the shelf", "not on the table"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from stma_ros.domains.household.goals import PlaceGoal
from stma_ros.domains.household.language import noun_phrase
from stma_ros.domains.household.language.patterns import AND, PARTICIPLE, PREPOSITION, STATE
from stma_ros.domains.household.language.request import Request
from stma_ros.domains.household.language.requests import RequestReader
from stma_ros.domains.household.language.unread import UnreadError
from stma_ros.memory.descriptions import Description
from stma_ros.types import vocabulary as words

_HINT = re.compile(
    r"(?:it|they|that|this|one)(?: (?:is|are|was|were|should be|may be|might be|must be|could be|ought to"
    r" be|can be|lies|lie|stands"
    r"|sits|hangs))(?: (?:probably|usually|perhaps|maybe|still|likely|lying|standing|kept|hiding|found"
    r"|somewhere))* (?P<rest>.+)"
)
AMBIENCE = re.compile(
    r"(?:(?:so|very|too|really|rather|quite|getting|a bit|a little|terribly) )*(?:cold|hot|warm|dark|late|early"
    r"|loud"
    r"|noisy|bright|stuffy|freezing|chilly|raining|sunny|windy|time|urgent|important|enough|fine|ok|okay|cool)"
    r"(?: (?:in )?here| outside| inside| in (?:the|my|our) \w+(?: room)?)?"
)
_TO_BE_CHANGED = re.compile(rf"\w+ (?:should|must|ought to) be (?:{STATE}|{PARTICIPLE}(?: on| off)?)")


def described(reader: RequestReader, text: str, last: Sequence[Request]) -> list[Request] | None:
    """Returns requests with the place or looks that a clause tells; None = the clause is no hint.

    Args:
        reader: of requests.
        text: a clause.
        last: the requests of the clause before it.

    Raises:
        UnreadError: it is not clear which of several objects the clause is about.
    """
    match = _HINT.fullmatch(text)
    if (
        not match
        or not last
        or re.search(r"\bnot\b", match["rest"])
        or _TO_BE_CHANGED.fullmatch(text)
        or AMBIENCE.fullmatch(match["rest"])
    ):
        return None
    if len(last) > 1 and re.match(r"(?:it|this|that|one) (?:is|was|lies|stands|sits|hangs)\b", text):
        raise UnreadError(text)  # "bring the pen and the book. it is on the desk"
    if not all(map(reader.nouns.is_adjectives, match["rest"].split(AND)[1:])):
        return None
    if any(isinstance(r.goal, PlaceGoal) and r.goal.destination is not None for r in last):
        return None
    details = match["rest"].replace(AND, " ")
    return [_with_description(reader, request, details) for request in last]


def is_exclusion(reader: RequestReader, text: str, last: Sequence[Request]) -> bool:
    """Whether a clause excludes another place for the last requests: "in the cupboard, not on the table"."""
    match = re.fullmatch(rf"not (?P<place>{PREPOSITION} (?:the|my|our|a) [^&]+)", text)
    goals = [request.goal for request in last]
    if match is None or not goals:
        return False
    other = noun_phrase.split_places(f"thing {match['place']}")[1][0][1]
    reader.nouns.read(other)  # "not in the dirty box" is not understood
    return not reader.lists.is_room(other) and all(
        isinstance(goal, PlaceGoal) and goal.destination is not None and goal.relation != words.IN_ROOM
        for goal in goals
    )


def _with_description(reader: RequestReader, request: Request, text: str) -> Request:
    """Returns a request with more details of its objects, which a text describes. Raises UnreadError."""
    thing, places = noun_phrase.split_places(text)
    phrase = request.phrase
    more = reader.nouns.read_with_places(f"{thing} {phrase.what.category}".strip(), places).what
    what = phrase.what
    for told, also in ((what.colours, more.colours), (what.size, more.size)):
        if told and also and told != also:
            raise UnreadError(text, f"describes something else than the {what}")
    what = replace(what, colours=what.colours or more.colours, size=what.size or more.size)
    if more.place is not None:
        what = _located(what, more)
    described_phrase = replace(phrase, what=what)
    reader.mentions.add((described_phrase,))
    return replace(request, phrase=described_phrase, goal=replace(request.goal, what=what))


def _located(what: Description, more: Description) -> Description:
    """Returns a description with the place of another one; its own place may be in a room that the other names.

    Raises:
        UnreadError: the places exclude each other.
    """
    if what.place is None or (what.relation, what.place) == (more.relation, more.place):
        return replace(what, relation=more.relation, place=more.place)
    if more.relation != words.IN_ROOM or what.place.place is not None:
        raise UnreadError(f"{more.relation} the {more.place}", f"is another place than that of the {what}")
    return replace(what, place=replace(what.place, relation=more.relation, place=more.place))
