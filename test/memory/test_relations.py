"""Tests of the relations in, on, near and in room, which follow from boxes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.memory.boxes import Box
from stma_ros.memory.relations import relations
from stma_ros.memory.shapes import Shape
from stma_ros.memory.tracked_object import ObjectStatus, TrackedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.floors import Floors
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import ColorRGBA, Time
from support.memory.keyframes import likely


def thing(
    name: str, low: tuple[float, float, float], high: tuple[float, float, float], **more: object
) -> TrackedObject:
    shape = Shape.from_guess(Box.of_faces(np.array([low, high], float)), Time(2, 0))
    category = name.rpartition("_")[0].replace("_", " ")
    return TrackedObject(name, category, ColorRGBA(), 1, Time(1, 0), Time(2, 0), shape, **more)


TABLE = thing("table_1", (0, 0, 0), (1.6, 0.9, 0.75))
CUPBOARD = thing("cupboard_1", (3, 0, 1.2), (3.8, 0.4, 1.9))
SHELF = thing("bookshelf_1", (5, 0, 0), (6, 0.3, 1.8))


def facts_of(*items: TrackedObject) -> set[tuple[str, str, str]]:
    found = relations(
        items, household_categories(), lambda item: "room_1" if item.box.faces[0, 0] < 2 else ""
    )
    return {(fact.subject, fact.predicate, fact.object) for fact in found}


def test_mug_is_on_the_table_and_in_the_tables_room() -> None:
    facts = facts_of(TABLE, thing("mug_1", (0.5, 0.4, 0.76), (0.6, 0.5, 0.86)))
    assert {
        ("mug_1", "on", "table_1"),
        ("mug_1", "in room", "room_1"),
        ("table_1", "in room", "room_1"),
    } <= facts


def test_object_is_in_a_container_and_on_a_shelf_board() -> None:
    facts = facts_of(
        CUPBOARD,
        SHELF,
        thing("bowl_1", (3.2, 0.1, 1.5), (3.4, 0.3, 1.6)),
        thing("book_1", (5.2, 0.05, 1.0), (5.3, 0.2, 1.25)),
    )
    assert ("bowl_1", "in", "cupboard_1") in facts
    assert ("book_1", "on", "bookshelf_1") in facts


def test_mug_on_a_plate_on_the_table_is_on_the_plate() -> None:
    facts = facts_of(
        TABLE,
        thing("plate_1", (0.4, 0.3, 0.75), (0.65, 0.55, 0.78)),
        thing("mug_1", (0.5, 0.4, 0.78), (0.58, 0.48, 0.88)),
    )
    assert ("mug_1", "on", "plate_1") in facts
    assert ("mug_1", "on", "table_1") not in facts


def places(*items: TrackedObject) -> set[tuple[str, str, str]]:
    return {fact for fact in facts_of(*items) if fact[1] in (words.IN, words.ON, words.HELD_BY)}


def _said(subject: str, predicate: str, object_: str, confidence: float = 0.7) -> Relation:
    return Relation(
        subject,
        predicate,
        object_,
        source=EvidenceSource.DETECTOR,
        confidence=confidence,
        detectors=("model",),
    )


def _with_said(said: Relation, *items: TrackedObject) -> dict[tuple[str, str, str], Relation]:
    found = relations(items, household_categories(), lambda _: "", detected=[said])
    return {(fact.subject, fact.predicate, fact.object): fact for fact in found}


MUG_ON_TABLE = thing("mug_1", (0.5, 0.4, 0.76), (0.6, 0.5, 0.86), existence=likely(0.9))
FLOATING_MUG = thing("mug_1", (0.5, 0.4, 0.9), (0.6, 0.5, 1.0), existence=likely(0.9))


def test_measured_relation_names_the_detector_that_says_so_too() -> None:
    fact = _with_said(_said("mug_1", "on", "table_1"), TABLE, MUG_ON_TABLE)["mug_1", "on", "table_1"]
    assert (fact.source, fact.detectors) == (EvidenceSource.GEOMETRY, ("model",))
    assert fact.confidence == min(TABLE.confidence, MUG_ON_TABLE.confidence)


@pytest.mark.parametrize("ends", [("mug_1", "table_1"), ("table_1", "mug_1")])
def test_nearness_that_a_detector_reports_has_no_direction(ends: tuple[str, str]) -> None:
    facts = _with_said(_said(ends[0], "near", ends[1]), TABLE, MUG_ON_TABLE)
    (near,) = [fact for key, fact in facts.items() if key[1] == words.NEAR]
    assert near.detectors == ("model",)


def test_place_that_boxes_do_not_tell_is_the_one_that_a_detector_reports() -> None:
    assert places(TABLE, FLOATING_MUG) == set()
    table = replace(TABLE, existence=likely(0.99))
    fact = _with_said(_said("mug_1", "on", "table_1"), table, FLOATING_MUG)["mug_1", "on", "table_1"]
    assert (fact.source, fact.confidence) == (EvidenceSource.DETECTOR, pytest.approx(0.7))


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (_said("mug_1", "in", "cupboard_1"), "it is metres away"),
        (_said("table_1", "on", "mug_1"), "it is smaller"),
        (_said("mug_1", "on", "bed_1"), "there is none"),
    ],
)
def test_place_that_a_detector_reports_against_the_boxes_is_not_believed(said: Relation, reason: str) -> None:
    facts = _with_said(said, TABLE, CUPBOARD, FLOATING_MUG)
    assert (said.subject, said.predicate, said.object) not in facts, reason


def test_measured_place_stands_against_the_word_of_a_detector() -> None:
    tray = thing("tray_1", (0.3, 0.3, 0.75), (0.45, 0.6, 0.78))
    facts = _with_said(_said("mug_1", "on", "tray_1"), TABLE, tray, MUG_ON_TABLE)
    assert ("mug_1", "on", "table_1") in facts
    assert ("mug_1", "on", "tray_1") not in facts


def test_object_under_the_table_is_neither_in_nor_on_it() -> None:
    assert places(TABLE, thing("shoe_1", (0.5, 0.4, 0.0), (0.8, 0.5, 0.1))) == set()


def test_object_under_a_table_on_an_upper_floor_is_neither_in_nor_on_it() -> None:
    table = thing("table_1", (0, 0, 3.0), (1.6, 0.9, 3.75))
    shoe, mug = (
        thing("shoe_1", (0.5, 0.4, 3.0), (0.8, 0.5, 3.1)),
        thing("mug_1", (0.5, 0.4, 3.76), (0.6, 0.5, 3.86)),
    )
    found = relations([table, shoe, mug], household_categories(), lambda _: "", Floors((0.0, 3.0)))
    assert [(fact.subject, fact.object) for fact in found if fact.predicate == words.ON] == [
        ("mug_1", "table_1")
    ]


def test_chair_under_the_table_carries_nothing() -> None:
    chair = thing("chair_1", (0.4, 0.2, 0.0), (0.85, 0.65, 0.8))
    mug = thing("mug_1", (0.5, 0.4, 0.76), (0.58, 0.48, 0.86))
    assert places(TABLE, chair, mug) == {("mug_1", "on", "table_1")}


def test_object_on_a_low_cupboard_is_not_in_it() -> None:
    low = thing("nightstand_1", (0, 0, 0), (0.5, 0.4, 0.5))
    flat = thing("phone_1", (0.2, 0.2, 0.485), (0.28, 0.25, 0.5))
    assert places(low, flat) == {("phone_1", "on", "nightstand_1")}


def test_sponge_in_the_sink_is_in_the_sink_and_not_in_the_counter() -> None:
    counter = thing("counter_1", (0, 0, 0), (2.0, 0.6, 0.9))
    sink = thing("sink_1", (0.8, 0.1, 0.74), (1.3, 0.5, 0.9))
    sponge = thing("sponge_1", (1.0, 0.3, 0.75), (1.1, 0.36, 0.79))
    assert ("sponge_1", "in", "sink_1") in places(counter, sink, sponge)


@pytest.mark.parametrize(("x", "is_in"), [(0.0, True), (0.07, True), (0.14, False)])
def test_apple_is_in_the_bowl_and_not_beside_it(x: float, is_in: bool) -> None:
    bowl = thing("bowl_1", (-0.1, -0.1, 0.75), (0.1, 0.1, 0.83))
    apple = thing("apple_1", (x - 0.04, -0.04, 0.76), (x + 0.04, 0.04, 0.84))
    assert (("apple_1", "in", "bowl_1") in places(bowl, apple)) is is_in


def test_of_two_thin_things_the_lower_one_is_on_the_table() -> None:
    book = thing("book_1", (0.4, 0.3, 0.75), (0.6, 0.5, 0.765))
    magazine = thing("magazine_1", (0.41, 0.31, 0.765), (0.61, 0.5, 0.775))
    assert places(TABLE, book, magazine) == {("book_1", "on", "table_1"), ("magazine_1", "on", "book_1")}


def test_stacked_objects_in_a_fridge_are_both_in_the_fridge() -> None:
    fridge = thing("fridge_1", (0, 0, 0), (0.6, 0.6, 1.8))
    jar = thing("jar_1", (0.2, 0.2, 0.6), (0.28, 0.28, 0.74))
    milk = thing("milk_1", (0.2, 0.2, 0.78), (0.28, 0.28, 1.0))
    assert places(fridge, jar, milk) == {("jar_1", "in", "fridge_1"), ("milk_1", "in", "fridge_1")}


def test_placement_takes_precedence_over_the_boxes() -> None:
    inside = Relation(
        "mug_1", words.IN, "cupboard_1", confidence=1.0, first_seen=Time(2, 0), last_seen=Time(2, 0)
    )
    mug = thing("mug_1", (0.5, 0.4, 0.76), (0.6, 0.5, 0.86), placement=inside)
    assert places(TABLE, CUPBOARD, mug) == {("mug_1", "in", "cupboard_1")}
    assert ("mug_1", "on", "table_1") in places(TABLE, mug)  # the cupboard was forgotten


def test_held_object_is_only_held_and_missing_object_has_no_place() -> None:
    held = Relation(
        "mug_1", words.HELD_BY, words.ROBOT, confidence=1.0, first_seen=Time(2, 0), last_seen=Time(2, 0)
    )
    at = (0.5, 0.4, 0.76), (0.6, 0.5, 0.86)
    mug = thing("mug_1", *at, placement=held, status=ObjectStatus.HELD)
    bowl = thing("bowl_1", *at, status=ObjectStatus.MISSING)
    facts = {fact for fact in facts_of(TABLE, mug, bowl) if fact[0] != "table_1" and fact[2] != "table_1"}
    assert facts == {("mug_1", "held by", "robot")}


def test_object_is_in_the_room_of_what_holds_it() -> None:
    shelf = thing("shelf_1", (1.5, 0, 0), (3.0, 0.3, 1.8))
    book = thing("book_1", (2.5, 0.1, 1.0), (2.6, 0.2, 1.2))
    assert ("book_1", "in room", "room_1") in facts_of(shelf, book)


def test_distant_objects_have_no_relation() -> None:
    facts = facts_of(TABLE, CUPBOARD)
    assert not any(fact[1] in ("near", "on", "in") for fact in facts)


@pytest.mark.parametrize(
    ("height", "is_in"), [(0.0, False), (0.3, True)], ids=["on the floor", "in a drawer"]
)
def test_what_is_on_the_floor_before_an_open_door_is_not_in_the_cabinet(height: float, is_in: bool) -> None:
    front = thing("cabinet_1", (0, 0.4, 0), (0.9, 0.44, 0.82))
    inside = Shape.from_guess(Box.of_faces(np.array([(0, -0.4, 0), (0.9, 0.44, 0.82)])), Time(2, 0))
    ribbon = thing("ribbon_1", (0.4, -0.1, height), (0.46, -0.04, height + 0.04))
    opened = replace(front, open_shape=inside)
    assert (("ribbon_1", "in", "cabinet_1") in facts_of(opened, ribbon)) == is_in


@pytest.mark.parametrize(("rise", "is_in"), [(0.0, True), (0.05, True), (0.2, False)])
def test_what_sticks_out_of_a_bag_is_in_it(rise: float, is_in: bool) -> None:
    bag = thing("paper_bag_1", (0.2, 0.2, 0.75), (0.5, 0.5, 1.01))
    box = thing("box_of_chocolates_1", (0.3, 0.35, 1.01 + rise), (0.4, 0.36, 1.05 + rise))
    assert (("box_of_chocolates_1", "in", "paper_bag_1") in facts_of(TABLE, bag, box)) == is_in


def test_object_in_a_bin_is_in_it_even_if_only_its_top_is_visible() -> None:
    waste = thing("bin_1", (0, 0, 0), (0.35, 0.35, 0.52))
    lamp = thing("table_lamp_1", (0.07, 0.07, 0.44), (0.27, 0.27, 0.75))
    camera = thing("camera_1", (0.1, 0.1, 0.47), (0.2, 0.2, 0.52))
    assert places(waste, lamp) == {("table_lamp_1", "in", "bin_1")}
    assert places(waste, camera) == {("camera_1", "in", "bin_1")}
