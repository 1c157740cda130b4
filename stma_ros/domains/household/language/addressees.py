"""Removes the name by which a text calls the robot: "Robbie, ...", "Hey Jeeves, ..."."""

from __future__ import annotations

import re

from stma_ros.domains.household.language import typos
from stma_ros.memory.category_knowledge import CategoryKnowledge

_GREETING = (
    r"(?:(?:hey|hi|hello|ok|okay|dear|oh|good (?:morning|evening|afternoon|day)|so|please|yo|listen|excuse me"
    r"|thanks)[ ,]+)*"
)
_CALLED_FIRST = re.compile(rf"^(?P<greeting>{_GREETING})(?P<name>[a-z]+)\s*,\s*(?=\w)")
_CALLED_LAST = re.compile(r",\s*(?P<name>[a-z]+)(?=\s*\.\s*$)")


def without_name(text: str, knowledge: CategoryKnowledge) -> str:
    """Returns a normalised text without an unknown word that calls the robot at its beginning or end."""
    match = _CALLED_FIRST.match(text)
    if match and _is_name(match["name"], knowledge):
        return match["greeting"] + text[match.end() :]
    match = _CALLED_LAST.search(text)
    return (
        text[: match.start()] + text[match.end() :] if match and _is_name(match["name"], knowledge) else text
    )


def _is_name(word: str, knowledge: CategoryKnowledge) -> bool:
    """Whether a word is unknown, and no typing error of a known one."""
    return bool(typos.unknown_words(word, knowledge)) and not typos.near_words(word, knowledge)
