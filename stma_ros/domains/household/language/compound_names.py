"""Names things without words of the grammar: the "can" in "watering can" and in "the red can" is no verb."""

from __future__ import annotations

import re
from functools import lru_cache

from stma_ros.domains import noun_words
from stma_ros.memory.category_knowledge import CategoryKnowledge

_WORD_OF_GRAMMAR = re.compile(r" (?:can|will|may|must|on|in|off|out|up|down|over|and|to)s?\b")


_CAN = re.compile(
    r"\b(?P<start>(?:the|my|our|an?|(?:every|each|one|this|that)(?= (?!can\b)))"
    r" (?P<adjectives>(?:(?!(?:the|and|my|our|an?)\b)[a-z]+ ){0,3}?))can\b(?! opener)"
)


def joined(text: str, knowledge: CategoryKnowledge) -> str:
    """Returns a normalised text with "watering_can" for "watering can", and "the red tin" for "the red can"."""

    def tin(match: re.Match[str]) -> str:
        adjectives = match["adjectives"].split()
        is_noun = all(
            (knowledge.colour(word) or word in noun_words.SIZES) and not knowledge.is_known(word)
            for word in adjectives
        )
        return f"{match['start']}tin" if is_noun else match[0]

    return _CAN.sub(tin, _names(knowledge).sub(lambda match: match[0].replace(" ", "_"), text))


@lru_cache(maxsize=8)
def _names(knowledge: CategoryKnowledge) -> re.Pattern[str]:
    """Returns a pattern of the names that contain a word of the grammar; it matches nothing if there are none."""
    known = (*knowledge.things, *knowledge.containers, *knowledge.furniture, *knowledge.synonyms)
    names = sorted({name for name in known if _WORD_OF_GRAMMAR.search(name)}, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names)) or '(?!)'})(?=s?\b)")
