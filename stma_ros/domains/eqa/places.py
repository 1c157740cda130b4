"""Splits a noun phrase into the name of a thing and the places after it."""

from __future__ import annotations

import re

from stma_ros.domains.eqa.question import Relation

_SIDE = r"(?:(?:the )?(?:far |very |immediate )?(?P<side>left|right)(?:[- ]hand)?(?: side)?)"
_PREPOSITIONS: tuple[tuple[Relation, str], ...] = (
    (Relation.SAME_ROOM, r"in the same room (?:as|with)"),
    (Relation.BETWEEN, r"(?:in )?between|in the middle of (?=.+ and )"),
    (Relation.LEFT_OF, r"(?:(?:to|on|at|in) )?(?:the )?left(?:[- ]hand)?(?: side)? (?:of|from)"),
    (Relation.RIGHT_OF, r"(?:(?:to|on|at|in) )?(?:the )?right(?:[- ]hand)?(?: side)? (?:of|from)"),
    (Relation.IN_FRONT_OF, r"in (?:the )?front of|facing"),
    (Relation.OPPOSITE, r"(?:directly )?across(?: from)?|opposite(?: to| of| from)?|perpendicular to"),
    (
        Relation.ON,
        r"on (?:the )?(?:very )?(?:top|surface|edge|side|back|front)(?: part)? of|on top(?= the )|at the edge of"
        r"|onto|on to|upon|atop|covering|on",
    ),
    (Relation.UNDER, r"(?:at )?(?:the )?(?:bottom of|foot of)|under|underneath|below|beneath|supporting"),
    (Relation.ABOVE, r"above(?! (?:room|floor|level|storey)\b)|over"),
    (Relation.BEHIND, r"(?:in the back of|at the back of|out from behind|behind)"),
    (Relation.RELATIVE_TO, r"relative to|in relation to|with respect to"),
    (
        Relation.NEAR,
        r"next to|(?:attached|connected|fixed|tied|linked|glued|taped) to"
        r"|(?:right |just )?by|near(?: to)?|(?:clos(?:e|er|est)|near(?:er|est)|adjacent) (?:to|by)|besides?"
        r"|alongside|against|(?:in|on|at) the (?:\w+ )?corner of|outside(?: of)?|from|at(?! (?:least|most)\b)",
    ),
    (Relation.AROUND, r"around|surrounding|along(?: with)?"),
    (
        Relation.IN,
        r"(?:in|at|on) the (?:middle|cent(?:re|er)|inside|interior) of|inside(?: of)?|within|into|in",
    ),
    (Relation.WITH, r"with|that (?:has|have|holds?|contains?)|containing|having|holding"),
    (Relation.PART_OF, r"of|belonging to"),
)
_LINK = (
    r"(?:(?:that|which|who) )?(?:(?:is|are|was|were|can be|being|stands?|lies?|sits?|hangs?|standing|sitting|lying"
    r"|hanging|leaning|leans|resting|located|placed|kept|stored|left(?! of| from| side)|put|positioned|situated"
    r"|displayed|mounted|attached|fixed|hung|seen|found|parked|currently|right|directly|just|immediately|all|(?:some|any)where|still"
    r"|visible|sticking out|coming out|facing away)(?: or)? )*"
)
_ANY = "|".join(
    f"(?P<{relation.name}>{pattern})"
    for relation, pattern in _PREPOSITIONS
    if relation is not Relation.PART_OF
)
# "Of" is tried last, after the prepositions that end with it.
_PLACE = re.compile(rf"(?:^|(?<= )){_LINK}(?:{_ANY}|(?P<PART_OF>of|belonging to)) ")
_BOTH = re.compile(r" and (?:(?:the|a|an|my) )?")
_SIDE_ONLY = re.compile(r"(?:^|(?<= ))(?:(?:to|on|at|in) the )(?P<side>left|right)(?:[- ]hand)?(?: side)?$")
_MEASURE = re.compile(
    r"\b(?:pair|piece|set|bunch|box|bag|bottle|glass|cup|roll|stack|pile|can|jar|row|group|kind|type|carton|packet|pack|loaf"
    r"|chest|number|lot|couple|pot|bowl|plate|bar|word|any|all|some|both|each|one|two|most|none|picture|painting|drawing|photo|photograph|image|sheet)s?$"
)


def split_places(text: str) -> tuple[str, tuple[tuple[Relation, str], ...], str]:
    """Splits a noun phrase at its prepositions.

    Args:
        text: a noun phrase in the spelling of `wording.normalised`.

    Returns:
        The name of the thing, (relation, noun phrase) of each place in the order of the words, and the side ("left" or
        "right") on which the last one is said to be, or empty.
    """
    side = _SIDE_ONLY.search(text)
    if side is not None:
        text = text[: side.start()].strip()
    parts: list[str] = []
    relations: list[Relation] = []
    start = position = 0
    while (found := _PLACE.search(text, position)) is not None:
        relation = Relation[found.lastgroup or ""]
        before = text[start : found.start()].strip()
        position = found.end()
        if relation is Relation.BETWEEN and (both := _BOTH.search(text, position)) is not None:
            position = both.end()  # "between the door with a peephole and the bench"
        if relation is Relation.PART_OF and (_MEASURE.search(before) or not before):
            continue  # "box of tissues" is one name
        parts.append(before)
        relations.append(relation)
        start = found.end()
    parts.append(text[start:].strip())
    places = tuple((relation, part) for relation, part in zip(relations, parts[1:], strict=True) if part)
    return parts[0], places, side["side"] if side is not None else ""


def starts_with_place(text: str) -> bool:
    """Whether a text begins with a preposition of place, or a verb of lying there before one."""
    return _PLACE.match(text + " ") is not None or _SIDE_ONLY.match(text) is not None
