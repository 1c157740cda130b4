"""The storey that the robot is on, and the map that it has of it: the one place where a scene's heights are shifted.

The map is Habitat's frame with its axes flipped (see axes.py) and z = 0 on the floor of the storey.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.habitat.axes import FloatArray, points_to_habitat, points_to_map
from stma_ros.worlds.habitat.engine.interface import Level

SAME_STOREY = 0.5  # by which heights of one storey may differ [m]
ROOM_HEIGHT = 2.5  # above the floor, what belongs to the storey [m]
_BELOW = 0.3  # the floor may be stepped by this much [m]


@dataclass(frozen=True)
class Storey:
    """height: of its floor, above Habitat's origin [m]."""

    height: float

    def to_map(self, points: NDArray[Any]) -> FloatArray:
        """Points (N, 3) of Habitat in the map."""
        return np.subtract(points_to_map(points), (0.0, 0.0, self.height))

    def to_habitat(self, points: NDArray[Any]) -> FloatArray:
        """Points (N, 3) of the map in Habitat."""
        return points_to_habitat(np.add(points, (0.0, 0.0, self.height)))


def is_on_storey(low: float, high: float) -> bool:
    """Whether what reaches from one height of the map to another [m] is on the storey, as far as the robot can tell."""
    return high > -_BELOW and low < ROOM_HEIGHT


def choose_level(levels: Sequence[Level], floor: int, scene: str, height: float | None = None) -> Level:
    """The level of that number, from the lowest up; -1: the only one, or that at a height above Habitat's origin [m],
    where one is given. Raises ConfigurationError."""
    if height is not None:
        nearest = min(levels, key=lambda level: abs(level.height - height))
        if abs(nearest.height - height) > SAME_STOREY:
            raise ConfigurationError(
                f"the robot is to start at the height of {height:.2f} m in the scene {scene!r}, where it has no floor: "
                f"the nearest is at {nearest.height:.2f} m"
            )
        return nearest
    if len(levels) == 1 and floor in (-1, 0):
        return levels[0]
    listed = ", ".join(f"{k} at {level.height:.2f} m ({level.area:.0f} m2)" for k, level in enumerate(levels))
    if floor == -1:
        raise ConfigurationError(
            f"the scene {scene!r} has {len(levels)} storeys, and the robot stays on one: choose it with world.floor, "
            f"from {listed}"
        )
    if floor >= len(levels):
        raise ConfigurationError(f"the scene {scene!r} has no storey {floor}: world.floor may be {listed}")
    return levels[floor]
