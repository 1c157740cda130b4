"""The facts about what things may be, and where the robot took them from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stma_ros.components.spatial_memory.belief_facts import origin_facts, origins
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.library.scene.scene_facts import object_facts
from stma_ros.memory.boxes import Box
from stma_ros.memory.label_votes import LabelVotes
from stma_ros.memory.place_history import PlaceInterval
from stma_ros.memory.shapes import Shape
from stma_ros.memory.tracked_object import TrackedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.types.standard import ColorRGBA, Time
from support.memory.keyframes import likely


def interval(predicate: str, holder: str, first: int, room: str = "room_1") -> PlaceInterval:
    box = None if predicate == words.HELD_BY else Box(np.array([first, 0.0, 0.8]), np.full(3, 0.1))
    return PlaceInterval(predicate, holder, room, box, Time(first), Time(first + 1))


def thing(name: str, *intervals: PlaceInterval, x: float = 0.0) -> TrackedObject:
    shape = Shape.from_guess(Box(np.array([x, 0.0, 0.8]), np.full(3, 0.1)), Time(1))
    category = name.rpartition("_")[0]
    return TrackedObject(
        name,
        category,
        ColorRGBA(),
        1,
        Time(1),
        Time(2),
        shape,
        existence=likely(0.9),
        place_history=intervals,
    )


@pytest.mark.parametrize(("cups", "others"), [(0, ()), (1, ()), (2, (("cup", 0.36),))])
def test_thing_may_be_of_another_kind_that_a_good_part_of_its_labels_says(
    cups: int, others: tuple[tuple[str, float], ...]
) -> None:
    votes = LabelVotes()
    for place, category in enumerate(("mug",) * (5 - cups) + ("cup",) * cups):
        votes = votes.with_view(((category, 1.0),), np.array((place, 0.0, 1.0)))
    item = replace(thing("mug_1", interval(words.ON, "table_1", 1)), votes=votes)
    found = object_facts(SceneGraph(), (item,), household_categories(), {})
    may_be = [(fact.object, fact.confidence) for fact in found if fact.predicate == words.MAY_BE]
    assert may_be == [(kind, pytest.approx(share)) for kind, share in others]


TABLE = interval(words.ON, "table_1", 1)
FIRST = interval(words.HELD_BY, words.ROBOT, 4, "")
SHELF = interval(words.ON, "shelf_1", 6, "room_2")
SECOND = interval(words.HELD_BY, words.ROBOT, 8, "")
FRIDGE = interval(words.IN, "fridge_1", 10)


def facts(item: TrackedObject, since: int, *others: TrackedObject) -> set[tuple[str, str]]:
    found = origin_facts(origins((item, *others), Time(since)), (item, *others))
    return {(fact.predicate, fact.object) for fact in found if fact.subject == item.id}


FROM_TABLE = {(words.TAKEN_OFF, "table_1"), (words.TAKEN_FROM, "room_1")}
FROM_SHELF = {(words.TAKEN_OFF, "shelf_1"), (words.TAKEN_FROM, "room_2")}


@pytest.mark.parametrize(
    ("since", "expected"), [(0, FROM_TABLE), (5, FROM_TABLE), (7, FROM_SHELF), (11, set())]
)
def test_object_that_was_taken_twice_has_the_place_before_the_task(
    since: int, expected: set[tuple[str, str]]
) -> None:
    """In a task that begins while the object is in the hand, it was taken from its last place before that."""
    assert facts(thing("mug_1", TABLE, FIRST, SHELF, SECOND, FRIDGE), since) == expected


def test_held_object_without_an_earlier_place_has_no_origin() -> None:
    assert facts(thing("mug_1", FIRST), 0) == set()


def test_object_taken_out_of_a_container_says_so() -> None:
    item = thing("mug_1", FRIDGE, interval(words.HELD_BY, words.ROBOT, 12, ""))
    assert facts(item, 0) == {(words.TAKEN_OUT_OF, "fridge_1"), (words.TAKEN_FROM, "room_1")}


def test_object_taken_from_the_floor_was_beside_what_is_near_its_former_box() -> None:
    item = thing("mug_1", interval("", "", 1), FIRST, x=9.0)
    sofa, lamp = thing("sofa_1", x=1.3), thing("lamp_1", x=9.0)
    expected = {(words.TAKEN_FROM_BESIDE, "sofa_1"), (words.TAKEN_FROM, "room_1")}
    assert facts(item, 0, sofa, lamp) == expected
