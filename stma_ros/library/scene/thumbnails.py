"""Small pictures of what a keyframe showed, to remember it by."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from stma_ros.types.standard import CompressedImage, Header

WIDTH = 192
"""Largest width [px], at which a person can recognise the place. 500 thumbnails need 2 MB."""

QUALITY = 80


def thumbnail(header: Header, color: NDArray[np.uint8], width: int = WIDTH) -> CompressedImage:
    """Returns a JPEG of (H, W, 3) uint8 RGB, at most `width` pixels wide, in which n x n pixels are averaged; equal
    pixels give equal bytes."""
    picture = Image.fromarray(np.ascontiguousarray(color)).reduce(-(-color.shape[1] // width))
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=QUALITY)
    return CompressedImage(header, "jpeg", np.frombuffer(file.getvalue(), np.uint8))
