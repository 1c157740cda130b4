"""The images of one camera frame, and their layout in the buffer that two processes share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

_ALIGNMENT = 64  # [bytes]


@dataclass(frozen=True)
class Views:
    """The images of one camera.

    Attributes:
        color: (height, width, 4) uint8, RGBA.
        depth: (height, width) float32, along the optical axis [m]; 0 = no surface.
        instance: (height, width) int32: an object's id, an annotated surface's id, or 0 = unknown.
    """

    color: npt.NDArray[np.uint8]
    depth: npt.NDArray[np.float32]
    instance: npt.NDArray[np.int32]

    def fill(self, other: Views) -> None:
        """Copies the images of other views of the same size into these."""
        np.copyto(self.color, other.color)
        np.copyto(self.depth, other.depth)
        np.copyto(self.instance, other.instance, casting="unsafe")  # some builds give unsigned ids


def empty_views(width: int, height: int) -> Views:
    """Returns new views to be filled."""
    return views_in(bytearray(views_size(width, height)), width, height)


def views_size(width: int, height: int) -> int:
    """Returns the size of views in a buffer [bytes]; width and height in pixels."""
    return 3 * _plane(width, height)


def views_in(buffer: Any, width: int, height: int) -> Views:
    """Returns views that share a buffer of at least `views_size` bytes."""
    plane = _plane(width, height)
    count = width * height

    def image(index: int, dtype: Any, shape: tuple[int, ...]) -> npt.NDArray[Any]:
        offset = index * plane
        pixels: npt.NDArray[Any] = np.frombuffer(buffer, dtype, 4 * count // np.dtype(dtype).itemsize, offset)
        return pixels.reshape(shape)

    return Views(
        image(0, np.uint8, (height, width, 4)),
        image(1, np.float32, (height, width)),
        image(2, np.int32, (height, width)),
    )


def _plane(width: int, height: int) -> int:
    """Returns the size of one image of four bytes a pixel, rounded up to the alignment [bytes]."""
    return -(-4 * width * height // _ALIGNMENT) * _ALIGNMENT
