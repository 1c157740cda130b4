"""Finds the walls that the arm cannot pass, by rays when a scene is loaded.

Horizontal rays connect the centres of neighbouring cells of a raster, 1.2 m above the floor: over tables and counters
and below wall cupboards. They hit the data set's stage, with all objects hidden: the walls, and tall furniture as well
where a scene is a single mesh.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation

from stma_ros.worlds.habitat.navmesh import NavmeshFloor
from stma_ros.worlds.habitat.scene.storey import Storey
from stma_ros.worlds.robot.geometry import FloatArray, OrientedRect, Rect
from stma_ros.worlds.robot.reach import REACH

_HEIGHT = 1.2  # height of the rays above the floor [m]
_CELL = 0.1  # [m]
_HALF_THICKNESS = 0.01  # [m]
_OVERLAP = 0.03  # overlap of neighbouring pieces of a wall, so that no line passes between them [m]
_BATCH = 20_000  # rays in one request
_PROBES = 60  # rays that probe the height of the floor
_ABOVE = 0.4  # the probes' extent above and below the navmesh [m]

CastRays = Callable[[FloatArray, FloatArray], NDArray[np.float64]]
"""See engine.interface.Engine."""


@dataclass(frozen=True, eq=False)
class Walls:
    """Walls as upright pieces: (N, 4) x0, y0, x1, y1 in the map [m]."""

    pieces: FloatArray

    @classmethod
    def found(cls, cast: CastRays, storey: Storey, floor: NavmeshFloor) -> Walls:
        """Finds the walls around the floor, within reach of the arm."""
        x, y, near = _cells(floor)
        along_x = np.array([_CELL, 0.0]), np.array([_OVERLAP + _CELL / 2, _HALF_THICKNESS])[::-1]
        along_y = np.array([0.0, _CELL]), np.array([_OVERLAP + _CELL / 2, _HALF_THICKNESS])
        middles = np.stack([x[near], y[near]], axis=1)
        found = [_hits(cast, storey, middles, step, half) for step, half in (along_x, along_y)]
        return cls(np.concatenate(found))

    def within(self, area: Rect) -> list[OrientedRect]:
        x0, y0, x1, y1 = self.pieces.T
        chosen = (x0 < area.x1) & (x1 > area.x0) & (y0 < area.y1) & (y1 > area.y0)
        return [OrientedRect.of(Rect(*piece)) for piece in self.pieces[chosen].tolist()]


def _cells(floor: NavmeshFloor) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
    """Returns the centres of the cells, and whether each is near the floor."""
    bounds = floor.bounds.grown(REACH + _CELL)
    x = np.arange(bounds.x0, bounds.x1, _CELL) + _CELL / 2
    y = np.arange(bounds.y0, bounds.y1, _CELL) + _CELL / 2
    grid_x, grid_y = np.meshgrid(x, y)
    rows, columns = floor.room_at.shape
    row = np.floor((grid_y - floor.bounds.y0) / floor.bounds.depth * rows).astype(int)
    column = np.floor((grid_x - floor.bounds.x0) / floor.bounds.width * columns).astype(int)
    on_it = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
    on_it[on_it] = floor.room_at[row[on_it], column[on_it]] > 0.0
    reach = round(REACH / _CELL)
    near = binary_dilation(on_it, np.ones((3, 3), bool), iterations=reach)
    return grid_x, grid_y, near


def _hits(
    cast: CastRays, storey: Storey, middles: FloatArray, step: FloatArray, half: FloatArray
) -> FloatArray:
    starts = np.column_stack([middles, np.full(len(middles), _HEIGHT)])
    ends = np.add(starts, (*step, 0.0))
    rays = storey.to_habitat(starts), storey.to_habitat(ends)
    shares = [cast(rays[0][k : k + _BATCH], rays[1][k : k + _BATCH]) for k in range(0, len(middles), _BATCH)]
    share = np.concatenate([np.ones(0), *shares])
    hit = share < 1.0
    at = middles[hit] + share[hit, None] * step
    return np.hstack([at - half, at + half])


def floor_height(cast: CastRays, level: float, floor: NavmeshFloor) -> float:
    """Returns the height of the stage's floor below the navmesh, which is made of voxels and lies higher.

    Args:
        cast: casts rays.
        level: approximate height of the navmesh above Habitat's origin [m].
        floor: the navmesh.

    Returns:
        The height above Habitat's origin [m].
    """
    rows, columns = np.nonzero(floor.room_at > 0.0)
    chosen = np.linspace(0, len(rows) - 1, min(_PROBES, len(rows))).astype(int)
    size = floor.bounds.width / floor.room_at.shape[1]
    x = floor.bounds.x0 + (columns[chosen] + 0.5) * size
    y = floor.bounds.y0 + (rows[chosen] + 0.5) * size
    above = Storey(level).to_habitat(np.column_stack([x, y, np.full(len(x), _ABOVE)]))
    share = cast(above, above - (0.0, 2 * _ABOVE, 0.0))
    heights = (level + _ABOVE - 2 * _ABOVE * share)[share < 1.0]
    return float(np.median(heights)) if heights.size else level
