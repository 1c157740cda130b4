"""A detector that uses the camera's segmentation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import find_objects

from stma_ros.mapping.depth_noise import noise_level
from stma_ros.mapping.door_state import SegmentedFrame
from stma_ros.mapping.segments import Segment
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.sensing.camera_frame import CameraFrame, DepthView
from stma_ros.sensing.detectors.box_grounding import ground_boxes
from stma_ros.sensing.detectors.categories import thing_category
from stma_ros.sensing.detectors.depth_segments import DepthLimits, depth_segments
from stma_ros.sensing.detectors.port import (
    FLOOR,
    DetectedObject,
    Detector,
    DetectorOutput,
    PixelBox,
)
from stma_ros.sensing.detectors.wide_segments import WideSegments
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.evidence import UNMEASURED, EvidenceSource, Masks, StateEstimate
from stma_ros.types.sensing import SegmentLabel

_UNLABELLED = Error(ErrorCode.DETECTOR_FAILED, "no segmentation with labels came with the image")


class SegmentationDetector(Detector):
    """Returns each labelled segment as an object, with the states in its label; without labels it has not looked. Parts
    of the building, by whatever words, are no objects; the id 0 is of pixels of which nothing is known.

    Segments that are boxes in the image contain the surroundings of things: the surface of the thing in each is found
    by depth (`ground_boxes`), and its edges are estimates, which show no states.
    """

    def __init__(
        self, limits: DepthLimits, knowledge: CategoryKnowledge, masks: Masks = Masks.OUTLINES
    ) -> None:
        """Makes a detector.

        Args:
            limits: Limits for depth to be used in a detection.
            knowledge: Knowledge of categories.
            masks: What segments are.
        """
        self._limits = limits
        self._knowledge = knowledge
        self._masks = masks
        self._wide = WideSegments(
            "if the ids of the segmentation are classes, publish it for source=detections instead (topics.class_mask)"
        )

    @property
    def reads_colour(self) -> bool:
        return False

    def detect(self, frame: CameraFrame) -> DetectorOutput:
        view, segmentation = frame.view, frame.segmentation
        assert view is not None
        if segmentation is None or not segmentation.labels:
            return DetectorOutput(incomplete=_UNLABELLED)
        ids = segmentation.ids
        knowledge = self._knowledge
        labels = {
            each.id: each
            for each in segmentation.labels
            if each.id and thing_category(each.category, knowledge)
        }
        floors = (each.id for each in segmentation.labels if knowledge.canonical(each.category) == FLOOR)
        floor = next(floors, 0)
        noise = noise_level(view.depth_mm)
        sight = SegmentedFrame(view.depth_mm, ids, view.camera, view.camera_pose, noise, floor)
        if self._masks == Masks.BOXES:
            return DetectorOutput(tuple(_object(*found) for found in self._in_boxes(view, ids, labels)))
        segments = depth_segments(view, ids, labels, self._limits, noise)
        objects = tuple(_object(labels[segment.id], segment, sight) for segment in segments)
        return DetectorOutput(objects, incomplete=self._wide.report(objects))

    def _in_boxes(
        self, view: DepthView, ids: NDArray[np.uint16], labels: Mapping[int, SegmentLabel]
    ) -> Iterator[tuple[SegmentLabel, Segment]]:
        """Yields the labels of boxes with the surface of the thing in each, without those that have no surface."""
        boxes: dict[int, PixelBox] = {
            number: box for number, box in enumerate(find_objects(ids), start=1) if box and number in labels
        }
        for number, segment in zip(
            boxes, ground_boxes(view, list(boxes.values()), self._limits), strict=True
        ):
            if segment is not None:
                yield labels[number], segment


def _object(label: SegmentLabel, segment: Segment, sight: SegmentedFrame | None = None) -> DetectedObject:
    score = UNMEASURED if np.isnan(label.confidence) else label.confidence
    box = segment.rows, segment.columns
    return DetectedObject(label.category, score, box, segment, sight, _states(label))


def _states(label: SegmentLabel) -> tuple[StateEstimate, ...]:
    """Returns the states that a label reports, with their confidence."""
    named = ((each.state.strip().lower(), each.confidence) for each in label.states)
    return tuple(
        StateEstimate(
            state=state,
            source=EvidenceSource.LABEL,
            confidence=UNMEASURED if np.isnan(confidence) else confidence,
        )
        for state, confidence in named
        if state
    )
