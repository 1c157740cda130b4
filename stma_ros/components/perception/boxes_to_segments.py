"""Which pixels show the things that somebody drew boxes round: depth tells a thing from what is behind it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import DepthImage, PinholeCamera
from stma_ros.mapping.depth_noise import depth_noise
from stma_ros.roles.scene_graph import WHOLE, ImageBox

PixelBox = tuple[slice, slice]
"""Rows and columns of an image."""

GAP = 0.05
"""Where a box holds next to nothing over this much depth [m], or three sigma of noise, one surface ends and another one
begins behind it."""

THIN = 0.01
"""Share of the measured pixels of a box that is next to nothing: mixtures at the edges of a thing lie in every depth
between it and the wall."""

ENOUGH = 0.3
"""Share of the measured pixels from which on a surface may be the thing; what covers a corner of a box is not."""

SMALLEST = 0.1
"""A thing reaches this far [m] before and behind its middle, or as far as it is wide or high: what adjoins it, such as
the table that it stands on, may go on."""


def pixels_of(box: ImageBox, shape: tuple[int, ...]) -> PixelBox:
    """The rows and columns of an image of `shape` (H, W) in a box, at least one of each."""
    height, width = shape
    left, top, right, bottom = box
    return _between(top, bottom, height), _between(left, right, width)


def _between(start: int, stop: int, count: int) -> slice:
    first = min(round(start * count / WHOLE), count - 1)
    return slice(first, max(round(stop * count / WHOLE), first + 1))


def segments_of(
    depth_mm: DepthImage, camera: PinholeCamera, boxes: Sequence[PixelBox], max_range: float, noise: float
) -> NDArray[np.uint16]:
    """(H, W) the number of the thing that each pixel shows, counted from 1 in the order of the boxes; 0 = of none.

    Of each box it is the nearest surface that fills ENOUGH of it, or else the largest, as far as it lies round its
    median depth. A smaller box has its pixels before a larger one: the mug before the table. max_range, noise: as in
    mapping.segments.find_segments.
    """
    ids = np.zeros(depth_mm.shape, np.uint16)
    sizes = [(rows.stop - rows.start) * (columns.stop - columns.start) for rows, columns in boxes]
    for index in sorted(range(len(boxes)), key=sizes.__getitem__):
        rows, columns = boxes[index]
        own, depth = ids[rows, columns], depth_mm[rows, columns] * 1e-3
        seen = (depth > 0) & (depth < max_range) & (own == 0)
        if seen.any():
            wide = max((rows.stop - rows.start) / camera.fy, (columns.stop - columns.start) / camera.fx)
            near, far = _foreground(depth[seen], wide, noise)
            own[seen & (depth >= near) & (depth <= far)] = index + 1
    return ids


def _foreground(depths: NDArray[np.float64], wide: float, noise: float) -> tuple[float, float]:
    """Between which depths [m] the thing lies. depths: (N,) [m]; wide: the longer side of the box, at 1 m [m]."""
    gap = max(GAP, 3 * noise * float(depth_noise(np.median(depths))))
    bins = (depths / gap).astype(np.int64)
    counts = np.bincount(bins)
    filled = counts >= max(1.0, THIN * len(depths))
    edges = np.flatnonzero(np.diff(np.concatenate(([False], filled, [False])).astype(np.int8)))
    surfaces = list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
    if not surfaces:  # it is spread over a hundred depths: one slanted surface
        surfaces = [(int(bins.min()), int(bins.max()) + 1)]
    sizes = [int(counts[start:stop].sum()) for start, stop in surfaces]
    first = next((n for n, size in enumerate(sizes) if size >= ENOUGH * len(depths)), int(np.argmax(sizes)))
    start, stop = surfaces[first]
    surface = depths[(bins >= start) & (bins < stop)]
    middle = float(np.median(surface))
    reach = max(SMALLEST, wide * middle)
    return max(float(surface.min()), middle - reach), min(float(surface.max()), middle + reach)
