"""Tells images in which nothing can be seen for want of light."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.errors import BadImageError

DARKEST = 8
"""Brightness [of 255] that a channel of one pixel of a hundred reaches in an image of anything."""

EVERY = 4
"""Distance of the pixels that are looked at [px]."""


def check_light(colour: NDArray[np.uint8]) -> None:
    """Checks that an image is not black.

    Args:
        colour: (H, W, 3) uint8 sRGB.

    Raises:
        BadImageError: It is black all over.
    """
    if np.percentile(colour[::EVERY, ::EVERY].max(axis=2), 99) < DARKEST:
        raise BadImageError("the colour image is black; is the lens covered, or the light off?")
