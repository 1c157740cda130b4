"""Finds wishes of a task that exclude each other, by their text alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from stma_ros.domains.programs.commands import HANDS
from stma_ros.domains.programs.wishes import HELD, IN, IS_STATE, ME, OPPOSITES, Wish


def excluded(wishes: Sequence[Wish], rooms: Collection[str]) -> Sequence[Wish]:
    """Returns the first wishes that cannot all be so; empty = there are none.

    Whether a thing can be in two places, as what is poured is, cannot be told from the text.

    Args:
        wishes: Of the task.
        rooms: The kinds of rooms.
    """
    return next(_excluded(wishes, rooms), ())


def _excluded(wishes: Sequence[Wish], rooms: Collection[str]) -> Iterator[Sequence[Wish]]:
    for wish in wishes:
        if wish.subject == wish.object and not wish.negated:
            yield (wish,)
    for one, other in combinations(wishes, 2):
        if one.subject == other.subject and _exclude_each_other(one, other, rooms):
            yield one, other
    held = {wish.subject: wish for wish in wishes if wish.relation == HELD and not wish.negated}
    if len(held) > HANDS:
        yield tuple(held.values())


def _exclude_each_other(one: Wish, other: Wish, rooms: Collection[str]) -> bool:
    """Whether two wishes about the same subject exclude each other."""
    if one.negated is not other.negated:
        return replace(one, negated=other.negated, text=other.text) == other
    if one.negated or one.relation != other.relation:
        return False
    if one.relation == IS_STATE:
        if one.subject == ME:
            return one.state != other.state
        return OPPOSITES.get(one.state) == other.state
    are_rooms = all(each.object is not None and each.object.kind in rooms for each in (one, other))
    return one.relation == IN and are_rooms and one.object != other.object
