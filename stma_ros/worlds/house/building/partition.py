"""Divides the floor of a flat into rooms: by repeated halving, or as two rows along a corridor."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from stma_ros.worlds.robot.geometry import ConvexPolygon, OrientedRect, Placement, Rect

WALL_THICKNESS = 0.12

# kind -> (least area, greatest area [m^2], least side [m])
ROOM_SIZES: dict[str, tuple[float, float, float]] = {
    "kitchen": (16.5, 22.0, 3.1),
    "living room": (18.0, 25.0, 3.4),
    "bedroom": (14.0, 18.0, 3.1),
    "bathroom": (8.5, 11.0, 2.3),
    "office": (11.0, 14.5, 2.8),
    "hallway": (8.0, 11.0, 2.0),
    "dining room": (14.0, 18.0, 3.0),
    "children's room": (13.0, 17.0, 3.1),
    "laundry room": (9.0, 11.5, 2.4),
    "storage room": (9.0, 12.0, 2.4),
}
_ALWAYS = ("kitchen", "living room", "bedroom")
_OPTIONAL = (
    "bathroom",
    "office",
    "hallway",
    "dining room",
    "children's room",
    "laundry room",
    "storage room",
    "bedroom",
    "bathroom",
)
_MOST_ELONGATED = 2.3  # greatest aspect ratio; only a hallway may be longer
_BATHROOM_SHARE = 0.6  # share of the flats with a bathroom before any other optional room except a corridor
_CORRIDOR_FROM = 7  # number of rooms from which a corridor is drawn; smaller flats rarely have one
_CORRIDOR_WIDTH = (1.9, 2.3)  # between the centre lines of the corridor's walls [m]


@dataclass(frozen=True)
class Wall:
    """The centre line of a wall, from one point to another [m]."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def frame(self) -> Placement:
        """The frame at its start with x along the wall."""
        return Placement(self.x0, self.y0, math.atan2(self.y1 - self.y0, self.x1 - self.x0))

    @property
    def length(self) -> float:
        return math.hypot(self.x1 - self.x0, self.y1 - self.y0)

    def piece(self, start: float, end: float) -> OrientedRect:
        """Returns the wall between two distances from its start, seen from above."""
        return self.frame.rect(Rect(start, -WALL_THICKNESS / 2, end, WALL_THICKNESS / 2))


@dataclass(frozen=True)
class Partition:
    """The area within the centre lines of the outer walls, its `cells` (kind of room, area up to the centre lines), and
    the walls between them."""

    inner: Rect
    cells: tuple[tuple[str, ConvexPolygon], ...]
    cuts: tuple[Wall, ...]


_Drawn = tuple[Rect, list[tuple[str, Rect]], list[Wall]]
"""The floor of the flat, its cells, and the walls between them, before they become a `Partition`."""


def draw_partition(rng: np.random.Generator, room_count: int) -> Partition | None:
    """Draws the rooms' kinds and places once; None when a room would be too narrow."""
    corridor = room_count >= _CORRIDOR_FROM or (room_count == _CORRIDOR_FROM - 1 and rng.random() < 0.4)
    kinds = _draw_kinds(rng, room_count, corridor)
    areas = [float(rng.uniform(*ROOM_SIZES[kind][:2])) for kind in kinds]
    rooms = [(kinds[k], areas[k]) for k in rng.permutation(room_count)]
    inner, cells, cuts = _along_corridor(rng, rooms) if corridor else _halved(rng, rooms)
    if not all(_is_habitable(kind, cell.grown(-WALL_THICKNESS / 2)) for kind, cell in cells):
        return None
    return Partition(inner, tuple((kind, ConvexPolygon.of(cell)) for kind, cell in cells), tuple(cuts))


def least_side(kind: str) -> float:
    """Returns the least length of a room's sides [m]."""
    least = ROOM_SIZES[kind][2]
    return min(least, _CORRIDOR_WIDTH[0] - WALL_THICKNESS) if kind == "hallway" else least


def _draw_kinds(rng: np.random.Generator, room_count: int, corridor: bool) -> list[str]:
    optional = [_OPTIONAL[k] for k in rng.permutation(len(_OPTIONAL))]
    wanted = (["hallway"] if corridor else []) + (["bathroom"] if rng.random() < _BATHROOM_SHARE else [])
    for kind in wanted:
        optional.remove(kind)
    optional = wanted + optional
    return [*_ALWAYS, *optional[: room_count - len(_ALWAYS)]]


def _is_habitable(kind: str, floor: Rect) -> bool:
    shorter, longer = sorted((floor.width, floor.depth))
    return shorter >= least_side(kind) and (kind == "hallway" or longer <= _MOST_ELONGATED * shorter)


def _halved(rng: np.random.Generator, rooms: list[tuple[str, float]]) -> _Drawn:
    total = sum(area for _, area in rooms)
    ratio = float(rng.uniform(1.0, 1.7))
    depth = (total / ratio) ** 0.5
    half = WALL_THICKNESS / 2
    inner = Rect(half, half, round(depth * ratio + half, 2), round(depth + half, 2))
    cells: list[tuple[str, Rect]] = []
    cuts: list[Wall] = []
    _cut(rng, inner, rooms, cells, cuts)
    return inner, cells, cuts


def _cut(
    rng: np.random.Generator,
    cell: Rect,
    rooms: list[tuple[str, float]],
    cells: list[tuple[str, Rect]],
    cuts: list[Wall],
) -> None:
    """Halves the cell across its longer side until each room has its own cell."""
    if len(rooms) == 1:
        cells.append((rooms[0][0], cell))
        return
    if len(rooms) == 3:  # the largest gets a whole side: beside it the smaller ones would be too long
        rooms = sorted(rooms, key=lambda room: -room[1])
    middle = 1 if len(rooms) < 4 else len(rooms) // 2
    if rng.random() < 0.5:
        rooms, middle = rooms[::-1], len(rooms) - middle
    share = sum(area for _, area in rooms[:middle]) / sum(area for _, area in rooms)
    if cell.width >= cell.depth:
        at = round(cell.x0 + share * cell.width, 2)
        cuts.append(Wall(at, cell.y0, at, cell.y1))
        first, second = Rect(cell.x0, cell.y0, at, cell.y1), Rect(at, cell.y0, cell.x1, cell.y1)
    else:
        at = round(cell.y0 + share * cell.depth, 2)
        cuts.append(Wall(cell.x0, at, cell.x1, at))
        first, second = Rect(cell.x0, cell.y0, cell.x1, at), Rect(cell.x0, at, cell.x1, cell.y1)
    _cut(rng, first, rooms[:middle], cells, cuts)
    _cut(rng, second, rooms[middle:], cells, cuts)


def _along_corridor(rng: np.random.Generator, rooms: list[tuple[str, float]]) -> _Drawn:
    """Returns a hallway from end to end, with the other rooms in a row on either side of it."""
    others = [room for room in rooms if room[0] != "hallway"]
    middle = (len(others) + int(rng.integers(2))) // 2
    rows = (others[:middle], others[middle:])
    half = WALL_THICKNESS / 2
    sums = [sum(area for _, area in row) for row in rows]
    length = round(max(sums) / float(rng.uniform(3.6, 4.6)), 2)
    width = round(float(rng.uniform(*_CORRIDOR_WIDTH)), 2)
    lower, upper = round(half + sums[0] / length, 2), round(half + sums[0] / length + width, 2)
    x0, x1, y0, y1 = half, round(half + length, 2), half, round(upper + sums[1] / length, 2)
    cells = [("hallway", Rect(x0, lower, x1, upper))]
    cuts = [Wall(x0, lower, x1, lower), Wall(x0, upper, x1, upper)]
    for row, (bottom, top) in zip(rows, ((y0, lower), (upper, y1)), strict=True):
        left, total, passed = x0, sum(area for _, area in row), 0.0
        for k, (kind, area) in enumerate(row):
            passed += area
            right = x1 if k == len(row) - 1 else round(x0 + length * passed / total, 2)
            if k:
                cuts.append(Wall(left, bottom, left, top))
            cells.append((kind, Rect(left, bottom, right, top)))
            left = right
    return Rect(x0, y0, x1, y1), cells, cuts
