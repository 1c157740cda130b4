"""Divides the pixels of each class into regions of one thing each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import find_objects

from stma_ros.mapping.camera import DepthImage
from stma_ros.mapping.depth_noise import slack_by_depth
from stma_ros.mapping.smooth_surfaces import SIGMAS, STEP
from stma_ros.mapping.surface_kernels import divide_at_steps

FEWEST = 4
"""Pixels below which a part is not joined to others: a stray pixel on an edge."""

JOINED = 0.25
"""Largest distance of the middles to which two parts point, as a share of the longer side of both together, for them to
be parts of one thing. Two things side by side point to middles half of that side apart."""

SLACK = 4.0
"""Error of such middles [px]."""


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
            parts = _joined(parts, middles[bounds])
        sizes = np.bincount(parts.ravel())
        for part in (np.flatnonzero(sizes[1:] >= min_pixels) + 1).tolist():
            found.append(number)
            ids[bounds][parts == part] = len(found)
    return ClassRegions(ids, tuple(found))


def _joined(parts: NDArray[np.int32], middles: NDArray[np.float32]) -> NDArray[np.int32]:
    """Returns the parts with those that point to one middle under one number, the largest one's first."""
    groups: list[_Group] = []
    numbers = np.zeros(parts.max(initial=0) + 1, np.int32)
    for part, group in sorted(_parts(parts, middles), key=lambda each: -each[1].pixels):
        same = [other for other, known in enumerate(groups) if known.is_one_with(group)]
        if same and group.pixels >= FEWEST:
            groups[same[0]] = groups[same[0]].with_part(group)
            numbers[part] = same[0] + 1
        else:
            groups.append(group)
            numbers[part] = len(groups)
    return numbers[parts]


@dataclass(frozen=True)
class _Group:
    """Parts of one thing.

    Attributes:
        pixels: Number of their pixels.
        column, row: Mean of the middles to which they point [px].
        top, left, bottom, right: Their bounds [px].
    """

    pixels: int
    column: float
    row: float
    top: int
    left: int
    bottom: int
    right: int

    def is_one_with(self, other: _Group) -> bool:
        both = self.with_part(other)
        reach = max(JOINED * max(both.bottom - both.top, both.right - both.left), SLACK)
        return float(np.hypot(self.column - other.column, self.row - other.row)) <= reach

    def with_part(self, other: _Group) -> _Group:
        pixels = self.pixels + other.pixels
        share = other.pixels / pixels
        return _Group(
            pixels,
            self.column + share * (other.column - self.column),
            self.row + share * (other.row - self.row),
            min(self.top, other.top),
            min(self.left, other.left),
            max(self.bottom, other.bottom),
            max(self.right, other.right),
        )


def _parts(parts: NDArray[np.int32], middles: NDArray[np.float32]) -> Iterator[tuple[int, _Group]]:
    """Yields the number of each part, and the group of it alone."""
    flat = parts.ravel()
    sizes = np.bincount(flat)
    columns, rows = (
        np.bincount(flat, middles[..., axis].ravel()) / np.maximum(sizes, 1) for axis in range(2)
    )
    for part, bounds in enumerate(find_objects(parts), start=1):
        if bounds is not None:
            v, u = bounds
            pixels = int(sizes[part])
            yield (
                part,
                _Group(pixels, float(columns[part]), float(rows[part]), v.start, u.start, v.stop, u.stop),
            )
