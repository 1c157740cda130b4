"""Runs a network before the first frame, and measures its time."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

import numpy as np

from stma_ros.models.vision.network import GEOMETRY, NetworkImage

_TRIALS = 3  # runs of which the median is returned, after one that allocates
_ENOUGH = 2.0  # time of runs [s] from which on no further one is made: a slow network is known well enough


def grey_image(height: int, width: int) -> NetworkImage:
    """Returns an image of one grey, without measured depth."""
    shape = height, width
    return NetworkImage(np.full((*shape, 3), 128, np.uint8), np.zeros((*shape, len(GEOMETRY)), np.float32))


def warm_up_time(run: Callable[[], object]) -> float:
    """Returns the time of a run [s] after a first one, which loads and allocates."""
    run()
    times: list[float] = []
    while len(times) < _TRIALS and sum(times) < _ENOUGH:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return median(times)
