"""Converts images in the encodings that camera frames use to arrays."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.errors import BadImageError
from stma_ros.types.standard import Image


def depth_in_millimetres(image: Image) -> NDArray[np.uint16]:
    """Converts a depth image in 16UC1 [mm] or 32FC1 [m] (REP-118).

    Returns:
        (H, W) uint16 depth [mm], 0 = not measured; NaN, infinity and values beyond 65.535 m become 0.

    Raises:
        BadImageError: The image has another encoding.
    """
    pixels = image.array()
    if image.encoding == "16UC1":
        return cast("NDArray[np.uint16]", pixels)
    if image.encoding == "32FC1":
        millimetres = np.nan_to_num(
            cast("NDArray[np.float32]", pixels) * 1000, nan=0, posinf=0, neginf=0
        ).round()
        measurable = (millimetres > 0) & (millimetres <= np.iinfo(np.uint16).max)
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
