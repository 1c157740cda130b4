"""Divides the pixels of each class into regions of one thing each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import find_objects

from stma_ros.mapping.camera import DepthImage, PinholeCamera
from stma_ros.mapping.depth_noise import slack_by_depth
from stma_ros.mapping.smooth_surfaces import SIGMAS, STEP
from stma_ros.mapping.surface_kernels import divide_at_steps

FEWEST = 4
"""Pixels below which a part is not joined to others: a stray pixel on an edge."""

JOINED = 0.25
"""Largest distance of the middles to which two parts point, as a share of the longer side of both together, for them to
be parts of one thing. Two things side by side point to middles half of that side apart."""

SLACK = 80
"""Width of an image per pixel of the error of such middles."""

DEEP, DEPTH_SLACK = 0.5, 0.2
"""Largest difference of depth between parts of one thing: a share of their longer side together, and a length [m]."""


@dataclass(frozen=True, eq=False)
class ClassRegions:
    """Regions of one class each.

    Attributes:
        ids: (H, W) uint16, number of the region of each pixel, counted from 1; 0 = none.
        classes: Class of each region, in the order of the numbers.
    """

    ids: NDArray[np.uint16]
    classes: tuple[int, ...]


def class_regions(
    classes: NDArray[np.uint16],
    depth_mm: DepthImage,
    camera: PinholeCamera,
    noise: float,
    min_pixels: int,
    middles: NDArray[np.float32] | None = None,
) -> ClassRegions:
    """Divides the measured pixels of each class where depth has a step, or pixels of others lie between.

    A thing hides parts of itself (the pot of a plant, a desk behind its chair), and has steps in depth within. Where
    pixels point to the middle of their thing, the parts that point to one middle are joined again.

    Args:
        classes: (H, W) class of each pixel; 0 = none.
        depth_mm: (H, W) uint16 [mm]; 0 = not measured.
        camera: Intrinsics of the image.
        noise: Noise of the depth, in multiples of `depth_noise`.
        min_pixels: Fewest pixels of a region; smaller ones are left out.
        middles: (H, W, 2) column and row of the middle of the thing that a pixel shows [px]; None = not known.
    """
    slack = slack_by_depth(STEP, SIGMAS * noise)
    ids = np.zeros(classes.shape, np.uint16)
    found: list[int] = []
    for number, bounds in enumerate(find_objects(classes), start=1):
        if bounds is None:
            continue
        depth = np.ascontiguousarray(depth_mm[bounds])
        wanted = (classes[bounds] == number) & (depth > 0)
        parts = np.zeros(depth.shape, np.int32)
        divide_at_steps(depth, wanted, slack, parts)
        if middles is not None:
            parts = _joined(parts, depth, middles[bounds], camera)
        sizes = np.bincount(parts.ravel())
        for part in (np.flatnonzero(sizes[1:] >= min_pixels) + 1).tolist():
            found.append(number)
            ids[bounds][parts == part] = len(found)
    return ClassRegions(ids, tuple(found))


def _joined(
    parts: NDArray[np.int32], depth_mm: DepthImage, middles: NDArray[np.float32], camera: PinholeCamera
) -> NDArray[np.int32]:
    """Returns the parts with those that point to one middle under one number.

    The largest part comes first. Each other one joins the group whose middle is nearest to its own, if that is near
    enough, or is a new group.
    """
    flat = parts.ravel()
    sizes = np.bincount(flat)
    counts = np.maximum(sizes, 1)
    points = np.stack(
        [
            np.bincount(flat, values.ravel()) / counts
            for values in (middles[..., 0], middles[..., 1], depth_mm * 1e-3)
        ],
        axis=1,
    )  # (P, 3) middle [px] and depth [m] of each part
    bounds = np.array([(0, 0, 0, 0), *((v.start, u.start, v.stop, u.stop) for v, u in find_objects(parts))])
    order = [part for part in np.argsort(-sizes, kind="stable").tolist() if part]
    groups, spans, weights = np.empty((len(order), 3)), np.empty((len(order), 4), int), np.empty(len(order))
    numbers, count = np.zeros(len(sizes), np.int32), 0
    for part in order:
        group = _nearest_group(points[part], bounds[part], groups[:count], spans[:count], camera)
        if group is None or sizes[part] < FEWEST:
            group = count
            groups[group], spans[group], weights[group] = points[part], bounds[part], sizes[part]
            count += 1
        else:
            weights[group] += sizes[part]
            groups[group] += (points[part] - groups[group]) * (sizes[part] / weights[group])
            spans[group] = _both(spans[group], bounds[part])
        numbers[part] = group + 1
    return numbers[parts]


def _nearest_group(
    point: NDArray[np.float64],
    span: NDArray[np.int_],
    groups: NDArray[np.float64],
    spans: NDArray[np.int_],
    camera: PinholeCamera,
) -> int | None:
    """Returns the index of the group that a part belongs to; None = to none.

    Args:
        point: (3,) middle [px] and depth [m] of the part.
        span: (4,) its first row and column, and those after its last.
        groups: (G, 3) of the groups.
        spans: (G, 4) of the groups.
        camera: Intrinsics of the image.
    """
    both = _both(spans, span)
    longer = (both[:, 2:] - both[:, :2]).max(axis=1, initial=0)
    apart = np.hypot(*(groups[:, :2] - point[:2]).T)
    behind = np.abs(groups[:, 2] - point[2])
    reach = np.maximum(JOINED * longer, camera.width / SLACK)
    deep = DEEP * longer / camera.fx * np.minimum(groups[:, 2], point[2]) + DEPTH_SLACK
    fits = np.flatnonzero((apart <= reach) & (behind <= deep))
    return int(fits[apart[fits].argmin()]) if len(fits) else None


def _both(one: NDArray[np.int_], other: NDArray[np.int_]) -> NDArray[np.int_]:
    """Returns the bounds (..., 4) around two."""
    low, high = np.minimum(one[..., :2], other[..., :2]), np.maximum(one[..., 2:], other[..., 2:])
    return np.concatenate((low, high), axis=-1)
