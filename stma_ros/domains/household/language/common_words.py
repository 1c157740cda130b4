"""Common English words, and which of them are nouns."""

from __future__ import annotations

from importlib.resources import files
from typing import Final


def _words(name: str) -> frozenset[str]:
    return frozenset(files(__package__).joinpath(name).read_text(encoding="utf-8").split())


COMMON_WORDS: Final = _words("common_words.txt")
"""Words that are not taken for typing errors of those that the grammar knows."""

COMMON_NOUNS: Final = _words("common_nouns.txt")
"""Those of them that are nouns and no adjectives (SPECIALIST Lexicon of the US National Library of Medicine), but not
what says whose, when or where something is. With them, a person names a kind of thing: "lawn chair"."""
