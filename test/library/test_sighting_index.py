"""The index of sightings answers where an object was last seen, in the words of a person."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from stma_ros.library.scene.sighting_index import SightingIndex
from stma_ros.memory.boxes import Box
from stma_ros.memory.descriptions import LARGE, SMALL, Description
from stma_ros.memory.elapsed_time import ago
from stma_ros.memory.place_history import KeyframePicture, PlaceInterval
from stma_ros.memory.shapes import Shape
from stma_ros.memory.tracked_object import ObjectStatus, TrackedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.remembering import ObjectQuery, ObjectQueryResult
from stma_ros.types.standard import ColorRGBA, CompressedImage, Header, Point, Pose, Time
from support.components.household_components import HOUSEHOLD, LANGUAGE
from support.memory.keyframes import likely

RED, BLUE = ColorRGBA(0.8, 0.1, 0.1, 1.0), ColorRGBA(0.1, 0.2, 0.8, 1.0)
NOW = Header(Time(1000), "map")
PICTURE = CompressedImage(format="jpeg", data=np.arange(9, dtype=np.uint8))
CAMERA = Pose(Point(1.0, 2.0, 1.2))
PICTURES = {Time(820): KeyframePicture(PICTURE, CAMERA)}
KINDS = {"table_1": "table", "sink_1": "sink", "room_1": "kitchen", "room_2": ""}


def interval(holder: str, room: str, first: int, last: int, predicate: str = words.ON) -> PlaceInterval:
    here = None if predicate == words.HELD_BY else box()
    return PlaceInterval(predicate, holder, room, here, Time(first), Time(last), Time(last))


def box(edge: float = 0.1) -> Box:
    return Box(np.array([1.0, 2.0, 0.8]) + edge / 2, np.full(3, edge))


def thing(
    name: str,
    *intervals: PlaceInterval,
    color: ColorRGBA = RED,
    edge: float = 0.1,
    how: ObjectStatus = ObjectStatus.SEEN,
) -> TrackedObject:
    faces = box(edge).faces
    last = intervals[-1].last_seen
    shape = Shape(faces, np.zeros((2, 3)), last)
    category = name.rsplit("_", 1)[0].replace("_", " ")
    return TrackedObject(
        name,
        category,
        color,
        len(intervals),
        intervals[0].first_seen,
        last,
        shape,
        status=how,
        existence=likely(0.9),
        place_history=intervals,
    )


MUG = thing("mug_1", interval("table_1", "room_1", 10, 100), interval("sink_1", "room_1", 500, 820))
BLUE_MUG = thing("mug_2", interval("table_1", "room_2", 20, 990), color=BLUE)
BOOK = thing("book_1", interval("", "room_2", 30, 40), how=ObjectStatus.MISSING)
THINGS = (MUG, BLUE_MUG, BOOK)


def recollection(*things: TrackedObject) -> SightingIndex:
    return SightingIndex(
        HOUSEHOLD,
        LANGUAGE,
        things,
        KINDS,
        lambda stamp: KeyframePicture(PICTURE, CAMERA) if stamp == Time(820) else None,
    )


def ask(description: str, *things: TrackedObject, limit: int = 0) -> ObjectQueryResult:
    return recollection(*(things or THINGS)).answer(
        ObjectQuery(header=NOW, request_id="q", description=description, limit=limit), NOW
    )


def ids(answer: ObjectQueryResult) -> list[str]:
    return [sighting.object_id for sighting in answer.sightings]


def test_an_object_is_found_by_category_and_colour_with_its_newest_place_first() -> None:
    answer = ask("my red mug")
    assert answer.text == "I last saw the red mug (mug_1) 3 min ago on sink_1 in the kitchen."
    assert not answer.error
    assert answer.request_id == "q"
    newest, oldest = answer.sightings
    assert (newest.place, oldest.place) == (
        "on sink_1, in room_1 (kitchen)",
        "on table_1, in room_1 (kitchen)",
    )
    assert (newest.present, oldest.present) == (True, False)
    assert (newest.first_seen, newest.last_seen) == (Time(500), Time(820))
    assert (newest.picture, newest.camera, len(oldest.picture.data)) == (PICTURE, CAMERA, 0)
    assert newest.position.z == pytest.approx(0.85)


def test_the_object_seen_last_comes_first_and_the_sentence_names_the_others() -> None:
    answer = ask("where is the mug?")
    assert ids(answer) == ["mug_2", "mug_1", "mug_1"]
    assert answer.text == (
        "I last saw the blue mug (mug_2) 10 s ago on table_1 in room_2. "
        "I also know of mug_1 (on sink_1, in room_1 (kitchen))."
    )


def test_an_object_at_the_named_place_comes_first() -> None:
    assert ids(ask("the mug in the kitchen"))[0] == "mug_1"


def test_an_object_of_a_similar_colour_comes_after_one_of_the_named_colour() -> None:
    green = thing("mug_3", interval("", "room_2", 1, 2), color=ColorRGBA(0.1, 0.7, 0.2, 1.0))
    assert ids(ask("the green mug")) == ["mug_2"]
    assert ids(ask("the green mug", BLUE_MUG, green)) == ["mug_3", "mug_2"]


@pytest.mark.parametrize("description", ["mug_1", " MUG_1 "])
def test_an_object_is_found_by_its_id(description: str) -> None:
    assert ids(ask(description)) == ["mug_1", "mug_1"]


def test_the_limit_keeps_the_best_sightings() -> None:
    assert ids(ask("mugs", limit=1)) == ["mug_2"]


def test_the_answer_states_that_a_missing_object_is_gone() -> None:
    answer = ask("the book")
    assert answer.text == "I last saw the red book (book_1) 16 min ago in room_2. It is not there any more."
    assert [sighting.present for sighting in answer.sightings] == [False]


def test_an_object_in_the_hand_has_no_position() -> None:
    held = thing("cup_1", interval(words.ROBOT, "", 10, 999, words.HELD_BY), how=ObjectStatus.HELD)
    answer = ask("the cup", held)
    assert answer.sightings[0].place == "in the hand"
    assert answer.sightings[0].present
    assert math.isnan(answer.sightings[0].position.x)


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("the yellow mug", "not seen a yellow mug; I have seen the red mug (mug_1), the blue mug (mug_2)."),
        ("the piano", "not seen a piano among the 3 things that I remember."),
        ("mug_7", "I remember nothing that is called mug_7."),
        ("", "names no thing"),
        ("how many mugs are there", "names no thing"),
    ],
)
def test_the_answer_about_an_unseen_object_names_the_nearest_known_ones(
    description: str, expected: str
) -> None:
    answer = ask(description)
    assert (answer.error.code, answer.sightings) == (ErrorCode.NOT_REMEMBERED, ())
    assert expected in answer.text
    assert answer.error.text == answer.text


def test_the_answer_tells_what_may_be_there_as_a_guess() -> None:
    index = replace(
        recollection(*THINGS), unconfirmed=(thing("vase_1", interval("table_1", "room_1", 5, 5)),)
    )
    answer = index.answer(ObjectQuery(description="the vase"), NOW)
    assert (answer.error.code, answer.sightings) == (ErrorCode.NOT_REMEMBERED, ())
    expected = "I have not seen a vase for sure; what may be one was seen on table_1 in the kitchen (vase_1)."
    assert answer.text == expected


def test_an_empty_sighting_index_answers_that_it_has_seen_nothing() -> None:
    answer = recollection().answer(ObjectQuery(description="mug"), NOW)
    assert answer.text == "I have not seen a mug; I have seen nothing yet."


def test_sizes_are_compared_within_a_category() -> None:
    pots = [
        thing(f"pot_{n}", interval("", "", 1, n), edge=edge) for n, edge in enumerate((0.3, 0.1, 0.2, 0.4), 1)
    ]
    memory = recollection(*pots)
    assert {pot.id for pot in memory.find(Description("pot", size=SMALL))} == {"pot_2", "pot_3"}
    assert {pot.id for pot in memory.find(Description("pot", size=LARGE))} == {"pot_4", "pot_1"}


def test_changes_since_a_stamp_name_objects_that_moved_or_are_gone() -> None:
    memory = recollection(*THINGS)
    assert memory.changes_since(Time(400)) == [
        "mug_1 moved from table_1 to sink_1",
        "book_1 is no longer in room_2",
    ]
    assert memory.changes_since(Time(5)) == []
    returned = replace(MUG, place_history=(*MUG.place_history, interval("table_1", "room_1", 900, 950)))
    assert recollection(returned).changes_since(Time(400)) == []


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.4, "just now"),
        (59, "59 s ago"),
        (60, "1 min ago"),
        (7199, "119 min ago"),
        (7200, "2 h ago"),
        (864000, "10 days ago"),
    ],
)
def test_an_age_is_given_in_its_largest_unit(seconds: float, text: str) -> None:
    assert ago(Time.from_nanoseconds(int(-seconds * 1e9)), Time()) == text
