"""Evidence that things are not where they were."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stma_ros.memory.boxes import Corner

MAX_RANGE = 4.0
"""Farther away [m] a thing that is there may be overlooked."""

CORE = 0.6
"""The middle part of a box that is looked at: what surrounds a thing that has gone touches the rest of its box."""

PLAIN_PIXELS, CLOSE_PIXELS = 25, 400
"""Pixels of a thing's core that are enough to miss it, and that leave no doubt."""


class BoxVisibility(Protocol):
    """Of each box: pixels of its projection with depth, the share of them whose ray ends well behind it (it is looked
    through), and the share that ends well before it (it is hidden)."""

    @property
    def pixels(self) -> NDArray[np.int64]: ...
    @property
    def through(self) -> NDArray[np.float64]: ...
    @property
    def hidden(self) -> NDArray[np.float64]: ...


class VisibilityTest(Protocol):
    """Compares boxes, low and high (N, 3) [m], with the depth image of one keyframe."""

    def __call__(self, low: ArrayLike, high: ArrayLike, /) -> BoxVisibility: ...


def absence_evidence(
    faces: NDArray[np.float64], small: NDArray[np.bool_], viewpoint: Corner, visibility_test: VisibilityTest
) -> list[float]:
    """How much one keyframe that did not show the things in these boxes speaks against them, each 0..1; two halves
    are enough.

    faces: (N, 2, 3) low and high corners [m]. small: (N,) whether it is a small, compact thing. Furniture is looked
    through where there is nothing of it (under a table), so it takes more.
    """
    middles, half = faces.mean(axis=1), (faces[:, 1] - faces[:, 0]) * CORE / 2
    look = visibility_test(middles - half, middles + half)
    in_range = np.linalg.norm(middles - viewpoint, axis=1) <= MAX_RANGE
    enough = in_range & (look.pixels >= PLAIN_PIXELS)
    found = np.zeros(len(faces))
    # In plain view, but what is flat is never looked through: the table ends the ray.
    found[enough & small & (look.hidden <= 0.1)] = 0.25
    found[enough & small & (look.through >= 0.5)] = 0.5
    found[enough & small & (look.through >= 0.8) & (look.pixels >= CLOSE_PIXELS)] = 1.0
    found[enough & ~small & (look.through >= 0.95) & (look.pixels >= CLOSE_PIXELS)] = 0.25
    values: list[float] = found.tolist()
    return values
