"""What a depth camera sees of a map: bounds of the view, and the values that kernels of integration take."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.jit import kernel

SATURATED = 65535
"""Depth [mm] that says nothing: a camera's number overflowed, or it marks pixels without depth so."""

LANES = 16
"""float32 in the widest vector register; loops run over a multiple of it, so that none is left for slow scalar code."""

Float3 = tuple[np.float32, np.float32, np.float32]


class ColumnBox(NamedTuple):
    """The columns of an array of voxels that bound what a camera sees."""

    row: int  # in the array
    col: int
    rows: int
    cols: int


class View(NamedTuple):
    """The view of one depth image: the camera, the place of the columns in view, and which depths count."""

    fx: float  # [px]
    fy: float
    cx: float
    cy: float
    x: float  # [m] lowest corner of the box in the map frame
    y: float
    z: float
    resolution: float  # [m]
    near: float  # [mm] no voxel is freed or hit nearer than this,
    far: float  # [mm] or freed farther than this
    margin: float  # [mm] a voxel is free if its centre lies more than this in front of the measured depth,
    clear: float  # [mm] and at once, if more than this


@kernel
def depth_extent(depth_mm: NDArray[np.uint16]) -> int:
    """Returns the largest measured depth [mm]; 0 = nothing was measured.

    Reading the image once in order also brings it into the processor's cache, where the scattered reads that follow
    find it: without it they take three times as long.
    """
    pixels, largest = depth_mm.reshape(-1), np.int32(0)
    for k in range(len(pixels)):
        depth = np.int32(pixels[k])
        largest = max(largest, depth if depth != SATURATED else np.int32(0))
    return int(largest)


@kernel
def view_bounds(
    T_map_camera: NDArray[np.float64],
    camera: tuple[float, float, float, float],
    width: int,
    height: int,
    far: float,
) -> tuple[float, float, float, float]:
    """Returns (x_min, y_min, x_max, y_max) [m] of the camera (fx, fy, cx, cy) and of all that it sees up to depth `far`
    [m]."""
    fx, fy, cx, cy = camera
    x0, y0 = T_map_camera[0, 3], T_map_camera[1, 3]
    x1, y1 = x0, y0
    for corner in range(4):
        u = ((width - 0.5 if corner & 1 else -0.5) - cx) / fx * far
        v = ((height - 0.5 if corner & 2 else -0.5) - cy) / fy * far
        m = T_map_camera
        x = m[0, 0] * u + m[0, 1] * v + m[0, 2] * far + m[0, 3]
        y = m[1, 0] * u + m[1, 1] * v + m[1, 2] * far + m[1, 3]
        x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
    return x0, y0, x1, y1
