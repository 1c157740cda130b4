"""Sentences about where something was last seen, shared by all kinds of memories."""

from __future__ import annotations

from collections.abc import Sequence

from stma_ros.types.errors import ConfigurationError
from stma_ros.types.remembering import ObjectQuery
from stma_ros.types.standard import Point

OTHERS_NAMED = 3
"""Largest number of further matches that the answer's text names."""

NOWHERE = Point(float("nan"), float("nan"), float("nan"))
"""Position of an object that has no known place (NaN)."""


_MOST_SIGHTINGS = 2**32 - 1
"""Largest limit that an ObjectQuery can have."""


def object_query(phrase: str, limit: int) -> ObjectQuery:
    """Returns the query of a program for a phrase and its largest number of sightings; 0 = all.

    Raises:
        ConfigurationError: The limit is negative or too large.
    """
    if not 0 <= limit <= _MOST_SIGHTINGS:
        raise ConfigurationError(f"the limit is {limit}; give the largest number of sightings, or 0 for all")
    return ObjectQuery(description=phrase, limit=limit)


def last_seen_text(
    name: str,
    when: str,
    where: str,
    present: bool,
    others: Sequence[tuple[str, str]],
    is_sure: bool = True,
) -> str:
    """Returns the answer as a sentence.

    Args:
        name: Name of the object, with its article.
        when: Time since it was seen, in words.
        where: Place, "on the table in the kitchen"; empty = not known.
        present: Whether it is still there.
        others: Names and places of other objects that match.
        is_sure: Whether the place is known, not guessed.
    """
    if where and not is_sure:
        when, where = f"{when},", f"probably {where}"
    text = f"I last saw {' '.join(filter(None, (name, when, where)))}."
    if not present:
        text += " It is not there any more."
    if others:
        named = ", ".join(f"{other} ({place or 'place unknown'})" for other, place in others[:OTHERS_NAMED])
        more = f" and {len(others) - OTHERS_NAMED} more" if len(others) > OTHERS_NAMED else ""
        text += f" I also know of {named}{more}."
    return text
