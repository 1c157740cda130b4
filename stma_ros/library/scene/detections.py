"""Makes detections, with colour, states and confidence, from the objects that a detector found in a keyframe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stma_ros.library.scene.appearance import own_color
from stma_ros.library.scene.state_evidence import state_evidence
from stma_ros.mapping.segments import Segment
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.sensing.detectors.port import DetectedObject, ObjectRelation
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.evidence import Guesses
from stma_ros.types.sensing import DetectedRelation, Detection
from stma_ros.types.standard import Point, Point32, Polygon, RegionOfInterest, Vector3

PIXELS_OF_FAIR_EVIDENCE = 30


def detections_of(
    objects: Iterable[DetectedObject],
    relations: Iterable[ObjectRelation],
    color: NDArray[np.uint8],
    guesses: Guesses,
    knowledge: CategoryKnowledge,
) -> tuple[tuple[Detection, ...], tuple[DetectedRelation, ...]]:
    """Returns the detections of the objects that have a place, in the order of their places in the image, and the
    relations between them.

    Args:
        objects: Output of a detector for a frame, in any order.
        relations: Relations of the same output.
        color: (H, W, 3) uint8 RGB of the frame.
        guesses: States that are inferred from the view.
        knowledge: Knowledge of categories.
    """
    found = [
        (_detection(item, item.segment, color, guesses, knowledge), item.names)
        for item in objects
        if item.segment is not None
    ]
    found.sort(key=lambda pair: _place_in_image(pair[0]))
    index = {name: number for number, (_, names) in enumerate(found) for name in names}
    return tuple(detection for detection, _ in found), tuple(_indexed(relations, index))


def _place_in_image(detection: Detection) -> tuple[int, int, str, int]:
    return detection.roi.y_offset, detection.roi.x_offset, detection.category, detection.pixels


def _indexed(relations: Iterable[ObjectRelation], index: Mapping[str, int]) -> Iterator[DetectedRelation]:
    """Yields the relations between two detections. index: number of the detection by the names of its object."""
    for each in relations:
        subject, object_ = index.get(each.subject), index.get(each.object)
        if subject is not None and object_ is not None and subject != object_:
            yield DetectedRelation(
                subject=subject,
                predicate=each.predicate,
                object=object_,
                confidence=each.confidence,
                source=each.source,
            )


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
