"""Category names in sentences: in the plural, in a row, and with an indefinite article."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_IRREGULAR: Final = {"knife": "knives", "loaf": "loaves", "shelf": "shelves", "bookshelf": "bookshelves"}
_LIKE_A_CONSONANT: Final = ("uni", "uti", "use", "eu", "one")
"""Beginnings of words that take "a" although their first letter is a vowel."""

_WITHOUT_PLURAL: Final = frozenset(("clothing", "crockery", "cutlery", "silverware", "tableware"))
_COLLECTIVE: Final = _WITHOUT_PLURAL | {"food", "fruit"}

_ONE_IN_PLURAL: Final = re.compile(
    r"\b(?:trousers|pants|jeans|shorts|tights|leggings|slacks|overalls|dungarees|pajamas|pyjamas|underpants|boxers"
    r"|briefs|knickers|panties|sweatpants|scissors|shears|secateurs|pliers|pincers|tongs|tweezers|forceps|clippers"
    r"|binoculars|goggles|glasses|sunglasses|eyeglasses|spectacles|headphones|earphones|earbuds)$"
)
"""Plurals that mean a single thing of two alike parts."""


def is_one_in_plural(noun: str) -> bool:
    """Whether a plural means a single thing as well: "the tongs", "the pruning shears"."""
    return _ONE_IN_PLURAL.search(noun) is not None


def is_collective(noun: str) -> bool:
    """Whether a singular names several things of a kind at once: "the cutlery", "the fruit"."""
    return noun in _COLLECTIVE


def is_plural(noun: str) -> bool:
    """Whether a name is plural by itself: "scissors", "trousers"."""
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is"))


def plural(noun: str) -> str:
    """Returns the plural of a noun of one or more words, the last of which changes."""
    start, space, last = noun.rpartition(" ")
    if last in _IRREGULAR:
        last = _IRREGULAR[last]
    elif is_plural(last) or last in _WITHOUT_PLURAL:
        pass
    elif last.endswith(("s", "x", "ch", "sh")) or last in ("potato", "tomato"):
        last += "es"
    elif last.endswith("y") and not last.endswith(("ay", "ey", "iy", "oy", "uy")):
        last = last[:-1] + "ies"
    else:
        last += "s"
    return start + space + last


def listed(names: Iterable[str]) -> str:
    """Returns names in a row: "a", "a and b", "a, b and c"; empty for none."""
    *others, last = [*names] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def with_article(noun: str) -> str:
    """Returns a noun, which may begin with adjectives, with "a" or "an"; nouns that are always plural get no
    article."""
    if is_plural(noun):
        return noun
    begins_with_vowel = noun.startswith(tuple("aeiou")) and not noun.startswith(_LIKE_A_CONSONANT)
    return f"an {noun}" if begins_with_vowel else f"a {noun}"
