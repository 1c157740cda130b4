"""Thins the points of a segment out evenly, whatever the width of the segment in the image."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

FloatT = TypeVar("FloatT", bound=np.floating)

_SEED = 0


def thinned(points: NDArray[FloatT], step: int) -> NDArray[FloatT]:
    """Returns one of each `step` successive points, in their order: a random one, the same at each call.

    Every n-th point of a segment whose rows have a multiple of n pixels would be from the same few columns, and what
    lies beside them would be cut off.

    Args:
        points: (N, ...) points, row by row of the image.
        step: number of points of which one remains; 1 = all remain.
    """
    first = np.arange(0, len(points), step)
    places = (np.random.default_rng(_SEED).random(len(first)) * step).astype(np.int64)
    remaining: NDArray[FloatT] = points[np.minimum(first + places, len(points) - 1)]
    return remaining
