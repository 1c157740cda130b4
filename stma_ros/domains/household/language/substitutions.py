"""Rules that replace parts of a text, applied one after the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from stma_ros.domains.household.language import verbs

Substitution: TypeAlias = tuple[str, str | Callable[[re.Match[str]], str]]
"""A pattern, and what takes the place of its matches."""

Compiled: TypeAlias = Sequence[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]]

_GERUND_OF = {base: gerund for gerund, base in verbs.GERUNDS.items()}


def compiled(rules: Sequence[Substitution]) -> Compiled:
    """Returns rules with their patterns compiled once."""
    return tuple((re.compile(pattern), plain) for pattern, plain in rules)


def applied(rules: Compiled, text: str) -> str:
    """Returns a text after all rules, in their order."""
    for pattern, plain in rules:
        text = pattern.sub(plain, text)
    return text


def verb_like(match: re.Match[str], base: str) -> str:
    """Returns a verb in the form in which a match begins: "taking" for "going to the kitchen with ..."."""
    first = match[0].split()[0]
    return _GERUND_OF[base] if first.endswith("ing") and first != "bring" else base
