"""What a kind of things is called in homes that are told in text, by the world and in tasks."""

from __future__ import annotations

import re

_SEPARATORS = re.compile(r"[^\w-]+")


def kind_name(text: str) -> str:
    """Returns the name of a kind as one word: "coffee_pot" for "Coffee pot".

    It is in lower case, as memories hold names, and without characters that mean something in sentences. Text without a
    letter or digit has none: empty.
    """
    return _SEPARATORS.sub("_", text.casefold()).strip("_")
