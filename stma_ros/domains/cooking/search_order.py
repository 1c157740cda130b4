"""In which order to look at several places, so that what is sought is likely to be found soon."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

MANY = 8
"""Options up to which every order is compared; of more, those that gain most for their cost come first."""


@dataclass(frozen=True)
class Option:
    """Somewhere to look. moves: the commands for it, from here. room: where its own way begins. entry: how many of the
    moves are done from there on. back: moves until one is there again. gain: how many of the things sought may be
    found."""

    name: str
    moves: tuple[str, ...]
    room: str
    entry: int
    back: int
    gain: float


def soonest(options: Sequence[Option], distance: Callable[[str, str], int]) -> tuple[Option, ...]:
    """The order for which the sum of the commands until each option, weighted by what it gains, is the least: the
    minimum latency problem, solved by dynamic programming over the sets of options that were tried in vain. distance:
    moves between two rooms."""
    ranked = sorted(options, key=lambda o: (-o.gain / (len(o.moves) + o.back), o.moves))
    near, rest = ranked[:MANY], ranked[MANY:]
    return *_least_latency(near, distance), *rest


def _least_latency(options: Sequence[Option], distance: Callable[[str, str], int]) -> tuple[Option, ...]:
    here = len(options)  # as the number of where one was last
    legs = [[_leg(one, other, distance) for other in options] for one in options]
    legs.append([len(option.moves) for option in options])

    @cache
    def ahead(tried: int, last: int) -> tuple[float, int]:
        """The weighted commands that are still to come, and the next option; -1 = none is left. tried: a set, as
        bits."""
        left = [index for index in range(here) if not tried >> index & 1]
        weight = sum(
            options[index].gain for index in left
        )  # all of these wait for as long as the next leg takes
        costs = ((weight * legs[last][index] + ahead(tried | 1 << index, index)[0], index) for index in left)
        return min(costs, default=(0.0, -1))

    order: list[Option] = []
    tried, last = 0, here
    while (following := ahead(tried, last)[1]) >= 0:
        order.append(options[following])
        tried, last = tried | 1 << following, following
    return tuple(order)


def _leg(one: Option, other: Option, distance: Callable[[str, str], int]) -> int:
    """Commands from having tried one option in vain to having tried another."""
    return one.back + distance(one.room, other.room) + other.entry
