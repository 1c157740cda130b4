"""Phrases and questions for things, word by word, in no particular domain."""

from __future__ import annotations

import re

_WORD = re.compile(r"[\w'-]+")
_PLACE = re.compile(r"(?<![\w'-])(?:in|inside|on|at)(?![\w'-])")
_FILLERS = frozenset(
    re.split(
        r"\s+",
        "a an and any are can could did do does find for found get has have i is it know last leave left look me my of "
        "our please put saw see seen some tell that the there these this those was we were what when where which you "
        "your",
    )
)
"""Words of a question that do not name an object."""


def split_place(phrase: str) -> tuple[str, str]:
    """Returns the thing and the place of "the red potato on the counter in the kitchen", in lower case and without the
    prepositions; the place may be empty."""
    thing, *places = _PLACE.split(phrase.casefold())
    return thing, " ".join(places)


def telling_words(text: str) -> tuple[str, ...]:
    """Returns the words that name something."""
    return tuple(word for word in _WORD.findall(text) if word not in _FILLERS)
