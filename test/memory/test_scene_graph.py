"""Tests of the identity of objects across keyframes."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.scene_graph import MAX_MISSING, ObjectMemory
from stma_ros.types import vocabulary as words
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import ColorRGBA, Point
from support.memory.keyframes import BLUE, EYE, GREY, RED, Everywhere, at, gaze, ids, look, reported, seen

MUG = (0.08, 0.08, 0.1)


def test_object_seen_from_unknown_places_has_the_union_of_its_views() -> None:
    memory = ObjectMemory(household_categories())
    look(memory, 1, seen("sofa", (0.5, 0, 0.4), (1.0, 0.8, 0.8)))
    look(memory, 2, seen("sofa", (1.0, 0, 0.4), (1.2, 0.8, 0.8)))
    (sofa,) = memory.objects
    assert sofa.box.extent[0] == pytest.approx(1.6)
    assert (sofa.first_seen, sofa.last_seen, sofa.keyframes) == (at(1), at(2), 2)
    assert 0.8 < sofa.confidence < 0.96


def test_two_cups_side_by_side_in_one_keyframe_stay_separate() -> None:
    memory = ObjectMemory(household_categories())
    for second in range(3):
        look(memory, second, *(seen("mug", (x, 0, 0.8), MUG) for x in (0.0, 0.12)))
    assert ids(memory) == ["mug_1", "mug_2"]


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_two_equal_cups_stay_separate_over_many_noisy_views(seed: int) -> None:
    rng = np.random.default_rng(seed)
    memory = ObjectMemory(household_categories())
    places = {"mug_1": np.array([0.0, 0.0, 0.8]), "mug_2": np.array([0.14, 0.0, 0.8])}
    for second in range(40):
        views = [
            seen("mug", middle + rng.normal(0, 0.02, 3), np.array(MUG) + rng.normal(0, 0.01, 3))
            for middle in places.values()
        ]
        look(memory, second, *views, eye=EYE)
    assert ids(memory) == ["mug_1", "mug_2"]
    for item in memory.objects:
        assert np.linalg.norm(item.box.middle - places[item.id]) < 0.03


def test_adjacent_cupboards_seen_one_by_one_stay_separate() -> None:
    memory = ObjectMemory(household_categories())
    look(memory, 1, seen("cupboard", (0.0, 0, 1.5), (0.6, 0.35, 0.7)), eye=EYE)
    look(memory, 2, seen("cupboard", (0.6, 0, 1.5), (0.6, 0.35, 0.7)), eye=EYE)
    assert ids(memory) == ["cupboard_1", "cupboard_2"]


def test_wardrobes_back_to_back_across_a_wall_stay_separate() -> None:
    memory = ObjectMemory(household_categories())
    look(memory, 1, seen("wardrobe", (0.0, 0.0, 1.0), (1.0, 0.6, 2.0), truncated=True), eye=(0.0, -2.0, 1.2))
    look(memory, 2, seen("wardrobe", (0.9, 0.75, 1.0), (1.0, 0.6, 2.0), truncated=True), eye=(0.9, 3.0, 1.2))
    assert ids(memory) == ["wardrobe_1", "wardrobe_2"]


def test_long_piece_seen_in_parts_is_one_object() -> None:
    memory = ObjectMemory(household_categories())
    look(memory, 1, seen("sofa", (0.0, 0.0, 0.4), (1.1, 0.8, 0.8), truncated=True))
    look(memory, 2, seen("sofa", (0.75, 0.0, 0.4), (0.5, 0.8, 0.8), truncated=True))
    assert ids(memory) == ["sofa_1"]


def test_parts_are_merged_under_the_older_id_when_the_whole_is_seen() -> None:
    memory = ObjectMemory(household_categories())
    look(memory, 1, seen("bed", (0.3, 0, 0.3), (0.4, 1.4, 0.5)))
    look(memory, 2, seen("bed", (1.7, 0, 0.3), (0.4, 1.4, 0.5)))
    assert ids(memory) == ["bed_1", "bed_2"]
    look(memory, 3, seen("bed", (1.0, 0, 0.3), (2.0, 1.4, 0.5)))
    assert ids(memory) == ["bed_1"]
    assert memory.find("bed_2") is memory.find("bed_1") is not None


def test_object_ids_are_never_reused() -> None:
    memory = ObjectMemory(household_categories())
    for second, (x, length) in enumerate([(0.3, 0.4), (1.7, 0.4), (1.0, 2.0), (9.0, 2.0)]):
        look(memory, second, seen("bed", (x, 0, 0.3), (length, 1.4, 0.5)))
    assert ids(memory) == ["bed_1", "bed_3"]
    memory.forget("bed_3")
    look(memory, 9, seen("bed", (9.0, 0, 0.3), (2.0, 1.4, 0.5)))
    assert ids(memory) == ["bed_1", "bed_4"]


def test_flat_view_of_a_front_matches_its_object() -> None:
    memory = ObjectMemory(household_categories())
    look(memory, 1, seen("fridge", (0, 0, 0.9), (0.6, 0.6, 1.8)))
    look(memory, 2, seen("fridge", (0.3, 0, 0.9), (0.0, 0.6, 1.8)))
    assert ids(memory) == ["fridge_1"]


def test_colour_separates_objects_side_by_side_but_not_sides_of_one_object() -> None:
    memory = ObjectMemory(household_categories())
    look(memory, 1, seen("clock", (0, 0, 0.8), (0.2, 0.1, 0.2), RED))
    look(memory, 2, seen("clock", (0.02, 0, 0.8), (0.2, 0.1, 0.2), GREY))
    look(memory, 3, seen("mug", (2.0, 0, 0.8), MUG, RED))
    look(memory, 4, seen("mug", (2.1, 0, 0.8), MUG, BLUE))
    assert ids(memory) == ["clock_1", "mug_1", "mug_2"]


@pytest.mark.parametrize("pair", [("trash can", "trash_can"), ("room", "thing room"), ("frontier", "robot")])
def test_object_ids_never_collide_with_each_other_or_with_rooms(pair: tuple[str, str]) -> None:
    memory = ObjectMemory(household_categories())
    look(memory, 1, *(seen(name, (3 * k, 0, 0.5), (0.3, 0.3, 0.3)) for k, name in enumerate(pair)))
    assert len(set(ids(memory))) == 2
    assert not {"room_1", "frontier_1", "robot_1"} & set(ids(memory))


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(6)))
def test_order_of_detections_in_a_keyframe_does_not_matter(order: list[int]) -> None:
    def remembered(order: list[int]) -> object:
        memory = ObjectMemory(household_categories())
        for second in (1, 2, 3):
            views = [
                seen(
                    "mug" if k % 3 else "bowl", (0.3 * k + 0.01 * second, 0.1 * second, 0.8), (0.1, 0.1, 0.1)
                )
                for k in range(6)
            ]
            gaze(memory, second, *(views[k] for k in order if k < 3 + second))
        return memory.saved()

    assert remembered(order) == remembered(sorted(order))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 6), st.floats(-0.04, 0.04), st.floats(-0.04, 0.04)),
        min_size=1,
        max_size=30,
    )
)
def test_objects_one_metre_apart_are_never_confused(visits: list[tuple[int, int, float, float]]) -> None:
    memory = ObjectMemory(household_categories())
    for second, (x, y, dx, dy) in enumerate(visits):
        look(memory, second, seen("bowl", (x + dx, y + dy, 0.8), (0.2, 0.2, 0.1)))
    assert len(memory.objects) == len({visit[:2] for visit in visits})
    for one, other in itertools.combinations(memory.objects, 2):
        assert BoxArray.of([one.box]).gaps(BoxArray.of([other.box])) > 0.5


def scene(rng: np.random.Generator, count: int) -> list[Detection]:
    """Returns objects of a few categories and colours that stand about 0.2 m apart."""
    found = []
    for k in range(count):
        kind, color = ("mug", "can", "book")[k % 3], (RED, BLUE, GREY)[int(rng.integers(3))]
        place = (0.2 * (k % 8) + rng.uniform(0, 0.03), 0.3 * (k // 8), 0.8)
        found.append(seen(kind, place, rng.uniform(0.06, 0.14, 3), color))
    return found


def moved(thing: Detection, x: float, y: float) -> Detection:
    return replace(thing, box=BoundingBox3D.aligned(Point(x, y, thing.center.z), thing.size))


@pytest.mark.parametrize("seed", range(1000, 1003))
def test_few_identities_are_switched_in_a_cluttered_noisy_scene(seed: int) -> None:
    rng = np.random.default_rng(seed)
    memory, things = ObjectMemory(household_categories()), scene(rng, 40)
    named: dict[int, str] = {}
    switches = 0
    for second in range(60):
        drift = rng.normal(0, 0.015, 2)
        shown = [k for k in range(len(things)) if rng.random() < 0.6]
        views = {
            k: moved(
                things[k],
                things[k].center.x + drift[0] + rng.normal(0, 0.01),
                things[k].center.y + drift[1] + rng.normal(0, 0.01),
            )
            for k in shown
        }
        look(memory, second, *views.values(), eye=EYE)
        for k, view in views.items():
            place = (view.center.x, view.center.y, view.center.z)
            near = [
                item
                for item in memory.objects
                if item.category == view.category and item.last_seen == at(second)
            ]
            name = min(near, key=lambda item: float(np.linalg.norm(item.box.middle - place))).id
            switches += named.setdefault(k, name) != name
            named[k] = name
    assert switches <= 2
    assert len(memory.objects) == len(things)


def test_sliver_at_the_edge_of_an_object_is_merged_into_it() -> None:
    faint = seen("pineapple", (0.07, 0.06, 0.9), (0.01, 0.05, 0.1), RED, score=0.4)
    memory = ObjectMemory(household_categories())
    look(memory, 1, seen("pineapple", (0, 0, 0.9), (0.1, 0.06, 0.25), BLUE), eye=EYE)
    look(memory, 2, faint, eye=EYE)
    assert ids(memory) == ["pineapple_1"]
    memory = ObjectMemory(household_categories())
    look(memory, 1, faint, eye=EYE)
    look(memory, 2, seen("pineapple", (0, 0, 0.9), (0.1, 0.06, 0.25), BLUE), eye=EYE)
    (pineapple,) = memory.objects
    assert pineapple.box.middle == pytest.approx((0, 0, 0.9))


def test_faint_object_next_to_another_in_one_keyframe_stays_separate() -> None:
    faint = seen("apple", (0.1, 0, 0.9), (0.02, 0.05, 0.05), RED, score=0.4)
    memory = ObjectMemory(household_categories())
    look(memory, 1, seen("apple", (0, 0, 0.9), (0.08, 0.08, 0.08), RED), faint, eye=EYE)
    look(memory, 2, seen("apple", (0, 0, 0.9), (0.08, 0.08, 0.08), RED), eye=EYE)
    assert ids(memory) == ["apple_1", "apple_2"]


def test_duplicate_from_a_wrong_pose_is_merged() -> None:
    memory = ObjectMemory(household_categories())
    for second in (1, 2):
        gaze(memory, second, seen("mug", (0, 0, 0.8), MUG, RED))
    look(memory, 3, seen("mug", (0.2, 0, 0.8), MUG, RED), eye=EYE)  # a pose that was 0.2 m off
    assert ids(memory) == ["mug_1", "mug_2"]
    for second in (4, 5):
        gaze(memory, second, seen("mug", (0, 0, 0.8), MUG, RED), through=0.6)
    assert ids(memory) == ["mug_1"]
    assert memory.find("mug_2") is memory.find("mug_1")
    assert memory.objects[0].box.middle == pytest.approx((0, 0, 0.8), abs=0.02)


@pytest.mark.parametrize(
    ("center", "size", "color", "views", "joined"),
    [
        ((0.0, 0.13, 0.8), (0.1, 0.1, 0.1), RED, 4, True),  # the segment took in some of the background
        ((0.0, 0.13, 0.8), (0.1, 0.1, 0.1), BLUE, 4, False),  # another colour
        ((0.0, 0.13, 0.8), (0.2, 0.2, 0.3), RED, 4, False),  # too large
        ((0.0, 0.25, 0.8), (0.1, 0.1, 0.1), RED, 4, False),  # elsewhere
        ((0.0, 0.13, 0.8), (0.1, 0.1, 0.1), RED, 1, False),  # as well known as the other one
    ],
)
def test_object_that_is_called_something_else_beside_its_place_keeps_its_name(
    center: tuple[float, float, float],
    size: tuple[float, float, float],
    color: ColorRGBA,
    views: int,
    joined: bool,
) -> None:
    memory = ObjectMemory(household_categories())
    for second in range(views):
        gaze(memory, second, seen("medicine", (0, 0, 0.8), MUG, RED))
    for second in (views, views + 1):
        gaze(memory, second, seen("toothpaste", center, size, color), through=0.6)
    assert ids(memory) == (["medicine_1"] if joined else ["medicine_1", "toothpaste_1"])
    assert memory.objects[0].category == "medicine"


def test_objects_of_two_kinds_that_were_seen_side_by_side_are_two() -> None:
    memory = ObjectMemory(household_categories())
    medicine, toothpaste = (
        seen(kind, (0, y, 0.8), MUG, RED) for kind, y in (("medicine", 0), ("toothpaste", 0.13))
    )
    gaze(memory, 1, medicine, toothpaste)
    for second in (2, 3, 4):
        gaze(memory, second, medicine)
    for second in (5, 6):
        gaze(memory, second, toothpaste, through=0.6)
    assert ids(memory) == ["medicine_1", "toothpaste_1"]


def test_removed_object_is_missing_and_not_merged_with_its_neighbour() -> None:
    memory = ObjectMemory(household_categories())
    stays, goes = seen("mug", (0, 0, 0.8), MUG, RED), seen("mug", (0.15, 0, 0.8), MUG, RED)
    gaze(memory, 1, stays, goes)
    for second in (2, 3):
        gaze(memory, second, stays, through=0.6)
    assert [item.node().state_names for item in memory.objects] == [(), (words.STATE_MISSING,)]


def test_objects_that_were_seen_side_by_side_stay_two_when_one_is_joined_with_a_third() -> None:
    """A correction of the map moves an old view of one between two that are known to be two."""
    memory = ObjectMemory(household_categories())
    look(memory, 1, seen("mug", (2.0, 0, 0.8), MUG, RED), eye=EYE)
    for second in (2, 3, 4):
        look(
            memory,
            second,
            seen("mug", (0.0, 0, 0.8), MUG, RED),
            seen("mug", (0.09, 0, 0.8), MUG, RED),
            eye=EYE,
        )
    back = np.eye(4)
    back[0, 3] = -1.955
    memory.correct(lambda stamp: back if stamp == at(1) else np.eye(4))
    assert len(memory.objects) == 2


def test_object_that_is_joined_with_one_that_was_just_seen_is_not_doubted() -> None:
    memory = ObjectMemory(household_categories())
    for second in (1, 2):
        gaze(memory, second, seen("mug", (0.0, 0, 0.8), MUG, RED))
    gaze(memory, 3, through=0.6)
    assert memory.objects[0].doubt > 0
    gaze(memory, 4, seen("mug", (0.6, 0, 0.8), MUG, BLUE), through=0.0)
    back = np.eye(4)
    back[0, 3] = -0.6
    memory.correct(lambda stamp: back if stamp == at(4) else np.eye(4))
    (mug,) = memory.objects
    assert (mug.id, mug.last_seen, mug.doubt) == ("mug_1", at(4), 0.0)


@pytest.mark.parametrize("is_corrected", [True, False], ids=["correction", "jump"])
def test_object_is_seen_from_elsewhere_by_places_of_the_camera_in_the_present_map(is_corrected: bool) -> None:
    """Where the camera was before the map was moved is known after a correction, and is not after a jump."""
    memory = ObjectMemory(household_categories())
    look(memory, 1, seen("mug", (1, 0, 0.8), MUG), eye=EYE)
    shift = np.eye(4)
    shift[0, 3] = 0.6
    if is_corrected:
        memory.correct(lambda stamp: shift)
    else:
        memory.suspect()
    again = seen("mug", (1.6 if is_corrected else 1.0, 0, 0.8), MUG)
    look(memory, 2, again, eye=EYE + np.array([0.6, 0, 0]))
    assert not memory.objects[0].seen_from_elsewhere
    look(memory, 3, again, eye=EYE)
    assert memory.objects[0].seen_from_elsewhere


def test_objects_that_are_never_seen_again_after_jumps_of_the_map_are_bounded() -> None:
    memory = ObjectMemory(household_categories())
    for jump in range(10):
        views = [seen("mug", (k + 100 * jump, 0, 0.8), MUG, RED) for k in range(20)]
        look(memory, jump, *views, eye=EYE)
        memory.suspect()
    assert len(memory.objects) == MAX_MISSING
    assert min(item.last_seen for item in memory.objects) == at(6)


def test_second_detection_without_a_category_keeps_the_object_as_it_is() -> None:
    memory = ObjectMemory(household_categories())
    nameless = replace(seen("mug", (0, 0, 0.8), MUG, RED), hypotheses=())
    for second in (1, 2):
        look(memory, second, nameless, eye=EYE)
    (item,) = memory.objects
    assert item.category == nameless.category


def test_restored_memory_behaves_like_the_saved_one() -> None:
    def begin(memory: ObjectMemory) -> None:
        gaze(
            memory,
            1,
            seen("mug", (0, 0, 0.8), MUG, RED),
            seen("mug", (0.15, 0, 0.8), MUG, BLUE),
            picture=True,
        )
        memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 2))

    def go_on(memory: ObjectMemory) -> object:
        gaze(
            memory,
            3,
            seen("mug", (3, 0, 0.8), MUG, GREY),
            seen("mug", (0.15, 0, 0.8), MUG, BLUE),
            picture=True,
        )
        return memory.saved()

    memory = ObjectMemory(household_categories())
    begin(memory)
    again = ObjectMemory.restored(memory.saved(), household_categories())
    assert again.saved() == memory.saved()
    assert go_on(again) == go_on(memory)


def test_correction_moves_objects_and_their_place_history() -> None:
    memory = ObjectMemory(household_categories())
    look(memory, 1, seen("mug", (1, 0, 0.8), MUG), eye=EYE)
    look(memory, 5, seen("bowl", (1, 1, 0.8), (0.2, 0.2, 0.1)), eye=EYE)
    shift = np.eye(4)
    shift[0, 3] = 0.5
    memory.correct(lambda stamp: shift if stamp == at(5) else np.eye(4))
    mug, bowl = memory.objects
    assert mug.box.middle == pytest.approx((1, 0, 0.8))
    assert bowl.box.middle == pytest.approx((1.5, 1, 0.8))
    assert bowl.place_history[-1].box is not None
    assert bowl.place_history[-1].box.middle == pytest.approx((1.5, 1, 0.8))
    assert bowl.camera_position.x == pytest.approx(EYE[0] + 0.5)


def test_object_memory_is_bounded() -> None:
    rng = np.random.default_rng(0)
    memory = ObjectMemory(household_categories())
    for second in range(500):
        views = [
            seen("mug", (k + rng.normal(0, 0.05), rng.uniform(0, 3) if k == 0 else 0.0, 0.8), MUG, RED)
            for k in range(8)
            if rng.random() < 0.7
        ]
        visibility_test = Everywhere(1.0 if rng.random() < 0.3 else 0.0, 0.0)
        look(memory, second, *views, eye=EYE, visibility_test=visibility_test, picture=True)
        if second % 50 == 20:
            memory.add_fact(reported("mug_3", words.HELD_BY, words.ROBOT, second + 0.5))
    saved = memory.saved()
    assert len(saved.objects) <= 8 + 64 + 8
    assert len(saved.pictures) <= 400
    assert len(saved.renamed) <= 512
    assert max(len(item.place_history) for item in saved.objects) <= 16
    assert max(len(item.past_facts) for item in saved.objects) <= 16
    assert len(saved.apart) <= len(saved.objects) ** 2
