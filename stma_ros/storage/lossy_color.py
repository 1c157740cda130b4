"""Compresses colour images to JPEG and opens compressed images of other recorders."""

from __future__ import annotations

import io

import numpy as np
import PIL.Image

from stma_ros.types.errors import BadImageError, StorageError
from stma_ros.types.standard import CompressedImage, Image

_INSIDE = {"rgb8": "bgr8", "bgr8": "bgr8", "mono8": "mono8"}
"""The format text of compressed_image_transport for an image of that encoding."""


def to_jpeg(image: Image, quality: int) -> CompressedImage:
    """The image as image_transport compresses it; raises BadImageError for one without colours or brightness, and for
    data that are not of its size."""
    pixels = image.array()
    if image.encoding not in _INSIDE:
        raise BadImageError(f"a {image.encoding} image cannot be recorded as JPEG; set lossy_color to 0")
    if image.encoding == "bgr8":
        pixels = pixels[..., ::-1]
    file = io.BytesIO()
    PIL.Image.fromarray(np.ascontiguousarray(pixels)).save(file, "JPEG", quality=quality)
    text = f"{image.encoding}; jpeg compressed {_INSIDE[image.encoding]}"
    return CompressedImage(image.header, text, np.frombuffer(file.getvalue(), np.uint8))


def from_jpeg(compressed: CompressedImage) -> Image:
    """Decodes the image to rgb8. Raises StorageError for data that are no image."""
    try:
        pixels = np.asarray(opened(compressed, "RGB"))
    except BadImageError as error:
        raise StorageError(str(error)) from error
    return Image.from_array(compressed.header, pixels, "rgb8")


def opened(compressed: CompressedImage, mode: str | None = None) -> PIL.Image.Image:
    """The picture, read to its end. mode: of Pillow, such as "RGB", that it is converted to; default: as it is.

    Raises BadImageError for data that are no picture, or none that can be converted.
    """
    try:
        picture = PIL.Image.open(io.BytesIO(compressed.data.tobytes()))
        picture.load()
        return picture if mode is None else picture.convert(mode)
    except Exception as error:  # Pillow's readers raise nearly anything
        raise BadImageError(
            f"a compressed image ({compressed.format!r}) cannot be read: it is damaged, or neither JPEG nor PNG"
        ) from error
