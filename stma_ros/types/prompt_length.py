"""The length of texts, in a unit that is the same for all models."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\w+|[^\w\s]")


def split_tokens(text: str) -> list[str]:
    """Returns the words, numbers and punctuation marks of a text, in order."""
    return _TOKEN.findall(text)


def count_tokens(text: str) -> int:
    """Returns the number of words, numbers and punctuation marks."""
    return sum(1 for _ in _TOKEN.finditer(text))
