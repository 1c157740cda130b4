"""Tells images in which nothing can be seen for want of light."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

DARKEST = 8
"""Brightness [of 255] that a channel of one pixel of a hundred reaches in an image of anything."""

EVERY = 4
"""Distance of the pixels that are looked at [px]."""


def is_black(colour: NDArray[np.uint8]) -> bool:
    """Whether an image (H, W, 3) uint8 is black all over."""
    return bool(np.percentile(colour[::EVERY, ::EVERY].max(axis=2), 99) < DARKEST)
