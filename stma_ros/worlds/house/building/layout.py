"""Draws the rooms, walls and doorways of a flat from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stma_ros.worlds.house.building.partition import WALL_THICKNESS, Partition, Wall, draw_partition
from stma_ros.worlds.house.building.turned_wall import with_turned_wall
from stma_ros.worlds.robot.geometry import ConvexPolygon, OrientedRect, Rect

WALL_HEIGHT = 2.5
DOOR_HEIGHT = 2.05
ROOM_COUNTS = range(3, 11)
_TURNED_SHARE = 0.2  # share of the flats with an inner wall that is not at right angles
_EXACT = 1e-6  # [m]
_CORNER_MARGIN = 0.3  # distance between a doorway and the centre lines of the adjoining walls [m]
_EXTRA_COST, _EXTRA_SHARE = 3.0, 0.4  # doorways that close a loop: greatest cost, and their share
# A doorway costs the sum of its rooms' values: people pass through halls and living rooms, not through bathrooms.
_PRIVACY = {
    "hallway": 0.0,
    "living room": 0.5,
    "dining room": 1.0,
    "kitchen": 1.0,
    "office": 2.0,
    "bedroom": 2.5,
    "children's room": 2.5,
    "laundry room": 3.0,
    "storage room": 3.0,
    "bathroom": 4.0,
}


@dataclass(frozen=True)
class Room:
    """A room: its kind ("kitchen") and the floor between its walls."""

    kind: str
    floor: ConvexPolygon


@dataclass(frozen=True)
class Doorway:
    """An opening through a wall: the indices of the two rooms, and the floor within the wall, with x along the wall."""

    rooms: tuple[int, int]
    opening: OrientedRect


@dataclass(frozen=True)
class Layout:
    """The empty flat. `bounds` includes the outer walls; `walls` are the solid pieces seen from above."""

    bounds: Rect
    rooms: tuple[Room, ...]
    doorways: tuple[Doorway, ...]
    walls: tuple[OrientedRect, ...]

    def room_at(self, x: float, y: float) -> int | None:
        """Returns the index of the room whose floor holds the point; None within walls and doorways, and outside."""
        return next((k for k, room in enumerate(self.rooms) if room.floor.contains(x, y)), None)


def make_layout(rng: np.random.Generator, room_count: int) -> Layout:
    """Draws a flat of `room_count` rooms (3 to 10), all connected by doorways.

    Raises:
        ValueError: `room_count` is out of range.
    """
    if room_count not in ROOM_COUNTS:
        raise ValueError(f"a flat has 3 to 10 rooms, not {room_count}")
    own = rng.spawn(1)[0]  # a random stream of its own: other flats do not depend on turned walls
    turned = bool(own.random() < _TURNED_SHARE)
    # A draw fails when a room is too narrow: one draw in five (four rooms) to three hundred (six) succeeds, and each
    # takes a tenth of a millisecond.
    while True:
        partition = draw_partition(rng, room_count)
        if partition is not None and turned:
            partition = with_turned_wall(own, partition)
        layout = None if partition is None else _with_doorways(rng, partition)
        if layout is not None:
            return layout


def _with_doorways(rng: np.random.Generator, partition: Partition) -> Layout | None:
    doorways = _doorways(rng, partition.cells)
    if doorways is None:
        return None
    inner, half = partition.inner, WALL_THICKNESS / 2
    outer = [
        Wall(inner.x0 - half, inner.y0, inner.x1 + half, inner.y0),
        Wall(inner.x0 - half, inner.y1, inner.x1 + half, inner.y1),
        Wall(inner.x0, inner.y0 - half, inner.x0, inner.y1 + half),
        Wall(inner.x1, inner.y0 - half, inner.x1, inner.y1 + half),
    ]
    walls = [wall.piece(0.0, wall.length) for wall in outer]
    for cut in partition.cuts:
        walls += _solid_pieces(cut, doorways)
    rooms = tuple(Room(kind, cell.grown(-half)) for kind, cell in partition.cells)
    return Layout(inner.grown(half), rooms, tuple(doorways), tuple(walls))


def _doorways(rng: np.random.Generator, cells: Sequence[tuple[str, ConvexPolygon]]) -> list[Doorway] | None:
    """Returns a spanning tree of the cheapest doorways and a few more; None when the rooms cannot all be connected."""
    candidates = []
    for i in range(len(cells)):
        for j in range(i + 1, len(cells)):
            wall = _shared_wall(cells[i][1], cells[j][1])
            width = round(float(rng.uniform(0.9, 1.0)), 2)
            if wall is not None and wall.length > width + 2 * _CORNER_MARGIN:
                cost = _PRIVACY[cells[i][0]] + _PRIVACY[cells[j][0]] + float(rng.uniform(0.0, 1.5))
                candidates.append((cost, i, j, wall, width))
    candidates.sort(key=lambda candidate: candidate[:3])
    group = list(range(len(cells)))
    doorways = []
    for cost, i, j, wall, width in candidates:
        new = group[i] != group[j]
        if new:
            group = [group[i] if g == group[j] else g for g in group]
        if new or (cost < _EXTRA_COST and rng.random() < _EXTRA_SHARE):
            start = round(float(rng.uniform(_CORNER_MARGIN, wall.length - _CORNER_MARGIN - width)), 2)
            doorways.append(Doorway((i, j), wall.piece(start, start + width)))
    return doorways if len(set(group)) == 1 else None


def _shared_wall(a: ConvexPolygon, b: ConvexPolygon) -> Wall | None:
    for side, length in a.sides:
        local = [side.local(*corner) for corner in b.corners]
        touching = [along for along, across in local if abs(across) < _EXACT]
        if len(touching) == 2:
            start, end = max(0.0, min(touching)), min(length, max(touching))
            if end > start:
                low, high = sorted([side.point(start, 0.0), side.point(end, 0.0)])
                return Wall(*low, *high)
    return None


def _solid_pieces(wall: Wall, doorways: Sequence[Doorway]) -> list[OrientedRect]:
    openings = []
    for opening in (doorway.opening for doorway in doorways):
        along, across = wall.frame.local(*opening.centre)
        if abs(across) < _EXACT and 0.0 < along < wall.length:
            openings.append((along - opening.half_x, along + opening.half_x))
    pieces, start = [], 0.0
    for low, high in sorted(openings):
        pieces.append(wall.piece(start, low))
        start = high
    pieces.append(wall.piece(start, wall.length))
    return pieces
