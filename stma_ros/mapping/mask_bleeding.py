"""Pixels along the edges of a mask that belong to what lies before or behind the object.

The mask of a detector is a few pixels too large here and there. Of the strips that it takes from its surroundings, the
depth goes on outside of the mask, and not inside.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.depth_noise import slack_by_depth
from stma_ros.mapping.surface_kernels import remove_strips

STEP = 0.04
"""Surfaces that lie farther apart in depth than this [m], plus four sigma of noise, are not connected."""


def without_bleeding(
    inverse: NDArray[np.float32], segments: NDArray[np.uint16], wanted: NDArray[np.bool_], noise: float
) -> NDArray[np.uint16]:
    """Returns the segments, the wanted ones without the strips of their surroundings; these pixels get the id 0.

    Args:
        inverse: (H, W) inverse depth [1 / mm]; 0 = not measured.
        segments: (H, W) ids; 0 = none.
        wanted: (65536,) by id, whether the segment is cleaned.
        noise: of the depth, in multiples of `depth_noise`.
    """
    cleaned = segments.copy()
    remove_strips(inverse, segments, wanted, slack_by_depth(STEP, 4 * noise), cleaned)
    return cleaned
