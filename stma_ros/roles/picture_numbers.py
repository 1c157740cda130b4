"""Removes the numbers by which a question names its pictures from texts that later questions are made of.

Snapshots and frontiers are numbered anew at each step, so that a number in a checklist or a trail would name another
picture later (Pred-EQA, figures 4 and 6). The published code removes every digit; here counts and measures stay.
"""

from __future__ import annotations

import re

_NUMBER = r"\d+(?![\w%°]|\.\d| ?(?:m|cm|met(?:re|er)s?|degrees?)\b)"  # no measure
_BETWEEN = r"(?:, ?(?:and |or )?| (?:and|or|to) | ?[/&\u2013-] ?)"
_LIST = rf"{_NUMBER}(?:{_BETWEEN}{_NUMBER})*"
_BRACKETS = rf"\[ ?{_LIST} ?\]|\{{ ?{_LIST} ?\}}|\( ?{_LIST} ?\)"
_NAMED = r"[ _-]?(?:(?:#|:|no\.|number|id|index|indices) ?)?"
_NOUN = r"\b(?:snapshot|frontier)"
_MENTION = re.compile(
    rf" ?\((?:(?:see|in|from|evidence:?) )?{_NOUN}s?{_NAMED}(?:{_BRACKETS}|{_LIST})\)"  # in brackets of its own
    rf"|(?P<many>{_NOUN}s){_NAMED}(?:{_BRACKETS}|{_LIST})"
    rf"|(?P<one>{_NOUN}){_NAMED}(?:{_BRACKETS}|{_NUMBER})"
    r"|(?<=[^\W\d_])_\d+\b",  # of an id such as "chair_2"
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_MAX_PASSES = 8  # what is left after a removal may be a mention again


def without_picture_numbers(text: str) -> str:
    """Returns a text in one line, without numbers of snapshots and frontiers, and without numbers of ids.

    "Snapshot 2 shows two chairs 1.5 m from frontier 0" becomes "Snapshot shows two chairs 1.5 m from frontier". All
    digits are removed from a text in which mentions are nested too deeply. The result does not change if it is passed
    again.
    """
    line = " ".join(text.split())
    for _ in range(_MAX_PASSES):
        line, count = _MENTION.subn(lambda match: match["many"] or match["one"] or "", line)
        if not count:
            return line
        line = " ".join(line.split())
    return " ".join(_DIGIT.sub("", line).split())
