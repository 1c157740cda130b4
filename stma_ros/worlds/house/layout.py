"""Rooms, walls and doorways of a flat, from a seed: a rectangle cut into rooms, each cut a wall with
doorways."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stma_ros.worlds.house.geometry import Rect

WALL_THICKNESS = 0.12
WALL_HEIGHT = 2.5
DOOR_HEIGHT = 2.05
_CORNER_MARGIN = 0.3  # between a doorway and the centre lines of the walls that it lies between [m]

# kind -> (least area, greatest area [m^2], least side [m])
ROOM_SIZES: dict[str, tuple[float, float, float]] = {
    "kitchen": (15.0, 20.0, 2.9),
    "living room": (18.0, 25.0, 3.4),
    "bedroom": (14.0, 18.0, 3.1),
    "bathroom": (8.0, 10.5, 2.3),
    "study": (10.0, 14.0, 2.7),
    "hallway": (8.0, 11.0, 2.0),
    "dining room": (14.0, 18.0, 3.0),
}
_ALWAYS = ("kitchen", "living room", "bedroom")
_OPTIONAL = ("bathroom", "study", "hallway", "dining room")
_MOST_ELONGATED = 2.3  # longer rooms look like corridors; only the hallway may be one
# A doorway costs the sum of its rooms' values: people pass through halls and living rooms, not through
# bathrooms.
_PRIVACY = {
    "hallway": 0.0,
    "living room": 0.5,
    "dining room": 1.0,
    "kitchen": 1.0,
    "study": 2.0,
    "bedroom": 2.5,
    "bathroom": 4.0,
}


@dataclass(frozen=True)
class Room:
    """A room: its kind ("kitchen") and the floor between its walls."""

    kind: str
    floor: Rect


@dataclass(frozen=True)
class Doorway:
    """An opening through a wall: the two rooms (indices) and the floor within the wall."""

    rooms: tuple[int, int]
    opening: Rect
    along_x: bool  # the wall runs along x, one passes along y


@dataclass(frozen=True)
class Layout:
    """The empty flat. `bounds` includes the outer walls; `walls` are the solid pieces seen from above."""

    bounds: Rect
    rooms: tuple[Room, ...]
    doorways: tuple[Doorway, ...]
    walls: tuple[Rect, ...]

    def room_at(self, x: float, y: float) -> int | None:
        """Index of the room whose floor holds the point; None within walls, doorways and outside."""
        return next((k for k, room in enumerate(self.rooms) if room.floor.contains(x, y)), None)


@dataclass(frozen=True)
class _Wall:
    """The centre line of a wall: at `at` on one axis, from `start` to `end` on the other."""

    along_x: bool
    at: float
    start: float
    end: float

    def piece(self, start: float, end: float) -> Rect:
        half = WALL_THICKNESS / 2
        if self.along_x:
            return Rect(start, self.at - half, end, self.at + half)
        return Rect(self.at - half, start, self.at + half, end)


def make_layout(rng: np.random.Generator, room_count: int) -> Layout:
    """A flat of `room_count` rooms (3 to 6), all connected by doorways.

    Raises:
        ValueError: `room_count` is out of range.
    """
    if not 3 <= room_count <= 6:
        raise ValueError(f"a flat has 3 to 6 rooms, not {room_count}")
    # A draw fails when a room is too narrow: one in five (four rooms) to three hundred (six) succeeds, each
    # takes a tenth of a millisecond.
    while True:
        layout = _draw(rng, room_count)
        if layout is not None:
            return layout


def _draw(rng: np.random.Generator, room_count: int) -> Layout | None:
    extra = rng.permutation(len(_OPTIONAL))[: room_count - len(_ALWAYS)]
    kinds = list(_ALWAYS) + [_OPTIONAL[k] for k in sorted(extra)]
    areas = [float(rng.uniform(*ROOM_SIZES[kind][:2])) for kind in kinds]
    order = rng.permutation(room_count)
    rooms_to_place = [(kinds[k], areas[k]) for k in order]
    ratio = float(rng.uniform(1.0, 1.7))
    depth = (sum(areas) / ratio) ** 0.5
    half = WALL_THICKNESS / 2
    inner = Rect(half, half, round(depth * ratio + half, 2), round(depth + half, 2))
    cells: list[tuple[str, Rect]] = []
    cuts: list[_Wall] = []
    _cut(rng, inner, rooms_to_place, cells, cuts)
    if not all(_habitable(kind, cell.grown(-half)) for kind, cell in cells):
        return None
    doorways = _doorways(rng, cells)
    if doorways is None:
        return None
    outer = [
        _Wall(True, inner.y0, inner.x0 - half, inner.x1 + half),
        _Wall(True, inner.y1, inner.x0 - half, inner.x1 + half),
        _Wall(False, inner.x0, inner.y0 - half, inner.y1 + half),
        _Wall(False, inner.x1, inner.y0 - half, inner.y1 + half),
    ]
    walls = [wall.piece(wall.start, wall.end) for wall in outer]
    for cut in cuts:
        walls += _solid_pieces(cut, doorways)
    rooms = tuple(Room(kind, cell.grown(-half)) for kind, cell in cells)
    return Layout(inner.grown(half), rooms, tuple(doorways), tuple(walls))


def _cut(
    rng: np.random.Generator,
    cell: Rect,
    rooms: list[tuple[str, float]],
    cells: list[tuple[str, Rect]],
    cuts: list[_Wall],
) -> None:
    """Halve the cell across its longer side until each room has its own."""
    if len(rooms) == 1:
        cells.append((rooms[0][0], cell))
        return
    if len(rooms) == 3:  # the largest takes a whole side: the smaller ones would become corridors there
        rooms = sorted(rooms, key=lambda room: -room[1])
    middle = 1 if len(rooms) < 4 else len(rooms) // 2
    if rng.random() < 0.5:
        rooms, middle = rooms[::-1], len(rooms) - middle
    share = sum(area for _, area in rooms[:middle]) / sum(area for _, area in rooms)
    if cell.width >= cell.depth:
        at = round(cell.x0 + share * cell.width, 2)
        cuts.append(_Wall(False, at, cell.y0, cell.y1))
        first, second = Rect(cell.x0, cell.y0, at, cell.y1), Rect(at, cell.y0, cell.x1, cell.y1)
    else:
        at = round(cell.y0 + share * cell.depth, 2)
        cuts.append(_Wall(True, at, cell.x0, cell.x1))
        first, second = Rect(cell.x0, cell.y0, cell.x1, at), Rect(cell.x0, at, cell.x1, cell.y1)
    _cut(rng, first, rooms[:middle], cells, cuts)
    _cut(rng, second, rooms[middle:], cells, cuts)


def _habitable(kind: str, floor: Rect) -> bool:
    shorter, longer = sorted((floor.width, floor.depth))
    return shorter >= ROOM_SIZES[kind][2] and (kind == "hallway" or longer <= _MOST_ELONGATED * shorter)


def _doorways(rng: np.random.Generator, cells: list[tuple[str, Rect]]) -> list[Doorway] | None:
    """A spanning tree of the cheapest doorways and a few more; None when the rooms cannot all be
    connected."""
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
        if new or (cost < 3.0 and rng.random() < 0.4):
            start = round(
                float(rng.uniform(wall.start + _CORNER_MARGIN, wall.end - _CORNER_MARGIN - width)), 2
            )
            doorways.append(Doorway((i, j), wall.piece(start, start + width), wall.along_x))
    return doorways if len(set(group)) == 1 else None


def _shared_wall(a: Rect, b: Rect) -> _Wall | None:
    if a.x1 == b.x0 or b.x1 == a.x0:
        start, end = max(a.y0, b.y0), min(a.y1, b.y1)
        return _Wall(False, a.x1 if a.x1 == b.x0 else a.x0, start, end) if end > start else None
    if a.y1 == b.y0 or b.y1 == a.y0:
        start, end = max(a.x0, b.x0), min(a.x1, b.x1)
        return _Wall(True, a.y1 if a.y1 == b.y0 else a.y0, start, end) if end > start else None
    return None


def _solid_pieces(wall: _Wall, doorways: list[Doorway]) -> list[Rect]:
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
