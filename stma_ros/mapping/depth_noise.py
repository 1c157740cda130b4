"""Depth noise: the model that cameras follow, and the noise level of one image."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stma_ros.mapping.camera import DepthImage

_EVERY = 4
"""Stride of the rows and columns on which noise is measured."""

_NEAR, _FAR = 500, 6000
"""Depths between which noise is measured [mm]: nearer, rounding to millimetres outweighs it."""

_SIGMA_OF_MEDIAN = 1.4826
"""Standard deviation of normal noise, in medians of its absolute value."""

_SIGMA_OF_TRIPLE = 1.5**0.5
"""Standard deviation of the middle of three pixels minus its prediction from the others, in those of one pixel."""

_MOST = 3.0


def depth_noise(depth: ArrayLike) -> NDArray[np.float64]:
    """Returns the standard deviation [m] of a structured-light or stereo camera at `depth` [m].

    The axial noise measured by Nguyen, Izadi and Lovell (Modeling Kinect Sensor Noise, 3DIMPVT 2012).
    """
    beyond = np.asarray(depth, np.float64) - 0.4
    sigma: NDArray[np.float64] = 0.0012 + 0.0019 * beyond * beyond
    return sigma


def slack_by_depth(least: float, sigmas: float) -> NDArray[np.float32]:
    """Returns a tolerance [mm] for each cm of depth that an image can hold: `least` [m] plus `sigmas` standard
    deviations of `depth_noise`."""
    slack = 1e3 * (least + sigmas * depth_noise(np.arange(np.iinfo(np.uint16).max // 10 + 1) * 0.01))
    return slack.astype(np.float32)


def noise_level(depth_mm: DepthImage) -> float:
    """Returns the noise of one image in multiples of `depth_noise`, 0 to 3; 0 if there is too little depth to measure
    it.

    Along a row, the inverse depth of a flat surface is linear; the deviation of the middle of three pixels is noise.
    The median over the image ignores edges and curves.
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
