"""Channels that a depth image and the camera's pose add to a colour image, for networks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import DepthImage, PinholeCamera
from stma_ros.mapping.depth_view import SATURATED
from stma_ros.mapping.transforms import Pose
from stma_ros.types.jit import kernel

REACH = 160
"""Width of an image per pixel of the distance, on either side, over which the slope of a surface is measured: the same
angle at any resolution."""

LEAST_REACH = 2
"""Least such distance [px]."""

NEAREST = np.float32(0.1)
"""Least depth of which the inverse is told [m]."""

STEP = np.float32(0.1)
"""Share of the depth by which such pixels may differ on one surface."""


def depth_channels(
    depth_mm: DepthImage, camera: PinholeCamera, camera_pose: Pose, floor: float, every: int = 1
) -> NDArray[np.float32]:
    """Returns (H, W, 3) float32: inverse depth [1 / m], height above the floor [m], and the cosine of the angle between
    the surface's normal on the camera's side and up; each 0 where it was not measured.

    These are the channels of Gupta et al. 2014 (Learning rich features from RGB-D images for object detection and
    segmentation, section 3), which encode what depth says of a thing whatever the camera's height and pitch.

    Args:
        depth_mm: (H, W) uint16 [mm]; 0 = not measured.
        camera: Intrinsics of the image.
        camera_pose: 4x4 pose of the optical frame (REP-103) in a frame whose z is up.
        floor: Height of the floor in that frame [m].
        every: Distance of the pixels of which they are returned [px]: (H / every, W / every, 3).

    Raises:
        ValueError: The image is not the camera's.
    """
    camera.check_depth(depth_mm)
    first = every // 2
    rows, columns = (len(range(first, size, every)) for size in depth_mm.shape)
    channels = np.empty((rows, columns, 3), np.float32)
    intrinsics = np.array((camera.fx, camera.fy, camera.cx, camera.cy), np.float32)
    up = camera_pose[2, :3].astype(np.float32)  # up in the optical frame
    reach = max(LEAST_REACH, round(camera.width / REACH))
    eye = np.float32(camera_pose[2, 3] - floor)
    _fill(np.ascontiguousarray(depth_mm), intrinsics, up, eye, reach, every, channels)
    return channels


@kernel
def _fill(
    depth_mm: NDArray[np.uint16],
    intrinsics: NDArray[np.float32],
    up: NDArray[np.float32],
    eye: np.float32,
    reach: int,
    every: int,
    channels: NDArray[np.float32],
) -> None:
    fx, fy, cx, cy = intrinsics
    rows, columns = channels.shape[:2]
    for row in range(rows):
        for column in range(columns):
            v, u = row * every + every // 2, column * every + every // 2
            depth = np.float32(depth_mm[v, u]) * np.float32(0.001)
            if depth_mm[v, u] == 0 or depth_mm[v, u] == SATURATED:
                channels[row, column, :] = 0
                continue
            x, y = (u - cx) / fx, (v - cy) / fy
            channels[row, column, 0] = 1 / max(depth, NEAREST)
            channels[row, column, 1] = eye + depth * (up[0] * x + up[1] * y + up[2])
            left, right = _clear(depth_mm, v, u, 0, -1, reach), _clear(depth_mm, v, u, 0, 1, reach)
            above, below = _clear(depth_mm, v, u, -1, 0, reach), _clear(depth_mm, v, u, 1, 0, reach)
            if left + right == 0 or above + below == 0:
                channels[row, column, 2] = 0
                continue
            # On a plane n . p = 1, inverse depth is linear in the image: 1 / z = n . (x, y, 1).
            along_u = _inverse(depth_mm[v, u + right]) - _inverse(depth_mm[v, u - left])
            along_v = _inverse(depth_mm[v + below, u]) - _inverse(depth_mm[v - above, u])
            a, b = along_u / (left + right) * fx, along_v / (above + below) * fy
            c = 1 / depth - a * x - b * y
            # The normal on the camera's side points against the ray, n . p = 1 along it.
            channels[row, column, 2] = -(a * up[0] + b * up[1] + c * up[2]) / np.sqrt(a * a + b * b + c * c)


@kernel
def _inverse(depth_mm: np.uint16) -> np.float32:
    return np.float32(1000) / np.float32(depth_mm)


@kernel
def _clear(depth_mm: NDArray[np.uint16], v: int, u: int, dv: int, du: int, reach: int) -> int:
    """Returns the number of pixels, up to `reach`, after which the surface at (v, u) still goes on in a direction."""
    height, width = depth_mm.shape
    here, clear = np.float32(depth_mm[v, u]), 0
    for step in range(1, reach + 1):
        row, column = v + dv * step, u + du * step
        if not (0 <= row < height and 0 <= column < width):
            break
        there = depth_mm[row, column]
        if there == 0 or there == SATURATED or abs(np.float32(there) - here) > STEP * here:
            break
        clear = step
    return clear
