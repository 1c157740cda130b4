"""Who is who across keyframes."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.memory.scene_graph import ObjectMemory
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Triple
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import ColorRGBA, Point, Time, Vector3


def seen(
    category: str, center: tuple[float, float, float], size: tuple[float, float, float], **more: object
) -> Detection:
    return Detection(
        category, 0.8, Point(*center), Vector3(*size), ColorRGBA(0.5, 0.5, 0.5, 1.0), pixels=50, **more
    )


def at(second: int) -> Time:
    return Time(second, 0)


def ids(memory: ObjectMemory) -> list[str]:
    return [item.id for item in memory.objects]


def test_a_thing_seen_twice_is_one_thing_and_its_box_is_the_union() -> None:
    memory = ObjectMemory()
    memory.merge([seen("sofa", (0.5, 0, 0.4), (1.0, 0.8, 0.8))], at(1))
    memory.merge([seen("sofa", (1.0, 0, 0.4), (1.2, 0.8, 0.8))], at(2))
    (sofa,) = memory.objects
    assert sofa.box.size.x == pytest.approx(1.6)
    assert (sofa.first_seen, sofa.last_seen, sofa.keyframes) == (at(1), at(2), 2)
    assert sofa.confidence == pytest.approx(0.96)


def test_two_cups_side_by_side_in_one_keyframe_stay_two() -> None:
    memory = ObjectMemory()
    for second in range(3):
        memory.merge([seen("mug", (x, 0, 0.8), (0.08, 0.08, 0.1)) for x in (0.0, 0.12)], at(second))
    assert ids(memory) == ["mug_1", "mug_2"]


def test_adjacent_cupboards_seen_one_by_one_stay_two() -> None:
    memory = ObjectMemory()
    memory.merge([seen("cupboard", (0.0, 0, 1.5), (0.6, 0.35, 0.7))], at(1))
    memory.merge([seen("cupboard", (0.6, 0, 1.5), (0.6, 0.35, 0.7))], at(2))
    assert ids(memory) == ["cupboard_1", "cupboard_2"]


def test_two_parts_become_one_when_the_whole_is_seen_and_the_older_id_stays() -> None:
    memory = ObjectMemory()
    memory.merge([seen("bed", (0.3, 0, 0.3), (0.4, 1.4, 0.5))], at(1))
    memory.merge([seen("bed", (1.7, 0, 0.3), (0.4, 1.4, 0.5))], at(2))
    assert ids(memory) == ["bed_1", "bed_2"]
    memory.merge([seen("bed", (1.0, 0, 0.3), (2.0, 1.4, 0.5))], at(3))
    assert ids(memory) == ["bed_1"]


def test_ids_are_never_used_again() -> None:
    memory = ObjectMemory()
    memory.merge([seen("bed", (0.3, 0, 0.3), (0.4, 1.4, 0.5))], at(1))
    memory.merge([seen("bed", (1.7, 0, 0.3), (0.4, 1.4, 0.5))], at(2))
    memory.merge([seen("bed", (1.0, 0, 0.3), (2.0, 1.4, 0.5))], at(3))
    memory.merge([seen("bed", (9.0, 0, 0.3), (2.0, 1.4, 0.5))], at(4))
    assert ids(memory) == ["bed_1", "bed_3"]


def test_a_flat_view_of_a_front_is_the_thing_it_lies_on() -> None:
    memory = ObjectMemory()
    memory.merge([seen("fridge", (0, 0, 0.9), (0.6, 0.6, 1.8))], at(1))
    memory.merge([seen("fridge", (0.3, 0, 0.9), (0.0, 0.6, 1.8))], at(2))
    assert ids(memory) == ["fridge_1"]


def told(name: str, state: str, second: int) -> Triple:
    return Triple(name, words.STATE, state, 1.0, at(second), at(second))


def test_a_state_of_an_unknown_thing_is_passed_over() -> None:
    memory = ObjectMemory()
    memory.note_state(told("fridge_1", words.STATE_OPEN, 1))
    assert memory.objects == ()


def test_a_newer_state_replaces_an_older_one_and_not_the_other_way_round() -> None:
    memory = ObjectMemory()
    memory.merge([seen("fridge", (0, 0, 0.9), (0.6, 0.6, 1.8))], at(1))
    memory.note_state(told("fridge_1", words.STATE_OPEN, 5))
    memory.note_state(told("fridge_1", words.STATE_CLOSED, 3))
    assert memory.objects[0].node().states == (words.STATE_OPEN,)
    memory.note_state(told("fridge_1", words.STATE_CLOSED, 7))
    assert memory.objects[0].node().states == (words.STATE_CLOSED,)


def test_a_state_survives_when_two_parts_become_one_and_the_old_name_still_counts() -> None:
    memory = ObjectMemory()
    memory.merge([seen("cabinet", (0.3, 0, 0.5), (0.4, 0.4, 0.9))], at(1))
    memory.merge([seen("cabinet", (1.7, 0, 0.5), (0.4, 0.4, 0.9))], at(2))
    memory.note_state(told("cabinet_2", words.STATE_OPEN, 3))
    memory.merge([seen("cabinet", (1.0, 0, 0.5), (2.0, 0.4, 0.9))], at(4))
    (cabinet,) = memory.objects
    assert (cabinet.id, cabinet.state) == ("cabinet_1", told("cabinet_1", words.STATE_OPEN, 3))
    memory.note_state(told("cabinet_2", words.STATE_CLOSED, 6))
    assert memory.objects[0].node().states == (words.STATE_CLOSED,)


@pytest.mark.parametrize("pair", [("trash can", "trash_can"), ("room", "thing room"), ("frontier", "robot")])
def test_ids_of_different_things_never_collide_with_one_another_or_with_rooms(pair: tuple[str, str]) -> None:
    memory = ObjectMemory()
    memory.merge([seen(name, (3 * k, 0, 0.5), (0.3, 0.3, 0.3)) for k, name in enumerate(pair)], at(1))
    assert len(set(ids(memory))) == 2
    assert not {"room_1", "frontier_1", "robot_1"} & set(ids(memory))


@given(st.permutations(range(5)))
def test_the_order_of_detections_in_a_keyframe_names_but_does_not_change_the_things(order: list[int]) -> None:
    places = [(0.3 * k, 0.0, 0.8) for k in range(5)]
    memory = ObjectMemory()
    memory.merge([seen("mug", place, (0.1, 0.1, 0.1)) for place in places], at(1))
    memory.merge([seen("mug", places[k], (0.1, 0.1, 0.1)) for k in order], at(2))
    assert [item.keyframes for item in memory.objects] == [2] * 5
    assert [item.box.center.x for item in memory.objects] == pytest.approx([place[0] for place in places])


@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 6), st.floats(-0.04, 0.04), st.floats(-0.04, 0.04)),
        min_size=1,
        max_size=30,
    )
)
def test_things_a_metre_apart_are_never_confused(visits: list[tuple[int, int, float, float]]) -> None:
    memory = ObjectMemory()
    for second, (x, y, dx, dy) in enumerate(visits):
        memory.merge([seen("bowl", (x + dx, y + dy, 0.8), (0.2, 0.2, 0.1))], at(second))
    assert len(memory.objects) == len({visit[:2] for visit in visits})
    for one, other in itertools.combinations(memory.objects, 2):
        assert one.box.gap(other.box) > 0.5
