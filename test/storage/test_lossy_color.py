"""Compressed images are decoded to colour images or refused by name."""

from __future__ import annotations

import io

import numpy as np
import PIL.Image
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.sensing.encodings import color_in_rgb
from stma_ros.storage.lossy_color import decode_image, from_jpeg, to_jpeg
from stma_ros.types.errors import BadImageError, StorageError
from stma_ros.types.standard import CompressedImage, Header, Image, Time

HEADER = Header(Time(3), "camera")


@pytest.mark.parametrize("encoding", ["rgb8", "bgr8", "mono8"])
def test_every_jpeg_is_decoded_to_rgb8(encoding: str) -> None:
    pixels = np.full((8, 8) if encoding == "mono8" else (8, 8, 3), 90, np.uint8)
    image = from_jpeg(to_jpeg(Image.from_array(HEADER, pixels, encoding), 95))
    assert (image.header, image.encoding) == (HEADER, "rgb8")
    np.testing.assert_allclose(color_in_rgb(image), np.full((8, 8, 3), 90), atol=2)


@given(st.binary(max_size=200))
def test_bytes_that_are_no_jpeg_are_refused_by_name(data: bytes) -> None:
    refused(CompressedImage(HEADER, "jpeg", np.frombuffer(data, np.uint8)))


def test_a_truncated_jpeg_is_refused_by_name() -> None:
    whole = to_jpeg(Image.from_array(HEADER, np.full((64, 64, 3), 90, np.uint8), "rgb8"), 95)
    refused(CompressedImage(HEADER, whole.format, whole.data[: whole.data.size // 2]))


def test_a_decompression_bomb_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pillow raises an error for it that is no OSError."""
    monkeypatch.setattr(PIL.Image, "MAX_IMAGE_PIXELS", 100)
    refused(to_jpeg(Image.from_array(HEADER, np.zeros((64, 64, 3), np.uint8), "rgb8"), 95))


def test_an_image_without_colours_is_refused_by_name() -> None:
    file = io.BytesIO()
    PIL.Image.fromarray(np.zeros((4, 4), np.float32)).save(file, "TIFF")
    floats = CompressedImage(HEADER, "tiff", np.frombuffer(file.getvalue(), np.uint8))
    assert decode_image(floats).mode == "F"
    with pytest.raises(BadImageError, match="'tiff'"):
        decode_image(floats, "no mode")


def refused(compressed: CompressedImage) -> None:
    with pytest.raises(StorageError, match="cannot be read: it is damaged"):
        from_jpeg(compressed)
    with pytest.raises(BadImageError, match="cannot be read"):
        decode_image(compressed)
