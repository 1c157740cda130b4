"""A detector as a user adds it: one file, and one row in the registry."""

from __future__ import annotations

import numpy as np

from stma_ros.components.perception.detector_registry import DetectorResources, DetectorSpec
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.sensing.detectors.box_grounding import ground_boxes
from stma_ros.sensing.detectors.depth_segments import DepthLimits
from stma_ros.sensing.detectors.port import DetectedObject, Detector, DetectorOutput


class RedBlobDetector(Detector):
    """Detects all red pixels as one apple."""

    def __init__(self, limits: DepthLimits) -> None:
        self._limits = limits

    def detect(self, frame: CameraFrame) -> DetectorOutput:
        assert frame.color is not None
        assert frame.view is not None
        red, green, blue = np.moveaxis(frame.color, 2, 0)
        rows, columns = np.nonzero((red > 150) & (green < 100) & (blue < 100))
        if not len(rows):
            return DetectorOutput()
        box = slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1)
        (segment,) = ground_boxes(frame.view, [box], self._limits)
        return DetectorOutput((DetectedObject("apple", 0.9, box, segment),))


def _make(resources: DetectorResources) -> Detector:
    return RedBlobDetector(resources.limits)


RED_BLOBS = DetectorSpec(_make, recall=0.9)
