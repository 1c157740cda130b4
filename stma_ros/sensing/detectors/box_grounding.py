"""Finds the surfaces of objects in image boxes, which depth separates from the background."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.depth_noise import depth_noise, noise_level
from stma_ros.mapping.segments import Segment
from stma_ros.mapping.smooth_surfaces import main_part, smooth_surfaces
from stma_ros.sensing.camera_frame import DepthView
from stma_ros.sensing.detectors.depth_segments import DepthLimits, numbered_segments
from stma_ros.sensing.detectors.port import PixelBox

GAP = 0.05
"""Length of an empty interval of depth [m], or three sigma of noise if that is more, that separates one surface in a
box from another one behind it."""

THIN = 0.01
"""An interval of depth counts as empty below this share of a box's measured pixels: mixed pixels at the edges of an
object lie at all depths between it and the wall."""

ENOUGH = 0.3
"""Smallest share of a box's measured pixels for a surface to be the object rather than something in a corner."""

PASSING = 0.05
"""Share of a smooth surface outside of a box from which on it is the object's surroundings."""

FILLED = 0.15
"""Share of a box from which on what is left without the surroundings is taken for the object."""

FLAT = 0.01
"""Distance from a plane within which a pixel lies on it [m], besides three sigma of noise."""

LARGE = 0.003
"""Smallest share of the image of a plane."""

PLANE = 0.9
"""Share of a surface that lies on its plane, if it is one."""

PLANE_SAMPLES = 2000
"""Pixels from which a plane is fitted; more change nothing."""

MARGIN = 2
"""Error of the edges of a box [px]."""

NARROW, WIDE = 0.5, 0.8
"""Shares of a box below which the rectangles around a surface are hardly those of the object, which the box is drawn
around, and from which on they are: what is seen through the back of a chair is smaller than the back."""

MIN_REACH = 0.1
"""Half the largest extent of an object in depth [m], unless it is wider or higher: surfaces that adjoin it, such as the
table that it stands on, may extend farther."""


def ground_boxes(
    view: DepthView, boxes: Sequence[PixelBox], limits: DepthLimits
) -> tuple[Segment | None, ...]:
    """Returns the surface of the object in each box; None if it has too few pixels with depth.

    Smooth surfaces that go on outside of a box are the object's surroundings: the floor, the wall, the table that it
    stands on. So are pieces of a plane that is mostly in no box. Of the rest, the object is the part that spans the box
    best. Where that is next to nothing (a front in one plane with its neighbours), or is seen through something that
    spans the box (the back of a chair that goes on below it), it is the nearest surface that fills a share of ENOUGH of
    the box, or else the largest, limited to the neighbourhood of its median depth. Where boxes overlap, pixels belong
    to the smaller box: to the mug rather than the table.

    Args:
        view: Depth image, registered to the image that the boxes are drawn in.
        boxes: Image boxes.
        limits: Largest depth and smallest number of pixels.
    """
    noise = noise_level(view.depth_mm)
    ids = _foreground_ids(view, boxes, limits.max_range, noise)
    return numbered_segments(view, ids, len(boxes), limits, noise)


def _foreground_ids(
    view: DepthView, boxes: Sequence[PixelBox], max_range: float, noise: float
) -> NDArray[np.uint16]:
    """Returns (H, W) the number of the box whose object each pixel shows, counted from 1; 0 = none."""
    depth_mm, camera = view.depth_mm, view.camera
    ids = np.zeros(depth_mm.shape, np.uint16)
    in_range = (depth_mm > 0) & (depth_mm < 1e3 * max_range)
    surfaces = smooth_surfaces(depth_mm, noise)
    totals = np.bincount(surfaces.ravel())
    boxed = np.zeros(depth_mm.shape, bool)
    for box in boxes:
        boxed[box] = True
    planes = _planes_outside(view, surfaces, ~boxed, noise)
    sizes = [(rows.stop - rows.start) * (columns.stop - columns.start) for rows, columns in boxes]
    for index in sorted(range(len(boxes)), key=sizes.__getitem__):
        rows, columns = boxes[index]
        own, depth = ids[rows, columns], depth_mm[rows, columns]
        seen = in_range[rows, columns] & (own == 0)
        if not seen.any():
            continue
        inside = np.bincount(surfaces[_widened(rows), _widened(columns)].ravel(), minlength=len(totals))
        passing = totals - inside > PASSING * totals
        whole = seen & ~passing[surfaces[rows, columns]]
        # Without the planes nothing is left of a rug or a picture.
        left = [
            pixels
            for pixels in (whole & ~planes[rows, columns], whole)
            if pixels.sum() >= FILLED * seen.sum()
        ]
        part, span = main_part(depth, left[0], noise) if left else (np.zeros_like(seen), 0.0)
        if span < NARROW:
            width = max((rows.stop - rows.start) / camera.fy, (columns.stop - columns.start) / camera.fx)
            metres = depth * 1e-3
            near, far = _foreground(metres[seen], width, noise)
            front = seen & (metres >= near) & (metres <= far)
            if not left or (_span(front) >= WIDE and far < np.median(metres[part])):
                part = front
        own[part] = index + 1
    return ids


def _span(part: NDArray[np.bool_]) -> float:
    """Returns the share of a box that the rectangle around some of its pixels has."""
    rows, columns = (np.flatnonzero(part.any(axis=axis)) for axis in (1, 0))
    return float((rows[-1] - rows[0] + 1) * (columns[-1] - columns[0] + 1)) / part.size


def _planes_outside(
    view: DepthView, surfaces: NDArray[np.int32], outside: NDArray[np.bool_], noise: float
) -> NDArray[np.bool_]:
    """Returns (H, W) the pixels on planes that lie mostly outside of all boxes: floor and walls, also where things cut
    pieces off."""
    camera = view.camera
    rows, columns = np.mgrid[: camera.height, : camera.width]
    inverse = 1e3 / np.maximum(view.depth_mm, 1)
    slack = FLAT + 3 * noise * depth_noise(1 / inverse)
    totals = np.bincount(surfaces.ravel())
    free = np.bincount(surfaces[outside], minlength=len(totals))
    free[0] = 0
    found = np.zeros(surfaces.shape, bool)
    for number in np.flatnonzero((free > LARGE * surfaces.size) & (2 * free > totals)).tolist():
        own = surfaces == number
        u, v, values = (
            each[own][:: max(1, totals[number] // PLANE_SAMPLES)] for each in (columns, rows, inverse)
        )
        # On a plane, inverse depth is linear in the image.
        a, b, c = np.linalg.lstsq(np.stack((u, v, np.ones(len(u))), axis=1), values, rcond=None)[0]
        normal = np.array((a * camera.fx, b * camera.fy, c + a * camera.cx + b * camera.cy))
        near = np.abs((a * columns + b * rows + c) / inverse - 1) < slack * np.linalg.norm(normal)
        if near[own].mean() > PLANE:
            found |= near
    return found


def _widened(side: slice) -> slice:
    return slice(max(side.start - MARGIN, 0), side.stop + MARGIN)


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
