"""Geometry of upright boxes of any yaw, for scorers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.planar import turned
from stma_ros.types.standard import Point

FloatArray = NDArray[np.float64]

_CORNERS = np.array([(1, 1), (1, -1), (-1, -1), (-1, 1)], np.float64)


def offset_in(box: BoundingBox3D, point: Point) -> tuple[float, float, float]:
    """Returns the position of a point in the frame of a box: from its centre, along its own axes [m]."""
    center = box.center.position
    along = turned((point.x - center.x, point.y - center.y, point.z - center.z), -box.yaw)
    x, y, z = along.tolist()
    return x, y, z


def gaps(boxes: Sequence[BoundingBox3D]) -> FloatArray:
    """Returns the distances (N, N) between boxes, 0 where they touch or overlap [m]."""
    middle = np.array([(b.center.position.x, b.center.position.y) for b in boxes]).reshape(-1, 2)
    height = np.array([b.center.position.z for b in boxes])
    size = np.array([(b.size.x, b.size.y, b.size.z) for b in boxes]).reshape(-1, 3)
    half, yaw = size[:, :2] / 2, np.array([b.yaw for b in boxes])
    corners = middle[:, None] + turned(_CORNERS * half[:, None], yaw[:, None])  # (N, 4, 2)
    # The corners (N, N, 4, 2) of the second box in the frame of the first one.
    seen = turned(corners[None] - middle[:, None, None], -yaw[:, None, None])
    to_corners = np.linalg.norm((np.abs(seen) - half[:, None, None]).clip(0), axis=3).min(axis=2)
    # Rectangles overlap unless a side of one separates them; else a corner of one is nearest to the other.
    apart = np.maximum(seen.min(axis=2) - half[:, None], -half[:, None] - seen.max(axis=2)).max(axis=2)
    beside = np.where(np.maximum(apart, apart.T) > 0, np.minimum(to_corners, to_corners.T), 0.0)
    above = np.abs(height[:, None] - height) - (size[:, None, 2] + size[:, 2]) / 2
    distance: FloatArray = np.hypot(beside, above.clip(0))
    return distance
