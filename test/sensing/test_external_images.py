"""Tests of reading and rectifying images in the encodings that other robots record."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image as PillowImage

from stma_ros.sensing.calibration import calibration
from stma_ros.sensing.encodings import DepthRule, depth_in_millimetres
from stma_ros.sensing.external_images import color_image, depth_image, recorded_depth, segmentation_image
from stma_ros.types.errors import BadImageError, ConfigurationError
from stma_ros.types.standard import CameraInfo, CompressedImage, Header, Image, Time
from support.sensing.external_bags import FOCAL, HEIGHT, WIDTH, camera_info

HEADER = Header(Time(5), "optical")
MM = DepthRule()
RGB = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
DEPTH = np.array([[0, 1, 1500], [2000, 65534, 7]], np.uint16)


def raw(encoding: str, pixels: np.ndarray, pad: int = 0) -> Image:
    rows = np.ascontiguousarray(pixels).view(np.uint8).reshape(len(pixels), -1)
    rows = np.pad(rows, ((0, 0), (0, pad)))
    return Image(Header(), *pixels.shape[:2], encoding, 0, rows.shape[1], rows.reshape(-1))


def packed(pixels: np.ndarray, kind: str, form: str, head: bytes = b"") -> CompressedImage:
    file = io.BytesIO()
    PillowImage.fromarray(pixels).save(file, kind, **({"quality": 95} if kind == "JPEG" else {}))
    return CompressedImage(Header(), form, np.frombuffer(head + file.getvalue(), np.uint8))


@pytest.mark.parametrize(
    "image",
    [
        raw("rgb8", RGB),
        raw("rgb8", RGB, pad=5),
        raw("bgr8", RGB[..., ::-1]),
        raw("8UC3", RGB[..., ::-1]),
        raw("rgba8", np.dstack([RGB, np.full((2, 3), 9, np.uint8)])),
        raw("bgra8", np.dstack([RGB[..., ::-1], np.full((2, 3), 9, np.uint8)]), pad=4),
        packed(RGB, "PNG", "rgb8; png compressed bgr8"),
    ],
    ids=lambda image: getattr(image, "encoding", "PNG"),
)
def test_colour_image_is_read_in_every_encoding(image: Image | CompressedImage) -> None:
    made = color_image(image, HEADER)
    pixels = made.array() if made.encoding == "rgb8" else made.array()[..., ::-1]
    np.testing.assert_array_equal(pixels, RGB)
    assert made.header == HEADER


def test_grey_and_jpeg_images_are_read_as_colour() -> None:
    grey = np.full((16, 16), 77, np.uint8)
    for image in (raw("mono8", grey), packed(grey, "JPEG", "jpeg")):
        made = color_image(image, HEADER)
        assert made.encoding == "rgb8"
        np.testing.assert_allclose(made.array(), 77, atol=1)


@pytest.mark.parametrize(
    "image",
    [
        raw("16UC1", DEPTH),
        raw("mono16", DEPTH),
        raw("32FC1", (DEPTH / np.float32(1000)).astype(np.float32)),
        packed(DEPTH, "PNG", "16UC1; compressedDepth png", struct.pack("<iff", 0, 0, 0)),
        packed(DEPTH, "PNG", "16UC1; png compressed"),
    ],
    ids=["16UC1", "mono16", "32FC1", "compressedDepth", "png"],
)
def test_depth_image_is_read_as_millimetres_in_every_encoding(image: Image | CompressedImage) -> None:
    made = depth_image(image, HEADER, MM)
    np.testing.assert_array_equal(depth_in_millimetres(made), DEPTH)
    assert made.header == HEADER


def test_quantised_depth_is_restored() -> None:
    """compressed_depth_image_transport stores 32-bit depth by its inverse."""
    a, b = 100.0 * 101.0, -99.0
    metres = np.array([[0.5, 1.0, np.nan], [2.0, 3.5, 9.0]])
    counts = np.nan_to_num(a / metres + b, nan=0).round().astype(np.uint16)
    image = packed(counts, "PNG", "32FC1; compressedDepth png", struct.pack("<iff", 0, a, b))
    made = depth_in_millimetres(depth_image(image, HEADER, MM))
    np.testing.assert_allclose(made, np.nan_to_num(metres * 1000), atol=6)


def test_depth_image_is_read_in_the_configured_unit() -> None:
    made = depth_image(raw("16UC1", np.array([[5000, 10000]], np.uint16)), HEADER, DepthRule(unit=1 / 5000))
    np.testing.assert_array_equal(depth_in_millimetres(made), [[1000, 2000]])


@pytest.mark.parametrize(
    ("image", "rule"),
    [
        (raw("16UC1", np.array([[5000, 65535, 0]], np.uint16)), DepthRule(unit=1 / 5000)),
        (packed(np.array([[5000, 65535, 0]], np.uint16), "PNG", "16UC1; png"), DepthRule(unit=1 / 5000)),
        (raw("16UC1", np.array([[1000, 10000, 0]], np.uint16)), DepthRule(invalid=10000)),
        (raw("16UC1", np.array([[1000, 6001, 299]], np.uint16)), DepthRule(least=0.3, greatest=6.0)),
        (raw("32FC1", np.array([[1, 10, -1]], np.float32)), DepthRule(invalid=10)),
        (raw("32FC1", np.array([[1, 6.01, np.inf]], np.float32)), DepthRule(greatest=6.0)),
        (raw("32FC1", np.array([[1000, np.nan, 65535]], np.float32)), DepthRule(float_unit=0.001)),
    ],
)
def test_depth_image_has_no_depth_where_the_rule_says_so(
    image: Image | CompressedImage, rule: DepthRule
) -> None:
    made = depth_image(image, HEADER, rule)
    assert made.encoding == "16UC1"
    assert made.array().tolist() == [[1000, 0, 0]]


def test_recorded_depth_is_not_changed() -> None:
    counts = np.array([[0, 65535, 7]], np.uint16)
    for image in (raw("16UC1", counts), packed(counts, "PNG", "16UC1; png")):
        np.testing.assert_array_equal(recorded_depth(image).array(), counts)


@given(
    arrays(np.float32, (3, 4), elements=st.floats(width=32)),
    st.floats(0, 5),
    st.floats(0.01, 70),
    st.none() | st.floats(width=32),
)
def test_depth_of_any_numbers_is_within_the_range_and_rounded_to_millimetres(
    metres: np.ndarray, least: float, span: float, invalid: float | None
) -> None:
    rule = DepthRule(invalid=invalid, least=least, greatest=least + span)
    made = depth_in_millimetres(raw("32FC1", metres), rule).astype(np.float64)
    measured = made > 0
    assert np.all((made[measured] >= 1000 * least) & (made[measured] <= 1000 * (least + span)))
    np.testing.assert_allclose(
        made[measured], metres[measured].astype(np.float64) * 1000, atol=0.51, rtol=1e-6
    )
    if invalid is not None:
        assert not made[metres == np.float32(invalid)].any()
    inside = (metres > least + 0.001) & (metres < min(least + span, 65.534) - 0.001)
    assert np.all(measured | ~inside | (metres == np.float32(np.nan if invalid is None else invalid)))


@given(arrays(np.uint32, (2, 3)), st.floats(0.001, 1000))
def test_depth_of_any_bits_in_any_unit_is_read_without_a_warning(bits: np.ndarray, unit: float) -> None:
    with np.errstate(over="raise", invalid="raise"):
        depth_in_millimetres(raw("32FC1", bits.view(np.float32)), DepthRule(float_unit=unit))


def test_segmentation_image_preserves_ids_in_every_encoding() -> None:
    ids = np.array([[0, 3], [200, 4]], np.uint8)
    for image in (
        raw("mono8", ids),
        raw("8UC1", ids),
        raw("16UC1", ids.astype(np.uint16)),
        packed(ids, "PNG", "png"),
    ):
        np.testing.assert_array_equal(segmentation_image(image, HEADER).array(), ids)


@pytest.mark.parametrize(
    ("convert", "image", "message"),
    [
        (color_image, raw("bayer_rggb8", np.zeros((2, 2), np.uint8)), "Bayer"),
        (color_image, CompressedImage(data=np.zeros(50, np.uint8)), "cannot be read"),
        (color_image, Image(encoding="rgba8", height=4, width=4, step=16), "truncated"),
        (lambda i, h: depth_image(i, h, MM), raw("rgb8", RGB), "16UC1 in millimetres"),
        (lambda i, h: depth_image(i, h, MM), packed(RGB, "JPEG", "jpeg"), "compressedDepth"),
        (lambda i, h: depth_image(i, h, MM), packed(RGB[..., 0], "PNG", "png"), "8 bits"),
        (segmentation_image, packed(RGB, "PNG", "png"), "record the ids"),
        (segmentation_image, raw("rgb8", RGB), "record the ids"),
        (
            segmentation_image,
            packed(RGB[..., 0], "JPEG", "mono8; jpeg compressed mono8"),
            "JPEG, which changes",
        ),
    ],
)
def test_unusable_image_is_refused_with_a_remedy(convert, image, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadImageError, match=message):
        convert(image, HEADER)


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_refused_as_a_bad_image(data: bytes) -> None:
    image = CompressedImage(Header(), "png", np.frombuffer(data, np.uint8))
    for convert in (color_image, segmentation_image, lambda i, h: depth_image(i, h, MM)):
        with pytest.raises(BadImageError):
            convert(image, HEADER)


# -- calibration


def pattern() -> Image:
    """Returns an image whose pixels encode their own row and column."""
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    return Image.from_array(HEADER, (1000 + 100 * rows + columns).astype(np.uint16), "16UC1")


def test_rectification_returns_an_undistorted_image_unchanged() -> None:
    camera = calibration(camera_info(distortion=(0.0,) * 5), "/depth", False)
    image = pattern()
    assert camera.rectified(image) is image
    assert not camera.is_distorted


def test_rectification_removes_distortion() -> None:
    """Barrel distortion moves points of the edge towards the middle and leaves the middle in place."""
    camera = calibration(camera_info(distortion=(-0.2, 0.0, 0.0, 0.0, 0.0)), "/depth", False)
    made = camera.rectified(pattern()).array()
    middle = HEIGHT // 2, WIDTH // 2
    assert made[middle] == 1000 + 100 * middle[0] + middle[1]
    x, y = (0 - (WIDTH - 1) / 2) / FOCAL, (10 - (HEIGHT - 1) / 2) / FOCAL
    factor = 1 - 0.2 * (x * x + y * y)
    seen = round(x * factor * FOCAL + (WIDTH - 1) / 2), round(y * factor * FOCAL + (HEIGHT - 1) / 2)
    assert made[10, 0] == 1000 + 100 * seen[1] + seen[0]
    assert not camera.info.d.any()


def test_rectification_marks_pixels_outside_of_the_image_as_not_measured() -> None:
    camera = calibration(camera_info(distortion=(0.5, 0.0, 0.0, 0.0)), "/depth", False)
    made = camera.rectified(pattern()).array()
    assert made[0, 0] == 0
    assert made[HEIGHT // 2, WIDTH // 2] > 0


def test_rectification_uses_the_fisheye_model() -> None:
    camera = calibration(camera_info(distortion=(0.1, 0.0, 0.0, 0.0), model="equidistant"), "/depth", False)
    made = camera.rectified(pattern()).array()
    angle = np.arctan((WIDTH - 1) / 2 / FOCAL)
    assert made[HEIGHT // 2, 0] % 100 == round((WIDTH - 1) / 2 - angle * (1 + 0.1 * angle**2) * FOCAL)


def test_calibration_of_rectified_images_uses_the_projection_matrix() -> None:
    info = camera_info(distortion=(0.1,) * 5)
    p = np.hstack([info.k.reshape(3, 3) * [[2], [2], [1]], np.zeros((3, 1))]).reshape(-1)
    info = CameraInfo(Header(), HEIGHT, WIDTH, "plumb_bob", info.d, info.k, p=p)
    for camera in (calibration(info, "/depth/image_rect", False), calibration(info, "/depth", True)):
        assert not camera.is_distorted
        assert camera.info.k[0] == 2 * FOCAL


def test_a_raw_image_is_rectified_like_the_rectified_one_beside_it() -> None:
    """A recorder may keep depth rectified and colour as it came from the camera, with one calibration."""
    info = camera_info(distortion=(-0.2, 0.0, 0.0, 0.0, 0.0))
    p = np.hstack([info.k.reshape(3, 3) * [[2], [2], [1]], np.zeros((3, 1))]).reshape(-1)
    info = CameraInfo(Header(), HEIGHT, WIDTH, "plumb_bob", info.d, info.k, p=p)
    images = "/color/image_raw", "/depth/image_rect"
    color, depth = (calibration(info, image, False, images) for image in images)
    assert depth.rectified(pattern()).array().tolist() == pattern().array().tolist()
    assert color.info.k.tolist() == depth.info.k.tolist()
    made = color.rectified(pattern()).array()
    x, y = (0 - p[2]) / (2 * FOCAL), (10 - p[6]) / (2 * FOCAL)
    factor = 1 - 0.2 * (x * x + y * y)
    seen = round(x * factor * FOCAL + info.k[2]), round(y * factor * FOCAL + info.k[5])
    assert made[10, 0] == 1000 + 100 * seen[1] + seen[0]


def test_a_raw_image_follows_the_rotation_of_a_rectified_one() -> None:
    """Cameras of a stereo pair are turned into one plane when they are rectified."""
    angle = 0.1
    turned = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
    plain = camera_info(distortion=(0.0,) * 5)
    p = np.hstack([plain.k.reshape(3, 3), np.zeros((3, 1))]).reshape(-1)
    info = CameraInfo(Header(), HEIGHT, WIDTH, "plumb_bob", plain.d, plain.k, r=turned.reshape(-1), p=p)
    made = calibration(info, "/color", False, ("/depth/image_rect",)).rectified(pattern()).array()
    forward = turned.T @ [0.0, 0.0, 1.0]  # the axis of the rectified camera, in that of the recorded one
    column = round(forward[0] / forward[2] * FOCAL + plain.k[2])
    middle = HEIGHT // 2
    assert int(made[middle, round(plain.k[2])]) % 100 == pytest.approx(column, abs=1)


@pytest.mark.parametrize(
    ("info", "message"),
    [
        (CameraInfo(), "not calibrated.*0x0"),
        (CameraInfo(height=HEIGHT, width=WIDTH), "not calibrated.*topics.camera_info"),
        (camera_info(distortion=(0.1,) * 3), "3 coefficients.*image_proc"),
        (camera_info(distortion=(0.1,) * 5, model="scaramuzza"), "'scaramuzza'.*rectified: true"),
    ],
)
def test_unusable_calibration_is_refused_with_the_cause(info: CameraInfo, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        calibration(info, "/depth", False)
