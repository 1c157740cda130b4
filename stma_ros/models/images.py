"""Images as models get them: deterministic, and identified by their content."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass, field
from functools import cached_property
from math import isqrt

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from stma_ros.types.errors import BadImageError

MOST_PIXELS = 1_000_000  # of a picture as a model gets it
_MOST_SOURCE_PIXELS = 80_000_000  # of an image that is read at all; Pillow warns of somewhat larger ones
_DEEP = ("I", "F")  # modes of Pillow; made into bytes, nearly all of such an image would be white
_KEY_LENGTH = 32


@dataclass(frozen=True)
class Picture:
    """An image ready for a model.

    Attributes:
        key: of its pixels, the same whatever compressed them.
        width, height: size [px].
        png: the file.
    """

    key: str
    width: int
    height: int
    png: bytes = field(repr=False, compare=False)

    @cached_property
    def pixels(self) -> NDArray[np.uint8]:
        """(height, width, 3), red, green and blue."""
        with Image.open(io.BytesIO(self.png)) as image:
            return np.asarray(image.convert("RGB"))


def picture(pixels: NDArray[np.uint8], most_pixels: int = MOST_PIXELS) -> Picture:
    """Of (height, width, 3) pixels, made smaller until it has no more than most_pixels, its shape kept.

    Raises BadImageError for anything else than that.
    """
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8 or not pixels.size:
        raise BadImageError(
            f"a picture needs (height, width, 3) bytes of red, green and blue, got {pixels.shape} of {pixels.dtype}"
        )
    return _prepared(Image.fromarray(np.ascontiguousarray(pixels)), most_pixels)


def read_picture(data: bytes, most_pixels: int = MOST_PIXELS) -> Picture:
    """Of a compressed image (PNG, JPEG or what else Pillow reads), likewise. Raises BadImageError for one that is
    damaged, not an image, of more than eight bits a colour, or larger than 80 megapixels."""
    try:
        with Image.open(io.BytesIO(data)) as image:
            if image.width * image.height > _MOST_SOURCE_PIXELS:
                raise BadImageError(
                    f"an image of {image.width}x{image.height} pixels is too large; make it smaller before it is sent"
                )
            if image.mode.startswith(_DEEP):
                raise BadImageError(
                    f"an image of mode {image.mode} holds more than eight bits a colour, as depth does; make colours "
                    "or greys of it before it is sent"
                )
            colors = image.convert("RGB")
    except BadImageError:
        raise
    except Exception as error:  # Pillow's readers raise nearly anything for files that are damaged
        raise BadImageError(f"an image of {len(data)} bytes cannot be read: {error}") from error
    colors.info.clear()  # color profiles and the like would be written into the PNG
    return _prepared(colors, most_pixels)


def _prepared(image: Image.Image, most_pixels: int) -> Picture:
    if image.width * image.height > most_pixels:
        image = image.resize(_fitting(image.width, image.height, most_pixels), Image.Resampling.BOX)
    packed = io.BytesIO()
    image.save(packed, "PNG", optimize=False, compress_level=1)
    key = hashlib.sha256(f"{image.width}x{image.height}:".encode() + image.tobytes()).hexdigest()
    return Picture(key[:_KEY_LENGTH], image.width, image.height, packed.getvalue())


def _fitting(width: int, height: int, most_pixels: int) -> tuple[int, int]:
    """Of the same shape, with no more pixels. In integers, as is the averaging: the same on every machine."""
    narrower = min(most_pixels, max(1, isqrt(most_pixels * width // height)))
    lower = min(most_pixels // narrower, max(1, isqrt(most_pixels * height // width)))
    return narrower, lower
