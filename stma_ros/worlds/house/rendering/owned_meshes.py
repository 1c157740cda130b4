"""The meshes of everything that an image of a flat can show, each with the name of its owner."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.worlds.house.building import shell
from stma_ros.worlds.house.building.shell import CEILING, FLOOR, WALL
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.meshes import EMPTY, Mesh
from stma_ros.worlds.robot.scene import is_in_view
from stma_ros.worlds.robot.state import SceneState


@dataclass(frozen=True, eq=False)
class OwnedMesh:
    """An owner of pixels: its name, its lit mesh, and its luminous mesh, in the map frame."""

    name: str
    mesh: Mesh
    glow: Mesh = EMPTY


def owned_meshes(flat: Flat, state: SceneState) -> list[OwnedMesh]:
    """Returns the building and the things in view in a state, in an order that depends on the geometry alone."""
    things = [
        OwnedMesh(
            piece.name,
            piece.mesh(piece.name in state.open_names, piece.name in state.on_names),
            piece.glow(piece.name in state.on_names),
        )
        for piece in flat.furniture
    ]
    things += [OwnedMesh(door.name, door.mesh(door.name in state.open_names)) for door in flat.doors]
    for item in flat.items:
        if not is_in_view(flat, item, state):
            continue
        spot = state.spots[item.name]
        mesh = item.mesh_at(spot, full=item.name in state.full_names)
        things.append(OwnedMesh(item.name, mesh, item.glow_at(spot, on=item.name in state.on_names)))
    things.sort(key=lambda thing: thing.mesh.vertices.tobytes())
    building = [
        OwnedMesh(FLOOR, shell.floors(flat.layout)),
        OwnedMesh(CEILING, shell.ceilings(flat.layout)),
        OwnedMesh(WALL, shell.walls(flat.layout, flat.bare_doorways)),
    ]
    return building + things
