"""Chooses where something can be put down on the floor next to a thing: where the map is free, close to the thing, and
within reach of the robot."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.library.scene.free_places import APART, FailedPlace
from stma_ros.mapping.distance import Mask, clearance
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.occupancy import FREE, OCCUPIED, OccupancySlice
from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.boxes import Box
from stma_ros.memory.placement import ON_FLOOR
from stma_ros.types.standard import Point, Pose

_LEAST, _MOST = 0.45, 1.3  # distances of the place from the base: beyond its rim, within the arm's reach [m]
_GAP = 0.1  # free space to the thing that is preferred, since its box is an estimate [m]
_FARTHEST = 0.25  # with more between them, they are not next to each other for sure [m]
_STRETCH = 0.2  # cost of each metre from the base [m]
_STEP = 0.05  # spacing of the places that are considered [m]
_TAKEN_NEAR = 0.2  # nearer places than this to one that was tried in vain are not free either [m]
_FLAT = 0.05  # what is not higher, such as a rug, is no obstacle to standing there [m]

_Values = NDArray[np.float64]


@dataclass(frozen=True)
class Within:
    """Where on the floor a place has to be.

    Attributes:
        cells: (rows, cols) those where it may be.
        geometry: where they lie.
    """

    cells: Mask
    geometry: GridGeometry


def stands_on_floor(underside: float, floors: Iterable[float]) -> bool:
    """Returns whether a thing with its underside at a height stands on one of the floors of a building [m]."""
    return any(abs(underside - floor) <= ON_FLOOR for floor in floors)


def choose_floor_place(
    thing: Box,
    occupancy: OccupancySlice,
    floor: float,
    size: Sequence[float],
    others: Sequence[Box],
    robot: tuple[float, float],
    failed: Sequence[FailedPlace] = (),
    room: Within | None = None,
) -> Pose | None:
    """Returns the best place on the floor next to a thing.

    Args:
        thing: its box.
        occupancy: the slice of the map in which the robot drives.
        floor: height of the floor [m].
        size: sides of what is put down [m]: longer horizontal side, shorter one, height.
        others: boxes of what else is known to be near the floor.
        robot: (x, y) of the base in the map frame [m].
        failed: places that were tried in vain.
        room: where the place has to be; None = anywhere.

    Returns:
        The pose of the middle of its underside, with the yaw of the thing; None where nothing is free.
    """
    radius = math.hypot(size[0], size[1]) / 2
    count = math.ceil(_MOST / _STEP)
    steps = np.arange(-count, count + 1) * _STEP
    places: _Values = np.stack(np.meshgrid(*(steps + at for at in robot), indexing="ij"), axis=-1)
    places = places.reshape(-1, 2)
    away = np.hypot(*(places - robot).T)
    usable = (away >= max(_LEAST, radius + _LEAST / 2)) & (away <= _MOST)
    for past in failed:
        usable &= np.hypot(*(places - past.at[:2]).T) > _TAKEN_NEAR
    places, away = places[usable], away[usable]
    (gap,) = BoxArray.of([thing]).gaps(_standing(places, size, thing))
    usable = (gap >= APART) & (gap <= _FARTHEST)
    places, away, gap = places[usable], away[usable], gap[usable]
    free = _are_free(places, radius, occupancy) & _are_in_sight(places, robot, occupancy)
    if room is not None:
        free &= room.geometry.marked(room.cells, places)
    high = [box for box in others if box.extent[2] > _FLAT]
    if high:
        free &= (BoxArray.of(high).gaps(_standing(places, size, thing)) >= APART).all(axis=0)
    if not free.any():
        return None
    cost = np.where(free, np.abs(gap - _GAP) + _STRETCH * away, np.inf)
    x, y = places[int(cost.argmin())].tolist()
    return Pose.upright(Point(x, y, floor), thing.yaw)


def _standing(places: _Values, size: Sequence[float], thing: Box) -> BoxArray:
    """Returns boxes of a size at places (N, 2), in line with a thing and at its height: gaps to it are horizontal."""
    count = len(places)
    heights = np.full((count, 1), thing.middle[2])
    extent = np.array([size[0], size[1], thing.extent[2]])
    return BoxArray(
        np.concatenate([places, heights], axis=1), np.tile(extent, (count, 1)), np.full(count, thing.yaw)
    )


def _are_free(places: _Values, radius: float, occupancy: OccupancySlice) -> NDArray[np.bool_]:
    """Returns (N,) whether all floor within a radius of each place is known to be free [m]."""
    geometry = occupancy.geometry
    if not len(places):
        return np.zeros(0, np.bool_)
    margin = math.ceil(radius / geometry.resolution) + 2
    rows, cols, _ = geometry.cells_at(places)
    first_row, first_col = max(int(rows.min()) - margin, 0), max(int(cols.min()) - margin, 0)
    window = occupancy.data[
        first_row : int(rows.max()) + margin + 1, first_col : int(cols.max()) + margin + 1
    ]
    room = clearance(np.pad(window != FREE, 1, constant_values=True), geometry.resolution)
    rows, cols = rows - first_row + 1, cols - first_col + 1
    inside = (rows >= 0) & (rows < room.shape[0]) & (cols >= 0) & (cols < room.shape[1])
    free = np.zeros(len(places), np.bool_)
    # From a cell's centre to the edge of the nearest one that is not free.
    free[inside] = room[rows[inside], cols[inside]] - geometry.resolution / 2 > radius
    return free


def _are_in_sight(
    places: _Values, robot: tuple[float, float], occupancy: OccupancySlice
) -> NDArray[np.bool_]:
    """Returns (N,) whether nothing stands between the base and each place, as a wall would."""
    shares = np.linspace(0.0, 1.0, math.ceil(2 * _MOST / occupancy.geometry.resolution))
    lines = np.array(robot) + shares[:, None, None] * (places - robot)
    crossed = occupancy.geometry.marked(occupancy.data == OCCUPIED, lines)
    return np.logical_not(crossed.any(axis=0), dtype=np.bool_)
