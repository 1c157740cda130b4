"""Boxes round the segments of one depth image."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from stma_ros.mapping.camera import DepthImage, PinholeCamera, point_image
from stma_ros.mapping.transforms import Pose

TRIM = 0.01
"""Share cut off at either end of a large segment's extent: mixed pixels at its rim lie on no surface."""

TRIMMED_FROM = 200
"""Segments of fewer pixels are not trimmed: every pixel of a small thing counts."""


@dataclass(frozen=True)
class SegmentBox:
    """The axis-aligned box of one segment's seen surface.

    center, size: (3,) float64 [m] in the frame of the camera's pose. rows, columns: where it lies in the image;
    mask: (rows, columns) bool, its pixels with valid depth. truncated: cut off by the image's border or by range.
    """

    id: int
    center: NDArray[np.float64]
    size: NDArray[np.float64]
    rows: slice
    columns: slice
    mask: NDArray[np.bool_]
    pixels: int
    truncated: bool


def segment_boxes(
    depth_mm: DepthImage,
    camera: PinholeCamera,
    camera_pose: Pose,
    segments: NDArray[np.generic],
    max_range: float,
) -> list[SegmentBox]:
    """The boxes of all segments that have a pixel with depth below `max_range` [m], in the order of their ids.

    segments: (H, W) of a 16-bit id, 0 = none. camera_pose: 4x4, optical frame (REP-103) to the frame of the result.
    """
    seen = point_image(depth_mm, camera, max_range=max_range)
    valid = np.isfinite(seen[..., 2])
    points = seen @ camera_pose[:3, :3].T.astype(np.float32) + camera_pose[:3, 3].astype(np.float32)
    height, width = depth_mm.shape
    boxes = []
    found: list[tuple[slice, slice] | None] = ndimage.find_objects(segments.astype(np.int32))
    for index, slices in enumerate(found, start=1):
        if slices is None:
            continue
        rows, columns = slices
        whole = segments[slices] == index
        mask = whole & valid[slices]
        pixels = int(mask.sum())
        if pixels == 0:
            continue
        low, high = _extent(points[slices][mask])
        at_border = rows.start == 0 or columns.start == 0 or rows.stop == height or columns.stop == width
        out_of_range = pixels < int(whole.sum())
        boxes.append(
            SegmentBox(
                index, (low + high) / 2, high - low, rows, columns, mask, pixels, at_border or out_of_range
            )
        )
    return boxes


def _extent(points: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if len(points) < TRIMMED_FROM:
        low, high = points.min(axis=0), points.max(axis=0)
    else:
        rank = int(len(points) * TRIM)
        low, high = np.partition(points, (rank, len(points) - 1 - rank), axis=0)[
            [rank, len(points) - 1 - rank]
        ]
    return low.astype(np.float64), high.astype(np.float64)
