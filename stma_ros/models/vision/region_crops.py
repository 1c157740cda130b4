"""Cuts regions out of an image at the scale of the thing, as a network that names regions sees them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.ndimage import find_objects

from stma_ros.models.vision.network import GEOMETRY, NetworkImage

SIZE = 32
"""Width and height of a crop [px]."""

MARGIN, LEAST_MARGIN = 0.2, 0.01
"""What is shown around a region at each side: a share of its longer side, and at least of the width of the image."""

CHANNELS = 3 + len(GEOMETRY) + 2
"""Red, green, blue [0..1], the geometry, the region [0, 1], and how large the crop is: the logarithm to the base 2 of
the share of the image's width that it spans, the same in each pixel."""

REGION, EXTENT = CHANNELS - 2, CHANNELS - 1
"""Channels of the region, and of how large the crop is."""


def region_crops(image: NetworkImage, ids: NDArray[np.uint16], wanted: Sequence[int]) -> NDArray[np.float32]:
    """Returns (R, CHANNELS, SIZE, SIZE) the crops of some regions.

    Args:
        image: With geometry, at the resolution of the colours or a coarser one.
        ids: (H, W) number of the region of each pixel of the image; 0 = none.
        wanted: Numbers of R regions, each with a pixel at least.
    """
    assert image.geometry is not None
    bounds = find_objects(ids)
    colour = Image.fromarray(np.ascontiguousarray(image.colour))
    crops = [crop(colour, image.geometry, ids, number, bounds[number - 1]) for number in wanted]
    return np.stack(crops) if crops else np.zeros((0, CHANNELS, SIZE, SIZE), np.float32)


def crop(
    colour: Image.Image,
    geometry: NDArray[np.float32],
    ids: NDArray[np.uint16],
    number: int,
    bounds: tuple[slice, slice],
) -> NDArray[np.float32]:
    """Returns (CHANNELS, SIZE, SIZE) the crop of one region.

    Args:
        colour: The image.
        geometry: (h, w, 3) over the image.
        ids: (H, W) number of the region of each pixel of the image.
        number: Of the region.
        bounds: Rows and columns around it.
    """
    window = _window(*bounds, ids.shape[1])
    shown = np.empty((CHANNELS, SIZE, SIZE), np.float32)
    shown[:3] = _colours(colour, window)
    shown[3 : 3 + len(GEOMETRY)] = _nearest(geometry, ids.shape, window).transpose(2, 0, 1)
    shown[REGION] = _nearest(ids, ids.shape, window) == number
    shown[EXTENT] = math.log2((window[2] - window[0]) / ids.shape[1])
    return shown


Window = tuple[float, float, float, float]
"""Left, top, right and bottom edge [px of the image]; it may reach beyond the image."""


def _window(rows: slice, columns: slice, width: int) -> Window:
    """Returns the square around the middle of a region that shows all of it, with a margin."""
    longer = max(rows.stop - rows.start, columns.stop - columns.start)
    half = longer / 2 + max(MARGIN * longer, LEAST_MARGIN * width)
    x, y = (columns.start + columns.stop) / 2, (rows.start + rows.stop) / 2
    return x - half, y - half, x + half, y + half


def _colours(image: Image.Image, window: Window) -> NDArray[np.float32]:
    """Returns (3, SIZE, SIZE) the colours in a window; grey beyond the image."""
    left, top, right, bottom = window
    inside = max(left, 0.0), max(top, 0.0), min(right, image.width), min(bottom, image.height)
    scale = SIZE / (right - left)
    at = round((inside[0] - left) * scale), round((inside[1] - top) * scale)
    size = (
        max(round((inside[2] - left) * scale) - at[0], 1),
        max(round((inside[3] - top) * scale) - at[1], 1),
    )
    pixels = np.full((SIZE, SIZE, 3), 0.5, np.float32)
    shown = np.asarray(image.resize(size, Image.Resampling.BILINEAR, inside), np.float32) / 255
    rows, columns = min(size[1], SIZE - at[1]), min(size[0], SIZE - at[0])
    pixels[at[1] : at[1] + rows, at[0] : at[0] + columns] = shown[:rows, :columns]
    return pixels.transpose(2, 0, 1)


def _nearest(values: NDArray[Any], shape: tuple[int, ...], window: Window) -> NDArray[Any]:
    """Returns the values (SIZE, SIZE, ...) of the nearest pixels in a window; 0 beyond the image.

    Args:
        values: (h, w, ...) over the image, at any resolution.
        shape: Height and width of the image [px].
        window: The window [px of the image].
    """
    left, top, right, bottom = window
    steps = (np.arange(SIZE) + 0.5) / SIZE
    columns = np.floor((left + (right - left) * steps) * (values.shape[1] / shape[1])).astype(int)
    rows = np.floor((top + (bottom - top) * steps) * (values.shape[0] / shape[0])).astype(int)
    inside_rows = (rows >= 0) & (rows < values.shape[0])
    inside_columns = (columns >= 0) & (columns < values.shape[1])
    taken = np.zeros((SIZE, SIZE, *values.shape[2:]), values.dtype)
    taken[np.ix_(inside_rows, inside_columns)] = values[np.ix_(rows[inside_rows], columns[inside_columns])]
    return taken
