"""Segments of a frame as surfaces in the map, where depth shows enough of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.segments import Segment, find_segments
from stma_ros.sensing.camera_frame import DepthView


@dataclass(frozen=True)
class DepthLimits:
    """How much depth has to show of a thing.

    Attributes:
        max_range: Depth beyond it is not looked at [m].
        min_pixels: With fewer pixels with depth a segment is not taken for a thing.
    """

    max_range: float
    min_pixels: int


def depth_segments(
    view: DepthView, ids: NDArray[np.uint16], wanted: Collection[int], limits: DepthLimits, noise: float
) -> list[Segment]:
    """Returns the segments that depth shows enough of, in the order of their ids.

    Args:
        view: The depth image.
        ids: (H, W) the segment that each pixel belongs to.
        wanted: The ids of interest.
        limits: What is enough.
        noise: Of the depth, in multiples of `depth_noise` (mapping.depth_noise.noise_level).
    """
    found = find_segments(view.depth_mm, view.camera, view.camera_pose, ids, wanted, limits.max_range, noise)
    return [segment for segment in found if len(segment.points) >= limits.min_pixels]
