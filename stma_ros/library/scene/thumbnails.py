"""Small pictures of what a keyframe showed, to remember it by."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from stma_ros.types.standard import CompressedImage, Header

WIDTH = 192
"""[px] At most; enough for a person to recognise the place. Five hundred of them are 2 MB."""

QUALITY = 80


def thumbnail(header: Header, color: NDArray[np.uint8]) -> CompressedImage:
    """A JPEG of (H, W, 3) uint8 RGB, n x n pixels made one; always the same for the same pixels.

    header: the image's.
    """
    picture = Image.fromarray(np.ascontiguousarray(color)).reduce(-(-color.shape[1] // WIDTH))
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=QUALITY)
    return CompressedImage(header, "jpeg", np.frombuffer(file.getvalue(), np.uint8))
