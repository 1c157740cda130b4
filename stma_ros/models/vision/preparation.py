"""Makes images fit a network's input, and takes its boxes back to the image."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from stma_ros.models.vision.description import InputDescription, Layout, Resize

Value = TypeVar("Value", bound=np.generic)


@dataclass(frozen=True)
class Fit:
    """How an image lies in the input of a network.

    Attributes:
        width, height: Size of the image [px].
        scale_x, scale_y: Pixels of the input per pixel of the image.
    """

    width: int
    height: int
    scale_x: float
    scale_y: float

    @property
    def inner(self) -> tuple[int, int]:
        """Width and height of the image in the input [px], at least one each."""
        return max(round(self.width * self.scale_x), 1), max(round(self.height * self.scale_y), 1)

    def to_image(self, boxes: NDArray[np.floating]) -> NDArray[np.float64]:
        """Returns boxes (N, 4) of the input (left, top, right, bottom) [px] in the image, cut at its edges."""
        scale = np.array((self.scale_x, self.scale_y, self.scale_x, self.scale_y))
        edges = np.array((self.width, self.height, self.width, self.height), float)
        cut: NDArray[np.float64] = np.clip(boxes / scale, 0.0, edges)
        return cut


def fit_of(shape: tuple[int, ...], description: InputDescription) -> Fit:
    """Returns how an image of `shape` (H, W, ...) lies in the input."""
    height, width = shape[:2]
    scale_x, scale_y = description.width / width, description.height / height
    if description.resize is Resize.LETTERBOX:
        scale_x = scale_y = min(scale_x, scale_y)
    return Fit(width, height, scale_x, scale_y)


def colour_tensor(colour: NDArray[np.uint8], fit: Fit, description: InputDescription) -> NDArray[np.float32]:
    """Returns the image as the input tensor of a batch of one, in the described layout.

    Args:
        colour: (H, W, 3) uint8 sRGB.
        fit: `fit_of` the image.
        description: Of the input.
    """
    pixels = _resized(colour, fit)
    if pixels.shape[:2] != (description.height, description.width):
        bordered = np.full((description.height, description.width, 3), description.border, np.uint8)
        bordered[: pixels.shape[0], : pixels.shape[1]] = pixels
        pixels = bordered
    mean, std = np.array(description.mean, np.float32), np.array(description.std, np.float32)
    tensor = (pixels * np.float32(description.scale) - mean) / std
    if description.blue_first:
        tensor = tensor[..., ::-1]
    return _batch(tensor, description.layout)


def geometry_tensor(
    geometry: NDArray[np.float32], fit: Fit, description: InputDescription
) -> NDArray[np.float32]:
    """Returns the geometry (H, W, C) of an image as the input tensor of a batch of one.

    Values are taken from the nearest pixel: a mean of foreground and background is at neither's place. Borders are 0.
    """
    width, height = fit.inner
    rows = _nearest(height, geometry.shape[0])
    columns = _nearest(width, geometry.shape[1])
    tensor = np.zeros((description.height, description.width, geometry.shape[2]), np.float32)
    tensor[:height, :width] = geometry[rows[:, None], columns]
    return _batch(tensor, description.layout)


def map_in_image(values: NDArray[Value], fit: Fit, description: InputDescription) -> NDArray[Value]:
    """Returns maps (C, h, w) over the input, at any resolution, as maps (C, H, W) over the image (nearest pixels)."""
    _, rows, columns = values.shape
    width, height = fit.inner
    inner_rows = height * rows / description.height
    inner_columns = width * columns / description.width
    from_row = np.minimum(_nearest(fit.height, inner_rows), rows - 1)
    from_column = np.minimum(_nearest(fit.width, inner_columns), columns - 1)
    return np.ascontiguousarray(values[:, from_row[:, None], from_column])


def _nearest(count: int, of: float) -> NDArray[np.intp]:
    """Returns which of `of` equal parts the middles of `count` equal parts lie in."""
    return ((np.arange(count) + 0.5) * (of / count)).astype(np.intp)


def _resized(colour: NDArray[np.uint8], fit: Fit) -> NDArray[np.uint8]:
    if fit.inner == (fit.width, fit.height):
        return colour
    image = Image.fromarray(np.ascontiguousarray(colour))
    return np.asarray(image.resize(fit.inner, Image.Resampling.BILINEAR))


def _batch(tensor: NDArray[np.float32], layout: Layout) -> NDArray[np.float32]:
    """Returns (H, W, C) as a batch of one."""
    ordered = tensor if layout is Layout.NHWC else tensor.transpose(2, 0, 1)
    return np.ascontiguousarray(ordered[None], np.float32)
