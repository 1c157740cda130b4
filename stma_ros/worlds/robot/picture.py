"""Images of a camera, and the port through which a world renders them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.state import SceneState

RANGE: Final = 10.0
"""Range of the depth camera [m]."""


@dataclass(frozen=True, eq=False)
class Picture:
    """An image of the camera.

    Attributes:
        colour: (H, W, 3) uint8 sRGB.
        depth: (H, W) uint16, planar [mm], 0 = no surface within RANGE.
        owner: (H, W) int32, index into the renderer's `owners`, -1 = none.
    """

    colour: NDArray[np.uint8]
    depth: NDArray[np.uint16]
    owner: NDArray[np.int32]


class CameraRenderer(Protocol):
    """Renders the images of the robot's camera."""

    @property
    def owners(self) -> tuple[str, ...]:
        """The names of the things that the last image may show; see Scene.categories."""
        ...

    def render(self, base: Placement, state: SceneState) -> Picture:
        """Renders the image from the base's pose in that state. Raises WorldError."""
        ...
