"""Makes detections, with colour, states and confidence, from the objects that a detector found in a keyframe."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stma_ros.library.scene.appearance import own_color
from stma_ros.library.scene.state_evidence import state_evidence
from stma_ros.mapping.segments import Segment
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.sensing.detectors.port import DetectedObject
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.evidence import Guesses
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import Point, Point32, Polygon, RegionOfInterest, Vector3

PIXELS_OF_FAIR_EVIDENCE = 30


def detections_of(
    objects: Iterable[DetectedObject],
    color: NDArray[np.uint8],
    guesses: Guesses,
    knowledge: CategoryKnowledge,
) -> tuple[Detection, ...]:
    """Returns the detections of the objects that have a place, in the order of their places in the image.

    Args:
        objects: Output of a detector for a frame, in any order.
        color: (H, W, 3) uint8 RGB of the frame.
        guesses: States that are inferred from the view.
        knowledge: Knowledge of categories.
    """
    found = (
        _detection(item, item.segment, color, guesses, knowledge)
        for item in objects
        if item.segment is not None
    )
    return tuple(sorted(found, key=lambda d: (d.roi.y_offset, d.roi.x_offset, d.category, d.pixels)))


def _detection(
    item: DetectedObject,
    segment: Segment,
    color: NDArray[np.uint8],
    guesses: Guesses,
    knowledge: CategoryKnowledge,
) -> Detection:
    pixels = len(segment.index)
    # A few pixels are weak evidence, however sure the detector is.
    weight = 1 - np.exp(-pixels / PIXELS_OF_FAIR_EVIDENCE)
    rows, columns = segment.rows, segment.columns
    return Detection(
        hypotheses=tuple(replace(each, score=each.score * weight) for each in item.hypotheses),
        box=BoundingBox3D.upright(Point(*segment.center), Vector3(*segment.size), segment.yaw),
        yaw_stddev=segment.yaw_stddev,
        footprint=Polygon(tuple(Point32(x, y, 0.0) for x, y in segment.outline.tolist())),
        color=own_color(color.reshape(-1, 3)[segment.index]),
        states=state_evidence(item, segment, guesses, knowledge),
        roi=RegionOfInterest(columns.start, rows.start, rows.stop - rows.start, columns.stop - columns.start),
        pixels=pixels,
        truncated=segment.truncated,
    )
