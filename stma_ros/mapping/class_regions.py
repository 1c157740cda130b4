"""Divides the pixels of each class into connected regions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import find_objects

from stma_ros.mapping.camera import DepthImage, inverse_depth
from stma_ros.mapping.depth_noise import slack_by_depth
from stma_ros.mapping.smooth_surfaces import SIGMAS, STEP
from stma_ros.mapping.surface_kernels import divide_at_steps


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
    classes: NDArray[np.uint16], depth_mm: DepthImage, noise: float, min_pixels: int
) -> ClassRegions:
    """Divides the measured pixels of each class where depth has a step, or pixels of others lie between.

    Args:
        classes: (H, W) class of each pixel; 0 = none.
        depth_mm: (H, W) uint16 [mm]; 0 = not measured.
        noise: Noise of the depth, in multiples of `depth_noise`.
        min_pixels: Fewest pixels of a region; smaller ones are left out.
    """
    parts, kinds = class_parts(classes, depth_mm, noise)
    ids, kept = large_parts(parts, len(kinds), min_pixels)
    return ClassRegions(ids, tuple(kinds[number] for number in kept))


def large_parts(
    parts: NDArray[np.int32], count: int, min_pixels: int
) -> tuple[NDArray[np.uint16], list[int]]:
    """Returns parts (H, W) with those of fewer pixels left out, numbered anew from 1, and their former numbers.

    Args:
        parts: (H, W) number of the part of each pixel, below `count`; 0 = none.
        count: One more than the largest number.
        min_pixels: Fewest pixels of a part.
    """
    kept = np.bincount(parts.ravel(), minlength=count) >= min_pixels
    kept[0] = False
    return (np.cumsum(kept) * kept).astype(np.uint16)[parts], np.flatnonzero(kept).tolist()


def class_parts(
    classes: NDArray[np.uint16], depth_mm: DepthImage, noise: float
) -> tuple[NDArray[np.int32], list[int]]:
    """Returns the connected parts of each class (H, W), numbered from 1, and the class of each number; arguments as of
    `class_regions`."""
    slack = slack_by_depth(STEP, SIGMAS * noise)
    inverses = inverse_depth(depth_mm)
    parts, kinds = np.zeros(classes.shape, np.int32), [0]
    for number, bounds in enumerate(find_objects(classes), start=1):
        if bounds is None:
            continue
        inverse = np.ascontiguousarray(inverses[bounds])
        wanted = (classes[bounds] == number) & (inverse > 0)
        own = np.zeros(inverse.shape, np.int32)
        divide_at_steps(inverse, wanted, slack, own)
        parts[bounds][wanted] = own[wanted] + (len(kinds) - 1)
        kinds.extend([number] * int(own.max(initial=0)))
    return parts, kinds
