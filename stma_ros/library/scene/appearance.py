"""The colour of an object in one view."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.standard import ColorRGBA

PIXELS_OF_A_COLOUR = 1000
"""Approximate number of pixels from which a colour is determined, at most."""


def own_color(color: NDArray[np.uint8]) -> ColorRGBA:
    """Returns the middle colour of an object: shadow, glare and light on a part of it, or a lid of another colour,
    leave it as it is.

    Args:
        color: (N, 3) uint8 RGB of evenly chosen pixels of the object, at least one.
    """
    color = color[:: max(1, len(color) // PIXELS_OF_A_COLOUR)]
    red, green, blue = np.median(color, axis=0) / 255
    return ColorRGBA(red, green, blue, 1.0)
