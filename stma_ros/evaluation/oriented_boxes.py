"""Geometry of the boxes of messages, for scorers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.boxes import Box
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.standard import Point


def offset_in(box: BoundingBox3D, point: Point) -> tuple[float, float, float]:
    """Returns the position of a point in the frame of a box: from its centre, along its own axes [m]."""
    x, y, z = Box.of(box).local(np.array((point.x, point.y, point.z))).tolist()
    return x, y, z


def gaps(boxes: Iterable[BoundingBox3D]) -> NDArray[np.float64]:
    """Returns the distances (N, N) between boxes, 0 where they touch or overlap [m]."""
    compared = BoxArray.of(Box.of(box) for box in boxes)
    return compared.gaps(compared)
