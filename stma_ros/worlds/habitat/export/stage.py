"""Exports the building of a flat: its drawn surfaces and their labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stma_ros.worlds.habitat.axes import points_to_habitat
from stma_ros.worlds.habitat.export.grain import grained_floors
from stma_ros.worlds.habitat.export.shading import (
    FloatArray,
    Lamps,
    both_sides,
    facing,
    light_at_corners,
    refined,
    whole,
)
from stma_ros.worlds.house.building import shell
from stma_ros.worlds.house.building.layout import WALL_HEIGHT, Layout, Room
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.meshes import Mesh

_LONGEST_EDGE = (
    1.2  # longest edge of a triangle of walls and ceilings, at whose corners the light is computed [m]
)
_SPREAD = 0x9E3779  # odd, so that ids map to distinct colours


@dataclass(frozen=True, eq=False)
class Surface:
    """The surface of an annotated id: the floor, the walls or the ceiling of a room.

    Attributes:
        id: annotated id.
        category: label of the surface.
        room: index of the room.
        shape: the surface in the frame of the home, with as few triangles as possible.
        mesh: the drawn mesh of the surface in the frame of the home.
        light: (T, 3), at the corners of the triangles of `mesh`.
    """

    id: int
    category: str
    room: int
    shape: Mesh
    mesh: Mesh
    light: FloatArray

    @property
    def colour(self) -> int:
        """The colour 0xRRGGBB that encodes the id."""
        return self.id * _SPREAD & 0xFFFFFF


def surfaces_of(flat: Flat) -> tuple[Surface, ...]:
    """Returns the surfaces of the whole building; ids begin at 1.

    Floors are visible from above and ceilings from below, so that only floors are walkable: a navmesh is made of the
    drawn triangles, and would have the ceilings as another storey.
    """
    layout = flat.layout
    lamps = Lamps(layout)
    floors = facing(shell.floors(layout), up=True)
    walls = both_sides(whole(shell.walls(layout, flat.bare_doorways)))
    ceilings = facing(shell.ceilings(layout), up=False)
    drawn = (
        (shell.FLOOR, floors, facing(grained_floors(layout), up=True)),  # boards and tiles are fine enough
        (shell.WALL, walls, refined(walls, _LONGEST_EDGE)),
        (shell.CEILING, ceilings, refined(ceilings, _LONGEST_EDGE)),
    )
    parts = [
        (category, room, shape, mesh, light_at_corners(mesh, lamps, room))
        for category, *of_all in drawn
        for room, (shape, mesh) in enumerate(
            zip(*(_by_room(each, lamps, layout) for each in of_all), strict=True)
        )
    ]
    return tuple(Surface(number, *part) for number, part in enumerate(parts, start=1))


def drawn_surfaces(surfaces: Sequence[Surface]) -> dict[str, tuple[Mesh, FloatArray]]:
    """Returns the mesh of each surface by name, with the light (T, 3) at its corners. Surfaces are separate, as an
    engine culls rooms out of view."""
    return {f"{surface.category} {surface.room}": (surface.mesh, surface.light) for surface in surfaces}


def annotation_text(surfaces: Sequence[Surface]) -> str:
    """Returns the text file with the label of each colour, in the form of the HM3D data set."""
    lines = [f'{s.id},{s.colour:06X},"{s.category}",{s.room}' for s in surfaces]
    return "\n".join(["HM3D Semantic Annotations", *lines]) + "\n"


def regions(rooms: Sequence[Room]) -> list[Mapping[str, Any]]:
    """Returns the rooms as regions of a semantic configuration."""
    return [_region(number, room) for number, room in enumerate(rooms)]


def _region(number: int, room: Room) -> dict[str, Any]:
    points = points_to_habitat(np.array([(x, y, 0.0) for x, y in room.floor.corners]))
    low, high = points.min(axis=0), points.max(axis=0)
    return {
        "name": f"{number} {room.kind}",
        "label": room.kind,
        "poly_loop": points.tolist(),
        "floor_height": 0.0,
        "extrusion_height": WALL_HEIGHT,
        "min_bounds": low.tolist(),
        "max_bounds": [float(high[0]), WALL_HEIGHT, float(high[2])],
    }


def _by_room(mesh: Mesh, lamps: Lamps, layout: Layout) -> list[Mesh]:
    """Splits a mesh into the triangles in or next to each room."""
    nearest = lamps.nearest_room(mesh.vertices[mesh.triangles].mean(axis=1))
    return [
        Mesh(mesh.vertices, mesh.triangles[nearest == room], mesh.colours[nearest == room])
        for room in range(len(layout.rooms))
    ]
