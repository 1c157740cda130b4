"""Divides the pixels of things into regions of one thing each, by what a network says of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import find_objects
from scipy.sparse import csr_array

from stma_ros.mapping.camera import DepthImage, PinholeCamera
from stma_ros.mapping.class_regions import class_parts, large_parts

FEWEST = 4
"""Pixels below which a part is not joined to others: a stray pixel on an edge."""

JOINED = 0.4
"""Largest distance of the middles to which two parts point, as a share of the longer side of both together, for them to
be parts of one thing. Two things side by side point to middles half of that side apart."""

SLACK = 80
"""Width of an image per pixel of the error of such middles."""

HALF_WHOLE, HALF_WHOLE_SLACK = 0.3, 30
"""Distance of the middle to which a region points from its own at which it is as likely a piece of a thing as all that
shows of it: a share of its longer side and 1 / 30 of the width of the image."""

DEEP, DEPTH_SLACK = 0.5, 0.2
"""Largest difference of depth between parts of one thing: a share of their longer side together, and a length [m]."""

ALIKE = 0.4
"""Least likeness of what two parts may be, for them to be parts of one thing: the coefficient of Bhattacharyya 1943 (On
a measure of divergence between two statistical populations)."""


@dataclass(frozen=True, eq=False)
class PixelClasses:
    """What a network tells of the pixels of an image, at its own resolution.

    Attributes:
        probabilities: (N, C) float32, of each class in each cell; class 0 = no thing.
        cells: (H, W) int32, cell of each pixel.
        middles: (N, 2) float32, column and row of the middle of the thing that each cell shows [px]; None = not known.
    """

    probabilities: NDArray[np.float32]
    cells: NDArray[np.int32]
    middles: NDArray[np.float32] | None = None

    @property
    def likeliest(self) -> NDArray[np.uint16]:
        """(H, W) likeliest class of each pixel."""
        of_cells: NDArray[np.uint16] = self.probabilities.argmax(axis=1).astype(np.uint16)
        return of_cells[self.cells]

    def shares(self, parts: NDArray[np.int32], count: int) -> csr_array:
        """Returns (count, N) the share of the pixels of each part that lie in each cell; of part 0, none.

        Args:
            parts: (H, W) number of the part of each pixel, from 0 to below `count`.
            count: Number of parts.
        """
        inside = np.flatnonzero(parts)
        numbers = parts.ravel()[inside], self.cells.ravel()[inside]
        sizes = np.maximum(np.bincount(numbers[0], minlength=count), 1)
        weights = (1 / sizes).astype(np.float32)[numbers[0]]
        return csr_array((weights, numbers), (count, len(self.probabilities)))


@dataclass(frozen=True, eq=False)
class ThingRegions:
    """Regions of one thing each.

    Attributes:
        ids: (H, W) uint16, number of the region of each pixel, counted from 1; 0 = none.
        probabilities: (R, C) float32, mean over the pixels of each region, in the order of the numbers.
        wholeness: (R,) probability that each region is what shows of a thing, and no piece of that, in the same order.
    """

    ids: NDArray[np.uint16]
    probabilities: NDArray[np.float32]
    wholeness: NDArray[np.float64]

    @property
    def presence(self) -> NDArray[np.float64]:
        """(R,) probability that each region is what shows of a thing of any class."""
        presence: NDArray[np.float64] = self.probabilities[:, 1:].sum(axis=1) * self.wholeness
        return presence


def thing_regions(
    classes: PixelClasses, depth_mm: DepthImage, camera: PinholeCamera, noise: float, min_pixels: int
) -> ThingRegions:
    """Divides the measured pixels of things where depth has a step, or where they are of different classes.

    A thing hides parts of itself (the pot of a plant, a desk behind its chair), has steps in depth within, and may look
    like several kinds. Where pixels point to the middle of their thing, the parts that point to one middle are joined
    again, unless they must be different things.

    Args:
        classes: Classes of the pixels.
        depth_mm: (H, W) uint16 [mm]; 0 = not measured.
        camera: Intrinsics of the image.
        noise: Noise of the depth, in multiples of `depth_noise`.
        min_pixels: Fewest pixels of a region; smaller ones are left out.
    """
    parts, kinds = class_parts(classes.likeliest, depth_mm, noise)
    shares = classes.shares(parts, len(kinds))
    means: NDArray[np.float32] = shares @ classes.probabilities
    if classes.middles is None:
        ids, kept = large_parts(parts, len(means), min_pixels)
        return ThingRegions(ids, means[kept], np.ones(len(kept)))
    parts, means, points = _joined(parts, depth_mm, shares @ classes.middles, means, camera)
    ids, kept = large_parts(parts, len(means), min_pixels)
    return ThingRegions(ids, means[kept], _wholeness(ids, points[kept]))


def _wholeness(ids: NDArray[np.uint16], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns (R,) as in ThingRegions: a piece of a thing points to a place that is not its own middle.

    Args:
        ids: (H, W) number of the region of each pixel; 0 = none.
        points: (R, 2) column and row of the middle to which each region points [px].
    """
    bounds = _bounds_of_parts(ids)[1:]
    own = (bounds[:, :2] + bounds[:, 2:] - 1) / 2  # row, column
    longer = (bounds[:, 2:] - bounds[:, :2]).max(axis=1, initial=0)
    off = np.hypot(*(points[:, ::-1] - own).T) / (longer + ids.shape[1] / HALF_WHOLE_SLACK)
    whole: NDArray[np.float64] = 1 / (1 + np.square(off / HALF_WHOLE))
    return whole


def _bounds_of_parts(parts: NDArray[np.int32] | NDArray[np.uint16]) -> NDArray[np.int_]:
    """Returns (P, 4) the first row and column of each part, and those after its last; of part 0, zeros."""
    return np.array([(0, 0, 0, 0), *((v.start, u.start, v.stop, u.stop) for v, u in find_objects(parts))])


def _joined(
    parts: NDArray[np.int32],
    depth_mm: DepthImage,
    middles: NDArray[np.float32],
    means: NDArray[np.float32],
    camera: PinholeCamera,
) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.float64]]:
    """Returns the parts with those of one thing under one number, the mean probabilities of each number, and the middle
    (column and row) to which its pixels point.

    The largest part comes first. Each other one joins the group whose middle is nearest to its own, if that is near
    enough and may be of one class, or is a new group.
    """
    flat = parts.ravel()
    sizes = np.bincount(flat, minlength=len(means))
    depths = np.bincount(flat, depth_mm.ravel(), len(means)) * 1e-3 / np.maximum(sizes, 1)
    points = np.column_stack((middles, depths))  # (P, 3) middle [px] and depth [m] of each part
    bounds = _bounds_of_parts(parts)
    order = [part for part in np.argsort(-sizes, kind="stable").tolist() if part]
    groups, spans, weights = np.empty((len(order), 3)), np.empty((len(order), 4), int), np.empty(len(order))
    kinds = np.empty((len(order), means.shape[1]), np.float32)
    numbers, count = np.zeros(len(sizes), np.int32), 0
    for part in order:
        group = None
        if sizes[part] >= FEWEST:
            alike = _likeness(kinds[:count], means[part]) >= ALIKE
            group = _nearest_group(points[part], bounds[part], groups[:count], spans[:count], alike, camera)
        if group is None:
            group = count
            groups[group], spans[group], weights[group] = points[part], bounds[part], sizes[part]
            kinds[group] = means[part]
            count += 1
        else:
            weights[group] += sizes[part]
            share = sizes[part] / weights[group]
            groups[group] += (points[part] - groups[group]) * share
            kinds[group] += (means[part] - kinds[group]) * share
            spans[group] = _both(spans[group], bounds[part])
        numbers[part] = group + 1
    pointed = np.concatenate((points[:1], groups[:count]))[:, :2]
    return numbers[parts], np.concatenate((means[:1], kinds[:count])), pointed


def _likeness(groups: NDArray[np.float32], part: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns (G,) how alike the classes of groups (G, C) are to those of a part (C,) if both are things [0..1]."""
    common = np.sqrt(groups[:, 1:]) @ np.sqrt(part[1:])
    both = np.sqrt(groups[:, 1:].sum(axis=1) * part[1:].sum())
    likeness: NDArray[np.float32] = common / np.maximum(both, 1e-9)
    return likeness


def _nearest_group(
    point: NDArray[np.float64],
    span: NDArray[np.int_],
    groups: NDArray[np.float64],
    spans: NDArray[np.int_],
    alike: NDArray[np.bool_],
    camera: PinholeCamera,
) -> int | None:
    """Returns the index of the group that a part belongs to; None = to none.

    Args:
        point: (3,) middle [px] and depth [m] of the part.
        span: (4,) its first row and column, and those after its last.
        groups: (G, 3) of the groups.
        spans: (G, 4) of the groups.
        alike: (G,) whether the part may be of the class of the group.
        camera: Intrinsics of the image.
    """
    both = _both(spans, span)
    longer = (both[:, 2:] - both[:, :2]).max(axis=1, initial=0)
    apart = np.hypot(*(groups[:, :2] - point[:2]).T)
    behind = np.abs(groups[:, 2] - point[2])
    reach = np.maximum(JOINED * longer, camera.width / SLACK)
    deep = DEEP * longer / camera.fx * np.minimum(groups[:, 2], point[2]) + DEPTH_SLACK
    fits = np.flatnonzero(alike & (apart <= reach) & (behind <= deep))
    return int(fits[apart[fits].argmin()]) if len(fits) else None


def _both(one: NDArray[np.int_], other: NDArray[np.int_]) -> NDArray[np.int_]:
    """Returns the bounds (..., 4) around two."""
    low, high = np.minimum(one[..., :2], other[..., :2]), np.maximum(one[..., 2:], other[..., 2:])
    return np.concatenate((low, high), axis=-1)
