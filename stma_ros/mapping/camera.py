"""The pinhole camera, and depth images taken back to points.

Pixels: integer (u, v) is the *center* of column u, row v, and looks along ((u - cx) / fx, (v - cy) / fy, 1)
in the optical frame (REP-103: x right, y down, z forward). So a camera that looks straight ahead has cx =
(width - 1) / 2. Depth is the z coordinate in that frame, not the length of the ray, as in ROS 16UC1 images.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.standard import CameraInfo

DepthImage = NDArray[np.uint16]
"""(H, W) depth [mm]; 0 means not measured."""


@dataclass(frozen=True)
class PinholeCamera:
    """Size [px] and intrinsics [px] of an undistorted camera."""

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float

    def __post_init__(self) -> None:
        numbers = (self.fx, self.fy, self.cx, self.cy)
        if (
            self.width < 1
            or self.height < 1
            or not np.all(np.isfinite(numbers))
            or min(self.fx, self.fy) <= 0
        ):
            raise ValueError(
                f"not a camera: {self}; width, height, fx and fy must be positive: "
                "check what is published as camera_info"
            )

    @classmethod
    def from_horizontal_fov(cls, width: int, height: int, fov: float) -> PinholeCamera:
        """Returns a camera with square pixels and a central principal point that sees `fov` [rad] from edge to edge."""
        focal = width / (2.0 * np.tan(fov / 2.0))
        return cls(width, height, focal, focal, (width - 1) / 2.0, (height - 1) / 2.0)

    def check_depth(self, depth_mm: DepthImage) -> None:
        """Raises ValueError unless `depth_mm` is this camera's (H, W) uint16 image."""
        if depth_mm.dtype != np.uint16 or depth_mm.shape != (self.height, self.width):
            raise ValueError(
                f"depth image is {depth_mm.dtype}{list(depth_mm.shape)}, the camera's is "
                f"uint16[{self.height}, {self.width}] in mm: publish 16UC1 depth of the size in camera_info"
            )


def camera_of(info: CameraInfo) -> PinholeCamera:
    """Returns the rectified camera of a message. Raises ValueError if its numbers are not a camera's."""
    return PinholeCamera(info.width, info.height, info.k[0], info.k[4], info.k[2], info.k[5])


def inverse_depth(depth_mm: DepthImage) -> NDArray[np.float32]:
    """Returns (H, W) float32 inverse depth [1 / mm]; 0 = not measured."""
    inverse: NDArray[np.float32] = np.reciprocal(np.maximum(depth_mm, 1), dtype=np.float32)
    inverse[depth_mm == 0] = 0
    return inverse


def point_image(
    depth_mm: DepthImage, camera: PinholeCamera, stride: int = 1, max_range: float = np.inf
) -> NDArray[np.float32]:
    """Returns points (H', W', 3) float32 in the optical frame [m], of every `stride`-th row and column.

    Pixels that were not measured, or measured at `max_range` [m] or beyond, are NaN.
    """
    camera.check_depth(depth_mm)
    depth = depth_mm[::stride, ::stride].astype(np.float32) * np.float32(0.001)
    depth[(depth == 0.0) | (depth >= max_range)] = np.nan
    points = np.empty((*depth.shape, 3), np.float32)
    columns = (np.arange(0, camera.width, stride, dtype=np.float32) - np.float32(camera.cx)) / np.float32(
        camera.fx
    )
    rows = (np.arange(0, camera.height, stride, dtype=np.float32) - np.float32(camera.cy)) / np.float32(
        camera.fy
    )
    np.multiply(depth, columns, out=points[..., 0])
    np.multiply(depth, rows[:, None], out=points[..., 1])
    points[..., 2] = depth
    return points
