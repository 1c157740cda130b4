"""Turns an inner wall of a flat, so that it is not at right angles to the others."""

from __future__ import annotations

import math

import numpy as np

from stma_ros.worlds.house.building.partition import WALL_THICKNESS, Partition, Wall, least_side
from stma_ros.worlds.robot.geometry import ConvexPolygon

_ANGLES = (5.0, 15.0)  # [degrees]
_ATTEMPTS = 3  # of each wall
_NARROW = 0.85  # least width of the narrow end of a trapezoid, as a share of that of a rectangular room
_EXACT = 1e-6  # [m]


def with_turned_wall(rng: np.random.Generator, partition: Partition) -> Partition | None:
    """Returns the partition with one inner wall turned about its middle by 5 to 15 degrees, so that the rooms on both
    sides are trapezoids; None when each wall would make a room too narrow."""
    for _ in range(_ATTEMPTS):
        for k in rng.permutation(len(partition.cuts)):
            angle = math.radians(float(rng.uniform(*_ANGLES))) * (1 if rng.random() < 0.5 else -1)
            turned = _turned(partition, partition.cuts[int(k)], angle)
            if _is_habitable(turned):
                return turned
    return None


def _is_habitable(partition: Partition) -> bool:
    for kind, cell in partition.cells:
        narrowest = min(length for _, length in cell.grown(-WALL_THICKNESS / 2).sides)
        if narrowest < _NARROW * least_side(kind):
            return False
    return True


def _turned(partition: Partition, wall: Wall, angle: float) -> Partition:
    """Turns a wall by an angle [rad]. Its ends slide along the walls that they meet, and so do the ends of the walls
    that meet it."""
    frame, length, slope = wall.frame, wall.length, math.tan(angle)

    def moved(x: float, y: float) -> tuple[float, float]:
        along, _ = frame.local(x, y)
        return frame.point(along, slope * (along - length / 2))

    def is_on(x: float, y: float, margin: float) -> bool:
        along, across = frame.local(x, y)
        return abs(across) < _EXACT and -margin < along < length + margin

    cells = []
    for kind, cell in partition.cells:
        on = [is_on(*corner, _EXACT) for corner in cell.corners]
        if sum(on) == 2:  # a room that only meets an end of the wall keeps its corners
            corners = (moved(*corner) if at else corner for corner, at in zip(cell.corners, on, strict=True))
            cell = ConvexPolygon(tuple(corners))
        cells.append((kind, cell))
    cuts = []
    for other in partition.cuts:
        margin = _EXACT if other == wall else -_EXACT
        start, end = (
            moved(x, y) if is_on(x, y, margin) else (x, y)
            for x, y in ((other.x0, other.y0), (other.x1, other.y1))
        )
        cuts.append(Wall(*start, *end))
    return Partition(partition.inner, tuple(cells), tuple(cuts))
