"""Divides the pixels of each class into regions that are connected in the image and in depth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import find_objects

from stma_ros.mapping.camera import DepthImage
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
        for part in (np.flatnonzero(np.bincount(parts.ravel())[1:] >= min_pixels) + 1).tolist():
            found.append(number)
            ids[bounds][parts == part] = len(found)
    return ClassRegions(ids, tuple(found))
