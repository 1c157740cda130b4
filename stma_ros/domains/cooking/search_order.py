"""Orders the places to search, so that the search targets are likely to be found soon."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

MAX_EXACT = 8
"""Largest number of options that are ordered optimally; further options follow by gain per move."""


@dataclass(frozen=True)
class SearchOption:
    """A place to search.

    Attributes:
        name: for people.
        moves: commands from the current room to the end of the search.
        room: room from which the place is entered.
        entry: number of commands at the end of `moves` that are done from that room on.
        back: number of moves back to that room.
        gain: expected number of search targets in the place.
    """

    name: str
    moves: tuple[str, ...]
    room: str
    entry: int
    back: int
    gain: float


def order_by_latency(
    options: Sequence[SearchOption], distance: Callable[[str, str], int]
) -> tuple[SearchOption, ...]:
    """Returns the options in the order that minimises the sum of the commands before each option, weighted by its gain.

    This is the minimum latency problem. It is solved by dynamic programming over the sets of visited options.

    Args:
        options: at most MAX_EXACT of them, those with most gain per move, are ordered optimally.
        distance: returns the number of moves between two rooms.
    """
    ranked = sorted(options, key=lambda o: (-o.gain / (len(o.moves) + o.back), o.moves))
    best, rest = ranked[:MAX_EXACT], ranked[MAX_EXACT:]
    return *_least_latency(best, distance), *rest


def _least_latency(
    options: Sequence[SearchOption], distance: Callable[[str, str], int]
) -> tuple[SearchOption, ...]:
    start = len(options)  # index of the current room in `legs`
    legs = [[_leg(one, other, distance) for other in options] for one in options]
    legs.append([len(option.moves) for option in options])

    @cache
    def ahead(tried: int, last: int) -> tuple[float, int]:
        """Returns the weighted sum of the remaining commands, and the next option; -1 = none is left.

        Args:
            tried: visited options, as bits.
            last: the option that was visited last.
        """
        left = [index for index in range(start) if not tried >> index & 1]
        weight = sum(options[index].gain for index in left)  # the next leg delays all of these options
        costs = ((weight * legs[last][index] + ahead(tried | 1 << index, index)[0], index) for index in left)
        return min(costs, default=(0.0, -1))

    order: list[SearchOption] = []
    tried, last = 0, start
    while (following := ahead(tried, last)[1]) >= 0:
        order.append(options[following])
        tried, last = tried | 1 << following, following
    return tuple(order)


def _leg(one: SearchOption, other: SearchOption, distance: Callable[[str, str], int]) -> int:
    """Returns the number of commands from the end of one unsuccessful search to the end of the next."""
    return one.back + distance(one.room, other.room) + other.entry
