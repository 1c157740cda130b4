"""Converts raw and compressed images of other robots to the encodings that camera frames use."""

from __future__ import annotations

import struct
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stma_ros.sensing.encodings import DepthRule, depth_in_millimetres
from stma_ros.storage.lossy_color import decode_image
from stma_ros.types.errors import BadImageError
from stma_ros.types.standard import CameraInfo, CompressedImage, Header, Image

_PNG = b"\x89PNG"
_DEPTH_HEADER = struct.Struct("<iff")
"""Header in front of the PNG of a compressedDepth image (compressed_depth_image_transport): the format and the two
parameters of the quantisation of 32-bit depth."""

_CHANNELS = {"8UC1": "mono8", "8UC3": "bgr8", "mono16": "16UC1"}
"""Standard name of encodings that have a second name."""

_WITH_ALPHA = {"rgba8": (0, 1, 2), "8UC4": (2, 1, 0), "bgra8": (2, 1, 0)}
"""Indices of the red, green and blue channel by encoding."""


def color_image(image: Image | CompressedImage, header: Header) -> Image:
    """Returns a colour image as rgb8 or bgr8.

    Args:
        image: The recorded image.
        header: Header of the result.

    Raises:
        BadImageError: The encoding is not supported, or the data are damaged.
    """
    if isinstance(image, CompressedImage):
        return Image.from_array(header, np.asarray(decode_image(image, "RGB")), "rgb8")
    if image.encoding in _WITH_ALPHA:
        return Image.from_array(header, _four_channels(image)[..., _WITH_ALPHA[image.encoding]], "rgb8")
    image = _with_standard_encoding(image)
    if image.encoding == "mono8":
        return Image.from_array(header, np.repeat(image.array()[..., None], 3, axis=2), "rgb8")
    if image.encoding not in ("rgb8", "bgr8"):
        raise BadImageError(
            f"colour is {image.encoding!r}; record rgb8, bgr8, rgba8, bgra8, mono8, JPEG or PNG (image_proc makes "
            "colours of a Bayer pattern)"
        )
    return replace(image, header=header)


def depth_image(image: Image | CompressedImage, header: Header, rule: DepthRule) -> Image:
    """Returns a depth image as 16UC1 [mm], 0 = not measured.

    Args:
        image: The recorded image.
        header: Header of the result.
        rule: Which of its numbers are distances.

    Raises:
        BadImageError: The encoding is not supported, or the data are damaged.
    """
    return Image.from_array(header, depth_in_millimetres(recorded_depth(image), rule), "16UC1")


def recorded_depth(image: Image | CompressedImage) -> Image:
    """Returns a depth image as 16UC1 or 32FC1, with the numbers that were recorded.

    Args:
        image: The recorded image.

    Raises:
        BadImageError: The encoding is not supported, or the data are damaged.
    """
    if isinstance(image, CompressedImage):
        image = _uncompressed_depth(image)
    image = _with_standard_encoding(image)
    if image.encoding not in ("16UC1", "32FC1"):
        raise BadImageError(
            f"depth is {image.encoding!r}; record 16UC1 in millimetres or 32FC1 in metres (REP-118). If that is no "
            "depth image, topics.depth in a mapping file must name another topic"
        )
    return image


def segmentation_image(image: Image | CompressedImage, header: Header) -> Image:
    """Returns an image of segment ids as 16UC1 or mono8.

    Args:
        image: The recorded image.
        header: Header of the result.

    Raises:
        BadImageError: The encoding is not supported, the image shows colours, the compression changes ids, or the data
            are damaged.
    """
    if isinstance(image, CompressedImage):
        picture = decode_image(image)
        if picture.format != "PNG":
            raise BadImageError(
                f"ids are compressed as {picture.format}, which changes them; record them raw, or as PNG"
            )
        pixels = np.asarray(picture)
        if pixels.ndim != 2:
            raise BadImageError("the segmentation is a picture in colours; record the ids, as mono8 or 16UC1")
        return Image.from_array(header, pixels.astype(np.uint16), "16UC1")
    image = _with_standard_encoding(image)
    if image.encoding not in ("16UC1", "mono8"):
        raise BadImageError(f"the segmentation is {image.encoding!r}; record the ids, as mono8 or 16UC1")
    return replace(image, header=header)


def check_sizes(depth: Image, color: Image, info: CameraInfo) -> None:
    """Checks that the images of a frame and the calibration are of one size.

    Raises:
        BadImageError: They are not.
    """
    if (color.width, color.height) != (depth.width, depth.height):
        raise BadImageError(
            f"colour is {color.width}x{color.height} but depth {depth.width}x{depth.height}: record depth registered "
            "to the colour camera (aligned_depth_to_color), or name it as topics.depth in a mapping file"
        )
    if (info.width, info.height) != (depth.width, depth.height):
        raise BadImageError(
            f"depth is {depth.width}x{depth.height} but camera_info says {info.width}x{info.height}: name the "
            "calibration of this camera as topics.camera_info in a mapping file"
        )


def _with_standard_encoding(image: Image) -> Image:
    return replace(image, encoding=_CHANNELS.get(image.encoding, image.encoding))


def _four_channels(image: Image) -> NDArray[np.uint8]:
    if image.height == 0 or image.step < 4 * image.width or image.data.size != image.step * image.height:
        raise BadImageError(
            f"{image.width}x{image.height} {image.encoding} with {image.data.size} bytes: truncated on the way?"
        )
    rows = image.data.reshape(image.height, image.step)[:, : 4 * image.width]
    return rows.reshape(image.height, image.width, 4)


def _uncompressed_depth(image: CompressedImage) -> Image:
    """Decodes a depth image that is compressed by image_transport's compressedDepth or as a plain 16-bit PNG."""
    begin = image.data[: _DEPTH_HEADER.size + len(_PNG)].tobytes().find(_PNG)
    if begin not in (0, _DEPTH_HEADER.size):
        raise BadImageError(
            f"depth compressed as {image.format!r} is not read; record it raw, or as PNG (compressedDepth)"
        )
    counts = np.asarray(decode_image(replace(image, data=image.data[begin:])))
    if counts.ndim != 2 or counts.dtype == np.uint8:
        raise BadImageError("a compressed depth image has 8 bits a pixel; record compressedDepth, or it raw")
    if begin and image.format.startswith("32FC1"):
        _, a, b = _DEPTH_HEADER.unpack(image.data[:begin].tobytes())
        with np.errstate(divide="ignore"):
            metres = np.where(counts == 0, np.nan, a / (counts.astype(np.float64) - b))
        return Image.from_array(image.header, metres.astype(np.float32), "32FC1")
    return Image.from_array(image.header, counts.astype(np.uint16), "16UC1")
