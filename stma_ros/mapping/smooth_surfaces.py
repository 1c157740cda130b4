"""Smooth surfaces of a depth image: a floor, a wall, a top, a front. They end at creases and at steps in depth."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import find_objects

from stma_ros.mapping.camera import DepthImage
from stma_ros.mapping.depth_noise import depth_noise
from stma_ros.types.jit import kernel

ROUNDING = 1.1
"""Largest error of a slope over three pixels by rounding depth to millimetres [mm]."""

SIGMAS = 3.0
"""Deviation from a straight line, in standard deviations of the noise, that is a crease."""

STEP = 80.0
"""Neighbours that lie farther apart in depth than this [mm], plus three sigma of noise, are not connected."""

SHARE = 0.5
"""Parts of this share of the weight of the first belong to it: something in front divides them."""


def smooth_surfaces(depth_mm: DepthImage, noise: float) -> NDArray[np.int32]:
    """Returns (H, W) the number of the smooth surface of each pixel, counted from 1; 0 = not measured.

    Args:
        depth_mm: (H, W) uint16 [mm]; 0 = not measured.
        noise: of the depth, in multiples of `depth_noise`.
    """
    inverse = np.reciprocal(np.maximum(depth_mm, 1), dtype=np.float32)
    inverse[depth_mm == 0] = 0
    slack = ROUNDING + 1e3 * SIGMAS * noise * depth_noise(np.arange(6554) * 0.01)
    surfaces = np.zeros(depth_mm.shape, np.int32)
    _label(inverse, slack.astype(np.float32), surfaces)
    return surfaces


def main_part(depth_mm: DepthImage, wanted: NDArray[np.bool_], noise: float) -> NDArray[np.bool_]:
    """Returns (H, W) the part of the wanted pixels that no step in depth divides and that is largest, by its pixels
    times the rectangle that it spans: a frame outweighs what is seen through it.

    Args:
        depth_mm: (H, W) uint16 [mm].
        wanted: (H, W) pixels, at least one; they are measured.
        noise: of the depth, in multiples of `depth_noise`.
    """
    slack = STEP + 1e3 * SIGMAS * noise * depth_noise(np.arange(6554) * 0.01)
    parts = np.zeros(depth_mm.shape, np.int32)
    _divide(depth_mm, wanted, slack.astype(np.float32), parts)
    sizes = np.bincount(parts.ravel())[1:].astype(np.float64)
    spans = np.array([(v.stop - v.start) * (u.stop - u.start) for v, u in find_objects(parts)])
    weights = sizes * spans
    return np.concatenate(([False], weights >= SHARE * weights.max()))[parts]


@kernel
def _is_straight(
    inverse: NDArray[np.float32], v: int, u: int, dv: int, du: int, slack: NDArray[np.float32]
) -> bool:
    """Whether the surface at (v, u) goes on straight at (v + dv, u + du). On a flat surface, inverse depth is linear in
    the image: the slopes of the two pixels before, of those behind and of the step between agree."""
    height, width = inverse.shape
    here, there = inverse[v, u], inverse[v + dv, u + du]
    limit = slack[min(int(np.float32(0.1) / min(here, there)), len(slack) - 1)] * here * there
    step = there - here
    before, behind = np.float32(0), np.float32(0)
    known = 0
    v0, u0 = v - 2 * dv, u - 2 * du
    if 0 <= v0 < height and 0 <= u0 < width and inverse[v0, u0] > 0:
        before = (here - inverse[v0, u0]) / 2
        known += 1
        if abs(step - before) > 2 * limit:
            return False
    v0, u0 = v + 3 * dv, u + 3 * du
    if 0 <= v0 < height and 0 <= u0 < width and inverse[v0, u0] > 0:
        behind = (inverse[v0, u0] - there) / 2
        known += 1
        if abs(step - behind) > 2 * limit:
            return False
    return known == 1 or (known == 2 and abs(before - behind) <= limit)


@kernel
def _root(parents: NDArray[np.int32], pixel: int) -> int:
    while parents[pixel] != pixel:
        parents[pixel] = parents[parents[pixel]]
        pixel = parents[pixel]
    return pixel


@kernel
def _number(parents: NDArray[np.int32], wanted: NDArray[np.bool_], numbers: NDArray[np.int32]) -> None:
    """Numbers the sets of pixels in the order of their first ones, from 1."""
    height, width = wanted.shape
    count = 0
    for v in range(height):
        for u in range(width):
            if not wanted[v, u]:
                continue
            root = _root(parents, v * width + u)  # the first of its pixels
            if root == v * width + u:
                count += 1
                numbers[v, u] = count
            else:
                numbers[v, u] = numbers[root // width, root % width]


@kernel
def _label(inverse: NDArray[np.float32], slack: NDArray[np.float32], surfaces: NDArray[np.int32]) -> None:
    height, width = inverse.shape
    parents = np.arange(height * width).astype(np.int32)
    for v in range(height):
        for u in range(width):
            if inverse[v, u] == 0:
                continue
            for dv, du in ((0, -1), (-1, 0)):
                v1, u1 = v + dv, u + du
                if v1 < 0 or u1 < 0 or inverse[v1, u1] == 0:
                    continue
                if _is_straight(inverse, v, u, dv, du, slack):
                    one, other = _root(parents, v * width + u), _root(parents, v1 * width + u1)
                    parents[max(one, other)] = min(one, other)
    _number(parents, inverse > 0, surfaces)


@kernel
def _divide(
    depth_mm: NDArray[np.uint16],
    wanted: NDArray[np.bool_],
    slack: NDArray[np.float32],
    parts: NDArray[np.int32],
) -> None:
    height, width = depth_mm.shape
    parents = np.arange(height * width).astype(np.int32)
    for v in range(height):
        for u in range(width):
            if not wanted[v, u]:
                continue
            here = np.float32(depth_mm[v, u])
            for dv, du in ((0, -1), (-1, 0), (-1, -1), (-1, 1)):
                v1, u1 = v + dv, u + du
                if v1 < 0 or u1 < 0 or u1 >= width or not wanted[v1, u1]:
                    continue
                if abs(here - np.float32(depth_mm[v1, u1])) <= slack[int(here) // 10]:
                    one, other = _root(parents, v * width + u), _root(parents, v1 * width + u1)
                    parents[max(one, other)] = min(one, other)
    _number(parents, wanted, parts)
