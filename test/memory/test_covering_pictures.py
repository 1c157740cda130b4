"""Tests of the selection of pictures that together show everything."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stma_ros.memory.covering_pictures import covering_pictures

THINGS = "abcdefgh"
PLACES = st.tuples(st.floats(-10, 10), st.floats(-10, 10))
HOMES = st.fixed_dictionaries(dict.fromkeys(THINGS, PLACES))
PICTURES = st.lists(st.dictionaries(st.sampled_from(THINGS), st.floats(0, 1)), max_size=12)


@given(PICTURES, HOMES)
def test_selected_pictures_show_everything_that_any_picture_shows(pictures, places):
    selected = covering_pictures(pictures, places)
    assert list(selected) == sorted(set(selected))
    assert {thing for number in selected for thing in pictures[number]} == {
        thing for picture in pictures for thing in picture
    }
    assert len(selected) <= len(THINGS)


@given(PICTURES, HOMES)
def test_a_picture_that_shows_everything_is_selected_alone(pictures, places):
    whole = dict.fromkeys(THINGS, 0.5)
    assert len(covering_pictures([*pictures, whole], places)) == 1


@given(PICTURES)
def test_things_all_at_one_place_are_divided_as_well(pictures):
    selected = covering_pictures(pictures, dict.fromkeys(THINGS, (1.0, 2.0)))
    shown = {thing for number in selected for thing in pictures[number]}
    assert shown == {thing for picture in pictures for thing in picture}


def test_two_rooms_need_a_picture_each():
    places = {"bed": (0.0, 0.0), "lamp": (0.5, 0.0), "stove": (8.0, 0.0), "fridge": (8.5, 0.0)}
    pictures = [{"bed": 0.9}, {"bed": 0.5, "lamp": 0.5}, {"stove": 0.9}, {"stove": 0.6, "fridge": 0.6}]
    assert covering_pictures(pictures, places) == (1, 3)


def test_of_pictures_with_as_many_things_the_clearest_is_selected():
    assert covering_pictures([{"bed": 0.4}, {"bed": 0.9}, {"bed": 0.6}], {"bed": (0.0, 0.0)}) == (1,)


def test_things_that_no_picture_shows_and_no_pictures_select_nothing():
    assert covering_pictures([], {"bed": (0.0, 0.0)}) == ()
    assert covering_pictures([{}], {"bed": (0.0, 0.0)}) == ()
