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

_FEWEST = 50
"""Number of triples of pixels below which noise is not measured."""

_APART = 8
"""Distance of pixels that do not share an error [px]: the windows of matching are 5 to 9 pixels wide."""

_FLAT, _MEAN_OF_FLAT = 0.6, 0.3964
"""Share of the triples `_APART`, the least ones, that are taken for those of flat surfaces, and the mean of so many
deviations of normal noise, in standard deviations."""

_CLUTTER = 0.6
"""Level `_APART` that edges and curves alone do not make."""

_SHARED = 0.4
"""Share of the noise `_APART` below which neighbours share their errors."""


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
    Most pixels are of flat surfaces: the larger deviations, at edges and on curves, are ignored.

    Stereo and structured light match windows of several pixels, and step by a share of a pixel of disparity, so that
    neighbours have nearly the same error, which does not show between them; depth that is registered to a finer colour
    image repeats its pixels. So the noise is that of pixels `_APART`, where this is clearly more.
    """
    near = np.median(_deviations(depth_mm, 1)) * _SIGMA_OF_MEDIAN
    deviations = np.sort(_deviations(depth_mm, _APART))
    apart = deviations[: round(_FLAT * len(deviations))].mean() / _MEAN_OF_FLAT
    shares_errors = apart > _CLUTTER and near < _SHARED * apart
    return min(float(apart if shares_errors else near), _MOST)


def _deviations(depth_mm: DepthImage, apart: int) -> NDArray[np.float64]:
    """Returns the deviations of the middle of three pixels in a row, in standard deviations of a camera with a noise of
    1; a single 0 if there are too few. apart: distance of the pixels [px]."""
    rows, width = depth_mm[::_EVERY], depth_mm.shape[1]
    if width <= 2 * apart:
        return np.zeros(1)
    triples = np.stack([rows[:, k * apart : width - (2 - k) * apart : _EVERY].ravel() for k in range(3)])
    low, high = triples.min(axis=0), triples.max(axis=0)
    left, middle, right = triples[:, (low > _NEAR) & (high < _FAR)].astype(np.float64) * 1e-3
    if len(middle) < _FEWEST:
        return np.zeros(1)
    deviations: NDArray[np.float64]
    deviations = np.abs(middle - 2 * left * right / (left + right)) / (_SIGMA_OF_TRIPLE * depth_noise(middle))
    return deviations
