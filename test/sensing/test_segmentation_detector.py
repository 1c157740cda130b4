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
from support.library.wall_arrays import MUG, wall_frame

LIMITS = DepthLimits(5.0, 20)


@pytest.mark.parametrize("masks", list(Masks))
def test_image_without_labels_was_not_looked_at(masks: Masks) -> None:
    """Else all things in view would be taken for gone, where one label message is lost."""
    detector = SegmentationDetector(LIMITS, masks)
    source = SourceDetector("segmentation", detector, Reliability(0.9))
    fused = FusedDetector([source], household_categories())
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
    found = SegmentationDetector(LIMITS, masks).detect(frame)
    assert [item.category for item in found.objects] == ["mug"]
