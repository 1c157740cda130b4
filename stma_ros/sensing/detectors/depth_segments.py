"""Segments of a frame as surfaces in the map, if enough of their pixels have depth."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.segments import Segment, find_segments
from stma_ros.sensing.camera_frame import DepthView


@dataclass(frozen=True)
class DepthLimits:
    """Limits for depth to be used in a detection.

    Attributes:
        max_range: Largest depth that is used [m].
        min_pixels: Smallest number of pixels with depth for a segment to be an object.
    """

    max_range: float
    min_pixels: int


def depth_segments(
    view: DepthView, ids: NDArray[np.uint16], wanted: Collection[int], limits: DepthLimits, noise: float
) -> list[Segment]:
    """Returns the segments with enough depth, in the order of their ids.

    Args:
        view: The depth image.
        ids: (H, W) segment id of each pixel.
        wanted: Ids of interest.
        limits: Largest depth and smallest number of pixels.
        noise: Noise of depth in multiples of `depth_noise` (mapping.depth_noise.noise_level).
    """
    found = find_segments(view.depth_mm, view.camera, view.camera_pose, ids, wanted, limits.max_range, noise)
    return [segment for segment in found if len(segment.points) >= limits.min_pixels]


def numbered_segments(
    view: DepthView, ids: NDArray[np.uint16], count: int, limits: DepthLimits, noise: float
) -> tuple[Segment | None, ...]:
    """Returns the segments with the ids 1 to `count`; None for one without enough depth. Arguments as in
    `depth_segments`."""
    numbers = range(1, count + 1)
    found = {segment.id: segment for segment in depth_segments(view, ids, numbers, limits, noise)}
    return tuple(found.get(number) for number in numbers)
