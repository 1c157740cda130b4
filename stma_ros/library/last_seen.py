"""Sentences on where something was seen last, for every kind of memory."""

from __future__ import annotations

from collections.abc import Sequence

from stma_ros.types.standard import Point, Time

OTHERS_NAMED = 3
"""Further things that fit are named in the answer's text, up to this many."""

NOWHERE = Point(float("nan"), float("nan"), float("nan"))
"""The position of a thing that is known to have none."""


def last_seen_text(name: str, when: str, where: str, present: bool, others: Sequence[tuple[str, str]]) -> str:
    """Returns the answer in words.

    Args:
        name: Of the thing, with its article.
        when: How long ago it was seen.
        where: "on the table in the kitchen"; empty = not known.
        present: Whether it is still there.
        others: Names and places of other things that fit.
    """
    text = f"I last saw {' '.join(filter(None, (name, when, where)))}."
    if not present:
        text += " It is not there any more."
    if others:
        named = ", ".join(f"{other} ({place or 'place unknown'})" for other, place in others[:OTHERS_NAMED])
        more = f" and {len(others) - OTHERS_NAMED} more" if len(others) > OTHERS_NAMED else ""
        text += f" I also know of {named}{more}."
    return text


def ago(then: Time, now: Time) -> str:
    """Returns how long ago that was, in the largest unit that says enough: "3 min ago"."""
    seconds = max(0.0, now.seconds - then.seconds)
    for unit, length, least in (("days", 86400, 2), ("h", 3600, 2), ("min", 60, 1), ("s", 1, 1)):
        if seconds >= least * length:
            return f"{int(seconds / length)} {unit} ago"
    return "just now"
