"""Tests of late detections: the objects are those of detections that come in time, under the ids that were told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.memory.keyframe_observation import KeyframeObservation
from stma_ros.memory.object_timeline import MAX_KEYFRAMES, MAX_OPEN, ObjectTimeline
from stma_ros.memory.relations import relations
from stma_ros.memory.scene_graph import ObjectMemory
from stma_ros.memory.tracked_object import ObjectStatus, TrackedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import Detection
from support.memory.keyframes import EYE, Everywhere, at, ids, reported, seen

MUG, SOFA = (0.08, 0.08, 0.1), (2.0, 0.8, 0.8)
THINGS = {  # far enough from one another to be told apart whatever the noise
    "mug": ((0.0, 0.0, 0.8), MUG),
    "bowl": ((2.0, 0.0, 0.8), (0.15, 0.15, 0.08)),
    "table": ((0.0, 4.0, 0.4), (1.2, 0.8, 0.8)),
    "sofa": ((4.0, 4.0, 0.4), SOFA),
}
NEIGHBOURS = {  # of one category, as near to one another as they stand on a table
    "mug": ((0.0, 0.0, 0.8), MUG),
    "mug beside it": ((0.14, 0.0, 0.8), MUG),
    "mug behind it": ((0.0, 0.2, 0.8), MUG),
    "table": ((0.0, 0.0, 0.37), (1.2, 0.8, 0.74)),
}


def timeline() -> ObjectTimeline:
    return ObjectTimeline(ObjectMemory(household_categories()))


def keyframe(second: float, *detections: Detection) -> KeyframeObservation:
    return KeyframeObservation(at(second), detections, EYE, Everywhere())


def provisional(second: float, *detections: Detection) -> KeyframeObservation:
    """Returns what is known of a keyframe before a slow detector has answered, which says nothing of absence."""
    return replace(keyframe(second, *detections), recalls={})


def mug(score: float = 0.8) -> Detection:
    return seen("mug", (0.0, 0.0, 0.8), MUG, score=score)


def test_a_late_detection_is_seen_at_its_own_time() -> None:
    memory = timeline()
    memory.merge(provisional(1), may_be_revised=True)
    memory.merge(provisional(2), may_be_revised=True)
    memory.revise([keyframe(1, mug())])
    (found,) = memory.objects.objects
    assert (found.id, found.first_seen, found.last_seen, found.keyframes) == ("mug_1", at(1), at(1), 1)


def test_object_that_a_later_keyframe_found_before_keeps_its_id() -> None:
    memory = timeline()
    memory.merge(provisional(1), may_be_revised=True)
    memory.merge(keyframe(2, mug()))
    memory.revise([keyframe(1, mug(), seen("mug", (2.0, 0.0, 0.8), MUG))])
    first, second = sorted(memory.objects.objects, key=lambda item: item.box.middle[0])
    assert (first.id, first.first_seen, first.keyframes) == ("mug_1", at(1), 2)
    assert second.id == "mug_2"


def test_a_thing_that_the_robot_has_taken_meanwhile_stays_in_the_hand() -> None:
    memory = timeline()
    memory.merge(keyframe(1, mug()))
    memory.merge(provisional(2), may_be_revised=True)
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 3))
    memory.merge(provisional(4))
    memory.revise([keyframe(2, mug(), seen("bowl", (2.0, 0.0, 0.8), MUG))])
    held, bowl = memory.objects.objects
    assert (held.id, held.status, held.keyframes) == ("mug_1", ObjectStatus.HELD, 2)
    assert (bowl.category, bowl.last_seen) == ("bowl", at(2))


def test_a_later_look_that_does_not_find_a_late_thing_counts_against_it() -> None:
    memory = timeline()
    memory.merge(provisional(1), may_be_revised=True)
    for second in range(2, 6):
        memory.merge(replace(keyframe(second), viewpoint=np.array([second, -1.5, 1.5])))
    memory.revise([keyframe(1, mug())])
    (found,) = memory.objects.objects
    assert found.status is ObjectStatus.MISSING


def test_a_thing_that_was_moved_meanwhile_is_where_it_was_seen_last() -> None:
    memory = timeline()
    memory.merge(keyframe(1, mug()))
    memory.merge(provisional(2), may_be_revised=True)
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 3))
    memory.add_fact(reported("mug_1", words.NEAR, words.ROBOT, 4))
    memory.merge(keyframe(5, seen("mug", (0.2, -1.2, 0.05), MUG)))
    memory.revise([keyframe(2, mug())])
    (found,) = memory.objects.objects
    assert (found.id, found.last_seen, found.keyframes) == ("mug_1", at(5), 3)
    assert found.box.middle == pytest.approx((0.2, -1.2, 0.05), abs=0.01)


def test_detections_of_another_source_are_replaced_and_not_counted_twice() -> None:
    memory = timeline()
    memory.merge(provisional(1, mug()), may_be_revised=True)
    memory.revise([keyframe(1, mug(score=0.9))])
    (found,) = memory.objects.objects
    assert (found.id, found.keyframes) == ("mug_1", 1)


def test_a_revision_that_loses_what_the_robot_holds_is_not_used() -> None:
    memory = timeline()
    memory.merge(provisional(1, mug()), may_be_revised=True)
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 2))
    memory.revise([keyframe(1, seen("bowl", (2.0, 0.0, 0.8), MUG))])
    (found,) = memory.objects.objects
    assert (found.id, found.status) == ("mug_1", ObjectStatus.HELD)
    assert not memory.open_stamps


def test_two_ids_that_turn_out_to_be_of_one_thing_both_find_it() -> None:
    memory = timeline()
    memory.merge(provisional(1), may_be_revised=True)
    memory.merge(keyframe(2, seen("sofa", (0.0, 0.0, 0.4), (0.9, 0.8, 0.8), truncated=True)))
    memory.merge(keyframe(3, seen("sofa", (1.3, 0.0, 0.4), (0.9, 0.8, 0.8), truncated=True)))
    assert ids(memory.objects) == ["sofa_1", "sofa_2"]
    memory.revise([keyframe(1, seen("sofa", (0.65, 0.0, 0.4), (2.3, 0.8, 0.8)))])
    (sofa,) = memory.objects.objects
    assert sofa.id in ("sofa_1", "sofa_2")
    assert memory.objects.find("sofa_1") is memory.objects.find("sofa_2") is sofa


def test_forgotten_object_is_not_brought_back() -> None:
    memory = timeline()
    memory.merge(keyframe(1, mug()))
    memory.merge(provisional(2), may_be_revised=True)
    memory.forget("mug_1")
    memory.revise([keyframe(2, mug())])
    assert not memory.objects.objects


def test_a_keyframe_stands_after_one_revision() -> None:
    memory = timeline()
    memory.merge(provisional(1), may_be_revised=True)
    memory.revise([keyframe(1, mug())])
    memory.revise([keyframe(1)])
    assert ids(memory.objects) == ["mug_1"]


def test_an_unanswered_keyframe_stands_as_it_is() -> None:
    memory = timeline()
    memory.merge(provisional(1, mug()), may_be_revised=True)
    memory.settle([at(1).nanoseconds])
    memory.revise([keyframe(1)])
    assert ids(memory.objects) == ["mug_1"]
    assert not memory.open_stamps


def test_keyframes_and_changes_that_may_be_revised_are_bounded() -> None:
    memory = timeline()
    for second in range(MAX_OPEN + 3):
        memory.merge(provisional(second), may_be_revised=True)
    assert sorted(memory.open_stamps) == [at(second).nanoseconds for second in range(3, MAX_OPEN + 3)]
    for second in range(MAX_KEYFRAMES - MAX_OPEN + 1):
        memory.merge(keyframe(100 + second))
    assert len(memory.open_stamps) == MAX_OPEN - 1


def relate(memory: ObjectTimeline) -> None:
    """Sets the relations of the scene graph, as each step does."""
    knowledge = household_categories()

    def made(objects: ObjectMemory) -> tuple[Relation, ...]:
        return relations(objects.believed, knowledge, lambda item: "room_1")

    memory.set_relations(made(memory.objects), made)


def test_thing_on_a_tray_that_the_robot_took_meanwhile_was_taken_with_it() -> None:
    memory = timeline()
    tray = seen("tray", (0.0, 0.0, 0.8), (0.4, 0.3, 0.03))
    memory.merge(keyframe(1, tray))
    memory.merge(keyframe(2, tray))
    memory.merge(provisional(3, tray), may_be_revised=True)
    relate(memory)
    memory.add_fact(reported("tray_1", words.HELD_BY, words.ROBOT, 4))
    memory.revise([keyframe(3, tray, seen("mug", (0.0, 0.0, 0.865), MUG))])
    held = memory.objects.find("tray_1")
    cup = memory.objects.find("mug_1")
    assert held is not None
    assert cup is not None
    assert cup.place_history[-1].holder == "tray_1"
    assert cup.box.middle[:2] == pytest.approx(held.box.middle[:2], abs=0.05)


def test_a_thing_at_a_slightly_different_place_keeps_its_id() -> None:
    memory = timeline()
    memory.merge(provisional(1, mug()), may_be_revised=True)
    memory.revise([keyframe(1, seen("mug", (0.02, 0.0, 0.8), (0.1, 0.1, 0.12)))])
    assert ids(memory.objects) == ["mug_1"]


def test_of_several_late_keyframes_only_the_one_that_cannot_be_used_is_left_out() -> None:
    memory = timeline()
    bowl = seen("bowl", (2.0, 0.0, 0.8), MUG)
    memory.merge(provisional(1), may_be_revised=True)
    memory.merge(provisional(2, mug()), may_be_revised=True)
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 3))
    memory.revise([keyframe(1, bowl), keyframe(2, seen("vase", (4.0, 0.0, 0.8), MUG))])
    assert sorted(ids(memory.objects)) == ["bowl_1", "mug_1"]
    assert not memory.open_stamps


# -- the same as in time, for any order


@dataclass(frozen=True)
class Look:
    """What a slow and a fast detector find in a keyframe, how many keyframes later the slow one answers, and what
    happens after the keyframe.

    Attributes:
        slow, fast: numbers of things.
        late: in keyframes.
        acts: whether the robot takes the thing that it has known for longest, or puts down what it holds.
        happens: what happens to the map or to the hand.
    """

    slow: tuple[int, ...]
    fast: tuple[int, ...]
    late: int
    acts: bool
    happens: str


numbers = st.lists(st.integers(0, 3), unique=True).map(tuple)
looks = st.lists(
    st.builds(
        Look,
        numbers,
        numbers,
        st.integers(0, 4),
        st.booleans(),
        st.sampled_from(["", "", "", "correct", "suspect", "release"]),
    ),
    min_size=1,
    max_size=9,
)


def content(item: TrackedObject) -> tuple[object, ...]:
    """Returns what is known of an object, except for its id."""
    return (
        item.category,
        item.status,
        item.keyframes,
        item.first_seen,
        item.last_seen,
        item.doubt,
        item.existence.probability,
        *item.box.middle,
        *item.box.extent,
        item.place_history[-1].predicate,
    )


def counterpart(item: TrackedObject, memory: ObjectMemory) -> TrackedObject | None:
    """Returns the object of another memory of which the same is known."""
    return next((other for other in memory.objects if content(other) == content(item)), None)


def act(late: ObjectTimeline, in_time: ObjectTimeline, second: float) -> None:
    """Takes the object that was seen first, or puts down what is held, where both memories know the same of it."""
    for item in late.objects.objects:
        other = counterpart(item, in_time.objects)
        if other is None or item.category == "table":
            continue
        is_held = item.status is ObjectStatus.HELD
        predicate = words.NEAR if is_held else words.HELD_BY
        for memory, each in ((late, item), (in_time, other)):
            memory.add_fact(reported(each.id, predicate, words.ROBOT, second))
        return


def happen(memory: ObjectTimeline, what: str, second: float) -> None:
    match what:
        case "correct":
            pose = np.eye(4)
            pose[:3, 3] = 0.05, -0.02, 0.0
            memory.correct(lambda stamp: pose)
        case "suspect":
            memory.suspect()
        case "release":
            memory.release_held(at(second))


@pytest.mark.parametrize("things", [THINGS, NEIGHBOURS], ids=["apart", "neighbours"])
@settings(max_examples=60, deadline=None)
@given(shown=looks, seed=st.integers(0, 2**32 - 1))
def test_objects_are_the_same_as_if_all_detections_had_come_in_time(
    things: Mapping[str, tuple[tuple[float, ...], tuple[float, ...]]], shown: Sequence[Look], seed: int
) -> None:
    """Unless the robot has acted on something that is something else by the late detections."""
    rng = np.random.default_rng(seed)
    late, in_time = timeline(), timeline()
    pending: list[tuple[int, KeyframeObservation]] = []
    refused: set[int] = set()

    def views(chosen: Iterable[int]) -> list[Detection]:
        named = [list(things.items())[number] for number in chosen]
        return [
            seen(name.split()[0], np.add(place, rng.normal(0, 0.005, 3)), size)
            for name, (place, size) in named
        ]

    for number, shot in enumerate(shown):
        fast = views(each for each in shot.fast if each not in shot.slow)
        whole = keyframe(number, *fast, *views(shot.slow))
        late.merge(provisional(number, *fast), may_be_revised=True)
        in_time.merge(whole)
        pending.append((number + shot.late, whole))
        refused |= late.revise([each for due, each in pending if due <= number])
        pending = [(due, each) for due, each in pending if due > number]
        for memory in (late, in_time):
            relate(memory)
        if shot.acts:
            act(late, in_time, number + 0.3)
        for memory in (late, in_time):
            happen(memory, shot.happens, number + 0.6)
    refused |= late.revise([each for _, each in pending])
    assert not late.open_stamps
    names = ids(late.objects)
    assert len(set(names)) == len(names)
    if not refused:
        known, expected = (sorted(map(content, each.objects.objects), key=str) for each in (late, in_time))
        assert known == expected
