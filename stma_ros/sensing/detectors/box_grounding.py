"""Places the things in boxes that were drawn in a picture: depth tells a thing from what is behind it."""

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


def ground_boxes(
    view: DepthView, boxes: Sequence[PixelBox], limits: DepthLimits
) -> tuple[Segment | None, ...]:
    """Returns the surface of the thing in each box; None where depth shows too little of it.

    Of each box it is the nearest surface that fills ENOUGH of it, or else the largest, as far as it lies round its
    median depth. A smaller box has its pixels before a larger one: the mug before the table.

    Args:
        view: The depth image of the picture that the boxes were drawn in.
        boxes: Boxes in it.
        limits: How much depth has to show.
    """
    noise = noise_level(view.depth_mm)
    ids = _foreground_ids(view, boxes, limits.max_range, noise)
    numbers = range(1, len(boxes) + 1)
    found = {segment.id: segment for segment in depth_segments(view, ids, numbers, limits, noise)}
    return tuple(found.get(number) for number in numbers)


def _foreground_ids(
    view: DepthView, boxes: Sequence[PixelBox], max_range: float, noise: float
) -> NDArray[np.uint16]:
    """(H, W) the number of the box whose thing each pixel shows, counted from 1; 0 = of none."""
    depth_mm, camera = view.depth_mm, view.camera
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
