"""Draws the rooms, walls and doorways of a flat from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stma_ros.worlds.house.building.partition import WALL_THICKNESS, Partition, Wall, draw_partition
from stma_ros.worlds.robot.geometry import Rect

WALL_HEIGHT = 2.5
DOOR_HEIGHT = 2.05
ROOM_COUNTS = range(3, 11)
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
    floor: Rect


@dataclass(frozen=True)
class Doorway:
    """An opening through a wall: the indices of the two rooms, and the floor within the wall."""

    rooms: tuple[int, int]
    opening: Rect
    along_x: bool  # the wall runs along x, the passage along y


@dataclass(frozen=True)
class Layout:
    """The empty flat. `bounds` includes the outer walls; `walls` are the solid pieces seen from above."""

    bounds: Rect
    rooms: tuple[Room, ...]
    doorways: tuple[Doorway, ...]
    walls: tuple[Rect, ...]

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
    # A draw fails when a room is too narrow: one draw in five (four rooms) to three hundred (six) succeeds, and each
    # takes a tenth of a millisecond.
    while True:
        partition = draw_partition(rng, room_count)
        layout = None if partition is None else _with_doorways(rng, partition)
        if layout is not None:
            return layout


def _with_doorways(rng: np.random.Generator, partition: Partition) -> Layout | None:
    doorways = _doorways(rng, partition.cells)
    if doorways is None:
        return None
    inner, half = partition.inner, WALL_THICKNESS / 2
    outer = [
        Wall(True, inner.y0, inner.x0 - half, inner.x1 + half),
        Wall(True, inner.y1, inner.x0 - half, inner.x1 + half),
        Wall(False, inner.x0, inner.y0 - half, inner.y1 + half),
        Wall(False, inner.x1, inner.y0 - half, inner.y1 + half),
    ]
    walls = [wall.piece(wall.start, wall.end) for wall in outer]
    for cut in partition.cuts:
        walls += _solid_pieces(cut, doorways)
    rooms = tuple(Room(kind, cell.grown(-half)) for kind, cell in partition.cells)
    return Layout(inner.grown(half), rooms, tuple(doorways), tuple(walls))


def _doorways(rng: np.random.Generator, cells: Sequence[tuple[str, Rect]]) -> list[Doorway] | None:
    """Returns a spanning tree of the cheapest doorways and a few more; None when the rooms cannot all be connected."""
    candidates = []
    for i in range(len(cells)):
        for j in range(i + 1, len(cells)):
            wall = _shared_wall(cells[i][1], cells[j][1])
            width = round(float(rng.uniform(0.9, 1.0)), 2)
            if wall is not None and wall.end - wall.start > width + 2 * _CORNER_MARGIN:
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
            start = round(
                float(rng.uniform(wall.start + _CORNER_MARGIN, wall.end - _CORNER_MARGIN - width)), 2
            )
            doorways.append(Doorway((i, j), wall.piece(start, start + width), wall.along_x))
    return doorways if len(set(group)) == 1 else None


def _shared_wall(a: Rect, b: Rect) -> Wall | None:
    if a.x1 == b.x0 or b.x1 == a.x0:
        start, end = max(a.y0, b.y0), min(a.y1, b.y1)
        return Wall(False, a.x1 if a.x1 == b.x0 else a.x0, start, end) if end > start else None
    if a.y1 == b.y0 or b.y1 == a.y0:
        start, end = max(a.x0, b.x0), min(a.x1, b.x1)
        return Wall(True, a.y1 if a.y1 == b.y0 else a.y0, start, end) if end > start else None
    return None


def _solid_pieces(wall: Wall, doorways: list[Doorway]) -> list[Rect]:
    whole = wall.piece(wall.start, wall.end)
    openings = sorted(
        (d.opening.x0, d.opening.x1) if wall.along_x else (d.opening.y0, d.opening.y1)
        for d in doorways
        if d.along_x == wall.along_x and whole.grown(1e-9).covers(d.opening)
    )
    pieces, start = [], wall.start
    for low, high in openings:
        pieces.append(wall.piece(start, low))
        start = high
    pieces.append(wall.piece(start, wall.end))
    return pieces
