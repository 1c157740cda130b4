"""Simulates imperfections of a real robot: wheel slip, depth noise, failing grasps, dropped objects.

All draws come from the episode's seed, each from its own stream; none depends on names.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_DEPTH, _HAND = 21, 22  # streams of random numbers
_EDGE = 0.05  # a jump in depth between neighbours by this share of the distance is an edge
_LOST_AT_EDGES = 0.6  # share of the pixels along an edge without a measurement
_LONGEST = 65535  # [mm]


@dataclass(frozen=True)
class NoiseModel:
    """The magnitude of the imperfections; zero = none.

    Attributes:
        drift: error of the odometry as a share of the distance driven and of the angle turned.
        localization: standard deviation of a correction [m, rad].
        depth: factor on the error of the depth camera.
        grasp_failures: share of the grasps that fail.
        drops: share of the drives in which a held object falls.
    """

    drift: float = 0.0
    localization: tuple[float, float] = (0.0, 0.0)
    depth: float = 0.0
    grasp_failures: float = 0.0
    drops: float = 0.0


QUIET = NoiseModel()


class DepthNoise:
    """The noise of a structured-light or stereo camera: grows with the square of the distance; edges leave holes."""

    def __init__(self, model: NoiseModel, seed: int) -> None:
        self._factor = model.depth
        self._rng = np.random.default_rng((seed, _DEPTH))

    def measured(self, depth: NDArray[np.uint16]) -> NDArray[np.uint16]:
        """Returns the measurement of a true depth image (H, W) [mm]; 0 = nothing measured."""
        if not self._factor:
            return depth
        z: NDArray[np.float32] = depth.astype(np.float32) / np.float32(1000)
        # Sigma [m] at a distance z [m]: the axial model of K. Khoshelham and S. Elberink (2012), rounded.
        sigma = self._factor * (np.float32(0.0012) + np.float32(0.0019) * (z - np.float32(0.4)) ** 2)
        noisy = z + sigma * self._rng.standard_normal(z.shape, dtype=np.float32)
        lost = _edges(z) & (self._rng.random(z.shape, dtype=np.float32) < _LOST_AT_EDGES)
        measured: NDArray[np.uint16] = np.clip(np.rint(noisy * 1000), 1, _LONGEST).astype(np.uint16)
        measured[lost | (depth == 0)] = 0
        return measured


class Hand:
    """Draws failing grasps and objects that slip out of the gripper."""

    def __init__(self, model: NoiseModel, seed: int) -> None:
        self._model = model
        self._rng = np.random.default_rng((seed, _HAND))

    def grasps(self) -> bool:
        return bool(self._rng.random() >= self._model.grasp_failures)

    def slips_after(self) -> float | None:
        """Returns the share of the next drive after which the held object slips out; None = it stays."""
        slips, share = self._rng.random(2)
        return float(share) if slips < self._model.drops else None


def _edges(z: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Returns the pixels on the border between near and far, on both of its sides."""
    edges = np.zeros(z.shape, bool)
    for axis in (0, 1):
        near, far = (z[:-1], z[1:]) if axis == 0 else (z[:, :-1], z[:, 1:])
        jump = np.abs(far - near) > _EDGE * np.minimum(near, far)
        first, second = (edges[:-1], edges[1:]) if axis == 0 else (edges[:, :-1], edges[:, 1:])
        first |= jump
        second |= jump
    return edges
