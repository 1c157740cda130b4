"""Calibration of a recorded camera, and rectification of its images."""

from __future__ import annotations

import re
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


def calibration(info: CameraInfo, topic: str, rectified: bool) -> Calibration:
    """Makes the calibration of a recorded camera.

    Args:
        info: The recorded calibration.
        topic: Topic of the depth image. Images of topics with "rect" in their name are rectified already.
        rectified: Whether the images are rectified in any case.

    Raises:
        ConfigurationError: The camera is not calibrated, or its distortion model is not supported.
    """
    if not info.width or not info.height or not np.isfinite(info.k).all() or min(info.k[0], info.k[4]) <= 0:
        raise ConfigurationError(
            f"{topic}: the camera is not calibrated (camera_info says {info.width}x{info.height} pixels and a focal "
            f"length of {info.k[0]:g}); name another one as topics.camera_info in a mapping file, or calibrate it with "
            "camera_calibration"
        )
    if rectified or _RECTIFIED.search(topic):
        projection = info.p.reshape(3, 4)[:, :3].reshape(-1)
        return Calibration(_without_distortion(info, projection if projection[0] > 0 else info.k), None)
    pixels = _distorted(info, topic) if info.d.any() else None
    return Calibration(_without_distortion(info, info.k), pixels)


def with_header(info: CameraInfo, header: Header) -> CameraInfo:
    """Returns the calibration with another header."""
    return CameraInfo(header, info.height, info.width, info.distortion_model, info.d, info.k, p=info.p)


def _without_distortion(info: CameraInfo, k: NDArray[np.float64]) -> CameraInfo:
    projection = np.hstack([k.reshape(3, 3), np.zeros((3, 1))]).reshape(-1)
    return CameraInfo(info.header, info.height, info.width, "plumb_bob", np.zeros(5), k, p=projection)


def _distorted(info: CameraInfo, topic: str) -> NDArray[np.int32]:
    """Returns the lookup table `Calibration.pixels` of a camera with distortion."""
    fx, fy, cx, cy = info.k[0], info.k[4], info.k[2], info.k[5]
    v, u = np.mgrid[: info.height, : info.width].astype(np.float64)
    x, y = (u - cx) / fx, (v - cy) / fy
    if info.distortion_model in _POLYNOMIAL and len(info.d) >= 4 and not info.d[_RATIONAL:].any():
        x, y = _polynomial(x, y, np.pad(info.d, (0, _RATIONAL))[:_RATIONAL])
    elif info.distortion_model in _FISHEYE and len(info.d) == 4:
        x, y = _fisheye(x, y, info.d)
    else:
        raise ConfigurationError(
            f"{topic}: the distortion {info.distortion_model!r} with {len(info.d)} coefficients is not known here; "
            "rectify the images with image_proc, or write `rectified: true` in a mapping file where they are"
        )
    rows, columns = np.rint(y * fy + cy), np.rint(x * fx + cx)
    inside = (rows >= 0) & (rows < info.height) & (columns >= 0) & (columns < info.width)
    return np.where(inside, (rows, columns), -1).astype(np.int32)


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
