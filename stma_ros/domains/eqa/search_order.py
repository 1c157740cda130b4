"""The order in which to search frontiers, such that what is looked for is found after the shortest way on average.

To go to the best frontier first, one after the other, leaves little ones behind to which the robot has to come back;
the order looks ahead over all of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from stma_ros.domains.eqa.frontier_values import LENGTH, FrontierValue

MAX_ORDERED = 8
"""Frontiers that are ordered, those of the highest value: the effort doubles with each."""

_DETOUR = 1.3  # ways in homes per beeline, about


def search_costs(values: Sequence[FrontierValue]) -> dict[int, float]:
    """Returns the cost of the best order that begins with each of the frontiers that are worth ordering.

    The cost is the sum over the frontiers of promise times way until it is reached [m], where a look costs
    `frontier_values.LENGTH` (minimum latency problem; exact, by dynamic programming over sets of frontiers).

    Args:
        values: the frontiers.

    Returns:
        Cost by `FrontierValue.number`; the frontiers that were left out are missing.
    """
    ordered = sorted(values, key=lambda value: (-value.value, value.number))[:MAX_ORDERED]
    count = len(ordered)
    ways = [[_way(a, b) + LENGTH for b in ordered] for a in ordered]
    whole = (1 << count) - 1
    left = [
        sum(ordered[k].promise for k in range(count) if not visited >> k & 1) for visited in range(whole + 1)
    ]
    # best[visited][last]: cost of all that follows once `visited` was seen and the robot is at `last`.
    best = [[0.0] * count for _ in range(whole + 1)]
    for visited in range(whole - 1, 0, -1):
        for last in range(count):
            if visited >> last & 1:
                best[visited][last] = min(
                    left[visited] * ways[last][k] + best[visited | 1 << k][k]
                    for k in range(count)
                    if not visited >> k & 1
                )
    return {
        value.number: left[0] * (value.length + LENGTH) + best[1 << k][k] for k, value in enumerate(ordered)
    }


def _way(a: FrontierValue, b: FrontierValue) -> float:
    """Returns about how long the way between two frontiers is [m], by their places and their ways from the robot."""
    beeline = _DETOUR * math.dist(a.place, b.place)
    return max(abs(a.length - b.length), min(beeline, a.length + b.length))
