"""Reads shades of a colour ("dark blue") as the colour, which is all that perception tells, with a remark."""

from __future__ import annotations

import re
from collections.abc import Sequence

from stma_ros.memory.category_knowledge import CategoryKnowledge

_SHADE = re.compile(r"\b(?P<shade>dark|light|pale|bright|deep)[ -](?P<colour>[a-z]+)\b")


def without_shades(text: str, knowledge: CategoryKnowledge) -> tuple[str, Sequence[str]]:
    """Returns a normalised text with colours in place of their shades, and a remark for each.

    A text that names two shades of a colour stays as it is, since it tells things apart by them.
    """
    shades = [match for match in _SHADE.finditer(text) if knowledge.colour(match["colour"])]
    for match in shades:
        others = re.sub(re.escape(match[0]), "", text)
        if re.search(rf"\b{match['colour']}\b", others):
            return text, ()
    remarks = []
    for match in shades:
        text = text.replace(match[0], match["colour"])
        remarks.append(f"I do not tell shades apart: I read '{match[0]}' as '{match['colour']}'.")
    return text, tuple(dict.fromkeys(remarks))
