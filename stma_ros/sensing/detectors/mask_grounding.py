"""Finds the surfaces of objects whose pixels in the image are known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.depth_noise import noise_level
from stma_ros.mapping.segments import Segment
from stma_ros.sensing.camera_frame import DepthView
from stma_ros.sensing.detectors.depth_segments import DepthLimits, numbered_segments


def ground_masks(
    view: DepthView, masks: Sequence[NDArray[np.bool_]], limits: DepthLimits
) -> tuple[Segment | None, ...]:
    """Returns the surface of the object of each mask; None if it has too few pixels with depth.

    Where masks overlap, pixels belong to the smaller one: to the mug rather than the table.

    Args:
        view: Depth image, registered to the image of the masks.
        masks: (H, W) pixels of each object.
        limits: Largest depth and smallest number of pixels.
    """
    ids = np.zeros(view.depth_mm.shape, np.uint16)
    sizes = [int(mask.sum()) for mask in masks]
    for index in sorted(range(len(masks)), key=sizes.__getitem__, reverse=True):
        ids[masks[index]] = index + 1
    return numbered_segments(view, ids, len(masks), limits, noise_level(view.depth_mm))
