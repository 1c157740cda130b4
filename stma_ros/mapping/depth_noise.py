"""How noisy depth is: the law that cameras follow, and how far one image follows it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stma_ros.mapping.camera import DepthImage

_EVERY = 4
"""Rows and columns left out between the triples of pixels that noise is measured on."""

_NEAR, _FAR = 500, 6000
"""Depths [mm] on which noise is measured: nearer, rounding to millimetres outweighs it."""

_SIGMA_OF_MEDIAN = 1.4826
"""Standard deviation of normal noise, in medians of its absolute value."""

_SIGMA_OF_TRIPLE = 1.5**0.5
"""Of the middle of three pixels less what its neighbours predict, in standard deviations of one pixel."""

_MOST = 3.0


def depth_noise(depth: ArrayLike) -> NDArray[np.float64]:
    """Standard deviation [m] that a structured-light or stereo camera has at `depth` [m].

    The axial noise measured by Nguyen, Izadi and Lovell (Modeling Kinect Sensor Noise, 3DIMPVT 2012).
    """
    beyond = np.asarray(depth, np.float64) - 0.4
    sigma: NDArray[np.float64] = 0.0012 + 0.0019 * beyond * beyond
    return sigma


def noise_level(depth_mm: DepthImage) -> float:
    """How many times `depth_noise` the noise of one image is, 0 to 3; 0 for an image with too little depth to tell.

    Along a row, the inverse depth of a flat surface is a straight line; what the middle of three pixels deviates
    from it is noise. The median over the image passes over edges and curves.
    """
    rows = depth_mm[::_EVERY]
    left, middle, right = (rows[:, start : start - 2 or None : _EVERY] for start in (0, 1, 2))
    columns = min(left.shape[1], middle.shape[1], right.shape[1])
    triples = np.stack([part[:, :columns].ravel() for part in (left, middle, right)])
    low, high = triples.min(axis=0), triples.max(axis=0)
    left, middle, right = triples[:, (low > _NEAR) & (high < _FAR)].astype(np.float64) * 1e-3
    if len(middle) < 50:
        return 0.0
    deviation = np.abs(middle - 2 * left * right / (left + right)) / (_SIGMA_OF_TRIPLE * depth_noise(middle))
    return min(float(np.median(deviation)) * _SIGMA_OF_MEDIAN, _MOST)
