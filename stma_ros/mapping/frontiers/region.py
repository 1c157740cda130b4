"""A frontier, by whatever rules it was found."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from stma_ros.mapping.grid import Cells


@dataclass(frozen=True)
class FrontierRegion:
    """A connected stretch of free cells along unknown space. Positions are (x, y) in the map frame [m]."""

    id: int  # 0 until tracked
    center: tuple[float, float]  # the frontier cell nearest to the mean of all
    viewpoint: tuple[float, float, float]  # (x, y, yaw [rad]): where to stand, looking into the unknown
    distance: float  # [m] length of the way to the viewpoint
    length: float  # [m]
    unknown_area: float  # [m^2] of what is connected behind it, within the view range of its center
    changed: bool = True  # since the last update: new, or its cells differ by more than a few
    cells: Cells = field(repr=False, compare=False, default_factory=lambda: np.empty((0, 2), np.int32))
