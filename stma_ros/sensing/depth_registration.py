"""Registers depth images to a colour camera: each depth is given to the colour pixels that show the same surface."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.depth_view import SATURATED
from stma_ros.sensing.calibration import Calibration
from stma_ros.sensing.transforms import Rigid
from stma_ros.types.errors import BadImageError
from stma_ros.types.jit import kernel
from stma_ros.types.standard import CameraInfo, Header, Image

MILLIMETRES = 1000.0  # in a metre

NEAREST = 0.01
"""Smallest distance from the colour camera at which a point is projected [m]."""

LARGEST_PATCH = 16
"""Colour pixels that one depth pixel covers in a row or column at most."""


@dataclass(frozen=True)
class DepthRegistration:
    """Two calibrated cameras.

    Attributes:
        depth: Calibration of the depth camera.
        color: Calibration of the colour camera, for rectified images.
    """

    depth: Calibration
    color: CameraInfo

    def registered(self, image: Image, color_from_depth: Rigid, header: Header) -> Image:
        """Returns a depth image as the colour camera would see it.

        A depth pixel covers the colour pixels between its projected corners, so that a finer colour image has no gaps.
        Of several surfaces in a colour pixel the nearest counts; what the depth camera does not see is not measured.

        Args:
            image: Depth image of the depth camera, 16UC1 [mm], 0 = not measured.
            color_from_depth: Transforms points from the optical frame of the depth camera to that of the colour camera.
            header: Header of the result.

        Raises:
            BadImageError: The image's size differs from that of its calibration.
        """
        info = self.depth.info
        if (image.height, image.width) != (info.height, info.width):
            raise BadImageError(
                f"depth is {image.width}x{image.height} but its calibration says {info.width}x{info.height}: name that "
                "of the depth camera as topics.depth_camera_info in a mapping file"
            )
        rectified = np.ascontiguousarray(self.depth.rectified(image).array())
        size = self.color.height, self.color.width
        found = _register(rectified, info.k, self.color.k, *_matrix(color_from_depth), size)
        return Image.from_array(header, found, "16UC1")


def _matrix(transform: Rigid) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns the rotation (3, 3) and the translation (3,) [m]."""
    axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    return np.array([transform.rotate(axis) for axis in axes]).T, np.array(transform.translation)


@kernel
def _seen_from(
    column: float,
    row: float,
    z: float,
    k: NDArray[np.float64],
    rotation: NDArray[np.float64],
    translation: NDArray[np.float64],
) -> tuple[float, float, float]:
    """Returns the point [m] in the other camera of a pixel at a depth of z [m]."""
    x, y = (column - k[2]) / k[0] * z, (row - k[5]) / k[4] * z
    return (
        rotation[0, 0] * x + rotation[0, 1] * y + rotation[0, 2] * z + translation[0],
        rotation[1, 0] * x + rotation[1, 1] * y + rotation[1, 2] * z + translation[1],
        rotation[2, 0] * x + rotation[2, 1] * y + rotation[2, 2] * z + translation[2],
    )


@kernel
def _between(one: float, other: float, count: int) -> tuple[int, int]:
    """Returns the first pixel between two edges, and the one after the last."""
    low, high = min(one, other), max(one, other)
    if not (high > -1.0 and low < count):  # also of what is not a number
        return 0, 0
    first = max(math.ceil(low), 0)
    return first, min(math.ceil(high), count, first + LARGEST_PATCH)


@kernel
def _register(
    depth: NDArray[np.uint16],
    k_depth: NDArray[np.float64],
    k_color: NDArray[np.float64],
    rotation: NDArray[np.float64],
    translation: NDArray[np.float64],
    size: tuple[int, int],
) -> NDArray[np.uint16]:
    height, width = size
    nearest = np.full((height, width), SATURATED, np.uint16)
    for row in range(depth.shape[0]):
        for column in range(depth.shape[1]):
            z = depth[row, column] / MILLIMETRES
            distance = _seen_from(column, row, z, k_depth, rotation, translation)[2]
            if z == 0 or not NEAREST < distance < SATURATED / MILLIMETRES:
                continue
            x, y, far = _seen_from(column - 0.5, row - 0.5, z, k_depth, rotation, translation)
            left, top = k_color[0] * x / far + k_color[2], k_color[4] * y / far + k_color[5]
            x, y, far = _seen_from(column + 0.5, row + 0.5, z, k_depth, rotation, translation)
            right, bottom = k_color[0] * x / far + k_color[2], k_color[4] * y / far + k_color[5]
            first_row, end_row = _between(top, bottom, height)
            first_column, end_column = _between(left, right, width)
            seen = np.uint16(round(distance * MILLIMETRES))
            for v in range(first_row, end_row):
                for u in range(first_column, end_column):
                    nearest[v, u] = min(nearest[v, u], seen)
    return np.where(nearest == SATURATED, np.uint16(0), nearest)
