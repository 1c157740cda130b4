"""The robot's storey and its map; the only module that shifts a scene's heights.

The map is Habitat's frame with its axes converted (see axes.py) and z = 0 on the floor of the storey.
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

SAME_STOREY = 0.5  # largest difference in height within one storey [m]
ROOM_HEIGHT = 2.5  # height of a storey above its floor [m]
_BELOW = 0.3  # largest step in the floor [m]


@dataclass(frozen=True)
class Storey:
    """A storey. height: of its floor, above Habitat's origin [m]."""

    height: float

    def to_map(self, points: NDArray[Any]) -> FloatArray:
        """Converts points (N, 3) from Habitat's frame to the map."""
        return np.subtract(points_to_map(points), (0.0, 0.0, self.height))

    def to_habitat(self, points: NDArray[Any]) -> FloatArray:
        """Converts points (N, 3) from the map to Habitat's frame."""
        return points_to_habitat(np.add(points, (0.0, 0.0, self.height)))


def is_on_storey(low: float, high: float) -> bool:
    """Whether an object that extends between two heights of the map [m] is on the storey, as far as it matters to the
    robot."""
    return high > -_BELOW and low < ROOM_HEIGHT


def choose_level(levels: Sequence[Level], floor: int, scene: str, height: float | None = None) -> Level:
    """Chooses a level by its number, from the lowest up; -1 = the only one, or the one at `height` above Habitat's
    origin [m]. Raises ConfigurationError."""
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
