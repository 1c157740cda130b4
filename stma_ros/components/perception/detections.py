"""What perception tells of a thing that one keyframe shows."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from stma_ros.components.perception.appearance import own_color
from stma_ros.mapping.segments import Segment
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import Point, RegionOfInterest, Vector3

FLOOR = "floor"
STRUCTURE = frozenset({"wall", FLOOR, "ceiling"})
"""Categories that are the building, not things in it; the map holds them."""

PIXELS_OF_FAIR_EVIDENCE = 30

PIXELS_OF_A_LOOK = 8000
"""States and colour are looked for on about this many pixels, where there are so many."""


def shown(segment: Segment, color: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(N, 3) RGB of pixels of the segment, evenly chosen from the image."""
    return color.reshape(-1, 3)[segment.index[:: max(1, len(segment.index) // PIXELS_OF_A_LOOK)]]


def detection(
    category: str,
    trust: float,
    segment: Segment,
    color: NDArray[np.uint8],
    states: tuple[str, ...],
    knowledge: CategoryKnowledge,
) -> Detection:
    """trust: how sure it is that the segment is such a thing [0..1]. color: as of `shown`."""
    pixels = len(segment.index)
    # A handful of pixels is weak evidence, whatever is said of them.
    confidence = trust * (1 - np.exp(-pixels / PIXELS_OF_FAIR_EVIDENCE))
    rows, columns = segment.rows, segment.columns
    return Detection(
        category=category,
        confidence=confidence,
        center=Point(*segment.center),
        size=Vector3(*segment.size),
        color=own_color(category, color, knowledge),
        states=states,
        roi=RegionOfInterest(columns.start, rows.start, rows.stop - rows.start, columns.stop - columns.start),
        pixels=pixels,
        truncated=segment.truncated,
    )


def in_order(detections: Iterable[Detection]) -> tuple[Detection, ...]:
    """By their places in the image: the order in which things were told apart means nothing."""
    return tuple(sorted(detections, key=lambda d: (d.roi.y_offset, d.roi.x_offset, d.category, d.pixels)))
