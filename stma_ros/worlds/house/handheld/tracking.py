"""Errors of the pose that tracks a hand-held camera: a slow drift that stays bounded, and jitter."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from stma_ros.worlds.robot.camera import CameraPose


@dataclass(frozen=True)
class TrackingError:
    """The magnitude of the errors; each a standard deviation along an axis, or about one.

    Attributes:
        drift: of the slow part of the position [m].
        drift_angle: of the slow part of the attitude [rad].
        jitter: of what is new in each image [m].
        jitter_angle: likewise [rad].
        seconds: time after which the slow part has mostly changed [s].
    """

    drift: float = 0.03
    drift_angle: float = math.radians(0.7)
    jitter: float = 0.004
    jitter_angle: float = math.radians(0.15)
    seconds: float = 20.0


USUAL: Final = TrackingError()
"""Of visual tracking with loop closures in a home: an absolute error of some 5 cm."""

MOST: Final = 2.5
"""Largest slow part, in its standard deviations."""

_STREAM = 72  # number of the random stream


def tracked(
    poses: Sequence[CameraPose], rate: float, seed: int, error: TrackingError = USUAL
) -> Iterator[CameraPose]:
    """Yields the measured pose of each true one.

    Args:
        poses: the true ones.
        rate: of the images [Hz].
        seed: draws the errors.
        error: their magnitude.
    """
    rng = np.random.default_rng((seed, _STREAM))
    scale = np.array([error.drift] * 3 + [error.drift_angle] * 3)
    jitter = np.array([error.jitter] * 3 + [error.jitter_angle] * 3)
    keeps = math.exp(-1 / (error.seconds * rate))
    slow = rng.standard_normal(6)
    for pose in poses:
        x, y, z, yaw, pitch, roll = (
            np.clip(slow, -MOST, MOST) * scale + jitter * rng.standard_normal(6)
        ).tolist()
        yield CameraPose(
            pose.x + x, pose.y + y, pose.z + z, pose.yaw + yaw, pose.pitch + pitch, pose.roll + roll
        )
        slow = keeps * slow + math.sqrt(1 - keeps**2) * rng.standard_normal(6)
