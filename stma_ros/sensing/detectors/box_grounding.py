"""Finds the surfaces of objects in image boxes, which depth separates from the background."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.depth_noise import depth_noise, noise_level
from stma_ros.mapping.segments import Segment
from stma_ros.sensing.camera_frame import DepthView
from stma_ros.sensing.detectors.depth_segments import DepthLimits, depth_segments
from stma_ros.sensing.detectors.port import PixelBox

GAP = 0.05
"""Length of an empty interval of depth [m], or three sigma of noise if that is more, that separates one surface in a
box from another one behind it."""

THIN = 0.01
"""An interval of depth counts as empty below this share of a box's measured pixels: mixed pixels at the edges of an
object lie at all depths between it and the wall."""

ENOUGH = 0.3
"""Smallest share of a box's measured pixels for a surface to be the object rather than something in a corner."""

MIN_REACH = 0.1
"""Half the largest extent of an object in depth [m], unless it is wider or higher: surfaces that adjoin it, such as the
table that it stands on, may extend farther."""


def ground_boxes(
    view: DepthView, boxes: Sequence[PixelBox], limits: DepthLimits
) -> tuple[Segment | None, ...]:
    """Returns the surface of the object in each box; None if it has too few pixels with depth.

    The surface is the nearest one that fills a share of ENOUGH of the box, or else the largest, limited to the
    neighbourhood of its median depth. Where boxes overlap, pixels belong to the smaller box: to the mug rather than
    the table.

    Args:
        view: Depth image, registered to the image that the boxes are drawn in.
        boxes: Image boxes.
        limits: Largest depth and smallest number of pixels.
    """
    noise = noise_level(view.depth_mm)
    ids = _foreground_ids(view, boxes, limits.max_range, noise)
    numbers = range(1, len(boxes) + 1)
    found = {segment.id: segment for segment in depth_segments(view, ids, numbers, limits, noise)}
    return tuple(found.get(number) for number in numbers)


def _foreground_ids(
    view: DepthView, boxes: Sequence[PixelBox], max_range: float, noise: float
) -> NDArray[np.uint16]:
    """Returns (H, W) the number of the box whose object each pixel shows, counted from 1; 0 = none."""
    depth_mm, camera = view.depth_mm, view.camera
    ids = np.zeros(depth_mm.shape, np.uint16)
    sizes = [(rows.stop - rows.start) * (columns.stop - columns.start) for rows, columns in boxes]
    for index in sorted(range(len(boxes)), key=sizes.__getitem__):
        rows, columns = boxes[index]
        own, depth = ids[rows, columns], depth_mm[rows, columns] * 1e-3
        seen = (depth > 0) & (depth < max_range) & (own == 0)
        if seen.any():
            width = max((rows.stop - rows.start) / camera.fy, (columns.stop - columns.start) / camera.fx)
            near, far = _foreground(depth[seen], width, noise)
            own[seen & (depth >= near) & (depth <= far)] = index + 1
    return ids


def _foreground(depths: NDArray[np.float64], width: float, noise: float) -> tuple[float, float]:
    """Returns the smallest and the largest depth of the object in a box [m].

    Args:
        depths: (N,) measured depths [m].
        width: The longer side of the box, at a distance of 1 m [m].
        noise: Noise of depth in multiples of `depth_noise`.
    """
    gap = max(GAP, 3 * noise * float(depth_noise(np.median(depths))))
    bins = (depths / gap).astype(np.int64)
    counts = np.bincount(bins)
    filled = counts >= max(1.0, THIN * len(depths))
    edges = np.flatnonzero(np.diff(np.concatenate(([False], filled, [False])).astype(np.int8)))
    surfaces = list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
    if not surfaces:  # no interval is filled: one slanted surface over a hundred of them
        surfaces = [(int(bins.min()), int(bins.max()) + 1)]
    sizes = [int(counts[start:stop].sum()) for start, stop in surfaces]
    first = next((n for n, size in enumerate(sizes) if size >= ENOUGH * len(depths)), int(np.argmax(sizes)))
    start, stop = surfaces[first]
    surface = depths[(bins >= start) & (bins < stop)]
    middle = float(np.median(surface))
    reach = max(MIN_REACH, width * middle)
    return max(float(surface.min()), middle - reach), min(float(surface.max()), middle + reach)
