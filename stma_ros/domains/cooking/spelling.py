"""Restores the world's spelling of words that the roles use in lower case; the world may understand only "BBQ"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from stma_ros.domains.cooking.scene import DIRECTIONS

_WORD = re.compile(r"\w+")
_OPENING = re.compile(r"-=.*?=-|(?:^|[.?!]\s)\W*\w+", re.MULTILINE)


def world_spelling(commands: Iterable[str], prose: Iterable[str]) -> dict[str, str]:
    """Returns the world's spelling of each word in lower case.

    The first spelling of a word counts, and spellings in commands come before those in prose. In prose, titles and the
    first words of sentences are ignored. Directions are spelt in lower case.
    """
    spellings: dict[str, str] = {}
    for text in (*commands, *DIRECTIONS, *(_OPENING.sub("", text) for text in prose)):
        for word in _WORD.findall(text):
            spellings.setdefault(word.casefold(), word)
    return spellings


def restore_spelling(command: str, spellings: Mapping[str, str]) -> str:
    """Returns a command in the world's spelling; words without a known spelling stay as they are."""
    return _WORD.sub(lambda word: spellings.get(word.group(), word.group()), command)
