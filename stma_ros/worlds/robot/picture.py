"""Images of a camera, and the port through which a world renders them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.state import SceneState

RANGE: Final = 10.0
"""Farther away the depth camera measures nothing [m]."""


@dataclass(frozen=True, eq=False)
class Picture:
    """What the camera sees. `colour` (H, W, 3) uint8 sRGB; `depth` (H, W) uint16, planar [mm], 0 = nothing within
    RANGE; `owner` (H, W) int32, index into the renderer's `owners`, -1 = nothing."""

    colour: NDArray[np.uint8]
    depth: NDArray[np.uint16]
    owner: NDArray[np.int32]


class CameraRenderer(Protocol):
    """Draws what the robot's camera sees."""

    @property
    def owners(self) -> tuple[str, ...]:
        """The names of the things that the last picture may show; see Scene.categories."""
        ...

    def render(self, base: Placement, state: SceneState) -> Picture:
        """The picture from where the base stands in that state. Raises WorldError."""
        ...
