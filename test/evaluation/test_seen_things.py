"""Scores of a memory: seen things that it found, has twice, or calls missing."""

from __future__ import annotations

from stma_ros.domains.registry import find_domain
from stma_ros.evaluation.seen_things import SeenThings, score_seen_things
from stma_ros.evaluation.tally import Tally
from stma_ros.types import vocabulary as words
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.evidence import EvidenceSource, StateEstimate
from stma_ros.types.scene_graph import ObjectNode, SceneGraph
from stma_ros.types.standard import Point, Time, Vector3
from stma_ros.types.truth import GroundTruth, GroundTruthObject

KNOWLEDGE = find_domain("household").load_categories()
CUP = Vector3(0.1, 0.1, 0.1)
SOFA = Vector3(2.0, 0.9, 0.8)


def thing(name: str, category: str, x: float, size: Vector3 = CUP, hidden: bool = False) -> GroundTruthObject:
    box = BoundingBox3D.aligned(Point(x, 0, 0.5), size)
    return GroundTruthObject(name=name, category=category, box=box, hidden=hidden)


def node(number: int, category: str, x: float, size: Vector3 = CUP, missing: bool = False) -> ObjectNode:
    gone = StateEstimate(
        state=words.STATE_MISSING, source=EvidenceSource.LABEL, confidence=1.0, stamp=Time(1)
    )
    return ObjectNode(
        id=f"{category}_{number}",
        category=category,
        box=BoundingBox3D.aligned(Point(x, 0, 0.5), size),
        states=(gone,) if missing else (),
    )


TRUTH = GroundTruth(
    objects=(
        thing("a", "cup", 0.0),
        thing("b", "cup", 2.0),
        thing("c", "sofa", 5.0, SOFA),
        thing("d", "book", 8.0, hidden=True),
    )
)


def scored(*nodes: ObjectNode) -> SeenThings:
    return score_seen_things(SceneGraph(objects=nodes), TRUTH, KNOWLEDGE)


def test_right_memory_has_full_marks_without_the_things_that_nobody_saw() -> None:
    score = scored(node(1, "cup", 0.1), node(2, "cup", 2.2), node(1, "sofa", 5.0, SOFA))
    assert score == SeenThings(Tally(3, 3, 3), 0, 0)


def test_second_object_for_one_thing_is_a_double_and_other_objects_are_invented() -> None:
    score = scored(node(1, "cup", 0.0), node(2, "cup", 0.2), node(3, "cup", 7.0), node(1, "lamp", 0.0))
    assert score == SeenThings(Tally(1, 4, 3), 1, 0)


def test_box_that_overlaps_the_true_one_is_in_the_right_place() -> None:
    half = node(1, "sofa", 5.6, Vector3(0.8, 0.9, 0.8))
    assert scored(half).found.right == 1
    assert scored(node(1, "cup", 0.45)).found.right == 0


def test_synonym_is_the_right_category() -> None:
    assert KNOWLEDGE.canonical("couch") == "sofa"
    assert scored(node(1, "couch", 5.0, SOFA)).found.right == 1
    assert score_seen_things(SceneGraph(objects=(node(1, "couch", 5.0, SOFA),)), TRUTH).found.right == 0


def test_hidden_thing_counts_neither_for_nor_against_a_memory() -> None:
    assert scored(node(1, "book", 8.0), node(2, "book", 8.1)) == SeenThings(Tally(0, 0, 3), 0, 0)


def test_thing_called_missing_that_lies_there_is_counted_unless_it_is_known_otherwise() -> None:
    gone = node(1, "cup", 0.1, missing=True)
    assert scored(gone).told_missing == 1
    assert scored(gone, node(2, "cup", 0.0)).told_missing == 0
    assert scored(node(1, "cup", 9.0, missing=True)).told_missing == 0


def test_empty_memory_finds_nothing() -> None:
    assert scored() == SeenThings(Tally(0, 0, 3), 0, 0)
