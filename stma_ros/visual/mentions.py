"""Finds the things in a picture that a question and its answer name, so that they can be outlined."""

from __future__ import annotations

import re
from collections.abc import Iterable

from stma_ros.memory.category_knowledge import CategoryKnowledge

_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_LONGEST = 3  # words of a category's name


def mentioned(text: str, categories: Iterable[str], knowledge: CategoryKnowledge) -> frozenset[str]:
    """Returns the categories that a text names: by their own name, a synonym, or a wider category, in the singular or
    plural. Of names that overlap, the longest counts: a "tv stand" is no tv."""
    lineages = {category: knowledge.lineage(category) for category in set(categories) if category}
    words = _WORD.findall(text.lower())
    found: set[str] = set()
    begin = 0
    while begin < len(words):
        for length in range(min(_LONGEST, len(words) - begin), 0, -1):
            name = knowledge.canonical(" ".join(words[begin : begin + length]))
            named = {category for category, lineage in lineages.items() if name in lineage}
            if named:
                break
        found |= named
        begin += length if named else 1
    return frozenset(found)
