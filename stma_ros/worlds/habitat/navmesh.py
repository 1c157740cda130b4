"""The floor of a loaded scene as the robot's base may use it: the area of the navmesh."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt

from stma_ros.worlds.habitat.axes import raster_to_map
from stma_ros.worlds.habitat.engine.interface import NavigableRaster, NavmeshSettings
from stma_ros.worlds.robot.clearance import RESOLUTION as CELL
from stma_ros.worlds.robot.clearance import Clearance
from stma_ros.worlds.robot.geometry import OrientedRect, Rect
from stma_ros.worlds.robot.motion import BASE_RADIUS, PLANNING_RADIUS, Ground, Obstacles

SETTINGS: Final = NavmeshSettings(
    radius=BASE_RADIUS,
    height=1.3,
    max_climb=0.05,
    max_slope=math.radians(30),
    cell_size=0.025,
    cell_height=0.02,
)
"""The robot with its camera: the clearance that it needs, and the steps that it can drive over."""

# Recast drops floors of less than 400 cells, and simplifies lines by 1.3 cells. It subtracts a radius roughly, up to an
# eighth too little at corners: the engine subtracts only a part of it, see NavmeshFloor.
FLAT_SETTINGS: Final = replace(SETTINGS, radius=0.1, cell_size=0.0125)
"""The same robot in flats of the house, which are small and simple enough for a finer navmesh."""

RESOLUTION: Final = 0.02
"""Resolution of the raster made of the navmesh [m]."""


@dataclass(frozen=True, eq=False)
class NavmeshFloor:
    """A Floor (see robot.motion). `room_at` (rows = y, columns = x): clearance of the base at the centre of each cell
    [m]; negative = collision."""

    bounds: Rect
    room_at: NDArray[np.float64]

    @classmethod
    def of(cls, raster: NavigableRaster, radius: float = SETTINGS.radius) -> NavmeshFloor:
        """Builds the floor. radius: the radius that the navmesh was made for [m]; the rest of the base's radius is
        subtracted here, exactly."""
        (x, y), cells = raster_to_map(raster.origin, raster.resolution, raster.cells)
        rows, columns = cells.shape
        inside, outside = (distance_transform_edt(np.pad(side, 1)) for side in (cells, ~cells))
        to_edge = ((inside - outside)[1:-1, 1:-1] - np.where(cells, 0.5, -0.5)) * raster.resolution
        bounds = Rect(x, y, x + columns * raster.resolution, y + rows * raster.resolution)
        return cls(bounds, to_edge - (BASE_RADIUS - radius))

    def room(self, x: float, y: float) -> float:
        """Returns the clearance, interpolated between the cells' centres."""
        rows, columns = self.room_at.shape
        row = (y - self.bounds.y0) / self.bounds.depth * rows - 0.5
        column = (x - self.bounds.x0) / self.bounds.width * columns - 0.5
        if not (0 <= row < rows - 1 and 0 <= column < columns - 1):
            return -math.inf
        r, c = int(row), int(column)
        up, right = row - r, column - c
        (a, b), (d, e) = self.room_at[r : r + 2, c : c + 2].tolist()
        low, high = a + right * (b - a), d + right * (e - d)
        return float(low + up * (high - low))

    def ground(self, obstacles: Sequence[OrientedRect]) -> Ground:
        """Returns the floor with obstacles that are not part of the navmesh."""
        clearance = Clearance(_whole_cells(self.bounds), obstacles, PLANNING_RADIUS)
        x, y = clearance.centres
        rows, columns = self.room_at.shape
        row = np.clip(((y - self.bounds.y0) / self.bounds.depth * rows).astype(int), 0, rows - 1)
        column = np.clip(((x - self.bounds.x0) / self.bounds.width * columns).astype(int), 0, columns - 1)
        clearance.free &= self.room_at[row, column] >= PLANNING_RADIUS - BASE_RADIUS
        return Ground(clearance, _Both(self, Obstacles(obstacles)))


def _whole_cells(bounds: Rect) -> Rect:
    """Extends bounds to multiples of a cell, so that paths do not depend on where exactly the navmesh ends."""
    low = [math.floor(edge / CELL) * CELL for edge in (bounds.x0, bounds.y0)]
    high = [math.ceil(edge / CELL) * CELL for edge in (bounds.x1, bounds.y1)]
    return Rect(low[0], low[1], high[0], high[1])


@dataclass(frozen=True, eq=False)
class _Both:
    """A floor that ends at the edge of the navmesh and has obstacles on it."""

    navmesh: NavmeshFloor
    obstacles: Obstacles

    def room(self, x: float, y: float) -> float:
        return min(self.navmesh.room(x, y), self.obstacles.room(x, y))
