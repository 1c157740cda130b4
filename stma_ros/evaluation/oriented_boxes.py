"""Geometry of upright boxes of any yaw, for scorers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.standard import Point

FloatArray = NDArray[np.float64]

_CORNERS = np.array([(1, 1), (1, -1), (-1, -1), (-1, 1)], np.float64)


def offset_in(box: BoundingBox3D, point: Point) -> tuple[float, float, float]:
    """Returns the position of a point in the frame of a box: from its centre, along its own axes [m]."""
    center, yaw = box.center.position, box.center.yaw
    dx, dy = point.x - center.x, point.y - center.y
    cosine, sine = math.cos(yaw), math.sin(yaw)
    return cosine * dx + sine * dy, cosine * dy - sine * dx, point.z - center.z


def gaps(boxes: Sequence[BoundingBox3D]) -> FloatArray:
    """Returns the distances (N, N) between boxes, 0 where they touch or overlap [m]."""
    middle = np.array([(b.center.position.x, b.center.position.y) for b in boxes]).reshape(-1, 2)
    height = np.array([(b.center.position.z, b.size.z / 2) for b in boxes]).reshape(-1, 2)
    half = np.array([(b.size.x, b.size.y) for b in boxes]).reshape(-1, 2) / 2
    yaw = np.array([b.center.yaw for b in boxes])
    axes = _axes(yaw)
    corners = middle[:, None] + (_CORNERS * half[:, None]) @ axes  # (N, 4, 2)
    # The corners (N, N, 4, 2) of the second box in the frame of the first one.
    seen = np.einsum("ijkc,iac->ijka", corners[None] - middle[:, None, None], axes)
    to_corners = np.linalg.norm((np.abs(seen) - half[:, None, None]).clip(0), axis=3).min(axis=2)
    # Rectangles overlap unless a side of one separates them; else a corner of one is nearest to the other.
    apart = np.maximum(seen.min(axis=2) - half[:, None], -half[:, None] - seen.max(axis=2)).max(axis=2)
    beside = np.where(np.maximum(apart, apart.T) > 0, np.minimum(to_corners, to_corners.T), 0.0)
    above = (np.abs(height[:, None, 0] - height[None, :, 0]) - height[:, None, 1] - height[None, :, 1]).clip(
        0
    )
    distance: FloatArray = np.hypot(beside, above)
    return distance


def _axes(yaw: FloatArray) -> FloatArray:
    """Returns the horizontal axes (N, 2, 2) of boxes, as rows."""
    cosine, sine = np.cos(yaw), np.sin(yaw)
    rows: FloatArray = np.stack([np.stack([cosine, sine], -1), np.stack([-sine, cosine], -1)], 1)
    return rows
