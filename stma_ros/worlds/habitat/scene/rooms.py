"""The rooms of a storey, by the scene's annotation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stma_ros.worlds.habitat.engine.scene_report import RegionReport
from stma_ros.worlds.habitat.scene.storey import Storey

_BODY = 0.5  # height above the floor that a room's box has to include [m]
_UNNAMED = "room"


@dataclass(frozen=True)
class Room:
    """A room. outline: corners (x, y) of its floor in the map [m]."""

    name: str
    category: str
    outline: tuple[tuple[float, float], ...]

    def holds(self, x: float, y: float) -> bool:
        """Whether the outline holds a point, by the number of edges that a ray along x crosses."""
        corners = np.array(self.outline)
        (x0, y0), (x1, y1) = corners.T, np.roll(corners, -1, axis=0).T
        crossed = (y0 > y) != (y1 > y)
        rise = np.where(crossed, y1 - y0, 1.0)
        return bool(np.count_nonzero(crossed & (x < x0 + (y - y0) / rise * (x1 - x0))) % 2)


def rooms_of(regions: Sequence[RegionReport], storey: Storey) -> tuple[Room, ...]:
    """Returns the annotated rooms on the storey that have an outline or a box."""
    rooms: list[Room] = []
    for region in regions:
        outline = _outline(region)
        if len(set(outline)) > 2 and _is_here(region, storey):
            rooms.append(Room(f"room_{len(rooms) + 1}", region.category or _UNNAMED, outline))
    return tuple(rooms)


def _outline(region: RegionReport) -> tuple[tuple[float, float], ...]:
    if region.outline:
        return tuple((x, -z) for x, z in region.outline)
    if region.box is None:
        return ()
    (x0, _, z0), (x1, _, z1) = region.box
    return (x0, -z1), (x1, -z1), (x1, -z0), (x0, -z0)


def _is_here(region: RegionReport, storey: Storey) -> bool:
    if region.box is None:
        return True
    low, high = (corner[1] - storey.height for corner in region.box)
    return low < _BODY < high
