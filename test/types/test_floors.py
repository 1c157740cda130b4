"""Tests of the floors of a building."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.types.errors import ConfigurationError
from stma_ros.types.floors import SLAB, STOREY, Floors

HEIGHTS = st.lists(st.floats(STOREY + 0.01, 10), max_size=5).map(
    lambda steps: tuple(np.cumsum([-3.0, *steps]))
)


@given(HEIGHTS, st.floats(-20, 60))
def test_floor_of_a_height_is_the_highest_one_that_is_not_above_it(heights, z):
    floors = Floors(heights)
    below = [number for number, height in enumerate(heights) if height - SLAB <= z]
    assert floors.number(z) == max(below, default=0)
    assert floors.below(z) == heights[floors.number(z)]


def test_heights_of_floors_are_found_for_arrays():
    assert Floors((0.0, 2.8)).below(np.array([[-1.0, 2.4], [2.6, 9.0]])).tolist() == [[0.0, 0.0], [2.8, 2.8]]


def test_base_is_between_floors_on_stairs_only():
    floors = Floors((0.0, 2.8))
    assert [floors.is_between(z) for z in (-0.1, 0.2, 1.4, 2.3, 2.6, 3.0)] == [
        False,
        False,
        True,
        True,
        False,
        False,
    ]


def test_base_is_never_between_floors_where_there_is_one():
    assert not any(Floors().is_between(z) for z in (-5.0, 0.0, 1.5, 10.0))


@given(HEIGHTS)
def test_floors_are_read_in_any_order(heights):
    assert Floors.parse(", ".join(map(repr, map(float, reversed(heights))))) == Floors(heights)


def test_no_heights_are_one_floor_at_zero():
    assert Floors.parse(" ") == Floors() == Floors((0.0,))


@pytest.mark.parametrize("text", ["0, 1.5", "0, 0", "up", "0,,3", "nan", "0, inf"])
def test_text_that_is_no_list_of_floors_is_refused_with_an_example(text):
    with pytest.raises(ConfigurationError, match='such as "0, 2\\.8"'):
        Floors.parse(text)


def test_building_without_a_floor_is_refused():
    with pytest.raises(ValueError, match="one or more heights"):
        Floors(())
