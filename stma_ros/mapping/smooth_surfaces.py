"""Smooth surfaces of a depth image: a floor, a wall, a top, a front. They end at creases and at steps in depth."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import find_objects

from stma_ros.mapping.camera import DepthImage, inverse_depth
from stma_ros.mapping.depth_noise import slack_by_depth
from stma_ros.mapping.surface_kernels import divide_at_creases, divide_at_steps

ROUNDING = 0.0011
"""Largest error of a slope over three pixels by rounding depth to millimetres [m]."""

SIGMAS = 3.0
"""Deviation from a straight line, in standard deviations of the noise, that is a crease."""

STEP = 0.08
"""Neighbours that lie farther apart in depth than this [m], plus three sigma of noise, are not connected."""

SHARE = 0.5
"""Parts of this share of the weight of the first belong to it: something in front divides them."""


def smooth_surfaces(depth_mm: DepthImage, noise: float) -> NDArray[np.int32]:
    """Returns (H, W) the number of the smooth surface of each pixel, counted from 1; 0 = not measured.

    Args:
        depth_mm: (H, W) uint16 [mm]; 0 = not measured.
        noise: of the depth, in multiples of `depth_noise`.
    """
    surfaces = np.zeros(depth_mm.shape, np.int32)
    divide_at_creases(inverse_depth(depth_mm), slack_by_depth(ROUNDING, SIGMAS * noise), surfaces)
    return surfaces


def main_part(
    depth_mm: DepthImage, wanted: NDArray[np.bool_], noise: float
) -> tuple[NDArray[np.bool_], float]:
    """Returns (H, W) the part of the wanted pixels that no step in depth divides and that is largest, by its pixels
    times the rectangle that it spans: a frame outweighs what is seen through it. And the share of the image that this
    rectangle has, together with those of the other parts that belong to it.

    Args:
        depth_mm: (H, W) uint16 [mm].
        wanted: (H, W) pixels, at least one; they are measured.
        noise: of the depth, in multiples of `depth_noise`.
    """
    parts = np.zeros(depth_mm.shape, np.int32)
    divide_at_steps(inverse_depth(depth_mm), wanted, slack_by_depth(STEP, SIGMAS * noise), parts)
    sizes = np.bincount(parts.ravel())[1:].astype(np.float64)
    spans = np.array([(v.stop - v.start) * (u.stop - u.start) for v, u in find_objects(parts)])
    weights = sizes * spans
    chosen = weights >= SHARE * weights.max()
    return np.concatenate(([False], chosen))[parts], float(spans[chosen].sum()) / parts.size
