"""Joins names of things that contain a word of the grammar: the "can" in "watering can" is no verb."""

from __future__ import annotations

import re
from functools import lru_cache

from stma_ros.memory.category_knowledge import CategoryKnowledge

_WORD_OF_GRAMMAR = re.compile(r" (?:can|will|may|must|on|in|off|out|up|down|over|and|to)s?\b")


def joined(text: str, knowledge: CategoryKnowledge) -> str:
    """Returns a normalised text with "watering_can" for "watering can"."""
    return _names(knowledge).sub(lambda match: match[0].replace(" ", "_"), text)


@lru_cache(maxsize=8)
def _names(knowledge: CategoryKnowledge) -> re.Pattern[str]:
    """Returns a pattern of the names that contain a word of the grammar; it matches nothing if there are none."""
    known = (*knowledge.things, *knowledge.containers, *knowledge.furniture, *knowledge.synonyms)
    names = sorted({name for name in known if _WORD_OF_GRAMMAR.search(name)}, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names)) or '(?!)'})(?=s?\b)")
