"""Converts images in the encodings that camera frames use to arrays."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.depth_view import SATURATED
from stma_ros.types.errors import BadImageError
from stma_ros.types.standard import Image


def depth_in_millimetres(image: Image) -> NDArray[np.uint16]:
    """Converts a depth image in 16UC1 [mm] or 32FC1 [m] (REP-118).

    Returns:
        (H, W) uint16 depth [mm], 0 = not measured; NaN, infinity and values from 65.535 m on become 0. In 16 bits these
        are saturated: a number that overflowed, or a camera's mark of pixels without depth.

    Raises:
        BadImageError: The image has another encoding.
    """
    pixels = image.array()
    if image.encoding == "16UC1":
        depth = cast("NDArray[np.uint16]", pixels)
        saturated = depth == SATURATED
        return np.where(saturated, np.uint16(0), depth) if saturated.any() else depth
    if image.encoding == "32FC1":
        millimetres = np.nan_to_num(
            cast("NDArray[np.float32]", pixels) * 1000, nan=0, posinf=0, neginf=0
        ).round()
        measurable = (millimetres > 0) & (millimetres < SATURATED)
        result: NDArray[np.uint16] = np.where(measurable, millimetres, 0).astype(np.uint16)
        return result
    raise BadImageError(
        f"depth is {image.encoding!r}; publish 16UC1 in millimetres or 32FC1 in metres (REP-118)"
    )


def color_in_rgb(image: Image) -> NDArray[np.uint8]:
    """Converts an image in rgb8 or bgr8 to (H, W, 3) uint8 RGB.

    Raises:
        BadImageError: The image has another encoding.
    """
    if image.encoding not in ("rgb8", "bgr8"):
        raise BadImageError(f"colour is {image.encoding!r}; publish rgb8 or bgr8")
    pixels = cast("NDArray[np.uint8]", image.array())
    return pixels if image.encoding == "rgb8" else pixels[..., ::-1]


def segment_ids(image: Image) -> NDArray[np.uint16]:
    """Converts an image of segment ids in 16UC1 or mono8 to (H, W) uint16, 0 = unknown.

    Raises:
        BadImageError: The image has another encoding.
    """
    if image.encoding not in ("16UC1", "mono8"):
        raise BadImageError(f"segmentation is {image.encoding!r}; publish 16UC1 or mono8")
    return image.array().astype(np.uint16, copy=False)
