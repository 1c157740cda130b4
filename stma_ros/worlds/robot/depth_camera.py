"""Simulates a depth camera: noise, holes, and what is too near or too far.

All draws come from the episode's seed; none depends on names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.robot.noise import NoiseModel
from stma_ros.worlds.robot.picture import Picture

SATURATED: Final = 65535
"""Depth that half of the pixels beyond the range have [mm]; the others, and those too near, have 0."""

SHINY: Final = frozenset(
    {
        *(
            "glass",
            "jar",
            "wine bottle",
            "vase",
            "kettle",
            "pot",
            "pan",
            "toaster",
            "can",
            "mirror",
            "window",
        ),
        *("sink", "washbasin", "bathtub", "shower", "tv", "laptop", "tablet", "phone", "fridge", "freezer"),
        *("oven", "microwave", "dishwasher", "washing machine", "dryer", "stove", "shower screen"),
    }
)
"""Categories with glass, metal or screens, on which depth has more holes."""

AT_EDGES, ON_SHINY, ELSEWHERE = 20.0, 10.0, 0.5
"""Relative frequencies of holes."""

_STREAM = 21  # number of the random stream
_EDGE = 0.05  # a jump in depth between neighbours by this share of the distance is an edge
_BLOCK = 3  # side of the blocks of pixels that are lost together [px]


class DepthCamera:
    """Measures depth images of one episode: the noise of a structured-light or stereo camera grows with the square of
    the distance."""

    def __init__(self, model: NoiseModel, seed: int) -> None:
        self._model = model
        self._rng = np.random.default_rng((seed, _STREAM))

    def measured(self, picture: Picture, categories: Sequence[str]) -> NDArray[np.uint16]:
        """Returns the measurement of the depth (H, W) [mm]; 0, or the model's `depth_invalid` = nothing measured.

        Args:
            picture: rendered image.
            categories: categories of the owners of its pixels.
        """
        model, depth = self._model, picture.depth
        if not (model.depth or model.depth_holes or model.depth_saturation):
            return depth
        measured = self._noisy(depth) if model.depth else depth.copy()
        if model.depth_saturation:
            nearest, farthest = model.depth_range
            beyond = (depth == 0) | (depth > 1000 * farthest)
            measured[beyond] = np.where(self._in_blocks(depth.shape)[beyond] < 0.5, SATURATED, 0)
            measured[(depth > 0) & (depth < 1000 * nearest)] = 0
        if model.depth_holes:
            measured[self._holes(picture, categories)] = 0
        if model.depth_invalid:
            measured[measured == 0] = model.depth_invalid
        return measured

    def _noisy(self, depth: NDArray[np.uint16]) -> NDArray[np.uint16]:
        z: NDArray[np.float32] = depth.astype(np.float32) / np.float32(1000)
        # Sigma [m] at a distance z [m]: the axial model of K. Khoshelham and S. Elberink (2012), rounded.
        sigma = self._model.depth * (np.float32(0.0012) + np.float32(0.0019) * (z - np.float32(0.4)) ** 2)
        noisy = z + sigma * self._rng.standard_normal(z.shape, dtype=np.float32)
        measured: NDArray[np.uint16] = np.clip(np.rint(noisy * 1000), 1, SATURATED - 1).astype(np.uint16)
        measured[depth == 0] = 0
        return measured

    def _holes(self, picture: Picture, categories: Sequence[str]) -> NDArray[np.bool_]:
        """Returns the pixels that are lost: on average the share `depth_holes`, most at edges and on shiny surfaces."""
        shiny = np.array([category in SHINY for category in categories] + [False])[picture.owner]
        weight = np.where(shiny, np.float32(ON_SHINY), np.float32(ELSEWHERE))
        weight[_edges(picture.depth)] = AT_EDGES
        chance = weight * np.float32(self._model.depth_holes / float(weight.mean()))
        lost: NDArray[np.bool_] = self._in_blocks(weight.shape) < chance
        return lost

    def _in_blocks(self, shape: tuple[int, ...]) -> NDArray[np.float32]:
        """Returns uniform random numbers (H, W), the same within a block of pixels."""
        height, width = shape
        coarse = self._rng.random((-(-height // _BLOCK), -(-width // _BLOCK)), dtype=np.float32)
        return coarse.repeat(_BLOCK, axis=0).repeat(_BLOCK, axis=1)[:height, :width]


def _edges(depth: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """Returns the pixels on the border between near and far, on both of its sides."""
    z = depth.astype(np.float32)
    edges = np.zeros(z.shape, bool)
    for axis in (0, 1):
        near, far = (z[:-1], z[1:]) if axis == 0 else (z[:, :-1], z[:, 1:])
        jump = np.abs(far - near) > _EDGE * np.minimum(near, far)
        first, second = (edges[:-1], edges[1:]) if axis == 0 else (edges[:, :-1], edges[:, 1:])
        first |= jump
        second |= jump
    return edges


def pixels_of_owners(picture: Picture, depth: NDArray[np.uint16], count: int) -> NDArray[np.int64]:
    """Returns (count,) how many pixels of each owner have a measured depth.

    Args:
        picture: the image.
        depth: (H, W) what the depth camera measured there [mm].
        count: number of the renderer's owners.
    """
    measured = (depth > 0) & (depth < SATURATED)
    return np.bincount(picture.owner[measured] + 1, minlength=count + 1)[1:]
