"""Compresses colour images to JPEG and decodes compressed images of other recorders."""

from __future__ import annotations

import io

import numpy as np
import PIL.Image

from stma_ros.types.errors import BadImageError, StorageError
from stma_ros.types.standard import CompressedImage, Image

_INSIDE = {"rgb8": "bgr8", "bgr8": "bgr8", "mono8": "mono8"}
"""Encoding inside the JPEG, by that of the raw image, as compressed_image_transport names it in the format text."""


def to_jpeg(image: Image, quality: int) -> CompressedImage:
    """Compresses an image in the form that image_transport uses.

    Args:
        image: Image in rgb8, bgr8 or mono8.
        quality: JPEG quality [1..100].

    Raises:
        BadImageError: The image has another encoding, or its data do not fit its size.
    """
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
    """Decodes an image to rgb8.

    Raises:
        StorageError: The data are not an image.
    """
    try:
        pixels = np.asarray(decode_image(compressed, "RGB"))
    except BadImageError as error:
        raise StorageError(str(error)) from error
    return Image.from_array(compressed.header, pixels, "rgb8")


def decode_image(compressed: CompressedImage, mode: str | None = None) -> PIL.Image.Image:
    """Decodes a JPEG or PNG completely.

    Args:
        compressed: The compressed image.
        mode: Pillow mode, such as "RGB", that the image is converted to; None leaves it as it is.

    Raises:
        BadImageError: The data are not an image, or it cannot be converted.
    """
    try:
        picture = PIL.Image.open(io.BytesIO(compressed.data.tobytes()))
        picture.load()
        return picture if mode is None else picture.convert(mode)
    except Exception as error:  # Pillow's readers raise nearly anything
        raise BadImageError(
            f"a compressed image ({compressed.format!r}) cannot be read: it is damaged, or neither JPEG nor PNG"
        ) from error
