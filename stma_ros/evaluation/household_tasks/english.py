"""Joins words and clauses to English text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

import numpy as np

COUNTLESS: Final = frozenset(
    (
        *("bread", "butter", "cheese", "coffee", "juice", "milk", "pasta", "rice", "sugar", "tea"),
        *("detergent", "medicine", "shampoo", "soap", "toilet paper", "toothpaste"),
    )
)
"""Categories that are not counted in requests."""

PLURAL: Final = frozenset({"glasses", "headphones", "scissors", "slippers", "trousers"})
"""Plural words for a single thing."""

NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six")
"""Number words by number."""

_T = TypeVar("_T")


def listed(parts: Sequence[str]) -> str:
    """Returns "a", "a and b", "a, b and c"; with commas where a part contains an "and"."""
    if len(parts) == 1:
        return parts[0]
    comma = "," if any(" and " in part for part in parts) else ""
    return f"{', '.join(parts[:-1])}{comma} and {parts[-1]}"


def sentence(text: str) -> str:
    """Begins a text with a capital letter."""
    return text[0].upper() + text[1:]


def pick(rng: np.random.Generator, options: Sequence[_T]) -> _T:
    """Draws one of the options."""
    return options[int(rng.integers(len(options)))]
