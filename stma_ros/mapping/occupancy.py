"""Horizontal slices of the voxel grid: where the robot can drive, and where the walls are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.depth_view import ColumnBox
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.voxel_grid import VoxelGrid
from stma_ros.types.jit import kernel

UNKNOWN = -1
FREE = 0
OCCUPIED = 100

_BLOCK = 64  # columns that are classified together: in the fastest cache, and a vector of bytes


@dataclass(frozen=True)
class OccupancyConfig:
    """Heights above the floor of the map [m], and radii around the robot's centre [m]."""

    ground_clearance: float = 0.1  # lower obstacles are driven over
    robot_height: float = 1.4
    low_height: float = 0.3  # between here and ground_clearance a free cell must have been looked through
    min_free_fraction: float = 0.5  # of the voxels between ground_clearance and robot_height
    drop_depth: float = 0.2  # where this deep under the floor is seen to be empty, the floor has ended
    footprint_radius: float = 0.35  # where the robot stood there was room
    blind_radius: float = 1.0  # the camera sees the floor from here on
    blind_free_fraction: float = 0.33  # of the same voxels: enough to presume the floor free nearer than that
    wall_bottom: float = 1.5  # between these heights there are walls, doors and tall furniture only,
    wall_top: float = 1.95  # below lintels


@dataclass(frozen=True)
class OccupancySlice:
    """A two-dimensional occupancy grid.

    Attributes:
        data: (rows, cols) int8, read-only: -1 unknown, 0 free, 100 occupied, as in nav_msgs/OccupancyGrid.
        geometry: where its cells lie.
    """

    data: NDArray[np.int8]
    geometry: GridGeometry


class _Layers(NamedTuple):
    """What of a column decides about its cell: layers, and a number of them."""

    drop: int  # below here a free voxel is a hole,
    bottom: int  # unless there is an occupied one between; from here on an obstacle is one
    low: int  # up to here half of the voxels must be free
    top: int
    needed: int  # number of free voxels, from `bottom` to `top`


@kernel
def _classify(
    cells: NDArray[np.int8], box: ColumnBox, layers: _Layers, result: NDArray[np.int8], row0: int, col0: int
) -> None:
    """Writes the cells of the columns in a box to `result`, whose first cell is column (row0, col0)."""
    drop, bottom, low, top, needed = layers
    first = 0 if drop > 0 else bottom  # without holes, the floor does not matter
    lines = np.zeros((top, _BLOCK), np.int8)
    occupied, floor, hole = (
        np.empty(_BLOCK, np.uint8),
        np.empty(_BLOCK, np.uint8),
        np.empty(_BLOCK, np.uint8),
    )
    free, free_low = np.empty(_BLOCK, np.int16), np.empty(_BLOCK, np.int16)
    for row in range(box.row, box.row + box.rows):
        for start in range(box.col, box.col + box.cols, _BLOCK):
            count = min(_BLOCK, box.col + box.cols - start)
            columns = cells[row, start : start + count]
            for layer in range(first, top):
                for col in range(count):
                    lines[layer, col] = columns[col, layer]
            occupied[:] = 0
            floor[:] = 0
            hole[:] = 0
            free[:] = 0
            free_low[:] = 0
            for layer in range(first, top):  # layers outside, columns inside: vector instructions
                line = lines[layer]
                if layer < drop:
                    for col in range(_BLOCK):
                        hole[col] |= line[col] < 0
                elif layer < bottom:
                    for col in range(_BLOCK):
                        floor[col] |= line[col] > 0
                else:
                    for col in range(_BLOCK):
                        occupied[col] |= line[col] > 0
                        free[col] += line[col] < 0
                    if layer < low:
                        for col in range(_BLOCK):
                            free_low[col] += line[col] < 0
            for col in range(count):
                if occupied[col] or (hole[col] and not floor[col]):
                    cell = OCCUPIED
                elif free[col] >= needed and 2 * free_low[col] >= low - bottom:
                    cell = FREE
                else:
                    cell = UNKNOWN
                result[row - row0, start + col - col0] = cell


class IncrementalSlice:
    """A slice that is classified again only where the voxels have changed since it was read last."""

    def __init__(self, layers: Callable[[VoxelGrid], _Layers]) -> None:
        """Begins with no voxels. `layers` selects what of a grid's columns decides about their cells."""
        self._layers = layers
        self._voxels: VoxelGrid | None = None
        self._revision = -1
        self._slice = OccupancySlice(np.empty((0, 0), np.int8), GridGeometry(1.0))

    @classmethod
    def navigable(cls, config: OccupancyConfig | None = None) -> IncrementalSlice:
        """Returns the slice of `navigable_slice`."""
        return cls(partial(_navigable_layers, config or OccupancyConfig()))

    @classmethod
    def walls(cls, config: OccupancyConfig | None = None) -> IncrementalSlice:
        """Returns the slice of `wall_slice`."""
        return cls(partial(_wall_layers, config or OccupancyConfig()))

    def update(self, voxels: VoxelGrid) -> OccupancySlice:
        """Returns the slice of the voxels as they are now; the same object if nothing has changed.

        A grid that was not given the last time is read as a whole.
        """
        geometry = voxels.geometry
        if voxels is not self._voxels:
            self._voxels, self._revision = voxels, -1
            self._slice = OccupancySlice(np.empty((0, 0), np.int8), GridGeometry(geometry.resolution))
        if geometry.rows == 0:
            return self._slice
        columns, before = voxels.columns, self._slice
        whole = columns.box(geometry.row0, geometry.col0, *geometry.shape)
        changed = columns.changes.since(self._revision, whole)
        self._revision = columns.changes.revision
        if not changed and geometry == before.geometry:
            return before
        data = before.data.copy() if geometry == before.geometry else _grown(before, geometry)
        layers = self._layers(voxels)
        for box in changed:
            _classify(columns.cells, box, layers, data, whole.row, whole.col)
        data.setflags(write=False)
        self._slice = OccupancySlice(data, geometry)
        return self._slice


def _grown(before: OccupancySlice, geometry: GridGeometry) -> NDArray[np.int8]:
    """Returns the cells of a slice on a larger grid, unknown where they are new."""
    data = np.full(geometry.shape, UNKNOWN, np.int8)
    row, col = before.geometry.row0 - geometry.row0, before.geometry.col0 - geometry.col0
    data[row : row + before.geometry.rows, col : col + before.geometry.cols] = before.data
    return data


def navigable_slice(voxels: VoxelGrid, config: OccupancyConfig | None = None) -> OccupancySlice:
    """Returns the slice in which the robot drives, between floor and robot height.

    Occupied: something at the robot's heights, or no floor. Free: nothing there, and at least half of the lowest part
    and `min_free_fraction` of the whole seen to be free. Else unknown, for example behind a counter.
    """
    return IncrementalSlice.navigable(config).update(voxels)


def wall_slice(voxels: VoxelGrid, config: OccupancyConfig | None = None) -> OccupancySlice:
    """Returns the slice of walls, closed doors and tall furniture: occupied where anything is, free where anything was
    seen to be free."""
    return IncrementalSlice.walls(config).update(voxels)


def _navigable_layers(config: OccupancyConfig, voxels: VoxelGrid) -> _Layers:
    bottom, low, top = (
        voxels.layer(h) for h in (config.ground_clearance, config.low_height, config.robot_height)
    )
    needed = max(1, int(np.ceil(config.min_free_fraction * (top - bottom))))
    return _Layers(voxels.layer(-config.drop_depth), bottom, low, top, needed)


def _wall_layers(config: OccupancyConfig, voxels: VoxelGrid) -> _Layers:
    bottom, top = voxels.layer(config.wall_bottom), voxels.layer(config.wall_top)
    return _Layers(0, bottom, bottom, top, 1)


@kernel
def _presume_free(
    counts: NDArray[np.int8],
    center_row: float,
    center_col: float,
    footprint: float,
    blind: float,
    bottom: int,
    top: int,
    needed: int,
) -> None:
    _, rows, cols = counts.shape
    for row in range(max(0, int(center_row - blind)), min(rows, int(center_row + blind) + 1)):
        for col in range(max(0, int(center_col - blind)), min(cols, int(center_col + blind) + 1)):
            distance = np.hypot(row + 0.5 - center_row, col + 0.5 - center_col)
            if distance > blind:
                continue
            if distance > footprint:
                free = 0
                for layer in range(bottom, top):
                    count = counts[layer, row, col]
                    if count > 0:
                        free = -1
                        break
                    free += count < 0
                if free < needed:
                    continue
            for layer in range(bottom, top):
                if counts[layer, row, col] == 0:
                    counts[layer, row, col] = -1


def mark_robot_footprint(
    voxels: VoxelGrid, x: float, y: float, config: OccupancyConfig | None = None
) -> None:
    """Marks the space around the robot at map point (x, y) [m] as free where nothing was observed.

    Call it after integrating the image that was taken there. Unobserved voxels become weakly free (one hit makes them
    occupied) in the robot's footprint, and around it in columns whose upper part was seen to be free: a head camera
    does not see the floor at the robot's feet. Observed voxels do not change.
    """
    config = config or OccupancyConfig()
    blind = max(config.blind_radius, config.footprint_radius)
    voxels.cover(x - blind, y - blind, x + blind, y + blind)
    res, (x_min, y_min) = voxels.geometry.resolution, voxels.geometry.origin
    (row, col), (last_row, last_col) = (voxels.geometry.cell(x + d, y + d) for d in (-blind, blind))
    row0, col0 = voxels.geometry.row0 + row, voxels.geometry.col0 + col
    voxels.columns.changes.mark(voxels.columns.box(row0, col0, last_row + 1 - row, last_col + 1 - col))
    bottom, top = voxels.layer(config.ground_clearance), voxels.layer(config.robot_height)
    needed = max(1, int(np.ceil(config.blind_free_fraction * (top - bottom))))
    _presume_free(
        voxels.counts,
        (y - y_min) / res,
        (x - x_min) / res,
        config.footprint_radius / res,
        blind / res,
        bottom,
        top,
        needed,
    )
