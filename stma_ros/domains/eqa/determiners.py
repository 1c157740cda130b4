"""Reads what stands before the name of a kind and tells how many things are meant: determiners and numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stma_ros.domains import noun_words
from stma_ros.domains.eqa.question import Amount, Quantifier

DETERMINER = re.compile(
    r"^(?:(?:all|both|each|every|any|some|either)(?: of)? )?(?:the|a|an|my|our|your|his|her|their|its|some|any|this"
    r"|that|these|those|no|all|every|each|more|enough|both|of) "
)
_NUMBER_WORDS = "|".join(sorted(noun_words.NUMBERS, key=len, reverse=True))
_NUMBER = re.compile(rf"^(?:{_NUMBER_WORDS}|\d{{1,3}}) (?:of )?")
_BOUNDED = re.compile(
    r"^(?P<bound>exactly|precisely|only|just|at least|more than|at most|no more than|up to|fewer than|less than) "
    rf"(?P<number>{_NUMBER_WORDS}|\d{{1,3}}) "
)
_COUNTED = re.compile(rf"\b(?:{_NUMBER_WORDS}|\d{{1,3}})\b")
_PAIR = re.compile(r"\bpair of\b")
"""Counts what is one thing: "a pair of scissors"."""
_DEFINITE = re.compile(r"\b(?:the|my|our|your|his|her|their|its|these|those|all|both)\b")
_ALL = re.compile(r"\b(?:all|every|each|both)\b")
_ANY = re.compile(r"\b(?:any|some|either|one of)\b")
_PART = re.compile(r"\b(?!(?:all|both|each|any|some|either|one|pair|couple) )\w+ of\b")
_NO = re.compile(r"\bno\b")
_COMPARED = re.compile(r"\b(?:more|enough)\b")
_SPACE = re.compile(r"(?:floor )?space|room")
"""What rooms have more or less of, for which there are rules."""


@dataclass(frozen=True)
class Determined:
    """A noun phrase, and what is said before its adjectives.

    Attributes:
        name: the rest of the noun phrase.
        quantifier: None = none is said.
        amount: None = no number is said.
        counted: whether a number is said, if only of the parts of a pair.
        unread: words that no rule reads: "enough", "two of the".
    """

    name: str
    quantifier: Quantifier | None = None
    amount: Amount | None = None
    counted: bool = False
    unread: tuple[str, ...] = ()


def read_determiners(text: str) -> Determined:
    """Returns the parts of a noun phrase in the spelling of `wording.normalised`."""
    bounded = _BOUNDED.match(text)
    name = text if bounded is None else text[bounded.end() :]
    while (shorter := _NUMBER.sub("", DETERMINER.sub("", name + " ")).strip()) != name and shorter:
        name = shorter
    before = text.removesuffix(name)
    counted = _COUNTED.search(before)
    is_unread = _PART.search(before) or (
        bounded is None and _COMPARED.search(before) and not _SPACE.fullmatch(name)
    )
    return Determined(
        name,
        _quantifier(before),
        _amount(before, counted, bounded),
        counted is not None,
        (before.strip(),) if is_unread else (),
    )


def _quantifier(before: str) -> Quantifier | None:
    patterns = ((_NO, Quantifier.NO), (_ALL, Quantifier.ALL), (_ANY, Quantifier.ANY))
    return next((quantifier for pattern, quantifier in patterns if pattern.search(before)), None)


def _amount(before: str, counted: re.Match[str] | None, bounded: re.Match[str] | None) -> Amount | None:
    if counted is None or _PAIR.search(before) or _ANY.search(before):
        return None
    number = noun_words.NUMBERS[counted[0]] if counted[0] in noun_words.NUMBERS else int(counted[0])
    match bounded["bound"] if bounded is not None else "":
        case "exactly" | "precisely" | "only" | "just":
            return Amount(number, number)
        case "more than":
            return Amount(number + 1)
        case "at most" | "no more than" | "up to":
            return Amount(0, number)
        case "fewer than" | "less than":
            return Amount(0, number - 1)
    return Amount(number, number if _DEFINITE.search(before) else None)
