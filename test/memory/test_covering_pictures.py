"""Tests of the selection of pictures that together show everything, and of what they show."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stma_ros.memory.covering_pictures import covering_pictures
from stma_ros.memory.shown_things import SAME_THING, shown_things
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.exploration import Snapshot
from stma_ros.types.sensing import Detection, ObjectHypothesis
from stma_ros.types.standard import Point, Vector3

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


def seen(category: str, x: float, size: float = 0.4, score: float = 0.875) -> Detection:
    box = BoundingBox3D.upright(Point(x, 0.0, 0.5), Vector3(size, 0.3, 0.3), 0.0)
    return Detection(hypotheses=(ObjectHypothesis(category=category, score=score),), box=box)


def test_detections_of_one_category_that_are_near_are_one_thing():
    near = 0.9 * (SAME_THING + 0.2)
    pictures = (
        Snapshot(detections=(seen("chair", 0.0, score=0.5), seen("chair", 2.0))),
        Snapshot(detections=(seen("chair", near, score=0.75), seen("table", 0.0), Detection())),
    )
    first, second, table = shown_things(pictures)
    assert (first.category, first.shown) == ("chair", {0: 0.5, 1: 0.75})
    assert (second.category, second.shown) == ("chair", {0: 0.875})
    assert (table.category, table.shown, table.place) == ("table", {1: 0.875}, (0.0, 0.0))


def test_a_part_of_a_large_thing_belongs_to_it_and_the_largest_view_says_where_it_is():
    part, whole = seen("sofa", 0.8, size=0.5), seen("sofa", 0.0, size=2.0)
    for pictures in ((part, whole), (whole, part)):
        (sofa,) = shown_things(Snapshot(detections=(each,)) for each in pictures)
        assert (sofa.place, sorted(sofa.shown)) == ((0.0, 0.0), [0, 1])


@given(st.lists(st.tuples(st.sampled_from("ab"), st.floats(-5, 5)), max_size=30))
def test_every_detection_belongs_to_a_thing_of_its_category_in_its_picture(detections):
    pictures = [Snapshot(detections=(seen(category, x),)) for category, x in detections]
    things = shown_things(pictures)
    found = sorted((number, thing.category) for thing in things for number in thing.shown)
    assert found == [(number, category) for number, (category, _) in enumerate(detections)]
