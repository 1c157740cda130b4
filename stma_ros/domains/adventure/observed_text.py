"""Reads the room out of an observation, as the history of a task shows it: in one line.

The line has the story's reply, the description of the room, if there is one, and what is carried. A description begins
with the name of the room, as is the custom of text adventures: "Old Mill A wheel turns slowly here.", or with marks
around it, "-= Old Mill =- A wheel turns slowly here."
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from stma_ros.domains.adventure.directions import named_directions

UNNAMED = "a place without a name"
"""The title of places that are not described, as in the dark."""

_MARKED = re.compile(r"(?:^|(?<=\s))[-=~_<\[]{2,} ?(?P<title>\w[^-=~_<>\[\]]*?) ?[-=~_>\]]{2,}(?=\s|$)")
_SEPARATORS = re.compile(r"[().,:;]")  # no part of a title, as maps are written with them
_SENTENCE_BEGIN = re.compile(r"(?:^|[.!?][\"')\]]*\s+)(?=[A-Z0-9])")
_CAPITAL = re.compile("[A-Z0-9][\\w'\u2019&-]*")
_SMALL = {
    "a", "an", "and", "at", "behind", "below", "by", "for", "from", "in", "into", "near", "of", "off", "on", "over",
    "the", "to", "under", "with",
}  # fmt: skip
_NO_NAME = {"you", "i", "he", "she", "it", "we", "they", "there", "this", "that", "what", "here"}
_LONGEST = 8  # words of a title

_OBSTACLES = (
    re.compile(r"\bopen (?:the |a |an )?(?P<thing>[\w' -]+?) first\b", re.IGNORECASE),
    re.compile(
        r"\b(?:the|a|an) (?P<thing>[\w' -]+?) (?:is|are|seems to be|seem to be) (?:in the way|closed|shut)\b",
        re.I,
    ),
)


@dataclass(frozen=True)
class Place:
    """A room, as it is told from others.

    Attributes:
        title: its name.
        named: the directions that its description names, which tell rooms of the same name apart.
    """

    title: str
    named: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.title} ({', '.join(self.named)})" if self.named else self.title


@dataclass(frozen=True)
class Sight:
    """What an observation says. reply: the story's reply before the description of the room."""

    place: Place
    reply: str

    @property
    def obstacle(self) -> str:
        """What is closed and in the way, by the reply; empty if nothing is said of it."""
        found = (match for pattern in _OBSTACLES if (match := pattern.search(self.reply)) is not None)
        return next((match["thing"].casefold() for match in found), "")


def read_sight(text: str, known: Collection[str] = ()) -> Sight:
    """Reads an observation.

    Args:
        text: the observation.
        known: titles of rooms where the player has been. A reply may begin with what looks like a title.
    """
    titles = _titles(text)
    if not titles:
        return Sight(Place(UNNAMED, named_directions(text)), text)
    # After a move, the reply is the description, so that the title is there twice.
    repeated = (title for title in titles if title.is_repeated)
    visited = (title for title in titles if title.name in known)
    title = next(repeated, None) or next(visited, titles[0])
    return Sight(Place(title.name, named_directions(text[title.end :])), text[: title.begin].strip())


@dataclass(frozen=True)
class _Title:
    """What may be a title. begin: its first place in the text; end: where its last one ends."""

    name: str
    begin: int
    end: int
    is_repeated: bool


@lru_cache(maxsize=4096)
def _titles(text: str) -> tuple[_Title, ...]:
    found: dict[str, _Title] = {}
    for each in tuple(_marked_titles(text)) or _plain_titles(text):
        first = found.get(each.name)
        found[each.name] = each if first is None else replace(each, begin=first.begin, is_repeated=True)
    return tuple(found.values())


def _marked_titles(text: str) -> Iterator[_Title]:
    for match in _MARKED.finditer(text):
        title = " ".join(_SEPARATORS.sub(" ", match["title"]).split())
        yield _Title(title, match.start(), match.end(), is_repeated=False)


def _plain_titles(text: str) -> Iterator[_Title]:
    """Yields the beginnings of sentences that are names, each with another sentence behind it."""
    for match in _SENTENCE_BEGIN.finditer(text):
        words, first = _name(text[match.end() :].split(" ", maxsplit=2 * _LONGEST + 2))
        if not words or {word.casefold() for word in words} <= _NO_NAME | _SMALL:
            continue
        name = " ".join(words)
        # With the first word of the description, as descriptions may contain the title.
        whole = f"{name} {first}"
        end = text.rindex(whole) + len(name)
        half = words[: len(words) // 2]
        is_doubled = half * 2 == words  # the reply is the title alone
        is_repeated = is_doubled or text.count(whole) > 1
        yield _Title(" ".join(half) if is_doubled else name, match.end(), end, is_repeated)


def _name(words: list[str]) -> tuple[list[str], str]:
    """Returns the words of the name with which a text begins, and the first word of the sentence behind it."""
    run: list[str] = []
    for word in words:
        if not (_CAPITAL.fullmatch(word) or word in _SMALL):
            break
        run.append(word)
    else:
        return [], ""
    if not word[:1].islower():  # no sentence begins with the last capital
        return [], ""
    while run and run[-1] in _SMALL:
        run.pop()
    return run[:-1], run[-1] if run else ""
