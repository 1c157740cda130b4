"""Tests of the order in which text roles search unexplored exits, and of recognising likely loops."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.cooking.layout import likely_loops
from stma_ros.domains.cooking.search_order import MAX_EXACT, SearchOption, order_by_latency
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation


def way(room: str, direction: str, target: str = words.UNEXPLORED) -> tuple[Relation, ...]:
    there = Relation(room, words.EXIT + direction, target)
    if target == words.UNEXPLORED:
        return (there,)
    return there, Relation(target, words.EXIT + words.OPPOSITE[direction], room)


def option(place: int, gain: float, *, door: bool = False) -> SearchOption:
    """Returns an unexplored exit of the room `place` moves along a corridor."""
    moves = ("go east",) * place + (("open door",) if door else ()) + ("go north",)
    return SearchOption(f"{place} {gain} {door}", moves, str(place), 1 + door, 1, gain)


def along_the_corridor(one: str, other: str) -> int:
    return abs(int(one) - int(other))


def latency(order: Sequence[SearchOption]) -> float:
    """Returns the sum of the commands until each option, weighted by the gains of the options."""
    total, commands = 0.0, 0
    for index, item in enumerate(order):
        before = order[index - 1]
        leg = before.back + along_the_corridor(before.room, item.room) + item.entry
        commands += leg if index else len(item.moves)
        total += commands * item.gain
    return total


class TestOrderByLatency:
    @given(
        st.lists(
            st.builds(option, st.integers(0, 6), st.floats(0.01, 1.0), door=st.booleans()),
            max_size=6,
            unique_by=lambda item: item.name,
        )
    )
    def test_order_by_latency_is_optimal(self, options: list[SearchOption]) -> None:
        order = order_by_latency(options, along_the_corridor)
        assert sorted(order, key=repr) == sorted(options, key=repr)
        best = min(latency(other) for other in permutations(options))
        assert latency(order) == pytest.approx(best)

    def test_order_by_latency_searches_exits_of_this_room_before_it_goes_back(self) -> None:
        """Two exits of this room come before a slightly more promising one of the previous room."""
        here = SearchOption("east", ("go east",), "corridor", 1, 2, 0.3)
        also_here = SearchOption("north", ("go north",), "corridor", 1, 2, 0.3)
        back = SearchOption("west", ("go west", "go west"), "hall", 1, 2, 0.35)
        order = order_by_latency((back, here, also_here), lambda one, other: int(one != other))
        assert [item.name for item in order] == ["east", "north", "west"]

    def test_order_by_latency_accepts_more_options_than_it_compares_exactly(self) -> None:
        many = [option(place, 0.1) for place in range(2 * MAX_EXACT)]
        order = order_by_latency(many[::-1], along_the_corridor)
        assert [item.room for item in order] == [item.room for item in many]

    def test_order_by_latency_of_no_options_is_empty(self) -> None:
        assert order_by_latency((), along_the_corridor) == ()


class TestLikelyLoops:
    def test_likely_loops_are_found_where_two_open_exits_face_each_other(self) -> None:
        """Three corners of a square were visited, and the first and the last have an exit to the fourth."""
        facts = (*way("a", "east", "b"), *way("b", "south", "c"), *way("c", "west"), *way("a", "south"))
        assert likely_loops("c", facts) == frozenset()
        # The fourth corner is known from elsewhere and has an exit to one of them.
        square = (*facts, *way("a", "west", "e"), *way("e", "south", "f"), *way("f", "east", "d"))
        assert likely_loops("c", (*square, *way("d", "east"))) == {("c", "west"), ("d", "east")}

    def test_likely_loops_require_an_exit_on_the_side_of_the_other_room(self) -> None:
        facts = (*way("a", "east", "b"), *way("b", "south", "c"), *way("c", "west"))
        branch = (*way("a", "west", "e"), *way("e", "south", "d"), *way("d", "east", "f"))
        assert likely_loops("a", (*facts, *branch)) == frozenset()
        assert likely_loops("a", (*facts, *branch, *way("f", "east"))) == {("c", "west"), ("f", "east")}

    def test_likely_loops_ignore_rooms_to_which_no_known_way_leads(self) -> None:
        assert likely_loops("a", (*way("a", "north"), *way("b", "south"))) == frozenset()
        assert likely_loops("", way("a", "north")) == frozenset()

    @given(
        st.lists(
            st.tuples(
                st.sampled_from("abcd"),
                st.sampled_from((*words.OPPOSITE, "through the hatch")),
                st.sampled_from(("a", "b", "c", "d", words.UNEXPLORED)),
            ),
            max_size=12,
        )
    )
    def test_likely_loops_are_untaken_exits_on_any_map(self, ways: list[tuple[str, str, str]]) -> None:
        facts = [Relation(room, words.EXIT + side, other) for room, side, other in ways]
        loops = likely_loops("a", facts)
        taken = {(room, side): other for room, side, other in ways}
        assert all(taken[exit_] == words.UNEXPLORED for exit_ in loops)
