"""Calibration of a recorded camera, and rectification of its images."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.errors import BadImageError, ConfigurationError
from stma_ros.types.standard import CameraInfo, Header, Image

_POLYNOMIAL = ("plumb_bob", "rational_polynomial")
_FISHEYE = ("equidistant", "fisheye")
_RATIONAL = 8  # number of coefficients of the rational model; those of a tilted sensor follow them
_RECTIFIED = re.compile(r"(?<![a-z])rect")  # image_rect_raw, depth_rect


@dataclass(frozen=True)
class Calibration:
    """Calibration of a camera and the lookup table that rectifies its images.

    Attributes:
        info: Calibration of the rectified images.
        pixels: (2, H, W) int32 row and column in the recorded image for each pixel of the rectified one, -1 = outside
            of it; None if the recorded images are free of distortion.
    """

    info: CameraInfo
    pixels: NDArray[np.int32] | None

    @property
    def is_distorted(self) -> bool:
        return self.pixels is not None

    def rectified(self, image: Image) -> Image:
        """Returns the image without distortion.

        Each pixel takes the value of the nearest recorded one, so neither depths nor ids are mixed.

        Raises:
            BadImageError: The image's size differs from that of the calibration.
        """
        if self.pixels is None:
            return image
        if (image.height, image.width) != self.pixels.shape[1:]:
            raise BadImageError(
                f"an image is {image.width}x{image.height} but camera_info says {self.info.width}x{self.info.height}"
            )
        rows, columns = self.pixels
        taken = image.array()[rows, columns]
        taken[rows < 0] = 0
        return Image.from_array(image.header, taken, image.encoding)


def calibration(info: CameraInfo, topic: str, rectified: bool, others: Collection[str] = ()) -> Calibration:
    """Makes the calibration of a recorded camera for one of its images.

    Args:
        info: The recorded calibration.
        topic: Topic of the image. Images of topics with "rect" in their name are rectified already.
        rectified: Whether the images are rectified in any case.
        others: Topics of further images of the camera, pixel by pixel those of this one: where one of them is rectified
            and this one is not, the result lies like that one.

    Raises:
        ConfigurationError: The camera is not calibrated, or its distortion model is not supported.
    """
    if not info.width or not info.height or not np.isfinite(info.k).all() or min(info.k[0], info.k[4]) <= 0:
        raise ConfigurationError(
            f"{topic}: the camera is not calibrated (camera_info says {info.width}x{info.height} pixels and a focal "
            f"length of {info.k[0]:g}); name another one as topics.camera_info in a mapping file, or calibrate it with "
            "camera_calibration"
        )
    is_rectified = rectified or _is_rectified(topic)
    k, rotation = info.k, np.eye(3)
    if (is_rectified or any(map(_is_rectified, others))) and info.p[0] > 0:
        k, rotation = info.p.reshape(3, 4)[:, :3].reshape(-1), info.r.reshape(3, 3)
    is_changed = info.d.any() or not np.array_equal(k, info.k) or not np.array_equal(rotation, np.eye(3))
    pixels = _recorded_pixels(info, k, rotation, topic) if is_changed and not is_rectified else None
    return Calibration(_without_distortion(info, k), pixels)


def of_image_size(info: CameraInfo, width: int, height: int) -> CameraInfo:
    """Returns the calibration of images of a size, where that is the size of the binned images or of the region of
    interest of which a calibration of the whole sensor tells (REP-104); else the calibration as it is.

    Args:
        info: The calibration.
        width: Width of the images [px].
        height: Their height [px].
    """
    binned = max(info.binning_x, 1), max(info.binning_y, 1)
    region = info.roi.width or info.width, info.roi.height or info.height
    is_whole = (width, height) == (info.width, info.height)
    if is_whole or (width, height) != (region[0] // binned[0], region[1] // binned[1]):
        return info
    k, p = info.k.reshape(3, 3).copy(), info.p.reshape(3, 4).copy()
    for matrix in (k, p):
        matrix[:2, 2] -= info.roi.x_offset, info.roi.y_offset
        matrix[:2] /= np.array(binned)[:, None]
    return CameraInfo(
        info.header,
        height,
        width,
        info.distortion_model,
        info.d,
        k.reshape(-1),
        info.r,
        p.reshape(-1),
    )


def _is_rectified(topic: str) -> bool:
    return _RECTIFIED.search(topic) is not None


def with_header(info: CameraInfo, header: Header) -> CameraInfo:
    """Returns the calibration with another header."""
    return CameraInfo(header, info.height, info.width, info.distortion_model, info.d, info.k, p=info.p)


def _without_distortion(info: CameraInfo, k: NDArray[np.float64]) -> CameraInfo:
    projection = np.hstack([k.reshape(3, 3), np.zeros((3, 1))]).reshape(-1)
    return CameraInfo(info.header, info.height, info.width, "plumb_bob", np.zeros(5), k, p=projection)


def _recorded_pixels(
    info: CameraInfo, k: NDArray[np.float64], rotation: NDArray[np.float64], topic: str
) -> NDArray[np.int32]:
    """Returns the lookup table `Calibration.pixels`.

    Args:
        info: The recorded calibration.
        k: (9,) matrix of the rectified images.
        rotation: (3, 3) from the camera's axes to those of the rectified images.
        topic: Topic of the image.
    """
    v, u = np.mgrid[: info.height, : info.width].astype(np.float64)
    rays = np.stack([(u - k[2]) / k[0], (v - k[5]) / k[4], np.ones_like(u)], axis=-1) @ rotation
    x, y = rays[..., 0] / rays[..., 2], rays[..., 1] / rays[..., 2]
    if info.d.any():
        x, y = _bent(info, x, y, topic)
    fx, fy, cx, cy = info.k[0], info.k[4], info.k[2], info.k[5]
    rows, columns = np.rint(y * fy + cy), np.rint(x * fx + cx)
    inside = (rows >= 0) & (rows < info.height) & (columns >= 0) & (columns < info.width)
    return np.where(inside, (rows, columns), -1).astype(np.int32)


def _bent(
    info: CameraInfo, x: NDArray[np.float64], y: NDArray[np.float64], topic: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Applies the camera's distortion to normalised image coordinates. topic: of the image, for the error."""
    if info.distortion_model in _POLYNOMIAL and len(info.d) >= 4 and not info.d[_RATIONAL:].any():
        return _polynomial(x, y, np.pad(info.d, (0, _RATIONAL))[:_RATIONAL])
    if info.distortion_model in _FISHEYE and len(info.d) == 4:
        return _fisheye(x, y, info.d)
    raise ConfigurationError(
        f"{topic}: the distortion {info.distortion_model!r} with {len(info.d)} coefficients is not known here; "
        "rectify the images with image_proc, or write `rectified: true` in a mapping file where they are"
    )


def _polynomial(
    x: NDArray[np.float64], y: NDArray[np.float64], d: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Applies the radial and tangential distortion of OpenCV's plumb_bob and rational_polynomial models.

    Args:
        x, y: Normalised image coordinates.
        d: Coefficients k1, k2, p1, p2, k3, and k4 to k6 of the rational model.
    """
    k1, k2, p1, p2, k3, k4, k5, k6 = d
    square = x * x + y * y
    radial = (1 + square * (k1 + square * (k2 + square * k3))) / (
        1 + square * (k4 + square * (k5 + square * k6))
    )
    return (
        x * radial + 2 * p1 * x * y + p2 * (square + 2 * x * x),
        y * radial + p1 * (square + 2 * y * y) + 2 * p2 * x * y,
    )


def _fisheye(
    x: NDArray[np.float64], y: NDArray[np.float64], d: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Applies the equidistant distortion model of Kannala and Brandt. d: coefficients k1 to k4."""
    radius = np.hypot(x, y)
    angle = np.arctan(radius)
    square = angle * angle
    bent = angle * (1 + square * (d[0] + square * (d[1] + square * (d[2] + square * d[3]))))
    scale = np.divide(bent, radius, out=np.ones_like(radius), where=radius > 0)
    return x * scale, y * scale
