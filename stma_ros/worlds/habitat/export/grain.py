"""Splits floors into boards and tiles as separate faces, with the pattern that the house paints onto its images."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.house.building import shell
from stma_ros.worlds.house.building.layout import Layout, Room
from stma_ros.worlds.house.building.room_templates import ROOM_TEMPLATES
from stma_ros.worlds.house.finish import (
    DARK_PLANK_JOINT,
    DARK_TILE_JOINT,
    PLANK,
    PLANK_JOINT,
    PLANK_SHIFT,
    TILE,
    TILE_JOINT,
    plank_shade,
    tile_shade,
)
from stma_ros.worlds.house.meshes import EMPTY, Colour, Mesh, merge
from stma_ros.worlds.robot.geometry import Rect

_BELOW = 0.002  # depth of the underlay seen through cracks between the faces [m]

_Piece = tuple[Rect, float]
"""A face and its brightness."""


def grained_floors(layout: Layout) -> Mesh:
    """Returns the floors of the house (see shell.floors) with their boards and tiles."""
    under = shell.floors(layout)
    lower = Mesh(under.vertices - (0.0, 0.0, _BELOW), under.triangles, under.colours)
    rooms = len(layout.rooms)
    sills = Mesh(under.vertices, under.triangles[2 * rooms :], under.colours[2 * rooms :])
    return merge([lower, sills, *(_room_floor(room) for room in layout.rooms)])


def _room_floor(room: Room) -> Mesh:
    template = ROOM_TEMPLATES[room.kind]
    pieces = list((_planks if template.pattern == "planks" else _tiles)(room.floor))
    if not pieces:
        return EMPTY
    corners = np.array(
        [[(r.x0, r.y0, 0.0), (r.x1, r.y0, 0.0), (r.x1, r.y1, 0.0), (r.x0, r.y1, 0.0)] for r, _ in pieces]
    )
    starts = 4 * np.arange(len(pieces))[:, None, None]
    triangles = (np.array([(0, 1, 2), (0, 2, 3)]) + starts).reshape(-1, 3)
    return Mesh(corners.reshape(-1, 3), triangles, _painted(template.floor, [share for _, share in pieces]))


def _painted(colour: Colour, shares: list[float]) -> NDArray[np.uint8]:
    """Returns the colours of the two triangles of each piece."""
    colours = np.minimum(np.outer(np.repeat(shares, 2), colour), 255)
    painted: NDArray[np.uint8] = np.rint(colours).astype(np.uint8)
    return painted


def _planks(floor: Rect) -> Iterator[_Piece]:
    length, width = PLANK
    for row in range(math.floor(floor.y0 / width), math.ceil(floor.y1 / width)):
        low, high = row * width, (row + 1) * width
        yield from _cut(floor, Rect(floor.x0, low, floor.x1, low + PLANK_JOINT), DARK_PLANK_JOINT)
        first = math.floor((floor.x0 + row * PLANK_SHIFT) / length)
        last = math.floor((floor.x1 + row * PLANK_SHIFT) / length)
        for board in range(first, last + 1):
            start = board * length - row * PLANK_SHIFT
            joint = Rect(start, low + PLANK_JOINT, start + PLANK_JOINT, high)
            yield from _cut(floor, joint, DARK_PLANK_JOINT)
            rest = Rect(start + PLANK_JOINT, low + PLANK_JOINT, start + length, high)
            yield from _cut(floor, rest, float(plank_shade(row, board)))


def _tiles(floor: Rect) -> Iterator[_Piece]:
    for row in range(math.floor(floor.y0 / TILE), math.ceil(floor.y1 / TILE)):
        low, high = row * TILE, (row + 1) * TILE
        yield from _cut(floor, Rect(floor.x0, low, floor.x1, low + TILE_JOINT), DARK_TILE_JOINT)
        for column in range(math.floor(floor.x0 / TILE), math.ceil(floor.x1 / TILE)):
            start = column * TILE
            joint = Rect(start, low + TILE_JOINT, start + TILE_JOINT, high)
            yield from _cut(floor, joint, DARK_TILE_JOINT)
            rest = Rect(start + TILE_JOINT, low + TILE_JOINT, start + TILE, high)
            yield from _cut(floor, rest, tile_shade((row + column) % 2))


def _cut(floor: Rect, piece: Rect, share: float) -> Iterator[_Piece]:
    """Yields the part of a piece that lies on the floor, if any."""
    cut = Rect(
        max(piece.x0, floor.x0), max(piece.y0, floor.y0), min(piece.x1, floor.x1), min(piece.y1, floor.y1)
    )
    if cut.x1 - cut.x0 > 1e-4 and cut.y1 - cut.y0 > 1e-4:
        yield cut, share
