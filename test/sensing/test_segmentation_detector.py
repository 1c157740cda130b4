"""Tests of the detector that takes the camera's own segmentation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.sensing.detectors.depth_segments import DepthLimits
from stma_ros.sensing.detectors.fused import FusedDetector, SourceDetector
from stma_ros.sensing.detectors.reliability import Reliability
from stma_ros.sensing.detectors.segmentation import SegmentationDetector
from stma_ros.types.errors import ErrorCode
from stma_ros.types.evidence import Masks
from support.components.wall_frames import Patch
from support.library.wall_arrays import MUG, wall_frame

LIMITS = DepthLimits(5.0, 20)
HOUSEHOLD = household_categories()


@pytest.mark.parametrize("masks", list(Masks))
def test_image_without_labels_was_not_looked_at(masks: Masks) -> None:
    """Else all things in view would be taken for gone, where one label message is lost."""
    detector = SegmentationDetector(LIMITS, HOUSEHOLD, masks)
    source = SourceDetector("segmentation", detector, Reliability(0.9))
    fused = FusedDetector([source], HOUSEHOLD)
    seen = fused.detect(wall_frame(1, MUG))
    assert ([item.category for item in seen.objects], len(seen.looks)) == (["mug"], 1)
    frame = wall_frame(2, MUG)
    assert frame.segmentation is not None
    nameless = replace(frame, segmentation=replace(frame.segmentation, labels=()))
    for unlabelled in (nameless, wall_frame(2, MUG, labels=None, segmentation=None)):
        unseen = fused.detect(unlabelled)
        assert (unseen.objects, unseen.looks) == ((), ())
        assert unseen.incomplete.code == ErrorCode.DETECTOR_FAILED


@pytest.mark.parametrize("masks", list(Masks))
def test_pixels_of_which_nothing_is_known_are_no_thing(masks: Masks) -> None:
    frame = wall_frame(1, MUG, labels={0: "unlabeled", 2: "mug"})
    found = SegmentationDetector(LIMITS, HOUSEHOLD, masks).detect(frame)
    assert [item.category for item in found.objects] == ["mug"]


@pytest.mark.parametrize("masks", list(Masks))
@pytest.mark.parametrize(("wall", "floor"), [("wall", "floor"), ("Wall", "Floor"), ("walls", "FLOOR")])
def test_parts_of_the_building_are_no_things_however_labels_write_them(
    masks: Masks, wall: str, floor: str
) -> None:
    frame = wall_frame(
        1, MUG, Patch("floor", (50, 60), (0, 60), (90, 90, 90)), labels={1: wall, 2: "mug", 3: floor}
    )
    found = SegmentationDetector(LIMITS, HOUSEHOLD, masks).detect(frame)
    assert [item.category for item in found.objects] == ["mug"]
    sight = found.objects[0].sight
    assert (None if sight is None else sight.floor) == (3 if masks is Masks.OUTLINES else None)


def test_ids_that_several_things_share_are_told_once_for_each_category() -> None:
    chairs = Patch("chair", (20, 40), (0, 80), (90, 90, 90))
    detector = SegmentationDetector(LIMITS, HOUSEHOLD)
    first, second = (detector.detect(wall_frame(number, chairs)) for number in (1, 2))
    assert "a region of 'chair' is" in first.incomplete.text
    assert "(topics.class_mask)" in first.incomplete.text
    assert [[item.category for item in found.objects] for found in (first, second)] == [["chair"]] * 2
    assert not second.incomplete


def test_all_categories_whose_ids_several_things_share_are_told_at_once() -> None:
    chairs, tables = (
        Patch(kind, rows, (0, 80), (90, 90, 90)) for kind, rows in (("chair", (20, 30)), ("table", (30, 40)))
    )
    detector = SegmentationDetector(LIMITS, HOUSEHOLD)
    first, second = (detector.detect(wall_frame(number, chairs, tables)) for number in (1, 2))
    assert "a region of 'chair' is" in first.incomplete.text
    assert "a region of 'table' is" in first.incomplete.text
    assert not second.incomplete
