"""Room segmentation: free space is divided where it narrows to a doorway.

The division is made at wall height, above tables, beds and chairs. Cells farther from any wall than half a door are the
core of a room; cores grow until they meet, which is in the doorways.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.spatial import ConvexHull

from stma_ros.mapping.distance import STEPS, Mask, clearance, distance_field
from stma_ros.mapping.grid import Cells, GridGeometry
from stma_ros.mapping.occupancy import FREE, OCCUPIED, OccupancySlice
from stma_ros.mapping.tracking import RegionIds, RegionTracker, share_of_smaller
from stma_ros.types.jit import kernel

Labels = NDArray[np.int16]
"""(rows, cols) int16 numbers 1, 2, ... within one segmentation; 0 = no room."""
RoomIds = NDArray[np.int32]
"""(rows, cols) int32 ids, which are never used twice; 0 = no room."""


@dataclass(frozen=True)
class RoomConfig:
    """Sizes of doors and rooms."""

    door_width: float = 1.0  # [m] openings up to this width part two rooms
    min_core_area: float = 0.1  # [m^2] smaller hearts are noise
    min_area: float = 2.0  # [m^2] smaller rooms join the neighbour that they touch most, or are dropped
    min_opening: float = 0.4  # [m] rooms that meet along less are not open to one another


@dataclass(frozen=True)
class Room:
    """A room. Positions are (x, y) in the map frame [m]."""

    id: int
    area: float  # [m^2] of its known part
    centroid: tuple[float, float]  # of its cells; outside the room if that is bent
    polygon: tuple[tuple[float, float], ...]  # convex footprint, counter-clockwise
    openings: int  # other rooms that it is seen to open into


@dataclass(frozen=True)
class RoomMap:
    """The rooms of a map.

    Attributes:
        labels: (rows, cols) int32, read-only, ids of rooms; 0 = no room.
        geometry: where the cells lie.
        rooms: sorted by id.
    """

    labels: RoomIds
    geometry: GridGeometry
    rooms: tuple[Room, ...]  # by id


@kernel
def _grow(labels: Labels, mask: Mask) -> None:
    """Grows the labels over `mask`, one cell a step, all at the same speed."""
    rows, cols = labels.shape
    queue = np.empty(rows * cols, np.int32)
    count = 0
    for row in range(rows):
        for col in range(cols):
            if labels[row, col] > 0:
                queue[count] = row * cols + col
                count += 1
    done = 0
    while done < count:
        row, col = divmod(queue[done], cols)
        done += 1
        for step in range(4):
            r, c = row + STEPS[step, 0], col + STEPS[step, 1]
            if 0 <= r < rows and 0 <= c < cols and mask[r, c] and labels[r, c] == 0:
                labels[r, c] = labels[row, col]
                queue[count] = r * cols + c
                count += 1


def segment_rooms(
    navigable: OccupancySlice, walls: OccupancySlice, config: RoomConfig | None = None
) -> Labels:
    """Segments rooms.

    A room is free at wall height or on the floor and has no wall. Distances are measured to walls only, so unknown
    space never looks like a doorway.

    Args:
        navigable, walls: two slices of one voxel grid.
        config: sizes of doors and rooms.

    Returns:
        Labels 1, 2, ... in the order of the grid's rows; 0 = no room.
    """
    config = config or RoomConfig()
    resolution = walls.geometry.resolution
    solid = walls.data == OCCUPIED
    inside = ((walls.data == FREE) | (navigable.data == FREE)) & ~solid
    half_door = (
        config.door_width + resolution
    ) / 2.0  # clearance counts from the centers of the walls' cells
    cores = inside & (clearance(solid, resolution) > half_door)
    cores = _drop_small(cores, config.min_core_area / resolution**2)
    # A corridor no wider than a door has no core: it is farther from all cores than any corner is.
    remote = inside & (distance_field(inside, np.argwhere(cores), resolution) > half_door * 1.6)
    cores |= _drop_small(remote, config.min_area / 2.0 / resolution**2)
    labels = ndimage.label(cores)[0].astype(np.int16)
    _grow(labels, inside)
    return _merge_small(labels, config.min_area / resolution**2)


def _drop_small(mask: Mask, min_cells: float) -> Mask:
    labels, _ = ndimage.label(mask)
    large = np.bincount(labels.ravel(), minlength=1) >= min_cells
    large[0] = False
    remaining: Mask = large[labels]
    return remaining


def _merge_small(labels: Labels, min_cells: float) -> Labels:
    sizes = np.bincount(labels.ravel(), minlength=1)
    contacts = _contacts(labels, len(sizes))
    target = np.arange(len(sizes))
    for label in sorted(range(1, len(sizes)), key=lambda label: (int(sizes[label]), label)):
        if sizes[label] >= min_cells:
            continue
        neighbour = int(contacts[label].argmax()) if contacts[label].any() else 0
        target[target == label] = neighbour
        sizes[neighbour] += sizes[label]
        contacts[neighbour] += contacts[label]
        contacts[:, neighbour] += contacts[:, label]
        contacts[neighbour, neighbour] = contacts[0] = contacts[:, 0] = contacts[label] = contacts[
            :, label
        ] = 0
    _, compact = np.unique(target, return_inverse=True)  # target[0] is 0, so no room stays 0
    merged: Labels = compact.astype(np.int16)[labels]
    return merged


def _contacts(labels: Labels, count: int) -> NDArray[np.int64]:
    """Returns (count, count) the number of cell edges that two labels share."""
    sides = [(labels[:-1], labels[1:]), (labels[:, :-1], labels[:, 1:])]
    contacts = np.zeros((count, count), np.int64)
    for one, other in sides:
        meet = (one != other) & (one > 0) & (other > 0)
        np.add.at(contacts, (one[meet], other[meet]), 1)
    both: NDArray[np.int64] = contacts + contacts.T
    return both


def _polygon(cells: Cells, geometry: GridGeometry) -> tuple[tuple[float, float], ...]:
    """Returns the convex hull of the cells' corners, which has an area even for one cell."""
    rows, first = np.unique(cells[:, 0], return_index=True)  # cells come row by row: their ends span the hull
    ends = np.append(first[1:], len(cells)) - 1
    corners = [
        (row + up, col)
        for up in (0, 1)
        for row, col in (
            *zip(rows, cells[first, 1], strict=True),
            *zip(rows, cells[ends, 1] + 1, strict=True),
        )
    ]
    points = (np.array(corners, np.float64)[:, ::-1] + (geometry.col0, geometry.row0)) * geometry.resolution
    hull = ConvexHull(points)
    return tuple((float(x), float(y)) for x, y in points[hull.vertices])


class RoomTracker:
    """Assigns ids to rooms that last while the map grows; of a divided room the larger part keeps the id."""

    def __init__(self, min_share: float = 0.5, ids: RegionIds | None = None) -> None:
        # The smaller part of a divided room lies in it wholly, while the larger part grows as it is explored: by
        # similarity, the smaller one would have the id.
        self.regions = RegionTracker(share_of_smaller, min_share, ids, largest_first=True)

    def update(
        self, navigable: OccupancySlice, walls: OccupancySlice, config: RoomConfig | None = None
    ) -> RoomMap:
        """Returns the rooms of `segment_rooms` with their ids."""
        config = config or RoomConfig()
        geometry = walls.geometry
        labels = segment_rooms(navigable, walls, config)
        cells = np.argwhere(labels).astype(np.int32)
        owner = labels[labels > 0]
        ends = np.cumsum(np.bincount(owner, minlength=1)[1:])
        regions = np.split(cells[np.argsort(owner, kind="stable")], ends[:-1]) if len(ends) else []
        ids = self.regions.update([geometry.global_keys(region) for region in regions])
        meets = _contacts(labels, len(regions) + 1) >= config.min_opening / geometry.resolution
        rooms = []
        for room_id, region, openings in zip(ids, regions, meets.sum(axis=1)[1:].tolist(), strict=True):
            x, y = geometry.centers(region).mean(axis=0).tolist()
            area = len(region) * geometry.resolution**2
            rooms.append(Room(room_id, area, (x, y), _polygon(region, geometry), openings))
        relabelled: RoomIds = np.array([0, *ids], np.int32)[labels]
        relabelled.setflags(write=False)
        return RoomMap(relabelled, geometry, tuple(sorted(rooms, key=lambda room: room.id)))
