"""The floor of a scene that habitat-sim has loaded, as the base meets it: what its navmesh covers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt

from stma_ros.worlds.habitat.axes import raster_to_map
from stma_ros.worlds.habitat.engine.interface import NavigableRaster, NavmeshSettings
from stma_ros.worlds.robot.clearance import Clearance
from stma_ros.worlds.robot.geometry import Obstacle, Rect
from stma_ros.worlds.robot.motion import BASE_RADIUS, PLANNING_RADIUS, Ground, Obstacles

SETTINGS: Final = NavmeshSettings(
    radius=BASE_RADIUS,
    height=1.3,
    max_climb=0.05,
    max_slope=math.radians(30),
    cell_size=0.025,
    cell_height=0.02,
)
"""The robot with its camera: what it must not touch, and what it can drive over."""

RESOLUTION: Final = 0.02
"""Of the raster that is made of the navmesh [m]."""


@dataclass(frozen=True, eq=False)
class NavmeshFloor:
    """A Floor (see robot.motion). `room_at` (rows = y, columns = x) [m]: at each cell's centre how far it is to where
    the navmesh ends; less than 0 outside of it."""

    bounds: Rect
    room_at: NDArray[np.float64]

    @classmethod
    def of(cls, raster: NavigableRaster) -> NavmeshFloor:
        (x, y), cells = raster_to_map(raster.origin, raster.resolution, raster.cells)
        rows, columns = cells.shape
        inside, outside = (distance_transform_edt(np.pad(side, 1)) for side in (cells, ~cells))
        room = ((inside - outside)[1:-1, 1:-1] - np.where(cells, 0.5, -0.5)) * raster.resolution
        bounds = Rect(x, y, x + columns * raster.resolution, y + rows * raster.resolution)
        return cls(bounds, room)

    def room(self, x: float, y: float) -> float:
        rows, columns = self.room_at.shape
        row = math.floor((y - self.bounds.y0) / self.bounds.depth * rows)
        column = math.floor((x - self.bounds.x0) / self.bounds.width * columns)
        if not (0 <= row < rows and 0 <= column < columns):
            return -math.inf
        return float(self.room_at[row, column])

    def ground(self, obstacles: Sequence[Obstacle]) -> Ground:
        """With what stands on it now and is no part of the navmesh."""
        clearance = Clearance(self.bounds, obstacles, PLANNING_RADIUS)
        x, y = clearance.centres
        rows, columns = self.room_at.shape
        row = np.clip(((y - self.bounds.y0) / self.bounds.depth * rows).astype(int), 0, rows - 1)
        column = np.clip(((x - self.bounds.x0) / self.bounds.width * columns).astype(int), 0, columns - 1)
        clearance.free &= self.room_at[row, column] >= PLANNING_RADIUS - BASE_RADIUS
        return Ground(clearance, _Both(self, Obstacles(obstacles)))


@dataclass(frozen=True, eq=False)
class _Both:
    """A floor that ends where the navmesh does, and has obstacles on it."""

    navmesh: NavmeshFloor
    obstacles: Obstacles

    def room(self, x: float, y: float) -> float:
        return min(self.navmesh.room(x, y), self.obstacles.room(x, y))
