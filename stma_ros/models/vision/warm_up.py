"""Runs a network before the first frame, and measures its time."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import numpy as np

from stma_ros.models.vision.network import GEOMETRY, NetworkImage

_TRIALS = 3  # runs of which the median is returned, after one that allocates


def grey_image(height: int, width: int) -> NetworkImage:
    """Returns an image of one grey, without measured depth."""
    shape = height, width
    return NetworkImage(np.full((*shape, 3), 128, np.uint8), np.zeros((*shape, len(GEOMETRY)), np.float32))


def warm_up_time(run: Callable[[], object]) -> float:
    """Returns the time of a run [s] after a first one, which loads and allocates."""
    run()
    times = []
    for _ in range(_TRIALS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return median(times)
