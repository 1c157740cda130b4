"""Converts images in the encodings that camera frames use to arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.depth_view import SATURATED
from stma_ros.types.errors import BadImageError
from stma_ros.types.standard import Image

MILLIMETRE = 0.001
"""Length of one count of a 16-bit depth image where nothing else is known (REP-118) [m]."""

LARGEST_DEPTH = SATURATED / 1000
"""Depth [m] that 16-bit millimetres no longer hold."""


@dataclass(frozen=True)
class DepthRule:
    """Which numbers of a depth image are distances, and in which unit.

    Whatever the rule, 0, 65535, NaN, infinity, negative numbers and distances from 65.535 m on are not measured. In 16
    bits 65535 is a number that overflowed, or a camera's mark of pixels without depth.

    Attributes:
        unit: Length of one count of a 16-bit image [m].
        float_unit: Length of the number 1 in a 32-bit image [m].
        invalid: Further number that marks pixels without depth, as it is in the image; None = there is none.
        least, greatest: Bounds of the distances that are used [m].
    """

    unit: float = MILLIMETRE
    float_unit: float = 1.0
    invalid: float | None = None
    least: float = 0.0
    greatest: float = LARGEST_DEPTH


REP_118 = DepthRule()
"""The rule of depth images as they are published: 16-bit millimetres or 32-bit metres."""


def depth_in_millimetres(image: Image, rule: DepthRule = REP_118) -> NDArray[np.uint16]:
    """Converts a depth image in 16UC1 or 32FC1.

    Args:
        image: The image.
        rule: Which of its numbers are distances.

    Returns:
        (H, W) uint16 depth [mm], 0 = not measured.

    Raises:
        BadImageError: The image has another encoding.
    """
    pixels = image.array()
    if image.encoding == "16UC1":
        counts = cast("NDArray[np.uint16]", pixels)
        if rule == REP_118:
            saturated = counts == SATURATED
            return np.where(saturated, np.uint16(0), counts) if saturated.any() else counts
        metres = np.where(counts == SATURATED, np.float32(0), counts * np.float32(rule.unit))
    elif image.encoding == "32FC1":
        with np.errstate(over="ignore", invalid="ignore"):
            metres = cast("NDArray[np.float32]", pixels) * np.float32(rule.float_unit)
    else:
        raise BadImageError(
            f"depth is {image.encoding!r}; publish 16UC1 in millimetres or 32FC1 in metres (REP-118)"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        millimetres = (metres * 1000).round()
        measured = (millimetres > 0) & (millimetres < SATURATED)
        measured &= (millimetres >= rule.least * 1000) & (millimetres <= rule.greatest * 1000)
    if rule.invalid is not None:
        measured &= pixels != np.float32(rule.invalid)
    result: NDArray[np.uint16] = np.where(measured, millimetres, 0).astype(np.uint16)
    return result


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
