"""The building: what of it is drawn, and what each surface of it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stma_ros.worlds.habitat.axes import points_to_habitat
from stma_ros.worlds.habitat.export.drawn import lit_both_sides
from stma_ros.worlds.habitat.export.shading import facing, shaded
from stma_ros.worlds.house.building import shell
from stma_ros.worlds.house.building.layout import WALL_HEIGHT, Layout, Room
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.meshes import Mesh, merge

_SPREAD = 0x9E3779  # odd: no two ids get the same colour


@dataclass(frozen=True, eq=False)
class Surface:
    """What an annotated id of the building stands for: the floor, the walls or the ceiling of a room (its index), in
    the map frame."""

    id: int
    category: str
    room: int
    mesh: Mesh

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
    meshes = (
        (shell.FLOOR, shaded(facing(shell.floors(layout), up=True))),
        (shell.WALL, lit_both_sides(shell.walls(layout, flat.bare_doorways))),
        (shell.CEILING, shaded(facing(shell.ceilings(layout), up=False))),
    )
    parts = [
        (category, room, mesh)
        for category, whole in meshes
        for room, mesh in enumerate(_by_room(whole, layout))
    ]
    return tuple(Surface(number, *part) for number, part in enumerate(parts, start=1))


def drawn_surfaces(surfaces: Sequence[Surface]) -> dict[str, Mesh]:
    """The mesh of each category."""
    categories = dict.fromkeys(surface.category for surface in surfaces)
    return {
        category: merge(surface.mesh for surface in surfaces if surface.category == category)
        for category in categories
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


def _by_room(mesh: Mesh, layout: Layout) -> list[Mesh]:
    """The triangles in or next to each room."""
    middles = mesh.vertices[mesh.triangles].mean(axis=1)
    nearest = np.array(
        [np.argmin([room.floor.distance(x, y) for room in layout.rooms]) for x, y, _ in middles]
    )
    return [
        Mesh(mesh.vertices, mesh.triangles[nearest == room], mesh.colours[nearest == room])
        for room in range(len(layout.rooms))
    ]
