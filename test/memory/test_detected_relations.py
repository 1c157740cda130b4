"""Tests of what detectors say of the relations between objects, over keyframes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.memory.detected_relations import MOST, DetectedRelations
from stma_ros.memory.keyframe_observation import KeyframeObservation
from stma_ros.memory.scene_graph import ObjectMemory, SavedObjects
from stma_ros.storage.codec import decode, encode
from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import DetectedRelation, Detection
from support.memory.keyframes import EYE, Everywhere, at, reported, seen

TABLE = seen("table", (0.0, 0.0, 0.4), (1.2, 0.8, 0.8))
TRAY = seen("tray", (0.4, 0.0, 0.82), (0.3, 0.3, 0.04))
MUG = seen("mug", (0.0, 0.0, 0.95), (0.08, 0.08, 0.1))


def _said(subject: int, predicate: str, object_: int, source: str = "model") -> DetectedRelation:
    return DetectedRelation(
        subject=subject, predicate=predicate, object=object_, confidence=0.7, source=source
    )


def _look(
    memory: ObjectMemory, second: float, detections: Iterable[Detection], *relations: DetectedRelation
) -> None:
    memory.merge(KeyframeObservation(at(second), tuple(detections), EYE, Everywhere(), relations=relations))


def _told(memory: ObjectMemory) -> set[tuple[str, str, str]]:
    return {(fact.subject, fact.predicate, fact.object) for fact in memory.detected_relations}


@pytest.fixture
def memory() -> ObjectMemory:
    return ObjectMemory(household_categories())


def test_relation_is_between_the_objects_that_its_detections_show(memory: ObjectMemory) -> None:
    for second, order in enumerate(((MUG, TABLE), (TABLE, MUG))):
        subject = order.index(MUG)
        _look(memory, second, order, _said(subject, "on", 1 - subject))
    (fact,) = memory.detected_relations
    assert (fact.subject, fact.predicate, fact.object) == ("mug_1", "on", "table_1")
    assert (fact.source, fact.detectors) == (EvidenceSource.DETECTOR, ("model",))
    assert (fact.first_seen, fact.last_seen) == (at(0), at(1))
    assert fact.confidence == pytest.approx(0.7)  # a repeated look is not another witness


def test_relation_of_a_detection_that_is_not_there_is_dropped(memory: ObjectMemory) -> None:
    _look(memory, 0, (MUG, TABLE), _said(0, "on", 7), _said(9, "near", 1))
    assert memory.detected_relations == ()


def test_detector_takes_back_what_it_said_of_a_place(memory: ObjectMemory) -> None:
    _look(memory, 0, (MUG, TABLE, TRAY), _said(0, "on", 1), _said(0, "on", 1, "network"))
    _look(memory, 1, (MUG, TABLE, TRAY), _said(0, "on", 2), _said(0, "near", 1))
    told = {(fact.predicate, fact.object): fact.detectors for fact in memory.detected_relations}
    assert told == {
        ("on", "table_1"): ("network",),
        ("on", "tray_1"): ("model",),
        ("near", "table_1"): ("model",),
    }


def test_relation_is_as_sure_as_those_who_still_say_so(memory: ObjectMemory) -> None:
    unsure = replace(_said(0, "on", 1, "network"), confidence=0.55)
    _look(memory, 0, (MUG, TABLE, TRAY), _said(0, "on", 1), unsure)
    (fact,) = memory.detected_relations
    assert (fact.confidence, fact.detectors) == (pytest.approx(0.7), ("model", "network"))
    _look(memory, 1, (MUG, TABLE, TRAY), _said(0, "on", 2))
    confidences = {fact.object: fact.confidence for fact in memory.detected_relations}
    assert confidences == {"table_1": pytest.approx(0.55), "tray_1": pytest.approx(0.7)}


def test_relation_ends_when_the_robot_takes_the_thing(memory: ObjectMemory) -> None:
    _look(memory, 0, (MUG, TABLE), _said(0, "on", 1))
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 5))
    assert memory.detected_relations == ()


def test_relation_ends_when_the_thing_is_seen_elsewhere(memory: ObjectMemory) -> None:
    _look(memory, 0, (MUG, TABLE), _said(0, "on", 1))
    _look(memory, 1, (MUG, TABLE))
    for second in (10, 11, 12):
        _look(memory, second, (TABLE,))
    _look(memory, 13, (TABLE, seen("mug", (3.0, 0.0, 0.5), (0.08, 0.08, 0.1))))
    assert [item.id for item in memory.objects if item.category == "mug"] == ["mug_1"]
    assert memory.detected_relations == ()


def test_relations_of_merged_and_forgotten_objects_follow_them() -> None:
    told = DetectedRelations()
    told.add(Relation("mug_1", "on", "table_1", confidence=0.5, detectors=("model",)))
    told.add(Relation("mug_2", "near", "tray_1", confidence=0.7, detectors=("model",)))
    told.rename("table_1", "table_0")
    told.rename("mug_2", "tray_1")  # nothing is near itself
    assert [(fact.subject, fact.object) for fact in told.saved()] == [("mug_1", "table_0")]
    told.forget("table_0")
    assert told.saved() == ()


def test_merged_objects_keep_the_surest_word_on_both() -> None:
    told = DetectedRelations()
    for name, confidence, detector in (("mug_1", 0.5, "model"), ("mug_2", 0.7, "network")):
        told.add(Relation(name, "on", "table_1", confidence=confidence, detectors=(detector,)))
    told.rename("mug_2", "mug_1")
    memory = ObjectMemory(household_categories())
    _look(memory, 0, (MUG, TABLE))
    (fact,) = told.between({item.id: item for item in memory.objects})
    assert (fact.confidence, fact.detectors) == (pytest.approx(0.7), ("model", "network"))


def test_number_of_relations_is_bounded() -> None:
    told = DetectedRelations()
    for number in range(MOST + 10):
        told.add(Relation(f"mug_{number}", "near", "table_1", detectors=("model",)))
    assert len(told.saved()) == MOST
    assert told.saved()[0].subject == "mug_10"


def test_relations_are_saved_with_the_objects(memory: ObjectMemory) -> None:
    _look(memory, 0, (MUG, TABLE), _said(0, "on", 1))
    blobs: dict[str, bytes] = {}
    saved = decode(SavedObjects, encode(memory.saved(), blobs), blobs)
    restored = ObjectMemory.restored(saved, household_categories())
    assert _told(restored) == _told(memory) == {("mug_1", "on", "table_1")}
