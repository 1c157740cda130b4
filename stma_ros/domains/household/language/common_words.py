"""Common English words, which are not taken for typing errors of the words that the grammar knows."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

COMMON_WORDS: Final = frozenset(
    files(__package__).joinpath("common_words.txt").read_text(encoding="utf-8").split()
)
