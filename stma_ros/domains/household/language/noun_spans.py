"""Finds noun phrases and places in a clause, for corrections and contrasts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stma_ros.domains import noun_words
from stma_ros.domains.household.language.patterns import PREPOSITION
from stma_ros.domains.household.language.quantities import NUMBER
from stma_ros.memory.category_knowledge import CategoryKnowledge

_DETERMINER = (
    r"(?:the|a|an|my|our|your|this|that|these|those"
    rf"|some|any|all(?: of)?(?: the| my| our)?|both(?: the)?|every|each|{NUMBER})"
)
_END = (
    rf"(?:{PREPOSITION}|and|or|on|off|up|down|out|away|back|here|there|over|please|open|closed|shut|full|empty|too"
    r"|for|is|are|should|must|has|have|needs?|that|which|with|again|now)"
)
_NOUN_PHRASE = re.compile(rf"\b{_DETERMINER}(?: (?!{_END}\b)[\w'-]+)+")
_PLACE = re.compile(rf"(?<!\w)(?P<preposition>{PREPOSITION}) {_NOUN_PHRASE.pattern}")
_NAMES = re.compile(rf"(?:{PREPOSITION} )?{_NOUN_PHRASE.pattern}(?: {PREPOSITION} {_NOUN_PHRASE.pattern})*")
_NUMBER = re.compile(rf"\b{NUMBER}\b")


@dataclass(frozen=True)
class Span:
    """A noun phrase in a clause.

    Attributes:
        start: index of its first character.
        end: index after its last one.
        text: the noun phrase.
    """

    start: int
    end: int
    text: str

    def replaced(self, clause: str, other: str) -> str:
        """Returns the clause with another text in place of this one."""
        return clause[: self.start] + other + clause[self.end :]


def noun_phrases(clause: str) -> list[Span]:
    """Returns the noun phrases with a determiner, in order."""
    return [Span(m.start(), m.end(), m[0]) for m in _NOUN_PHRASE.finditer(clause)]


def is_noun_phrase(text: str) -> bool:
    """Whether a text is one noun phrase with a determiner."""
    return bool(_NOUN_PHRASE.fullmatch(text))


def names_only(text: str) -> bool:
    """Whether a text only names a thing, a place or both: "the plate on the table", "in the kitchen"."""
    return bool(_NAMES.fullmatch(text))


def places(clause: str) -> list[Span]:
    """Returns the places with their prepositions, in order."""
    return [Span(m.start(), m.end(), m[0]) for m in _PLACE.finditer(clause)]


def preposition(place: str) -> str:
    """Returns the preposition of a text that is one place; empty for other texts."""
    match = _PLACE.fullmatch(place)
    return match["preposition"] if match else ""


def number(text: str) -> Span | None:
    """Returns the first number of a text; None = there is none."""
    match = _NUMBER.search(text)
    return Span(match.start(), match.end(), match[0]) if match else None


def noun(span: str, knowledge: CategoryKnowledge) -> str:
    """Returns the words of a noun phrase that name the kind of thing."""
    named = re.sub(rf"^{_DETERMINER} ", "", span).split()
    while len(named) > 1 and (
        knowledge.colour(named[0]) or named[0] in noun_words.SIZES or named[0] in noun_words.NUMBERS
    ):
        del named[0]
    return " ".join(named)


def adjectives(span: str, knowledge: CategoryKnowledge) -> str:
    """Returns the colours and sizes before the noun of a noun phrase."""
    named = span.split()[:-1]
    return " ".join(word for word in named if knowledge.colour(word) or word in noun_words.SIZES)


def attributes(span: str, knowledge: CategoryKnowledge) -> frozenset[str]:
    """Returns which kinds of attributes a noun phrase has: "colour", "size"."""
    named = span.split()[:-1]
    colours = {"colour" for word in named if knowledge.colour(word)}
    return frozenset(colours | {"size" for word in named if word in noun_words.SIZES})
