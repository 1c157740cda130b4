"""Reads ranges of numbers: "two or three mugs" and "at least two mugs" are reached with two."""

from __future__ import annotations

import re

from stma_ros.domains import noun_words
from stma_ros.domains.household.language.patterns import BASE, GERUND, PARTICIPLE, PREPOSITION
from stma_ros.domains.household.language.unread import UnreadError

NUMBER = (
    "(?:"
    + "|".join(sorted((n for n in noun_words.NUMBERS if " " not in n), key=len, reverse=True))
    + r"|\d{1,3})"
)

_RANGE = re.compile(rf"\b(?P<least>{NUMBER})(?: (?:or|to) |-)(?P<most>{NUMBER})\b(?! (?:or|to)\b)(?= [a-z])")
_AT_LEAST = re.compile(
    rf"\b(?:at least|no fewer than|no less than|not less than|a minimum of|minimum) (?P<least>{NUMBER})\b"
    rf"|\b(?P<also>{NUMBER}) or more\b|\bmore than (?P<over>{NUMBER})\b"
)
_MEASURE = (
    r" (?:(?:more|other|long|short|whole|good|and|a|half|an) )*(?:seconds?|minutes?|mins?|hours?|hrs?|days?|nights?"
    r"|weeks?"
    r"|months?|years?|o'clock|am|pm|times|people|guests|miles?|kilomet\w+|metres?|past|percent|(?:last |final "
    r"|quick |small )*(?:thing|favou?r|request|question|job|task))\b"
)
"""After a number that tells no number of things."""
_INEXACT = re.compile(
    r"(?<!\bwhat )(?<!\bhow )(?<!\bthe )\b(?:exactly|precisely|only|just|at (?:the )?most|a maximum of|up to"
    r"|no more than"
    r"|not more than|less than"
    rf"|fewer than|about|around|roughly|approximately|nearly|almost)(?: the)? (?:{NUMBER}|all|half|every)\b"
    rf"(?! (?:i|we|who)\b|{_MEASURE})"
)
_JUST = r"(?:just|only|exactly|precisely)"
_ONE_ACTION = re.compile(
    rf"\b(?P<before>(?:(?!leav|keep|kept|hold)(?:{BASE}|{GERUND})(?: (?:on|off|up|out|down|away|me|us|for))*"
    rf"|{PREPOSITION})) {_JUST} (?={NUMBER} of (?:the|my|our|these|those) )"
    rf"|\b(?P<handed>(?:bring|fetch|get|give|hand|pass|bringing|fetching|getting|giving) (?:me"
    rf"|us)) {_JUST} (?={NUMBER} )"
)
"""What is done with some of a group, or to one of its places, limits nothing else: "take just one of the cups"."""
_ONES_ACTED_ON = re.compile(
    rf"\b(?P<wish>(?:want|need|wants|needs|like|love|prefer|have|get)) {_JUST}"
    rf" (?={NUMBER} of (?:the|my|our|these|those) (?:[\w'-]+ ){{1,4}}?(?!left\b|kept\b|held\b){PARTICIPLE}\b)"
)
"""The same in the passive: "I want just one of the cups taken away"."""
_FRACTION = re.compile(
    rf"\b(?:(?:a|one|{NUMBER}) )?(?:half|third|quarter|fifth|tenth|majority|most|part|percent|bulk|some)s? of"
    r" (?:the|my|our|these|those|them|it)\b"
)


def with_least_numbers(text: str) -> str:
    """Returns a normalised text with the least number in place of each range.

    Raises:
        UnreadError: a number is an upper bound, or inexact, which goals cannot say.
    """
    text = _ONES_ACTED_ON.sub(
        r"\g<wish> ", _ONE_ACTION.sub(lambda match: f"{match['before'] or match['handed']} ", text)
    )
    inexact = _INEXACT.search(text) or _FRACTION.search(text)
    if inexact:
        raise UnreadError(
            inexact[0],
            "is a number that I cannot keep to",
            "Give a number, a range such as 'two or three', or 'at least' and a number.",
        )
    text = _RANGE.sub(lambda m: m["least"] if _value(m["most"]) > _value(m["least"]) else m[0], text)
    return _AT_LEAST.sub(lambda m: m["least"] or m["also"] or str(_value(m["over"]) + 1), text)


def _value(number: str) -> int:
    return noun_words.NUMBERS[number] if number in noun_words.NUMBERS else int(number)


def number(text: str) -> int:
    """Returns the number of a numeral in words or digits. Raises UnreadError."""
    if text not in noun_words.NUMBERS and not text.isdecimal():
        raise UnreadError(f"{text} of them")
    value = _value(text)
    if value < 1:
        raise UnreadError(f"{text} of them")
    return value
