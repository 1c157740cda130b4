"""Tests of images for models: the same pixels give the same picture from every file."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, PngImagePlugin

from stma_ros.models.images import MAX_PIXELS, Picture, picture, read_picture, scaled
from stma_ros.types.errors import BadImageError


def scene(height: int = 24, width: int = 36, seed: int = 0) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def file_of(image: Image.Image | NDArray[np.uint8], kind: str = "PNG", **options: Any) -> bytes:
    if not isinstance(image, Image.Image):
        image = Image.fromarray(image)
    packed = io.BytesIO()
    image.save(packed, kind, **options)
    return packed.getvalue()


def same(one: Picture, other: Picture) -> bool:
    return one == other and one.png == other.png


def pixels_of(data: bytes) -> NDArray[np.uint8]:
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("RGB"))


SCENE = scene()


class TestSamePixels:
    @pytest.mark.parametrize(
        ("kind", "options"),
        [
            ("PNG", {}),
            ("PNG", {"optimize": True}),
            ("PNG", {"compress_level": 0}),
            ("BMP", {}),
            ("PPM", {}),
            ("TIFF", {}),
            ("TIFF", {"compression": "tiff_lzw"}),
            ("WEBP", {"lossless": True}),
        ],
    )
    def test_same_pixels_give_the_same_picture_from_every_file_format(
        self, kind: str, options: dict[str, Any]
    ) -> None:
        assert same(read_picture(file_of(SCENE, kind, **options)), picture(SCENE))

    def test_picture_does_not_depend_on_the_metadata_of_its_file(self) -> None:
        remarks = PngImagePlugin.PngInfo()
        remarks.add_text("Comment", "a kitchen")
        image = Image.fromarray(SCENE)
        image.info["transparency"] = tuple(int(value) for value in SCENE[0, 0])
        data = file_of(image, dpi=(72, 72), icc_profile=b"a profile", exif=Image.Exif(), pnginfo=remarks)
        for most in (MAX_PIXELS, 100):
            assert same(read_picture(data, most), picture(SCENE, most))

    def test_picture_of_a_jpeg_has_its_decoded_pixels(self) -> None:
        data = file_of(SCENE, "JPEG", quality=80)
        assert same(read_picture(data), picture(pixels_of(data)))

    def test_picture_does_not_depend_on_the_memory_order_of_its_pixels(self) -> None:
        turned = np.ascontiguousarray(SCENE.transpose(1, 0, 2)).transpose(1, 0, 2)
        assert same(picture(turned), picture(SCENE))

    def test_picture_gives_its_pixels_back(self) -> None:
        made = picture(SCENE)
        assert (made.width, made.height) == (36, 24)
        assert np.array_equal(made.pixels, SCENE)
        assert np.array_equal(pixels_of(made.png), SCENE)

    def test_picture_has_the_same_key_on_every_machine(self) -> None:
        """Recorded replies are found by this key."""
        ramp = np.arange(60 * 80 * 3, dtype=np.uint32).astype(np.uint8).reshape(60, 80, 3)
        assert picture(ramp).key == "65a081e798ad5850162f2c9b0964b996"
        assert picture(ramp, 1000).key == "9772750089e6ca87b17435ebc134cd59"


@given(st.integers(0, 35), st.integers(0, 23), st.integers(0, 2), st.integers(1, 255))
def test_key_of_a_picture_depends_on_each_pixel(x: int, y: int, channel: int, change: int) -> None:
    other = SCENE.copy()
    other[y, x, channel] ^= np.uint8(change)
    assert picture(other).key != picture(SCENE).key


def test_key_of_a_picture_depends_on_its_shape() -> None:
    assert picture(scene(4, 6)).key != picture(scene(4, 6).reshape(6, 4, 3)).key


class TestOtherModes:
    def test_grey_image_has_equal_colour_channels(self) -> None:
        grey = SCENE[..., 0]
        assert np.array_equal(read_picture(file_of(grey)).pixels, np.dstack([grey] * 3))

    def test_black_and_white_image_has_values_0_and_255(self) -> None:
        bits = Image.fromarray(SCENE[..., 0]).convert("1")
        assert set(np.unique(read_picture(file_of(bits)).pixels)) == {0, 255}

    def test_alpha_channel_of_an_image_is_ignored(self) -> None:
        alpha = np.dstack([SCENE, SCENE[..., :1]])
        assert same(read_picture(file_of(alpha)), picture(SCENE))

    def test_palette_of_an_image_is_resolved(self) -> None:
        indexed = Image.fromarray(SCENE).quantize(16)
        looked_up = np.asarray(indexed.convert("RGB"))
        indexed.info["transparency"] = 0
        assert same(read_picture(file_of(indexed)), picture(looked_up))

    def test_image_of_more_than_eight_bits_is_refused(self) -> None:
        depth = (np.arange(24 * 36, dtype=np.uint16) * 64).reshape(24, 36)
        with pytest.raises(BadImageError, match="more than eight bits a colour"):
            read_picture(file_of(Image.fromarray(depth)))


class TestLargePictures:
    @given(st.integers(1, 300), st.integers(1, 300), st.integers(1, 5000))
    @example(55, 55, 196)  # 55 * 14 / 55 is less than 14 in floating point
    def test_large_picture_is_scaled_down_with_its_aspect_ratio(
        self, width: int, height: int, most: int
    ) -> None:
        made = picture(np.zeros((height, width, 3), np.uint8), most)

        assert 1 <= made.width * made.height <= most
        scale = min(1.0, (most / (width * height)) ** 0.5)
        if min(width, height) * scale >= 1.0:
            assert -1e-9 < width * scale - made.width < 1 + 1e-9
            assert -1e-9 < height * scale - made.height < 1 + 1e-9

    def test_scaled_picture_has_the_mean_of_the_original_pixels(self) -> None:
        halves = np.zeros((100, 200, 3), np.uint8)
        halves[:, 100:] = 200
        small = picture(halves, 50).pixels
        assert small.shape == (5, 10, 3)
        assert (small[:, :5] == 0).all()
        assert (small[:, 5:] == 200).all()

    @pytest.mark.parametrize("shape", [(5000, 1), (1, 5000), (1, 1)])
    def test_large_picture_may_be_one_pixel_wide(self, shape: tuple[int, int]) -> None:
        made = picture(np.full((*shape, 3), 7, np.uint8), 100)
        assert made.pixels.shape[:2] == tuple(min(side, 100) for side in shape)

    def test_picture_within_the_limit_is_not_scaled(self) -> None:
        assert same(picture(SCENE, 24 * 36), picture(SCENE))

    def test_scaled_picture_is_the_same_from_a_file_and_from_memory(self) -> None:
        assert same(read_picture(file_of(SCENE, "BMP"), 200), picture(SCENE, 200))


class TestUnreadable:
    @pytest.mark.parametrize("data", [b"", b"no image", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"GIF89a"])
    def test_data_that_are_no_image_are_refused(self, data: bytes) -> None:
        with pytest.raises(BadImageError, match=f"an image of {len(data)} bytes cannot be read"):
            read_picture(data)

    @pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
    @pytest.mark.parametrize("share", [0.02, 0.1, 0.5, 0.9])
    def test_truncated_image_is_refused(self, kind: str, share: float) -> None:
        data = file_of(scene(200, 300), kind)
        with pytest.raises(BadImageError, match=r"cannot be read: .+"):
            read_picture(data[: int(len(data) * share)])

    @pytest.mark.filterwarnings("ignore::UserWarning")  # Pillow warns of damaged metadata
    @given(st.sampled_from(["PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP", "PPM"]), st.data())
    def test_damaged_image_is_refused_or_read(self, kind: str, data: st.DataObject) -> None:
        damaged = bytearray(file_of(SCENE, kind))
        for _ in range(data.draw(st.integers(1, 4))):
            damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
        try:
            made = read_picture(bytes(damaged))
        except BadImageError:
            return
        assert made.width * made.height <= MAX_PIXELS

    @pytest.mark.parametrize(
        ("side", "cause"), [(8950, "8950x8950 pixels is too large"), (60_000, "exceeds limit")]
    )
    def test_small_file_that_claims_huge_dimensions_is_refused_unread(self, side: int, cause: str) -> None:
        with pytest.raises(BadImageError, match=cause):
            read_picture(png_that_claims(side))

    @pytest.mark.parametrize(
        "pixels",
        [
            np.zeros((4, 4), np.uint8),
            np.zeros((4, 4, 4), np.uint8),
            np.zeros((4, 4, 3), np.float32),
            np.zeros((0, 4, 3), np.uint8),
        ],
        ids=str,
    )
    def test_array_of_another_shape_or_type_is_refused(self, pixels: NDArray[Any]) -> None:
        with pytest.raises(BadImageError, match=r"needs \(height, width, 3\) bytes"):
            picture(pixels)


def test_scaled_picture_is_that_of_the_same_pixels_with_this_limit() -> None:
    assert same(scaled(picture(SCENE), 100), picture(SCENE, 100))
    assert scaled(picture(SCENE), 100).source == picture(SCENE).source
    assert scaled(picture(SCENE), 24 * 36) == picture(SCENE)


def png_that_claims(side: int) -> bytes:
    """Returns a PNG file whose header claims `side` x `side` pixels and that holds none."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"".join(
        (b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(b"")), chunk(b"IEND", b""))
    )
