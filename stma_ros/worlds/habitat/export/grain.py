"""Splits floors into boards and tiles as separate faces, with the pattern that the house paints onto its images."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

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
from stma_ros.worlds.house.meshes import Colour, Mesh, merge
from stma_ros.worlds.robot.geometry import ConvexPolygon, Rect

_BELOW = 0.002  # depth of the underlay seen through cracks between the faces [m]

_Piece = tuple[Sequence[tuple[float, float]], float]
"""The corners of a face, and its brightness."""


def grained_floors(layout: Layout) -> Mesh:
    """Returns the floors of the house (see shell.floors) with their boards and tiles."""
    under = shell.floors(layout)
    lower = Mesh(under.vertices - (0.0, 0.0, _BELOW), under.triangles, under.colours)
    rooms = len(layout.rooms)
    sills = Mesh(under.vertices, under.triangles[2 * rooms :], under.colours[2 * rooms :])
    return merge([lower, sills, *(_room_floor(room) for room in layout.rooms)])


def _room_floor(room: Room) -> Mesh:
    template = ROOM_TEMPLATES[room.kind]
    pieces = (_planks if template.pattern == "planks" else _tiles)(room.floor)
    return merge(_face(corners, _shaded(template.floor, share)) for corners, share in pieces)


def _face(corners: Sequence[tuple[float, float]], colour: NDArray[np.uint8]) -> Mesh:
    """Returns a convex face on the floor."""
    triangles = np.array([(0, k, k + 1) for k in range(1, len(corners) - 1)])
    vertices = np.array([(x, y, 0.0) for x, y in corners])
    return Mesh(vertices, triangles, np.tile(colour, (len(triangles), 1)))


def _shaded(colour: Colour, share: float) -> NDArray[np.uint8]:
    shaded: NDArray[np.uint8] = np.rint(np.minimum(np.multiply(share, colour), 255)).astype(np.uint8)
    return shaded


def _planks(area: ConvexPolygon) -> Iterator[_Piece]:
    length, width = PLANK
    floor = area.bounds
    for row in range(math.floor(floor.y0 / width), math.ceil(floor.y1 / width)):
        low, high = row * width, (row + 1) * width
        yield from _cut(area, Rect(floor.x0, low, floor.x1, low + PLANK_JOINT), DARK_PLANK_JOINT)
        first = math.floor((floor.x0 + row * PLANK_SHIFT) / length)
        last = math.floor((floor.x1 + row * PLANK_SHIFT) / length)
        for board in range(first, last + 1):
            start = board * length - row * PLANK_SHIFT
            joint = Rect(start, low + PLANK_JOINT, start + PLANK_JOINT, high)
            yield from _cut(area, joint, DARK_PLANK_JOINT)
            rest = Rect(start + PLANK_JOINT, low + PLANK_JOINT, start + length, high)
            yield from _cut(area, rest, float(plank_shade(row, board)))


def _tiles(area: ConvexPolygon) -> Iterator[_Piece]:
    floor = area.bounds
    for row in range(math.floor(floor.y0 / TILE), math.ceil(floor.y1 / TILE)):
        low, high = row * TILE, (row + 1) * TILE
        yield from _cut(area, Rect(floor.x0, low, floor.x1, low + TILE_JOINT), DARK_TILE_JOINT)
        for column in range(math.floor(floor.x0 / TILE), math.ceil(floor.x1 / TILE)):
            start = column * TILE
            joint = Rect(start, low + TILE_JOINT, start + TILE_JOINT, high)
            yield from _cut(area, joint, DARK_TILE_JOINT)
            rest = Rect(start + TILE_JOINT, low + TILE_JOINT, start + TILE, high)
            yield from _cut(area, rest, tile_shade((row + column) % 2))


def _cut(floor: ConvexPolygon, piece: Rect, share: float) -> Iterator[_Piece]:
    """Yields the part of a piece that lies on the floor, if any."""
    part = floor.clipped(piece)
    if part is not None and min(part.bounds.width, part.bounds.depth) > 1e-4:
        yield part.corners, share
