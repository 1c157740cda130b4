"""The magnitude of the imperfections of a real robot, and its failing grasps and dropped objects.

All draws come from the episode's seed, each from its own stream; none depends on names.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

NEAREST, FARTHEST = 0.3, 6.0
"""Usual range outside of which a depth camera measures nothing, if its depth saturates [m]."""

_STREAM = 22  # number of the random stream of the hand


@dataclass(frozen=True)
class NoiseModel:
    """The magnitude of the imperfections; zero = none.

    Attributes:
        drift: error of the odometry as a share of the distance driven and of the angle turned.
        localization: standard deviation of a correction [m, rad].
        depth: factor on the error of the depth camera.
        depth_holes: share of the pixels without a measured depth.
        depth_saturation: whether depth has a least and a greatest value.
        grasp_failures: share of the grasps that fail.
        drops: share of the drives in which a held object falls.
        depth_range: least and greatest depth, with depth_saturation [m].
        depth_invalid: number of pixels without a measured depth [mm]; 0 = half of those beyond the range have 65535,
            and all others 0.
    """

    drift: float = 0.0
    localization: tuple[float, float] = (0.0, 0.0)
    depth: float = 0.0
    depth_holes: float = 0.0
    depth_saturation: bool = False
    grasp_failures: float = 0.0
    drops: float = 0.0
    depth_range: tuple[float, float] = (NEAREST, FARTHEST)
    depth_invalid: int = 0


QUIET = NoiseModel()


class Hand:
    """Draws failing grasps and objects that slip out of the gripper."""

    def __init__(self, model: NoiseModel, seed: int) -> None:
        self._model = model
        self._rng = np.random.default_rng((seed, _STREAM))

    def grasps(self) -> bool:
        return bool(self._rng.random() >= self._model.grasp_failures)

    def slips_after(self) -> float | None:
        """Returns the share of the next drive after which the held object slips out; None = it stays."""
        slips, share = self._rng.random(2)
        return float(share) if slips < self._model.drops else None
