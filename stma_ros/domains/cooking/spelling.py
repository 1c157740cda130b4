"""The world's own letters for words that the roles keep in lower case: it may understand "BBQ" and not "bbq"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from stma_ros.domains.cooking.scene import DIRECTIONS

_WORD = re.compile(r"\w+")
_OPENING = re.compile(r"-=.*?=-|(?:^|[.?!]\s)\W*\w+", re.MULTILINE)


def letters(commands: Iterable[str], prose: Iterable[str]) -> dict[str, str]:
    """Words in lower case -> as the world spells them. Of two spellings the first is right, and one in a command before
    one in prose; in prose, titles and the first word of a sentence say nothing, nor does the name of a direction."""
    spelt: dict[str, str] = {}
    for text in (*commands, *DIRECTIONS, *(_OPENING.sub("", text) for text in prose)):
        for word in _WORD.findall(text):
            spelt.setdefault(word.casefold(), word)
    return spelt


def respelt(command: str, spelt: Mapping[str, str]) -> str:
    """A command in lower case, in these letters; words that are not known stay as they are."""
    return _WORD.sub(lambda word: spelt.get(word.group(), word.group()), command)
