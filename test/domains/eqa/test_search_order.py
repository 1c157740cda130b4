"""Tests of the order of search: it is the best one of all orders."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.eqa.frontier_values import LENGTH, FrontierValue
from stma_ros.domains.eqa.search_order import MAX_ORDERED, search_costs

_METRES = st.floats(-10.0, 10.0)
_FRONTIERS = st.lists(
    st.tuples(_METRES, _METRES, st.floats(0.0, 20.0), st.floats(0.0, 1.0)), min_size=1, max_size=5
)


def frontier(number: int, x: float, y: float, length: float, promise: float) -> FrontierValue:
    return FrontierValue(number, (x, y), length, promise, (), "")


def way(a: FrontierValue, b: FrontierValue) -> float:
    beeline = 1.3 * math.dist(a.place, b.place)
    return max(abs(a.length - b.length), min(beeline, a.length + b.length))


def cost(order: tuple[FrontierValue, ...]) -> float:
    """Returns the promises times the ways until they are reached."""
    legs = [order[0].length + LENGTH, *(way(a, b) + LENGTH for a, b in itertools.pairwise(order))]
    return sum(value.promise * at for value, at in zip(order, itertools.accumulate(legs), strict=True))


@given(_FRONTIERS)
def test_costs_are_those_of_the_best_order_from_each_frontier(drawn):
    values = [frontier(number, *each) for number, each in enumerate(drawn)]
    best: dict[int, float] = {}
    for order in itertools.permutations(values):
        first = order[0].number
        best[first] = min(best.get(first, math.inf), cost(order))
    assert search_costs(values) == pytest.approx(best)


def test_little_that_is_near_is_searched_before_much_that_is_far():
    nook, room = frontier(0, -1.0, 0.0, 1.0, 0.05), frontier(1, 20.0, 0.0, 20.0, 0.1)
    assert nook.value < 4 * room.value
    costs = search_costs([nook, room])
    assert costs[0] < costs[1]


def test_only_the_most_valuable_frontiers_are_ordered():
    values = [frontier(number, number, 0.0, 1.0, 0.01 * (number + 1)) for number in range(MAX_ORDERED + 4)]
    assert sorted(search_costs(values)) == list(range(4, MAX_ORDERED + 4))


def test_nothing_is_ordered_where_there_is_no_way_on():
    assert search_costs([]) == {}
