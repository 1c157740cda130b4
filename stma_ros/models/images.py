"""Prepares images for models; the result is deterministic and identified by its content."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import isqrt

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from stma_ros.types.errors import BadImageError

MAX_PIXELS = 1_000_000  # of a picture for a model
_MAX_SOURCE_PIXELS = 80_000_000  # of an image that is read; Pillow warns of somewhat larger ones
_DEEP = (
    "I",
    "F",
)  # modes of Pillow with more than 8 bits; converted to bytes, such images would be nearly white
_KEY_LENGTH = 32
_CACHED_PICTURES = 64  # that are scaled down again: successive requests show much the same pictures


@dataclass(frozen=True)
class Picture:
    """An image ready for a model.

    Attributes:
        key: hash of the pixels, independent of their compression.
        source: hash of the image that it was made of. One source has one key if all who show it prepare it alike.
        width, height: size [px].
        png: content of the PNG file.
    """

    key: str
    width: int
    height: int
    png: bytes = field(repr=False, compare=False)
    source: str = field(default="", repr=False, compare=False)

    @cached_property
    def pixels(self) -> NDArray[np.uint8]:
        """(height, width, 3) uint8 RGB."""
        with Image.open(io.BytesIO(self.png)) as image:
            return np.asarray(image.convert("RGB"))


def picture(pixels: NDArray[np.uint8], max_pixels: int = MAX_PIXELS) -> Picture:
    """Makes a picture from pixels.

    Args:
        pixels: (height, width, 3) uint8 RGB.
        max_pixels: larger images are scaled down to this number of pixels, with their aspect ratio.

    Raises:
        BadImageError: the array has another shape or type, or is empty.
    """
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8 or not pixels.size:
        raise BadImageError(
            f"a picture needs (height, width, 3) bytes of red, green and blue, got {pixels.shape} of {pixels.dtype}"
        )
    contiguous = np.ascontiguousarray(pixels)
    return _prepared(Image.fromarray(contiguous), max_pixels, _hash(contiguous.tobytes()))


def read_picture(data: bytes, max_pixels: int = MAX_PIXELS) -> Picture:
    """Makes a picture from a compressed image.

    Args:
        data: content of a PNG, JPEG or other file that Pillow reads.
        max_pixels: as for `picture`.

    Raises:
        BadImageError: the data are damaged or not an image, or the image has more than eight bits per channel or more
            than 80 megapixels.
    """
    try:
        with Image.open(io.BytesIO(data)) as image:
            if image.width * image.height > _MAX_SOURCE_PIXELS:
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
    except Image.DecompressionBombError as error:
        raise BadImageError(f"an image is too large ({error}); make it smaller before it is sent") from error
    except Exception as error:  # Pillow's readers raise many kinds of errors for damaged files
        raise BadImageError(f"an image of {len(data)} bytes cannot be read: {error}") from error
    colors.info.clear()  # color profiles and the like would be written into the PNG
    return _prepared(colors, max_pixels, _hash(data))


def scaled(made: Picture, max_pixels: int) -> Picture:
    """Returns a picture of at most max_pixels: the picture itself if it is no larger."""
    fits = made.width * made.height <= max_pixels
    return made if fits else _scaled_down(made, max_pixels)


@lru_cache(_CACHED_PICTURES)
def _scaled_down(made: Picture, max_pixels: int) -> Picture:
    return _prepared(Image.fromarray(made.pixels), max_pixels, made.source)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:_KEY_LENGTH]


def _prepared(image: Image.Image, max_pixels: int, source: str) -> Picture:
    if image.width * image.height > max_pixels:
        image = image.resize(_fitting(image.width, image.height, max_pixels), Image.Resampling.BOX)
    packed = io.BytesIO()
    image.save(packed, "PNG", optimize=False, compress_level=1)
    key = _hash(f"{image.width}x{image.height}:".encode() + image.tobytes())
    return Picture(key, image.width, image.height, packed.getvalue(), source)


def _fitting(width: int, height: int, max_pixels: int) -> tuple[int, int]:
    """Returns the width and height of the scaled image [px].

    Both are computed in integers, as Pillow's box filter is, so the result is the same on every machine.
    """
    fitting_width = min(max_pixels, max(1, isqrt(max_pixels * width // height)))
    fitting_height = min(max_pixels // fitting_width, max(1, isqrt(max_pixels * height // width)))
    return fitting_width, fitting_height
