"""Tests of what a memory makes of a detector that errs: one view's mistake is corrected by the next."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.memory.keyframe_observation import KeyframeObservation
from stma_ros.memory.label_votes import MAX_LABELS, MAX_WEIGHT, LabelVotes
from stma_ros.memory.scene_graph import ObjectMemory
from stma_ros.memory.separations import Separations
from stma_ros.memory.tracked_object import ObjectStatus
from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import UNSCORED
from stma_ros.types.sensing import Detection, ObjectHypothesis
from support.memory.keyframes import EYE, RED, Everywhere, at, ids, look, reported, seen

MUG = (0.08, 0.08, 0.1)
PLACE = (0.0, 0.3, 0.8)
BOOK = seen("book", PLACE, (0.2, 0.15, 0.03), RED)
TABLE = seen("table", (0, 0.3, 0.37), (1.6, 0.9, 0.75))
LEFT, RIGHT = (seen("table", (x, 0.3, 0.37), (0.8, 0.9, 0.75)) for x in (-0.4, 0.4))


def memory() -> ObjectMemory:
    return ObjectMemory(household_categories())


@pytest.mark.parametrize("wrong_view", [1, 2, 3])
def test_one_wrong_label_does_not_change_the_category(wrong_view: int) -> None:
    remembered = memory()
    for second in (1, 2, 3):
        category = "cup" if second == wrong_view else "mug"
        look(remembered, second, seen(category, PLACE, MUG, RED), eye=EYE)
    (item,) = remembered.objects
    assert item.category == "mug"
    assert item.keyframes == 3
    assert 0.5 < item.confidence < 0.7  # two of three labels


def test_one_view_that_shows_a_thing_well_names_it_against_several_that_show_little() -> None:
    remembered = memory()
    for second, (category, pixels) in enumerate([("cup", 90), ("cup", 120), ("mug", 1500), ("cup", 100)]):
        view = replace(seen(category, PLACE, MUG, RED), pixels=pixels)
        look(remembered, second, view, eye=EYE + np.array((0.6 * second, 0.0, 0.0)))
    (item,) = remembered.objects
    assert item.category == "mug"
    assert item.votes.share == pytest.approx(1 / 1.31, abs=0.01)


def test_thing_of_another_category_and_size_at_one_place_is_another_object() -> None:
    remembered = memory()
    look(remembered, 1, seen("tray", (0.0, 0.3, 0.77), (0.4, 0.3, 0.03), RED), eye=EYE)
    look(remembered, 2, seen("mug", (0.0, 0.3, 0.83), MUG, RED), eye=EYE)
    assert ids(remembered) == ["tray_1", "mug_1"]


def test_cabinet_on_a_rug_is_no_odd_view_of_the_rug() -> None:
    remembered = memory()
    rug = seen("rug", (0.0, 0.3, 0.01), (1.1, 0.6, 0.02))
    cabinet = seen("cabinet", (0.0, 0.3, 0.46), (0.9, 0.45, 0.92))
    for second, view in enumerate((rug, cabinet, rug, cabinet)):
        look(remembered, second, view, eye=EYE)
    assert ids(remembered) == ["rug_1", "cabinet_1"]


def test_split_view_of_a_known_object_makes_no_further_object() -> None:
    remembered = memory()
    for second in (1, 2, 3):
        look(remembered, second, TABLE, eye=EYE, visibility_test=Everywhere(0.0))
    look(remembered, 4, LEFT, RIGHT, eye=EYE, visibility_test=Everywhere(0.0))
    (item,) = remembered.objects
    assert item.box.extent == pytest.approx((1.6, 0.9, 0.75), abs=0.01)


@pytest.mark.parametrize(("score", "objects"), [(0.4, 1), (0.9, 2)])
def test_second_detection_at_the_place_of_an_object_is_another_object_only_if_it_is_likely(
    score: float, objects: int
) -> None:
    remembered = memory()
    look(remembered, 1, seen("mug", PLACE, MUG, RED), seen("cup", PLACE, MUG, RED, score=score), eye=EYE)
    assert len(remembered.objects) == objects


def test_two_boxes_that_the_robot_stacked_stay_two_objects_though_a_detector_sees_one() -> None:
    remembered = memory()
    boxes = [seen("storage box", (x, 0.3, 0.25), (0.5, 0.4, 0.5), RED) for x in (0.0, 3.0)]
    look(remembered, 1, *boxes, eye=EYE)
    remembered.add_fact(reported("storage_box_2", words.HELD_BY, words.ROBOT, 3))
    remembered.add_fact(reported("storage_box_2", words.ON, "storage_box_1", 4))
    look(remembered, 5, seen("storage box", (0.0, 0.3, 0.75), (0.5, 0.4, 0.5), RED), eye=EYE)
    for second in range(6, 11):
        look(remembered, second, seen("storage box", (0.0, 0.3, 0.5), (0.5, 0.4, 1.0), RED), eye=EYE)
    assert ids(remembered) == ["storage_box_1", "storage_box_2"]


def test_object_that_once_had_two_names_is_one_after_views_that_show_one() -> None:
    remembered = memory()
    mug = seen("mug", PLACE, MUG, RED)
    look(remembered, 1, mug, seen("cup", PLACE, MUG, RED), eye=EYE)
    for second in (2, 3, 4):
        look(remembered, second, mug, eye=EYE)
    (item,) = remembered.objects
    assert item.category == "mug"


@pytest.mark.parametrize(("pixels", "is_less_likely"), [(60, False), (300, True)])
def test_overlooked_object_is_less_likely_only_if_enough_of_it_was_in_view(
    pixels: int, is_less_likely: bool
) -> None:
    remembered = memory()
    look(remembered, 1, BOOK, eye=EYE)
    (before,) = remembered.objects
    look(remembered, 2, eye=EYE + np.array((1.0, 0.0, 0.0)), visibility_test=Everywhere(0.0, pixels=pixels))
    (after,) = remembered.objects
    assert (after.existence.probability < before.existence.probability) is is_less_likely


def test_object_that_was_split_at_first_is_one_after_whole_views() -> None:
    remembered = memory()
    look(remembered, 1, LEFT, RIGHT, eye=EYE)
    assert len(remembered.objects) == 2
    for second in (2, 3, 4):
        look(remembered, second, TABLE, eye=EYE)
    (item,) = remembered.objects
    assert item.box.extent[0] == pytest.approx(1.6, abs=0.05)


def test_view_that_joins_a_known_object_with_its_neighbour_does_not_enlarge_it() -> None:
    remembered = memory()
    for second in range(1, 5):
        look(remembered, second, TABLE, eye=EYE, visibility_test=Everywhere(0.0))
    joined = seen("table", (0.5, 0.3, 0.37), (2.6, 0.9, 0.75))
    look(remembered, 5, joined, eye=EYE, visibility_test=Everywhere(0.0))
    (item,) = remembered.objects
    assert item.box.extent[0] == pytest.approx(1.6, abs=0.02)


def test_object_that_was_joined_with_its_neighbour_shrinks_when_the_space_next_to_it_is_seen() -> None:
    remembered = memory()
    look(remembered, 1, seen("table", (0.5, 0.3, 0.37), (2.6, 0.9, 0.75)), eye=EYE)
    for second in range(2, 8):
        look(remembered, second, TABLE, eye=EYE, visibility_test=Everywhere(0.5))
    (item,) = remembered.objects
    assert item.box.extent[0] == pytest.approx(1.6, abs=0.07)


def test_object_that_is_overlooked_from_one_place_is_not_missing() -> None:
    remembered = memory()
    for second in (1, 2):
        look(remembered, second, seen("book", PLACE, (0.2, 0.15, 0.03), RED), eye=EYE)
    plain = Everywhere(through=0.0)
    for second in range(3, 12):
        look(remembered, second, eye=EYE, visibility_test=plain)
    assert remembered.objects[0].status is ObjectStatus.SEEN
    for second in range(12, 16):
        eye = EYE + np.array((0.5 * (second - 11), 0.0, 0.0))
        look(remembered, second, eye=eye, visibility_test=plain)
    assert remembered.objects[0].status is ObjectStatus.MISSING


def test_object_that_one_view_imagined_is_forgotten() -> None:
    remembered = memory()
    look(remembered, 1, seen("chest", (0.5, 0.5, 0.3), (0.6, 0.4, 0.5)), eye=EYE)
    for second in (2, 3):
        eye = EYE + np.array((0.6 * second, 0.0, 0.0))
        look(remembered, second, eye=eye, visibility_test=Everywhere(through=0.0))
    assert not remembered.objects


def test_labels_of_two_places_that_are_visited_in_turn_count_once_for_each_place() -> None:
    here, there, elsewhere = (np.array((x, 0.0, 1.0)) for x in (0.0, 1.0, 2.0))
    label = {name: ((name, 1.0),) for name in ("cup", "mug")}
    votes = LabelVotes()
    for _ in range(3):
        votes = votes.with_view(label["cup"], here).with_view(label["mug"], there)
    votes = votes.with_view(label["mug"], None)
    assert dict(votes.total) == {"cup": pytest.approx(1.5), "mug": pytest.approx(1.75)}
    moved = votes.moved(lambda place: (place[0] + 5, *place[1:]))
    again = moved.with_view(label["cup"], here + np.array((5.1, 0.0, 0.0)))
    assert dict(again.total)["cup"] == pytest.approx(1.75)
    both = votes.joined(LabelVotes().with_view(label["cup"], here).with_view(label["cup"], elsewhere))
    assert dict(both.total) == {"cup": pytest.approx(2.75), "mug": pytest.approx(1.75)}


def test_correction_of_the_map_is_no_further_evidence_of_an_object() -> None:
    remembered = memory()
    look(remembered, 1, seen("mug", PLACE, MUG, RED, score=0.4), eye=EYE)
    look(remembered, 2, eye=EYE + np.array((0.6, 0.0, 0.0)), visibility_test=Everywhere(through=0.6))
    (doubted,) = remembered.objects
    assert doubted.doubt > 0
    for _ in range(3):
        remembered.correct(lambda _: np.eye(4))
    (item,) = remembered.objects
    assert (item.keyframes, item.confidence, item.votes) == (1, doubted.confidence, doubted.votes)


def test_faint_object_is_not_believed_before_a_second_view() -> None:
    remembered = memory()
    look(remembered, 1, seen("mug", PLACE, MUG, RED, score=0.4), eye=EYE)
    assert (len(remembered.objects), len(remembered.believed)) == (1, 0)
    look(remembered, 2, seen("mug", PLACE, MUG, RED, score=0.5), eye=EYE + np.array((0.6, 0.0, 0.0)))
    assert len(remembered.believed) == 1


def test_object_of_low_scores_is_not_believed_however_often_one_place_shows_it() -> None:
    remembered = memory()
    for second in range(1, 100):
        look(remembered, second, seen("mug", PLACE, MUG, RED, score=0.4), eye=EYE)
    assert (len(remembered.objects), len(remembered.believed)) == (1, 0)


def test_small_object_that_was_seen_from_afar_is_unconfirmed_until_it_is_seen_from_near_by() -> None:
    far = EYE + np.array((0.0, -2.0, 0.0))
    remembered = memory()
    for second in range(1, 5):
        look(remembered, second, seen("mug", PLACE, MUG, RED, score=0.4), eye=far)
    assert (len(remembered.believed), len(remembered.unconfirmed)) == (0, 1)
    near = np.array((0.0, -0.3, 1.3))
    look(remembered, 5, eye=near, visibility_test=Everywhere(through=0.0))
    assert not remembered.unconfirmed
    look(remembered, 6, seen("mug", PLACE, MUG, RED, score=0.9), eye=near + np.array((0.5, 0.0, 0.0)))
    assert (len(remembered.believed), len(remembered.unconfirmed)) == (1, 0)


@pytest.mark.parametrize(
    ("doubtful", "is_unconfirmed"),
    [
        (seen("tablet", (0.05, 0.3, 0.8), (0.06, 0.15, 0.03), RED, score=0.4), False),  # a part of it
        (seen("tablet", (0.5, 0.3, 0.8), (0.06, 0.15, 0.03), RED, score=0.4), True),
        (seen("tablet", (0.5, 0.3, 0.8), (0.06, 0.15, 0.03), RED, score=0.2), False),  # hardly there
        (seen("stool", (0.9, 0.3, 0.3), (0.4, 0.3, 0.5), score=0.4), False),  # shows from afar
    ],
)
def test_unconfirmed_are_likely_small_objects_where_no_small_one_is_known(
    doubtful: Detection, is_unconfirmed: bool
) -> None:
    remembered = memory()
    for second in range(1, 5):
        look(remembered, second, BOOK, eye=EYE + np.array((0.3 * second, -2.0, 0.0)))
    look(remembered, 5, BOOK, doubtful, eye=EYE + np.array((0.0, -2.0, 0.0)))
    assert [item.category for item in remembered.believed] == ["book"]
    assert len(remembered.unconfirmed) == is_unconfirmed


def test_object_exists_though_its_detector_cannot_tell_its_category() -> None:
    doubtful = tuple(ObjectHypothesis(category=name, score=0.3) for name in ("mug", "bowl", "jug"))
    remembered = memory()
    for second in range(3):
        view = replace(seen("mug", PLACE, MUG, RED), hypotheses=doubtful)
        look(remembered, second, view, eye=EYE + np.array((0.6 * second, 0.0, 0.0)))
    (thing,) = remembered.believed
    assert thing.existence.probability > 0.95
    assert thing.votes.share == pytest.approx(1 / 3)


def test_two_detectors_that_name_an_object_alike_are_not_one_that_is_sure() -> None:
    names = ("near", "far")
    both = tuple(ObjectHypothesis(category="mug", score=0.4, source=name) for name in names)
    remembered = memory()
    look(remembered, 1, replace(seen("mug", PLACE, MUG, RED), hypotheses=both), eye=EYE)
    (thing,) = remembered.objects
    assert thing.existence.probability == pytest.approx(0.4)


def test_object_that_comes_without_a_score_is_believed_from_the_second_place_of_the_camera_on() -> None:
    remembered = memory()
    large = seen("toilet", PLACE, (0.4, 0.5, 0.4), score=UNSCORED)
    for second in range(20):
        look(remembered, second, large, eye=EYE)
        assert not remembered.believed
    look(remembered, 20, large, eye=EYE + np.array((0.6, 0.0, 0.0)))
    assert len(remembered.believed) == 1


def test_object_is_not_believed_any_more_when_views_from_elsewhere_do_not_name_what_is_there() -> None:
    remembered = memory()
    look(remembered, 1, seen("toilet", PLACE, (0.4, 0.5, 0.4), score=0.75), eye=EYE)
    assert len(remembered.believed) == 1
    look(remembered, 2, eye=EYE + np.array((0.6, 0.0, 0.0)), visibility_test=Everywhere(through=0.0))
    assert (len(remembered.objects), len(remembered.believed)) == (1, 0)


@pytest.mark.parametrize(("recall", "views"), [(0.8, 4), (0.6, 8), (0.4, 13)])
def test_object_is_missing_after_more_overlooking_views_when_its_detector_overlooks_more(
    recall: float, views: int
) -> None:
    remembered = memory()
    for second in range(6):
        look(remembered, second, BOOK, eye=EYE + np.array((0.6 * second, 0.0, 0.0)))
    for number in range(1, views + 1):
        assert remembered.objects[0].status is ObjectStatus.SEEN
        eye = np.array((2 * np.cos(number), 2 * np.sin(number), 1.5))
        plain = Everywhere(through=0.0)
        remembered.merge(KeyframeObservation(at(10 + number), (), eye, plain, recalls={"": recall}))
    assert remembered.objects[0].status is ObjectStatus.MISSING


@pytest.mark.parametrize(
    ("odd", "known", "is_believed"),
    [
        (seen("tablet", (0.09, 0.3, 0.8), (0.06, 0.15, 0.03), RED), BOOK, False),  # on a part of it
        (seen("book", (0.18, 0.3, 0.8), (0.08, 0.08, 0.03), RED), BOOK, False),  # one of its kind at its edge
        (seen("tablet", (0.7, 0.3, 0.8), (0.06, 0.15, 0.03), RED), BOOK, True),
        (seen("egg", (0.1, 0.3, 0.84), (0.05, 0.05, 0.05), RED), BOOK, True),  # it stands on it
        (seen("biscuit", (0.1, 0.3, 0.825), (0.06, 0.06, 0.02), RED), BOOK, True),
        (seen("stool", (0.0, 0.3, 0.3), (0.4, 0.3, 0.5)), TABLE, False),
        (seen("stool", (0.9, 0.3, 0.3), (0.4, 0.3, 0.5)), TABLE, True),  # it sticks out
        (seen("mug", (0.0, 0.3, 0.8), MUG, RED), TABLE, True),  # small things are on furniture
    ],
)
def test_object_at_the_place_of_a_better_known_one_is_believed_from_two_places(
    odd: Detection, known: Detection, is_believed: bool
) -> None:
    remembered = memory()
    for second in range(1, 5):
        look(remembered, second, known, eye=EYE + np.array((0.3 * second, 0.0, 0.0)))
    look(remembered, 5, known, odd, eye=EYE)
    assert [item.category for item in remembered.believed] == [known.category, odd.category][
        : 1 + is_believed
    ]
    look(remembered, 6, known, odd, eye=EYE + np.array((0.1, 0.0, 0.0)))
    assert len(remembered.believed) == 1 + is_believed
    look(remembered, 7, known, odd, eye=EYE + np.array((0.6, 0.0, 0.0)))
    assert len(remembered.believed) == 2


def test_one_view_does_not_enlarge_an_object_far_beyond_its_earlier_views() -> None:
    remembered = memory()
    pan, joined = ((side, 0.3, 0.06) for side in (0.35, 1.5))
    for second in range(1, 5):
        look(remembered, second, seen("pan", PLACE, pan, truncated=True), eye=EYE)
    for second in (5, 6):  # the detector repeats its mistake while the camera stays
        look(remembered, second, seen("pan", PLACE, joined, truncated=True), eye=EYE)
    assert remembered.objects[0].box.longest == pytest.approx(0.35, abs=0.01)


def test_object_that_two_places_show_to_be_larger_is_enlarged() -> None:
    remembered = memory()
    for second in range(1, 5):
        look(remembered, second, seen("table", PLACE, (0.5, 0.9, 0.75), truncated=True), eye=EYE)
    for second in (5, 6):
        eye = EYE + np.array((0.5 * (second - 4), 0.0, 0.0))
        look(remembered, second, seen("table", PLACE, (1.6, 0.9, 0.75), truncated=True), eye=eye)
    assert remembered.objects[0].box.longest > 1.2


@pytest.mark.parametrize(("views_of_both", "count"), [(1, 1), (6, 2)])
def test_second_of_a_kind_at_one_place_is_a_mistake_unless_it_is_seen_as_often(
    views_of_both: int, count: int
) -> None:
    remembered = memory()
    larger, nested = (seen("chair", (x, 0.3, 0.4), (0.5, 0.5, 0.8)) for x in (0.0, 0.14))
    for second in range(1, 7):
        shown = (larger, nested) if second <= views_of_both else (larger,)
        look(remembered, second, *shown, eye=EYE)
    assert len(remembered.objects) == count


def test_second_of_a_kind_on_top_of_another_is_no_mistake() -> None:
    remembered = memory()
    low, high = (seen("book", (0.0, 0.3, z), (0.2, 0.15, 0.03), RED) for z in (0.765, 0.797))
    for second in range(1, 13):
        look(remembered, second, *((low,) if second <= 8 else (low, high)), eye=EYE)
    assert ids(remembered) == ["book_1", "book_2"]


@given(
    st.lists(
        st.tuples(st.sampled_from("abcdefgh"), st.floats(0.05, 1), st.sampled_from((None, 0.0, 0.3, 1.0))),
        min_size=1,
        max_size=40,
    )
)
def test_votes_are_bounded_and_the_first_has_the_largest_share(
    labels: list[tuple[str, float, float | None]],
) -> None:
    votes = LabelVotes()
    for category, score, x in labels:
        viewpoint = None if x is None else np.array((x, 0.0, 1.0))
        votes = votes.with_view(((category, score),), viewpoint)
    weights = [weight for _, weight in votes.total]
    assert weights == sorted(weights, reverse=True)
    assert len(votes.total) <= MAX_LABELS
    assert sum(weights) <= MAX_WEIGHT + 1e-9
    assert 0 < votes.share <= 1


def test_mistake_that_is_repeated_at_one_place_is_corrected_by_views_from_two_others() -> None:
    remembered = memory()
    for second in range(1, 5):
        look(remembered, second, seen("cup", PLACE, MUG, RED), eye=EYE)
    for second in (5, 6):
        look(
            remembered,
            second,
            seen("mug", PLACE, MUG, RED),
            eye=EYE + np.array((0.5 * (second - 4), 0.0, 0.0)),
        )
    (item,) = remembered.objects
    assert item.category == "mug"


def test_pair_stays_apart_until_it_is_seen_as_one_more_often() -> None:
    pairs, pair = Separations(), ("mug_1", "mug_2")
    assert pair not in pairs
    pairs.add_apart([pair])
    pairs.add_whole([pair])
    assert pair in pairs
    pairs.add_whole([pair])
    assert pair not in pairs
    assert Separations(pairs.saved()).saved() == pairs.saved()


def test_pair_of_a_renamed_object_has_its_new_name() -> None:
    pairs = Separations([("a", "b", 1), ("b", "c", 2)])
    pairs.rename("b", "a")
    assert pairs.saved() == (("a", "c", 2),)
