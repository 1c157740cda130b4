"""Visibility of boxes in a depth image: empty, hidden, or occupied."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stma_ros.mapping.camera import DepthImage, PinholeCamera
from stma_ros.mapping.depth_noise import depth_noise
from stma_ros.mapping.transforms import Pose
from stma_ros.types.jit import kernel
from stma_ros.types.planar import turned

MARGIN = 0.02
"""A surface within this distance of a box [m], plus three sigma of the camera's noise, may be the box's own."""

SAMPLES = 256
"""Rays through a large box are thinned to about this many."""

_NEAR = 0.05
"""Boxes that extend behind this depth [m] are searched for in the whole image: their corners do not project."""


@dataclass(frozen=True)
class Visibility:
    """One number per box; the remaining share of rays ends in or at the box.

    Attributes:
        pixels: int64, pixels with valid depth that the box covers in the image; 0 outside of the view.
        through: share of these whose ray leaves the box and ends well behind it [0..1].
        hidden: share of these whose ray ends well in front of the box [0..1].
    """

    pixels: NDArray[np.int64]
    through: NDArray[np.float64]
    hidden: NDArray[np.float64]


def box_visibility(
    depth_mm: DepthImage,
    camera: PinholeCamera,
    camera_pose: Pose,
    middle: ArrayLike,
    extent: ArrayLike,
    yaw: ArrayLike = 0.0,
) -> Visibility:
    """Compares boxes with a depth image.

    An object that stood on a table and was taken away is seen through in part only: the rays through its foot end at
    the table, which touches its box.

    Args:
        depth_mm: (H, W) uint16 [mm]; 0 = not measured.
        camera: intrinsics of the image.
        camera_pose: 4x4 pose of the optical frame (REP-103) in the frame of the boxes.
        middle, extent: (..., 3) centres and sides of upright boxes [m].
        yaw: (...) headings of the boxes [rad].

    Returns:
        Arrays of shape (...).

    Raises:
        ValueError: the image is not the camera's.
    """
    camera.check_depth(depth_mm)
    middles, extents = np.broadcast_arrays(np.asarray(middle, np.float64), np.asarray(extent, np.float64))
    shape = middles.shape[:-1]
    yaws = np.broadcast_to(np.asarray(yaw, np.float64), shape).reshape(-1)
    middles, half = turned(middles.reshape(-1, 3), -yaws), extents.reshape(-1, 3) / 2
    pixels = np.zeros(len(middles), np.int64)
    through, hidden = np.zeros(len(middles)), np.zeros(len(middles))
    margins = (MARGIN + 3 * depth_noise(np.arange(0.0, 66.0, 0.25))).astype(np.float64)
    _compare(
        np.ascontiguousarray(depth_mm),
        np.array((camera.fx, camera.fy, camera.cx, camera.cy)),
        np.ascontiguousarray(camera_pose),
        middles - half,
        middles + half,
        np.ascontiguousarray(yaws),
        margins,
        pixels,
        through,
        hidden,
    )
    return Visibility(pixels.reshape(shape), through.reshape(shape), hidden.reshape(shape))


@kernel
def _covered(
    intrinsics: NDArray[np.float64],
    camera_from_box: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    height: int,
    width: int,
) -> tuple[int, int, int, int]:
    """Returns the pixels (rows from, to, columns from, to) that bound a box's projection, cut to the image."""
    m = camera_from_box
    u_low, u_high, v_low, v_high = np.inf, -np.inf, np.inf, -np.inf
    behind = 0
    for corner in range(8):
        x = high[0] if corner & 1 else low[0]
        y = high[1] if corner & 2 else low[1]
        z = high[2] if corner & 4 else low[2]
        depth = m[2, 0] * x + m[2, 1] * y + m[2, 2] * z + m[2, 3]
        if depth < _NEAR:
            behind += 1
            continue
        u = (m[0, 0] * x + m[0, 1] * y + m[0, 2] * z + m[0, 3]) / depth * intrinsics[0] + intrinsics[2]
        v = (m[1, 0] * x + m[1, 1] * y + m[1, 2] * z + m[1, 3]) / depth * intrinsics[1] + intrinsics[3]
        u_low, u_high = min(u_low, u), max(u_high, u)
        v_low, v_high = min(v_low, v), max(v_high, v)
    if behind == 8:
        return 0, 0, 0, 0
    if behind > 0:
        return 0, height, 0, width
    # Outside of the image the numbers may be huge: cut them while they are floats.
    row0, row1 = max(0.0, np.floor(v_low)), min(float(height), np.ceil(v_high) + 1)
    col0, col1 = max(0.0, np.floor(u_low)), min(float(width), np.ceil(u_high) + 1)
    if row0 >= row1 or col0 >= col1:
        return 0, 0, 0, 0
    return int(row0), int(row1), int(col0), int(col1)


@kernel
def _compare(
    depth_mm: NDArray[np.uint16],
    intrinsics: NDArray[np.float64],
    map_from_camera: NDArray[np.float64],
    lows: NDArray[np.float64],
    highs: NDArray[np.float64],
    yaws: NDArray[np.float64],
    margins: NDArray[np.float64],
    pixels: NDArray[np.int64],
    through: NDArray[np.float64],
    hidden: NDArray[np.float64],
) -> None:
    height, width = depth_mm.shape
    m = np.empty((3, 4))  # the pose of the camera along the axes of a box, and its inverse
    back = np.empty((3, 4))
    for box in range(len(lows)):
        low, high = lows[box], highs[box]
        cosine, sine = np.cos(yaws[box]), np.sin(yaws[box])
        for column in range(4):
            x, y = map_from_camera[0, column], map_from_camera[1, column]
            m[0, column], m[1, column] = cosine * x + sine * y, cosine * y - sine * x
            m[2, column] = map_from_camera[2, column]
        for row in range(3):
            back[row, 3] = -(m[0, row] * m[0, 3] + m[1, row] * m[1, 3] + m[2, row] * m[2, 3])
            for column in range(3):
                back[row, column] = m[column, row]
        row0, row1, col0, col1 = _covered(intrinsics, back, low, high, height, width)
        if row0 == row1:
            continue
        stride = max(1, int(np.sqrt((row1 - row0) * (col1 - col0) / SAMPLES)))
        seen, past, before = 0, 0, 0
        for v in range(row0 + stride // 2, row1, stride):
            for u in range(col0 + stride // 2, col1, stride):
                measured = depth_mm[v, u] * 1e-3
                if measured == 0:
                    continue
                a = (u - intrinsics[2]) / intrinsics[0]
                b = (v - intrinsics[3]) / intrinsics[1]
                enter, leave = 0.0, np.inf
                for axis in range(3):  # the slabs of the box; the ray has depth 1, so lengths are depths
                    ray = m[axis, 0] * a + m[axis, 1] * b + m[axis, 2]
                    start = m[axis, 3]
                    if abs(ray) < 1e-12:
                        if start < low[axis] or start > high[axis]:
                            leave = -1.0
                        continue
                    one, other = (low[axis] - start) / ray, (high[axis] - start) / ray
                    enter, leave = max(enter, min(one, other)), min(leave, max(one, other))
                if enter > leave:
                    continue
                seen += 1
                margin = margins[int(measured * 4)]
                past += measured > leave + margin
                before += measured < enter - margin
        if seen:
            pixels[box] = seen * stride * stride
            through[box] = past / seen
            hidden[box] = before / seen
