"""A detector that uses the camera's segmentation."""

from __future__ import annotations

import numpy as np

from stma_ros.mapping.depth_noise import noise_level
from stma_ros.mapping.door_state import SegmentedFrame
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.sensing.detectors.depth_segments import DepthLimits, depth_segments
from stma_ros.sensing.detectors.port import FLOOR, STRUCTURE, DetectedObject, Detector, DetectorOutput
from stma_ros.types.evidence import EvidenceSource, StateEstimate
from stma_ros.types.sensing import SegmentLabel

UNMEASURED = 0.7
"""Confidence of a state that a label reports without one."""


class SegmentationDetector(Detector):
    """Returns each labelled segment as an object, with the states in its label; without segmentation there is none."""

    def __init__(self, limits: DepthLimits) -> None:
        self._limits = limits

    def detect(self, frame: CameraFrame) -> DetectorOutput:
        view, segmentation = frame.view, frame.segmentation
        assert view is not None
        if segmentation is None:
            return DetectorOutput()
        ids = segmentation.ids
        labels = {label.id: label for label in segmentation.labels if label.category not in STRUCTURE}
        floor = next((label.id for label in segmentation.labels if label.category == FLOOR), 0)
        noise = noise_level(view.depth_mm)
        sight = SegmentedFrame(view.depth_mm, ids, view.camera, view.camera_pose, noise, floor)
        objects = []
        for segment in depth_segments(view, ids, labels, self._limits, noise):
            label = labels[segment.id]
            score = 1.0 if np.isnan(label.confidence) else label.confidence
            box = segment.rows, segment.columns
            objects.append(DetectedObject(label.category, score, box, segment, sight, _states(label)))
        return DetectorOutput(tuple(objects))


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
