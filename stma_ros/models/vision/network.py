"""The interface of networks that find objects in images, and their output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

GEOMETRY = ("disparity", "height", "up")
"""Channels of the geometry of an image, after Gupta et al. 2014 (Learning rich features from RGB-D images, section 3):
inverse depth [1 / m], height above the floor [m], and how far the surface faces up [-1..1], the cosine of the angle
between its normal and up; each 0 where it was not measured."""


@dataclass(frozen=True, eq=False)
class NetworkImage:
    """Input of a network.

    Attributes:
        colour: (H, W, 3) uint8 sRGB, at least 1 x 1.
        geometry: (H, W, 3) float32, the channels of GEOMETRY; None if no network asks for it.
    """

    colour: NDArray[np.uint8]
    geometry: NDArray[np.float32] | None = None


@dataclass(frozen=True)
class BoxedObject:
    """An object in an image.

    Attributes:
        label: Label as the network calls it.
        score: Confidence [0..1].
        box: Left, top, right and bottom edge [px], within the image; column 0 begins at 0.0.
        mask: (H, W) pixels of the image that show it, at least one; None if only its box is known. It does not count
            in comparisons.
    """

    label: str
    score: float
    box: tuple[float, float, float, float]
    mask: NDArray[np.bool_] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, eq=False)
class ClassMap:
    """Class of each pixel of an image, by cells of the resolution of the network.

    Attributes:
        probabilities: (N, C) float32, of each of `labels` in each cell.
        cells: (H, W) int32, cell of each pixel.
        states: (N, S) float32, probability of each of `state_names` in each cell; None if the network reports none.
        labels: Names of the classes; the first one is none of the others.
        state_names: Names of the S states.
        middles: (N, 2) float32, column and row in the image of the middle of the thing that each cell shows [px]; None
            if the network does not tell things of one class apart.
    """

    probabilities: NDArray[np.float32]
    cells: NDArray[np.int32]
    states: NDArray[np.float32] | None
    labels: tuple[str, ...]
    state_names: tuple[str, ...] = ()
    middles: NDArray[np.float32] | None = None


@dataclass(frozen=True, eq=False)
class NetworkOutput:
    """What a network finds in one image: objects in boxes, or the classes of pixels."""

    objects: tuple[BoxedObject, ...] = ()
    class_map: ClassMap | None = None


class ObjectNetwork(Protocol):
    """Finds objects in images. Equal images have equal outputs, whatever else is in the batch."""

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels that the network knows."""
        ...

    @property
    def geometry_size(self) -> tuple[int, int] | None:
        """Width and height of the geometry that is enough for it [px]; None = it takes none."""
        ...

    @property
    def frame_time(self) -> float:
        """Time for one image, measured after the warm-up [s]."""
        ...

    def detect(self, images: Sequence[NetworkImage]) -> list[NetworkOutput]:
        """Returns the output for each image.

        Raises:
            NetworkError: The network does not run, or its output is not what its description says.
        """
        ...
