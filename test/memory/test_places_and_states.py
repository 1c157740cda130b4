"""Tests of states and places of objects, as reported and as seen, and of their history."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.memory.boxes import Box
from stma_ros.memory.keyframe_observation import KeyframeObservation
from stma_ros.memory.place_history import MAX_INTERVALS
from stma_ros.memory.placement import FLOOR_SEARCH, is_where_put
from stma_ros.memory.relations import relations
from stma_ros.memory.scene_graph import ObjectMemory
from stma_ros.memory.shapes import Shape
from stma_ros.memory.states import States, with_reported
from stma_ros.memory.tracked_object import ObjectStatus, TrackedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.floors import Floors
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import ColorRGBA, Point, Pose
from support.memory.keyframes import BLUE, EYE, RED, Everywhere, at, gaze, ids, look, reported, seen

MUG = (0.08, 0.08, 0.1)
TABLE = seen("table", (0, 0, 0.37), (1.6, 0.9, 0.75))
SINK = seen("sink", (4, 0, 0.8), (0.6, 0.5, 0.2))
FRIDGE = seen("fridge", (4, 0, 0.9), (0.6, 0.6, 1.8))
RED_MUG = seen("mug", (0.2, 0, 0.8), MUG, RED)


def states(memory: ObjectMemory, name: str) -> tuple[str, ...]:
    item = memory.find(name)
    assert item is not None
    return item.node().state_names


def find(memory: ObjectMemory, name: str) -> TrackedObject:
    item = memory.find(name)
    assert item is not None
    return item


def kitchen() -> ObjectMemory:
    memory = ObjectMemory(household_categories())
    look(memory, 1, TABLE, SINK, RED_MUG, eye=EYE)
    return memory


def test_state_of_an_unknown_object_is_ignored() -> None:
    memory = ObjectMemory(household_categories())
    memory.add_fact(reported("fridge_1", words.STATE, words.STATE_OPEN, 1))
    assert memory.objects == ()


def test_results_of_actions_replace_states_and_outlive_a_look_of_the_same_moment() -> None:
    memory = ObjectMemory(household_categories())
    oven = ("oven", (0, 0, 0.4), (0.6, 0.6, 0.8))
    look(memory, 1, seen(*oven, states=(words.STATE_CLOSED, words.STATE_OFF)))
    assert states(memory, "oven_1") == (words.STATE_CLOSED, words.STATE_OFF)
    memory.add_fact(reported("oven_1", words.STATE, words.STATE_OPEN, 5))
    memory.add_fact(reported("oven_1", words.STATE, words.STATE_CLOSED, 3))
    assert states(memory, "oven_1") == (words.STATE_OPEN, words.STATE_OFF)
    look(memory, 5, seen(*oven, states=(words.STATE_CLOSED,)))
    assert states(memory, "oven_1") == (words.STATE_OPEN, words.STATE_OFF)
    for second in range(6, 12):
        look(memory, second, seen(*oven, states=(words.STATE_CLOSED, words.STATE_ON)))
        # Reports are repeated at every step.
        memory.add_fact(reported("oven_1", words.STATE, words.STATE_OPEN, 5))
    assert states(memory, "oven_1") == (words.STATE_CLOSED, words.STATE_ON)
    ended = [(fact.object, fact.first_seen, fact.last_seen) for fact in find(memory, "oven_1").past_facts]
    assert (words.STATE_OPEN, at(5), at(5)) in ended


def test_merged_object_keeps_states_and_former_ids() -> None:
    memory = ObjectMemory(household_categories())
    look(memory, 1, seen("cabinet", (0.3, 0, 0.5), (0.4, 0.4, 0.9)))
    look(memory, 2, seen("cabinet", (1.7, 0, 0.5), (0.4, 0.4, 0.9)))
    memory.add_fact(reported("cabinet_2", words.STATE, words.STATE_OPEN, 3))
    look(memory, 4, seen("cabinet", (1.0, 0, 0.5), (2.0, 0.4, 0.9)))
    assert (ids(memory), states(memory, "cabinet_1")) == (["cabinet_1"], (words.STATE_OPEN,))
    memory.add_fact(reported("cabinet_2", words.STATE, words.STATE_CLOSED, 6))
    assert states(memory, "cabinet_1") == (words.STATE_CLOSED,)


def test_open_door_leaf_does_not_enlarge_the_cupboard() -> None:
    memory = ObjectMemory(household_categories())
    shut = seen("cupboard", (0, 0, 0.5), (0.8, 0.4, 1.0), states=(words.STATE_CLOSED,))
    wide = seen("cupboard", (0, -0.2, 0.5), (0.8, 0.8, 1.0), states=(words.STATE_OPEN,))
    look(memory, 1, shut, eye=EYE)
    for second in (2, 3, 4):
        look(memory, second, wide, eye=EYE, visibility_test=Everywhere(0.0))
        assert memory.objects[0].box.extent == pytest.approx((0.8, 0.4, 1.0))
    assert memory.objects[0].shape.box.extent[1] == pytest.approx(0.8)
    look(memory, 5, shut, eye=EYE, visibility_test=Everywhere(0.0))
    assert memory.objects[0].shape.box.extent == pytest.approx((0.8, 0.4, 1.0))


def test_held_object_has_no_place_until_it_is_put_down() -> None:
    memory = kitchen()
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 2))
    gaze(memory, 3, seen("mug", (7, 0, 0.8), MUG, RED))
    assert ids(memory)[-1] == "mug_2"  # the one in the hand is not the one on the shelf
    mug = find(memory, "mug_1")
    assert (mug.status, mug.place_history[-1].box) == (ObjectStatus.HELD, None)
    assert mug.box.middle == pytest.approx(EYE)  # it goes where the robot goes
    memory.add_fact(reported("mug_1", words.IN, "sink_1", 4))
    mug = find(memory, "mug_1")
    assert mug.status is ObjectStatus.ASSUMED
    assert mug.box.middle == pytest.approx((4, 0, 0.8), abs=0.01)
    look(memory, 4, SINK, seen("mug", (4.15, 0.1, 0.8), MUG, RED), eye=EYE)
    mug = find(memory, "mug_1")
    assert mug.status is ObjectStatus.SEEN
    assert mug.box.middle == pytest.approx((4.15, 0.1, 0.8))
    assert [(interval.predicate, interval.holder) for interval in mug.place_history] == [
        ("", ""),
        (words.HELD_BY, words.ROBOT),
        (words.IN, "sink_1"),
    ]


@pytest.mark.parametrize("sides", [(0.3, 0.1), (0.1, 0.3)])
def test_object_lies_where_the_robot_put_it_until_it_is_seen(sides: tuple[float, float]) -> None:
    memory = ObjectMemory(household_categories())
    look(memory, 1, TABLE, seen("book", (0, 0, 0.77), (*sides, 0.04)), eye=EYE)
    memory.add_fact(reported("book_1", words.HELD_BY, words.ROBOT, 2))
    put_at = Pose(Point(0.5, -0.3, 0.75), Pose.planar(0, 0, 0.4).orientation)
    memory.add_fact(reported("book_1", words.ON, "table_1", 4), put_at)
    book = find(memory, "book_1")
    assert (book.status, book.placement is None) == (ObjectStatus.ASSUMED, False)
    assert book.box.middle == pytest.approx((0.5, -0.3, 0.77))
    along = book.box.yaw if sides[0] > sides[1] else book.box.yaw + np.pi / 2
    assert np.sin(along - 0.4) == pytest.approx(0)


@pytest.mark.parametrize(("off", "same"), [(0.1, True), (0.4, False)])
def test_thing_at_the_spot_where_the_robot_put_it_may_be_of_another_colour(off: float, same: bool) -> None:
    memory = ObjectMemory(household_categories())
    in_the_dark = seen("bowl", (4.0, 0.0, 0.5), (0.2, 0.2, 0.1), ColorRGBA(0.12, 0.12, 0.18, 1.0))
    look(memory, 1, TABLE, FRIDGE, in_the_dark, eye=EYE)
    memory.add_fact(reported("bowl_1", words.HELD_BY, words.ROBOT, 2))
    memory.add_fact(reported("bowl_1", words.ON, "table_1", 4), Pose(Point(0.5, -0.3, 0.75)))
    in_the_light = seen("bowl", (0.5 - off, -0.3, 0.8), (0.2, 0.2, 0.1), RED)
    look(memory, 4, TABLE, in_the_light, eye=EYE)
    assert ("bowl_2" not in ids(memory)) is same
    assert (find(memory, "bowl_1").status is ObjectStatus.SEEN) is same


@pytest.mark.parametrize(("reach", "state"), [(0.9, words.STATE_OPEN), (0.1, words.STATE_CLOSED)])
def test_open_leaf_in_line_with_a_side_is_no_closed_front(reach: float, state: str) -> None:
    memory = ObjectMemory(household_categories())
    look(memory, 1, FRIDGE, eye=EYE)
    look(memory, 2, FRIDGE, eye=EYE)
    memory.add_fact(reported("fridge_1", words.STATE, words.STATE_OPEN, 3))
    side = seen(
        "fridge",
        (4.0 - reach / 2, 0.3, 0.9),
        (reach + 0.6, 0.04, 1.8),
        states=(words.STATE_CLOSED,),
        score=0.95,
    )
    for second in range(4, 10):
        look(memory, second, side, eye=EYE + np.array([0.3 * second, 3.0, 0.0]))
    assert states(memory, "fridge_1") == (state,)


def test_whole_closed_front_corrects_a_wrong_look_at_a_part_of_it() -> None:
    memory = ObjectMemory(household_categories())
    part = ("wardrobe", (0.4, 0.0, 0.9), (0.8, 0.05, 1.8))
    look(memory, 1, seen(*part, states=(words.STATE_CLOSED,), truncated=True), eye=EYE)
    for second in (2, 3):
        look(memory, second, seen(*part, states=(words.STATE_OPEN,), truncated=True, score=0.9), eye=EYE)
    for second in range(4, 16):
        whole = seen("wardrobe", (0.8, 0.0, 0.9), (1.6, 0.05, 1.8), states=(words.STATE_CLOSED,), score=0.9)
        look(memory, second, whole, eye=EYE)
    assert states(memory, "wardrobe_1") == (words.STATE_CLOSED,)


def test_thing_is_not_next_to_what_the_robot_has_taken_away_since() -> None:
    memory = ObjectMemory(household_categories())
    box = seen("box", (4, 0, 0.15), (0.3, 0.3, 0.3))
    look(memory, 1, TABLE, box, RED_MUG, eye=EYE)
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 2))
    memory.add_fact(reported("mug_1", words.NEAR, "box_1", 4), Pose(Point(4.0, -0.4, 0.0)))
    assert (words.NEAR, "box_1") in relations_of(memory, "mug_1")
    memory.add_fact(reported("box_1", words.HELD_BY, words.ROBOT, 6))
    memory.add_fact(reported("box_1", words.ON, "table_1", 8))
    assert (words.NEAR, "box_1") not in relations_of(memory, "mug_1")


def put_next_to_the_fridge() -> ObjectMemory:
    """Returns a memory of a mug that the robot has put on the floor beside a fridge."""
    memory = ObjectMemory(household_categories())
    look(memory, 1, TABLE, FRIDGE, RED_MUG, eye=EYE)
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 2))
    memory.add_fact(reported("mug_1", words.NEAR, "fridge_1", 4), Pose(Point(4.0, -0.5, 0.0)))
    return memory


def relations_of(memory: ObjectMemory, name: str) -> set[tuple[str, str]]:
    facts = relations(memory.objects, household_categories(), lambda _: "")
    return {(fact.predicate, fact.object) for fact in facts if fact.subject == name} | {
        (fact.predicate, fact.subject) for fact in facts if fact.object == name
    }


def test_object_that_was_put_next_to_a_thing_is_on_the_floor_there() -> None:
    memory = put_next_to_the_fridge()
    mug = find(memory, "mug_1")
    assert (mug.status, mug.place_history[-1].holder) == (ObjectStatus.ASSUMED, "")
    assert mug.box.middle == pytest.approx((4.0, -0.5, 0.05))
    look(memory, 5, FRIDGE, seen("mug", (4.05, -0.55, 0.05), MUG, RED), eye=EYE)
    assert "mug_2" not in ids(memory)
    assert find(memory, "mug_1").status is ObjectStatus.SEEN
    assert relations_of(memory, "mug_1") == {(words.NEAR, "fridge_1")}


def test_object_that_was_put_next_to_a_cabinet_is_not_in_it_though_its_open_door_is_around() -> None:
    memory = ObjectMemory(household_categories())
    cabinet = ("cabinet", (4, 0, 0.5), (0.6, 1.0, 1.0))
    opened = ("cabinet", (3.8, 0, 0.5), (1.0, 1.0, 1.0))
    look(memory, 1, TABLE, seen(*cabinet, states=(words.STATE_CLOSED,)), RED_MUG, eye=EYE)
    memory.add_fact(reported("cabinet_1", words.STATE, words.STATE_OPEN, 2))
    look(memory, 2, TABLE, seen(*opened, states=(words.STATE_OPEN,)), RED_MUG, eye=EYE)
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 3))
    memory.add_fact(reported("mug_1", words.NEAR, "cabinet_1", 4), Pose(Point(3.5, 0.2, 0.0)))
    look(memory, 5, seen(*opened), seen("mug", (3.5, 0.2, 0.05), MUG, RED), eye=EYE)
    assert find(memory, "mug_1").status is ObjectStatus.SEEN
    assert relations_of(memory, "mug_1") == {(words.NEAR, "cabinet_1")}
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 6))
    memory.add_fact(reported("mug_1", words.ON, "table_1", 7))
    assert (words.ON, "table_1") in relations_of(memory, "mug_1")


@pytest.mark.parametrize(
    ("away", "height", "is_there"),
    [(0.2, 0.05, True), (0.35, 0.05, True), (0.55, 0.05, False), (0.2, 0.8, False)],
)
def test_object_that_is_seen_far_from_the_thing_that_it_was_put_next_to_is_not_there_any_more(
    away: float, height: float, is_there: bool
) -> None:
    memory = put_next_to_the_fridge()
    mug, fridge = find(memory, "mug_1"), find(memory, "fridge_1")
    moved = replace(
        mug, closed_shape=Shape.from_guess(Box(np.array([4.0, -0.3 - away, height]), np.array(MUG)), at(5))
    )
    assert is_where_put(moved, fridge) == is_there


@pytest.mark.parametrize("y", [-0.4, -0.7, 0.55])
def test_object_that_is_seen_anywhere_beside_the_thing_that_it_was_put_next_to_is_no_other_one(
    y: float,
) -> None:
    memory = put_next_to_the_fridge()
    look(memory, 5, FRIDGE, seen("mug", (4.1, y, 0.05), MUG, RED), eye=EYE)
    assert "mug_2" not in ids(memory)
    assert relations_of(memory, "mug_1") == {(words.NEAR, "fridge_1")}


@pytest.mark.parametrize(("apart", "number"), [(0.11, 1), (0.25, 2)])
def test_ends_of_what_sticks_out_of_a_bag_are_one_thing_if_it_is_that_long(apart: float, number: int) -> None:
    memory = ObjectMemory(household_categories())
    bag = seen("paper bag", (0.2, 0, 0.88), (0.3, 0.3, 0.26))
    look(memory, 1, TABLE, bag, seen("book", (0.6, 0, 0.77), (0.14, 0.1, 0.04), RED), eye=EYE)
    memory.add_fact(reported("book_1", words.HELD_BY, words.ROBOT, 2))
    memory.add_fact(reported("book_1", words.IN, "paper_bag_1", 4))
    look(memory, 5, TABLE, bag, seen("book", (0.13, 0, 1.03), (0.01, 0.1, 0.04), RED), eye=EYE)
    look(memory, 6, TABLE, bag, seen("book", (0.13 + apart, 0, 1.03), (0.01, 0.1, 0.04), RED), eye=EYE)
    assert len([name for name in ids(memory) if name.startswith("book")]) == number


def test_two_things_that_stick_out_of_a_bag_at_once_are_two() -> None:
    memory = ObjectMemory(household_categories())
    bag = seen("paper bag", (0.2, 0, 0.88), (0.3, 0.3, 0.26))
    look(memory, 1, TABLE, bag, seen("book", (0.6, 0, 0.77), (0.14, 0.1, 0.04), RED), eye=EYE)
    memory.add_fact(reported("book_1", words.HELD_BY, words.ROBOT, 2))
    memory.add_fact(reported("book_1", words.IN, "paper_bag_1", 4))
    ends = (seen("book", (x, 0, 1.03), (0.01, 0.1, 0.04), RED) for x in (0.13, 0.24))
    look(memory, 5, TABLE, bag, *ends, eye=EYE)
    assert "book_2" in ids(memory)


def carried_bag(*, put_in: bool) -> ObjectMemory:
    """Returns a memory of a book in a bag, into which the robot has put it or in which it was seen, after the robot has
    taken the bag."""
    memory = ObjectMemory(household_categories())
    bag = seen("paper bag", (0.2, 0, 0.88), (0.3, 0.3, 0.26))
    at_first = (0.6, 0, 0.77) if put_in else (0.2, 0.05, 0.85)
    shelf = seen("shelf", (4, 0, 0.5), (0.8, 0.4, 1.0))
    look(memory, 1, TABLE, shelf, bag, seen("book", at_first, (0.14, 0.1, 0.04), RED), eye=EYE)
    if put_in:
        memory.add_fact(reported("book_1", words.HELD_BY, words.ROBOT, 2))
        put_at = Pose(Point(0.2, 0.05, 0.83))
        memory.add_fact(reported("book_1", words.IN, "paper_bag_1", 3), put_at)
    settle(memory)
    memory.add_fact(reported("paper_bag_1", words.HELD_BY, words.ROBOT, 4))
    settle(memory)
    return memory


def settle(memory: ObjectMemory) -> None:
    memory.set_relations(relations(memory.objects, household_categories(), lambda _: ""))


def put_onto_shelf(memory: ObjectMemory) -> None:
    memory.add_fact(reported("paper_bag_1", words.ON, "shelf_1", 6), Pose(Point(4.0, 0.0, 1.0)))
    settle(memory)


@pytest.mark.parametrize("put_in", [False, True])
def test_thing_in_a_bag_moves_with_the_bag_that_the_robot_carries_to_a_shelf(put_in: bool) -> None:
    memory = carried_bag(put_in=put_in)
    assert (words.IN, "paper_bag_1") in relations_of(memory, "book_1")  # while the robot carries it, too
    look(memory, 5, eye=np.array([2.0, -1.5, 1.5]))
    put_onto_shelf(memory)
    book, bag = find(memory, "book_1"), find(memory, "paper_bag_1")
    assert (words.IN, "paper_bag_1") in relations_of(memory, "book_1")
    assert bag.box.contains(book.box.middle)
    look(memory, 7, seen("paper bag", (4, 0, 1.13), (0.3, 0.3, 0.26)), eye=EYE)
    look(memory, 8, seen("book", (4.05, 0, 1.1), (0.14, 0.1, 0.04), RED), eye=EYE)
    assert [name for name in ids(memory) if name.startswith("book")] == ["book_1"]
    assert find(memory, "book_1").status is ObjectStatus.SEEN


def test_thing_wrongly_believed_in_a_carried_bag_is_left_behind_once_it_is_seen_at_the_old_place() -> None:
    memory = carried_bag(put_in=False)
    put_onto_shelf(memory)
    look(memory, 7, TABLE, seen("book", (0.2, 0.05, 0.77), (0.14, 0.1, 0.04), RED), eye=EYE)
    assert [name for name in ids(memory) if name.startswith("book")] == ["book_1"]
    assert (words.IN, "paper_bag_1") not in relations_of(memory, "book_1")


def test_thing_that_the_robot_put_into_a_carried_bag_is_not_the_like_one_seen_at_the_old_place() -> None:
    memory = carried_bag(put_in=True)
    put_onto_shelf(memory)
    look(memory, 7, TABLE, seen("book", (0.2, 0.05, 0.77), (0.14, 0.1, 0.04), RED), eye=EYE)
    assert "book_2" in ids(memory)
    assert (words.IN, "paper_bag_1") in relations_of(memory, "book_1")


def drop_bag(memory: ObjectMemory) -> None:
    memory.release_held(at(5))


def report_that_the_bag_is_lost(memory: ObjectMemory) -> None:
    memory.add_fact(reported("paper_bag_1", words.STATE, words.STATE_MISSING, 5))


@pytest.mark.parametrize("fall", [drop_bag, report_that_the_bag_is_lost])
def test_thing_in_a_bag_falls_to_the_floor_with_the_bag(fall: Callable[[ObjectMemory], None]) -> None:
    memory = carried_bag(put_in=True)
    look(memory, 4, eye=np.array([6.0, 6.0, 1.2]))
    fall(memory)
    settle(memory)
    bag, book = find(memory, "paper_bag_1"), find(memory, "book_1")
    assert bag.box.contains(book.box.middle)
    assert bag.box.bottom == pytest.approx(0.0)
    assert np.linalg.norm(bag.box.middle[:2] - (6.0, 6.0)) < FLOOR_SEARCH
    is_in_bag = (words.IN, "paper_bag_1") in relations_of(memory, "book_1")
    assert is_in_bag == bag.is_present  # in what is at no known place, nothing is at a known place


def test_object_falls_onto_the_floor_on_which_the_robot_is() -> None:
    memory = ObjectMemory(household_categories(), floors=Floors((0.0, 3.0)))
    look(memory, 1, seen("mug", (0.2, 0.3, 3.8), MUG, RED), eye=np.array([0, 1, 4.2]))
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 2))
    memory.add_fact(reported("mug_1", words.ON, "shelf_9", 4))  # nobody knows this shelf
    assert find(memory, "mug_1").box.bottom == pytest.approx(3.0)


@pytest.mark.parametrize("eye", [(6.0, 3.0), (4.0, -2.0), (4.1, 0.1)])
def test_object_that_was_put_next_to_a_thing_at_an_unknown_place_is_on_the_robots_side_of_it(
    eye: tuple[float, float],
) -> None:
    memory = ObjectMemory(household_categories())
    look(memory, 1, TABLE, FRIDGE, RED_MUG, eye=EYE)
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 2))
    look(memory, 3, eye=np.array([*eye, 1.2]))
    memory.add_fact(reported("mug_1", words.NEAR, "fridge_1", 4))
    mug, fridge = find(memory, "mug_1"), find(memory, "fridge_1")
    assert mug.box.bottom == pytest.approx(0.0)
    assert is_where_put(mug, fridge)
    assert not np.all(np.abs(mug.box.middle[:2] - fridge.box.middle[:2]) < fridge.box.extent[:2] / 2)
    if max(abs(eye[0] - 4.0), abs(eye[1])) > 1.0:
        assert np.dot(mug.box.middle[:2] - (4.0, 0.0), np.array(eye) - (4.0, 0.0)) > 0


def test_object_put_into_a_closed_container_stays_there() -> None:
    memory = kitchen()
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 2))
    memory.add_fact(reported("mug_1", words.IN, "sink_1", 4))
    for second in range(5, 12):
        gaze(memory, second, SINK)
    assert find(memory, "mug_1").status is ObjectStatus.ASSUMED
    assert states(memory, "mug_1") == ()


def test_dropped_object_is_expected_on_the_floor_next_to_the_robot() -> None:
    memory = kitchen()
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 2))
    look(memory, 3, eye=np.array([6.0, 6.0, 1.2]))
    memory.release_held(at(3))
    assert find(memory, "mug_1").box.middle == pytest.approx((6, 6, 0.05))
    look(memory, 4, seen("mug", (6.5, 6.4, 0.05), MUG, RED), eye=EYE)
    assert ids(memory).count("mug_1") == 1
    assert find(memory, "mug_1").box.middle[0] == pytest.approx(6.5)
    assert "mug_2" not in ids(memory)


def test_object_that_is_dropped_on_an_upper_floor_is_expected_there() -> None:
    memory = ObjectMemory(household_categories(), floors=Floors((0.0, 3.0)))
    look(memory, 1, seen("mug", (2.0, 0.0, 3.8), MUG, RED), eye=np.array([0.0, 0.0, 4.2]))
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 2))
    look(memory, 3, eye=np.array([6.0, 6.0, 4.2]))
    memory.release_held(at(3))
    assert find(memory, "mug_1").box.middle == pytest.approx((6, 6, 3.05))


def test_object_reported_as_dropped_is_missing_until_it_is_seen() -> None:
    memory = kitchen()
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 2))
    look(memory, 3, eye=np.array([6.0, 6.0, 1.2]))
    memory.add_fact(reported("mug_1", words.STATE, words.STATE_MISSING, 4))
    memory.release_held(at(4))
    look(memory, 4, eye=EYE)
    assert states(memory, "mug_1") == (words.STATE_MISSING,)
    look(memory, 5, seen("mug", (6.5, 6.4, 0.05), MUG, RED), eye=EYE)
    mug = find(memory, "mug_1")
    assert (mug.status, states(memory, "mug_1")) == (ObjectStatus.SEEN, ())
    assert mug.box.middle == pytest.approx((6.5, 6.4, 0.05))


def test_placement_holds_until_a_clear_view_contradicts_it() -> None:
    memory = kitchen()
    memory.add_fact(reported("mug_1", words.ON, "table_1", 2))
    assert find(memory, "mug_1").placement == reported("mug_1", words.ON, "table_1", 2)
    for second, x in enumerate((0.9, 0.98, 1.06, 1.14, 1.2), start=3):  # pushed over the edge, step by step
        look(memory, second, seen("mug", (x, 0, 0.4), MUG, RED), eye=EYE)
    mug = find(memory, ids(memory)[-1])
    assert mug.placement is None


TRAY = seen("tray", (0.3, 0.0, 0.77), (0.4, 0.3, 0.03))
BOWL = seen("bowl", (0.3, 0.0, 0.82), (0.15, 0.15, 0.07), BLUE)


def bowl_on_a_tray() -> ObjectMemory:
    """Returns a memory of a table, and on it a tray with a bowl."""
    memory = ObjectMemory(household_categories())
    look(memory, 1, TABLE, TRAY, BOWL, eye=EYE)
    memory.set_relations([Relation("bowl_1", words.ON, "tray_1"), Relation("tray_1", words.ON, "table_1")])
    return memory


def test_object_that_stayed_behind_is_where_it_is_seen_and_not_on_what_was_taken_from_under_it() -> None:
    memory = bowl_on_a_tray()
    memory.add_fact(reported("tray_1", words.HELD_BY, words.ROBOT, 2))
    assert find(memory, "bowl_1").status is ObjectStatus.ASSUMED
    robot = np.array([3.0, 3.0, 1.2])
    look(memory, 3, TABLE, BOWL, eye=robot)
    for second in (4, 5):
        look(memory, second, eye=robot + second)  # the tray goes where the robot goes
        bowl = find(memory, "bowl_1")
        assert bowl.status is ObjectStatus.SEEN
        assert bowl.box.middle == pytest.approx((0.3, 0.0, 0.82), abs=0.02)


def test_object_is_not_on_what_was_put_on_it() -> None:
    memory = bowl_on_a_tray()
    memory.add_fact(reported("tray_1", words.HELD_BY, words.ROBOT, 2))
    memory.add_fact(reported("tray_1", words.ON, "bowl_1", 4))
    assert find(memory, "tray_1").place_history[-1].holder == "bowl_1"
    bowl = find(memory, "bowl_1")
    assert (bowl.placement, bowl.place_history[-1].holder) == (None, "")


def test_objects_that_are_believed_to_be_on_each_other_are_moved_once() -> None:
    memory = bowl_on_a_tray()
    memory.set_relations([Relation("bowl_1", words.ON, "tray_1"), Relation("tray_1", words.ON, "bowl_1")])
    memory.add_fact(reported("tray_1", words.ON, "table_1", 2))
    assert find(memory, "tray_1").box.middle == pytest.approx((0.3, 0.0, 0.77))
    assert find(memory, "bowl_1").box.middle == pytest.approx((0.3, 0.0, 0.82))


def test_object_that_is_dropped_leaves_what_was_known_before_as_it_was() -> None:
    memory = ObjectMemory(household_categories())
    look(memory, 1, TABLE, RED_MUG)  # from a place that is not known
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 2))
    held = find(memory, "mug_1")
    before = held.box.middle.copy()
    memory.release_held(at(3))
    assert find(memory, "mug_1").box.bottom == pytest.approx(0.0)
    assert held.box.middle == pytest.approx(before)


def test_object_that_is_seen_at_another_place_is_seen_there_once() -> None:
    memory = kitchen()
    for second in (2, 3):
        gaze(memory, second, TABLE, SINK)
    there = seen("mug", (4, 0.1, 0.8), MUG, RED)
    look(memory, 4, there, eye=EYE)
    again = ObjectMemory(household_categories())
    look(again, 4, there, eye=EYE)
    shape, once = find(memory, "mug_1").shape, find(again, "mug_1").shape
    assert shape.box.middle == pytest.approx(once.box.middle)
    assert shape.support == pytest.approx(once.support)


def test_tall_object_that_is_seen_where_it_was_put_is_the_one_that_was_put_there() -> None:
    memory = ObjectMemory(household_categories())
    vase = (0.15, 0.15, 0.9)
    look(memory, 1, TABLE, seen("vase", (3.0, 0.3, 0.45), vase), eye=EYE)
    memory.add_fact(reported("vase_1", words.HELD_BY, words.ROBOT, 2))
    memory.add_fact(reported("vase_1", words.ON, "table_1", 3))
    look(memory, 4, TABLE, seen("vase", (0.0, 0.0, 0.75 + 0.45), vase), eye=EYE)
    assert ids(memory) == ["table_1", "vase_1"]
    assert find(memory, "vase_1").placement is not None


def test_object_that_is_seen_through_is_missing_until_it_is_seen_again() -> None:
    memory = kitchen()
    gaze(memory, 2, TABLE, SINK, through=0.6)
    assert states(memory, "mug_1") == ()
    gaze(memory, 3, TABLE, SINK, through=0.6)
    assert states(memory, "mug_1") == (words.STATE_MISSING,)
    assert find(memory, "mug_1").place_history[-1].last_seen == at(1)
    gaze(memory, 4, TABLE, SINK, RED_MUG)
    assert states(memory, "mug_1") == ()
    assert sorted(ids(memory)) == ["mug_1", "sink_1", "table_1"]


@pytest.mark.parametrize(
    "visibility_test",
    [Everywhere(0.0, 1.0), Everywhere(1.0, 0.0, pixels=5)],
    ids=["hidden", "too small to see"],
)
def test_object_that_is_hidden_or_too_small_does_not_become_missing(visibility_test: Everywhere) -> None:
    memory = kitchen()
    for second in range(2, 30):
        look(memory, second, eye=EYE, visibility_test=visibility_test)
    assert states(memory, "mug_1") == ()


@pytest.mark.parametrize("looks", [{}, {"another": 0.9}], ids=["none", "another one"])
def test_object_does_not_become_missing_when_its_detector_has_not_looked(looks: dict[str, float]) -> None:
    memory = kitchen()
    for second in range(2, 30):
        memory.merge(KeyframeObservation(at(second), (), EYE, Everywhere(0.6), recalls=looks))
    assert states(memory, "mug_1") == ()
    for second in (30, 31):
        memory.merge(KeyframeObservation(at(second), (), EYE, Everywhere(0.6)))
    assert states(memory, "mug_1") == (words.STATE_MISSING,)


def test_object_in_a_closed_container_does_not_become_missing() -> None:
    memory = ObjectMemory(household_categories())
    fridge = ("fridge", (0, 0, 0.9), (0.6, 0.6, 1.8))
    milk = seen("milk", (0, 0, 1.0), (0.1, 0.1, 0.2))
    look(memory, 1, seen(*fridge, states=(words.STATE_OPEN,)), milk, eye=EYE)
    memory.set_relations([Relation("milk_1", words.IN, "fridge_1")])
    for second in (2, 3, 4):
        gaze(memory, second, seen(*fridge, states=(words.STATE_CLOSED,)))
    assert states(memory, "milk_1") == ()
    for second in (5, 6, 7):
        gaze(memory, second, seen(*fridge, states=(words.STATE_OPEN,)))
    assert states(memory, "milk_1") == (words.STATE_MISSING,)


def test_moved_object_keeps_its_id_and_its_place_history() -> None:
    memory = kitchen()
    memory.set_relations([Relation("mug_1", words.ON, "table_1"), Relation("mug_1", words.IN_ROOM, "room_1")])
    for second in (2, 3):
        gaze(memory, second, TABLE, SINK)
    gaze(memory, 4, SINK, seen("mug", (4, 0.1, 0.8), MUG, RED), picture=True)
    mug = find(memory, "mug_1")
    assert [name for name in ids(memory) if name.startswith("mug")] == ["mug_1"]
    assert mug.box.middle == pytest.approx((4, 0.1, 0.8))
    first, second = mug.place_history
    assert (first.predicate, first.holder, first.room) == (words.ON, "table_1", "room_1")
    assert (first.first_seen, first.last_seen) == (at(1), at(1))
    assert (second.first_seen, second.picture) == (at(4), at(4))
    assert memory.picture(at(4)) is not None


def test_object_of_another_colour_or_an_ambiguous_one_is_new() -> None:
    memory = ObjectMemory(household_categories())
    look(
        memory, 1, RED_MUG, seen("mug", (0.6, 0, 0.8), MUG, RED), seen("book", (1, 0, 0.8), MUG, RED), eye=EYE
    )
    for second in (2, 3):
        gaze(memory, second)
    gaze(memory, 4, seen("mug", (5, 0, 0.8), MUG, RED), seen("book", (6, 0, 0.8), MUG, BLUE))
    assert {"mug_3", "book_2"} <= set(ids(memory))


def test_object_reported_as_missing_is_missing_until_it_is_seen_later() -> None:
    memory = kitchen()
    memory.add_fact(reported("mug_1", words.STATE, words.STATE_MISSING, 2))
    look(memory, 2, RED_MUG, eye=EYE)
    assert states(memory, "mug_1") == (words.STATE_MISSING,)
    look(memory, 3, RED_MUG, eye=EYE)
    assert states(memory, "mug_1") == ()
    memory.add_fact(reported("mug_1", words.STATE, words.STATE_MISSING, 2))
    assert states(memory, "mug_1") == ()


def test_newest_place_intervals_and_their_pictures_are_stored() -> None:
    memory = kitchen()
    for turn in range(30):
        memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 10 * turn + 2))
        memory.add_fact(reported("mug_1", words.ON, "table_1", 10 * turn + 4))
        look(memory, 10 * turn + 5, seen("mug", (0.2, 0.1, 0.8), MUG, RED), eye=EYE, picture=True)
    mug = find(memory, "mug_1")
    assert len(mug.place_history) == MAX_INTERVALS
    assert mug.place_history[-1].last_seen == at(295)
    assert memory.picture(at(295)) is not None
    assert memory.picture(at(5)) is None
    assert len(memory.saved().pictures) <= MAX_INTERVALS


def test_object_stores_the_newest_of_unknown_states() -> None:
    states: States = ()
    for second in range(20):
        states = with_reported(states, reported("mug_1", words.STATE, f"mood {second}", second))
    states = with_reported(states, reported("mug_1", words.STATE, words.STATE_FULL, 1))

    assert {fact.object for fact in states} == {words.STATE_FULL, *(f"mood {n}" for n in range(16, 20))}
