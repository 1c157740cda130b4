"""Makes training batches of labelled images: varied colours, mirrored images, targets and weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.ndimage import find_objects
from torch import Tensor

from stma_ros.apps.training.labelled_images import LabelledImage
from stma_ros.apps.training.pixel_network import MIDDLE_UNIT, STRIDE

GAIN, CHANNEL_GAIN, CONTRAST, NOISE = (0.7, 1.3), (0.9, 1.1), (0.75, 1.25), 8.0
"""Ranges of the factors on brightness, on each channel and on contrast, and largest noise of a pixel [of 255]."""

NOISY = MIRRORED = 0.5
"""Shares of the images."""

FEWEST = 4
"""Pixels of the target that a smaller thing is weighted as."""

PART, UNIT = 0.7, 16
"""Width and height of a part of an image, by that of the image, and the pixels that they are a multiple of."""

CELLS = 1024
"""Cells of an image of which the loss is taken: more take longer than they teach."""

NO_THING_WEIGHT = 0.003
"""Weight of a cell without a thing: that of one of a thing of 6000 cells."""

MORE_OFTEN = 0.12 / NO_THING_WEIGHT
"""How many times as often as one without a thing a cell of a thing is drawn: of one of 24 cells."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Inputs and targets; targets have 1 / STRIDE of the resolution.

    Attributes:
        image: (N, 3, H, W) float32 in [-1, 1].
        geometry: (N, 3, H, W) float32.
        classes: (N, h, w) int64.
        states: (N, S, h, w) float32, 1 = the thing is in that state.
        middles: (N, 2, h, w) float32, displacement from the middle of the cell to that of the thing
            [MIDDLE_UNIT].
        cells: (N, CELLS) int64, numbers of cells in row-major order, drawn by their weights: a thing weighs as the
            cube root of its pixels.
    """

    image: Tensor
    geometry: Tensor
    classes: Tensor
    states: Tensor
    middles: Tensor
    cells: Tensor


def part_of(image: LabelledImage, rng: np.random.Generator) -> LabelledImage:
    """Returns a part of an image, of half the area, in which one of the things is visible; each is equally likely."""
    height, width = (max(round(size * PART / UNIT), 1) * UNIT for size in image.things.shape)
    row, column = 0, 0
    if visible := np.unique(image.things[image.things > 0]).tolist():
        rows, columns = np.nonzero(image.things == visible[rng.integers(len(visible))])
        at = int(rng.integers(len(rows)))
        row, column = int(rows[at]), int(columns[at])
    top = _start(row, height, image.things.shape[0], rng)
    left = _start(column, width, image.things.shape[1], rng)
    part = slice(top, top + height), slice(left, left + width)
    return replace(
        image,
        colour=image.colour[part],
        depth_mm=image.depth_mm[part],
        geometry=image.geometry[part],
        things=image.things[part],
    )


def _start(at: int, length: int, whole: int, rng: np.random.Generator) -> int:
    """Returns the first pixel of a part that holds the pixel `at` anywhere."""
    return int(np.clip(at - rng.integers(length), 0, max(whole - length, 0)))


def make_batch(
    images: Sequence[LabelledImage], labels: Sequence[str], rng: np.random.Generator | None
) -> Batch:
    """Makes a batch.

    Args:
        images: Images of one size.
        labels: Names of the classes, in order.
        rng: Varies the images; None = they are as they are.
    """
    rows = [_prepared(image, labels, rng) for image in images]
    return Batch(*(torch.from_numpy(np.stack(part)) for part in zip(*rows, strict=True)))


def _prepared(
    labelled: LabelledImage, labels: Sequence[str], rng: np.random.Generator | None
) -> tuple[NDArray[np.float32] | NDArray[np.int64], ...]:
    colour, geometry, all_things = labelled.colour, labelled.geometry, labelled.things
    if rng is not None and rng.random() < MIRRORED:
        colour, geometry, all_things = colour[:, ::-1], geometry[:, ::-1], all_things[:, ::-1]
    pixels = colour.astype(np.float32)
    if rng is not None:
        pixels = varied_colours(pixels, rng)
    things = all_things[STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE]
    classes = labelled.classes(labels)[things]
    states = labelled.states[things].transpose(2, 0, 1).astype(np.float32)
    middles = _middles(all_things, len(labelled.categories))[things].transpose(2, 0, 1)
    own_middles = (
        np.mgrid[: things.shape[0], : things.shape[1]][::-1] * STRIDE + (STRIDE - 1) / 2
    )  # of the cells, x first
    displacements = ((middles - own_middles) / MIDDLE_UNIT).astype(np.float32)
    counts = np.maximum(np.bincount(things.ravel(), minlength=len(labelled.categories)), FEWEST)
    weights = np.where(things == 0, NO_THING_WEIGHT, counts[things] ** (-2 / 3))
    cells = _drawn(weights, np.random.default_rng(0) if rng is None else rng)
    image = (pixels / 127.5 - 1).transpose(2, 0, 1)
    parts = image, geometry.transpose(2, 0, 1), classes, states, displacements, cells
    return tuple(np.ascontiguousarray(part) for part in parts)


def _drawn(weights: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Returns (CELLS,) numbers of cells; some are drawn several times."""
    edges = np.cumsum(weights)
    drawn = np.searchsorted(edges, rng.random(CELLS) * edges[-1], side="right")
    cells: NDArray[np.int64] = np.minimum(drawn, weights.size - 1).astype(np.int64)
    return cells


def varied_colours(pixels: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Returns pixels (H, W, 3) under another light and camera."""
    gains = rng.uniform(*GAIN) * rng.uniform(*CHANNEL_GAIN, 3)
    varied: NDArray[np.float32] = pixels * gains.astype(np.float32)
    mean = varied.mean()
    varied = (varied - mean) * np.float32(rng.uniform(*CONTRAST)) + mean
    if rng.random() < NOISY:
        varied += np.float32(rng.uniform(0, NOISE)) * rng.standard_normal(varied.shape, np.float32)
    return varied.clip(0, 255)


def _middles(things: NDArray[np.uint16], count: int) -> NDArray[np.float64]:
    """Returns (N, 2) the middle, column and row, of the visible extent of each thing [px]; 0 if it is not visible."""
    middles = np.zeros((count, 2))
    for number, bounds in enumerate(find_objects(things, max_label=count - 1), start=1):
        if bounds is not None:
            rows, columns = bounds
            middles[number] = (columns.start + columns.stop - 1) / 2, (rows.start + rows.stop - 1) / 2
    return middles
