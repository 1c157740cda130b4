"""The building: what of it is drawn, and what each surface of it is called."""

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
from stma_ros.worlds.house.building.layout import WALL_HEIGHT, Room
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.meshes import Mesh, merge

_LONGEST_EDGE = 0.6  # between places where the light is worked out [m]
_SPREAD = 0x9E3779  # odd: no two ids get the same colour


@dataclass(frozen=True, eq=False)
class Surface:
    """What an annotated id of the building stands for: the floor, the walls or the ceiling of a room (its index), in
    the map frame, and the light (T, 3) at the corners of its triangles."""

    id: int
    category: str
    room: int
    mesh: Mesh
    light: FloatArray

    @property
    def colour(self) -> int:
        """0xRRGGBB that stands for the id."""
        return self.id * _SPREAD & 0xFFFFFF


def surfaces_of(flat: Flat) -> tuple[Surface, ...]:
    """The whole building; ids from 1.

    Floors are seen from above and ceilings from below, so that one stands on floors alone: a navmesh is made of what
    is drawn, and would have the ceilings as another storey.
    """
    layout = flat.layout
    lamps = Lamps(layout)
    meshes = (
        (shell.FLOOR, facing(grained_floors(layout), up=True)),
        (shell.WALL, both_sides(whole(shell.walls(layout, flat.bare_doorways)))),
        (shell.CEILING, facing(shell.ceilings(layout), up=False)),
    )
    parts = [
        (category, room, mesh, light_at_corners(mesh, lamps, room))
        for category, mesh_of_all in meshes
        for room, mesh in enumerate(_by_room(refined(mesh_of_all, _LONGEST_EDGE), lamps, len(layout.rooms)))
    ]
    return tuple(Surface(number, *part) for number, part in enumerate(parts, start=1))


def drawn_surfaces(surfaces: Sequence[Surface]) -> dict[str, tuple[Mesh, FloatArray]]:
    """The mesh of each category, and the light (T, 3) at its corners."""
    by_category: dict[str, list[Surface]] = {}
    for surface in surfaces:
        by_category.setdefault(surface.category, []).append(surface)
    return {
        category: (merge(part.mesh for part in parts), np.concatenate([part.light for part in parts]))
        for category, parts in by_category.items()
    }


def annotation_text(surfaces: Sequence[Surface]) -> str:
    """The text file that says what each colour stands for, in the form of the HM3D data set."""
    lines = [f'{s.id},{s.colour:06X},"{s.category}",{s.room}' for s in surfaces]
    return "\n".join(["HM3D Semantic Annotations", *lines]) + "\n"


def regions(rooms: Sequence[Room]) -> list[Mapping[str, Any]]:
    """The rooms as regions of a semantic configuration."""
    return [_region(number, room) for number, room in enumerate(rooms)]


def _region(number: int, room: Room) -> dict[str, Any]:
    floor = room.floor
    loop = [(floor.x0, floor.y0), (floor.x1, floor.y0), (floor.x1, floor.y1), (floor.x0, floor.y1)]
    points = points_to_habitat(np.array([(x, y, 0.0) for x, y in loop]))
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


def _by_room(mesh: Mesh, lamps: Lamps, rooms: int) -> list[Mesh]:
    """The triangles in or next to each room."""
    nearest = lamps.nearest_room(mesh.vertices[mesh.triangles].mean(axis=1))
    return [
        Mesh(mesh.vertices, mesh.triangles[nearest == room], mesh.colours[nearest == room])
        for room in range(rooms)
    ]
