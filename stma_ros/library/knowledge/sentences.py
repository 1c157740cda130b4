"""Reads facts from plain sentences: one subject, one predicate and one object each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from stma_ros.memory.colours import BASIC_COLOURS
from stma_ros.memory.predicates import PREPOSITIONS, VERBS
from stma_ros.types import vocabulary as words

_END = re.compile(r"[.;!?\n]+(?:\s+|$)|\n+")
_DIRECTIONS = "|".join(words.OPPOSITE)


def _either(phrases: tuple[str, ...]) -> str:
    """Returns a pattern that takes the longest phrase that fits."""
    return "|".join(sorted(map(re.escape, phrases), key=len, reverse=True))


_RELATION = re.compile(
    rf"(?P<subject>.+?) (?P<predicate>(?:is|are|was|were) (?:{_either(PREPOSITIONS)}|(?:to the )?(?:{_DIRECTIONS}) of)"
    rf"|{_either(VERBS)}|leads (?:{_DIRECTIONS}) to) (?P<object>.+)",
    re.IGNORECASE,
)
_PROPERTY = re.compile(
    r"(?P<subject>.+?) (?:is|are|was|were) (?P<article>an? )?(?P<object>.+)", re.IGNORECASE
)
_NEGATION = re.compile(r"(?:no|not|none|nothing|nobody|neither)(?![\w'-])", re.IGNORECASE)
_NOT_STATED = re.compile(
    r"(?<![\w'-])(?:not|cannot|\w+n['\u2019]t|never|nor|no longer|if|unless|whether)(?![\w'-])|(?<= )that(?![\w'-])",
    re.IGNORECASE,
)
"""Words before a predicate by which a sentence denies what follows, or does not say that it is so; a "that" with which
it begins points to a thing."""


def sentences(text: str) -> Iterator[str]:
    """Yields the sentences of a text; line feeds, semicolons and what ends a sentence part them."""
    return (part.strip() for part in _END.split(text) if part.strip())


def read_sentence(sentence: str) -> tuple[str, str, str] | None:
    """Returns the fact that a plain sentence tells.

    Args:
        sentence: "The red mug is on the table", "the kitchen contains a fridge", "the hall is north of the kitchen",
            "the fridge is closed", "the mug is red", "rex is a dog".

    Returns:
        (subject, predicate, object) for a knowledge graph; None for a sentence of another form, and for one that denies
            something ("no mug is on the table") or does not say that it is so ("if the mug is on the table, ...").
    """
    relation = _RELATION.fullmatch(sentence)
    found = relation or _PROPERTY.fullmatch(sentence)
    if found is None or _NEGATION.match(found["subject"]) or _NEGATION.match(found["object"]):
        return None
    if _NOT_STATED.search(found["subject"]):
        return None
    if relation is not None:
        return relation["subject"], relation["predicate"].lower(), relation["object"]
    value = found["object"].lower()
    if found["article"]:
        return found["subject"], words.IS_A, found["object"]
    if value in words.STATE_DIMENSION:
        return found["subject"], words.STATE, value
    if value in BASIC_COLOURS:
        return found["subject"], words.COLOUR, value
    return None
