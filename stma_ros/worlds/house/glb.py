"""Writes the flat as a binary glTF 2.0 file: one node for each thing, with its facts as `extras`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.gltf import GlbWriter
from stma_ros.worlds.house.building import shell
from stma_ros.worlds.house.building.doors import Door
from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.house.meshes import EMPTY, Mesh
from stma_ros.worlds.robot.state import ROBOT, SceneState
from stma_ros.worlds.robot.truth import fixture_states, item_states

_MATT: Final = {
    "name": "matt",
    "doubleSided": True,
    "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.9},
}
_Position = tuple[float, float, float]


def glb_bytes(flat: Flat, state: SceneState | None = None) -> bytes:
    """Returns the file's content: the flat in `state` (None = its initial state), without ceilings, so that rooms are
    visible from above.

    Metres; y is up and -z is the map's y, as in glTF. The nodes of the rooms hold the nodes of their things.
    """
    now = flat.initial if state is None else state
    writer = _Writer()
    rooms: list[list[int]] = [[] for _ in flat.layout.rooms]
    for piece in flat.furniture:
        is_open, on = piece.name in now.open_names, piece.name in now.on_names
        x, y = piece.placement.x, piece.placement.y
        node = writer.add(
            piece.name, (x, y, 0.0), piece.mesh(is_open, on), piece.glow(on), _about_piece(flat, piece, now)
        )
        rooms[piece.room].append(node)
    loose = [_add_item(writer, flat, item, now, rooms) for item in flat.items]
    building = [
        writer.add("floor", (0, 0, 0), shell.floors(flat.layout), EMPTY, {"category": "floor"}),
        writer.add(
            "wall", (0, 0, 0), shell.walls(flat.layout, flat.bare_doorways), EMPTY, {"category": "wall"}
        ),
    ]
    for door in flat.doors:
        at = (door.placement.x, door.placement.y, 0.0)
        building.append(
            writer.add(
                door.name, at, door.mesh(door.name in now.open_names), EMPTY, _about_door(flat, door, now)
            )
        )
    for index, (room, children) in enumerate(zip(flat.layout.rooms, rooms, strict=True)):
        about = {"category": "room", "kind": room.kind, "index": index}
        building.append(writer.add(f"{room.kind} {index}", (0, 0, 0), EMPTY, EMPTY, about, children))
    about = {"seed": flat.seed, "rooms": [room.kind for room in flat.layout.rooms]}
    root = writer.add(
        "flat", (0, 0, 0), EMPTY, EMPTY, about, building + [node for node in loose if node is not None]
    )
    return writer.packed(root)


def _add_item(
    writer: _Writer, flat: Flat, item: Item, state: SceneState, rooms: list[list[int]]
) -> int | None:
    """Adds the node of a small thing to its room's, or returns it where it has no room. A thing that the robot
    holds has an empty mesh at the origin."""
    spot = state.spots[item.name]
    on, base = item.name in state.on_names, state.base_of(item.name)
    held = base.support == ROBOT
    mesh = EMPTY if held else item.mesh_at(spot, full=item.name in state.full_names)
    glow = EMPTY if held else item.glow_at(spot, on=on)
    at = (0.0, 0.0, 0.0) if held else (spot.x, spot.y, spot.z)
    support = flat.furniture_by_name.get(base.support)
    room = support.room if support else None if held else flat.layout.room_at(spot.x, spot.y)
    node = writer.add(item.name, at, mesh, glow, _about_item(flat, item, state, room))
    if room is None:
        return node
    rooms[room].append(node)
    return None


def _about_piece(flat: Flat, piece: Furniture, state: SceneState) -> dict[str, Any]:
    return {
        "name": piece.name,
        "category": piece.category,
        "room": flat.layout.rooms[piece.room].kind,
        "states": list(fixture_states(piece, state)),
        "surface": bool(piece.shape.on),
        "receptacle": piece.is_receptacle,
        "tap": piece.kind.tap,
    }


def _about_door(flat: Flat, door: Door, state: SceneState) -> dict[str, Any]:
    joins = [flat.layout.rooms[room].kind for room in door.doorway.rooms]
    return {
        "name": door.name,
        "category": door.category,
        "joins": joins,
        "states": list(fixture_states(door, state)),
    }


def _about_item(flat: Flat, item: Item, state: SceneState, room: int | None) -> dict[str, Any]:
    spot = state.spots[item.name]
    return {
        "name": item.name,
        "category": item.category,
        "material": item.kind.material,
        "colour": list(item.colour),
        "scale": item.scale,
        "room": "" if room is None else flat.layout.rooms[room].kind,
        "support": spot.support,
        "inside": spot.inside,
        "states": list(item_states(item, state)),
    }


class _Writer:
    """Writes nodes of things that are placed in the map."""

    def __init__(self) -> None:
        self._file = GlbWriter()
        self._matt = self._file.material(_MATT)

    def add(
        self,
        name: str,
        at: _Position,
        mesh: Mesh,
        glow: Mesh,
        extras: dict[str, Any],
        children: Sequence[int] = (),
    ) -> int:
        """Returns the index of a new node at a place in the map frame; the meshes are in the map frame too."""
        primitives = []
        if len(mesh.triangles):
            linear = np.rint(_linear(mesh.colours) * 65535).astype(np.uint16)
            colours = np.concatenate([linear, np.full((len(linear), 1), 65535, np.uint16)], axis=1)
            shown = np.repeat(colours, 3, axis=0)
            primitives.append(self._file.primitive(_points(mesh, at), shown, material=self._matt))
        for colour in np.unique(glow.colours, axis=0):
            lit = Mesh(glow.vertices, glow.triangles[(glow.colours == colour).all(axis=1)], glow.colours)
            material = self._file.material(_glow(colour))
            primitives.append(self._file.primitive(_points(lit, at), material=material))
        place = _y_up(np.array([at]))[0].tolist() if primitives else None
        return self._file.node(name, primitives, at=place, children=children, extras=extras)

    def packed(self, root: int) -> bytes:
        return self._file.packed([root])


def _points(mesh: Mesh, origin: _Position) -> NDArray[np.float64]:
    """Returns the corners of the triangles one after another: without normals they are shaded flat."""
    return _y_up(mesh.vertices[mesh.triangles].reshape(-1, 3) - origin)


def _glow(colour: NDArray[np.uint8]) -> dict[str, Any]:
    """Returns the material of luminous parts of that colour."""
    base = {"baseColorFactor": [0.0, 0.0, 0.0, 1.0], "metallicFactor": 0.0}
    light = _linear(colour).round(4).tolist()
    return {"name": "glow", "doubleSided": True, "emissiveFactor": light, "pbrMetallicRoughness": base}


def _y_up(points: NDArray[np.float64]) -> NDArray[np.float64]:
    turned: NDArray[np.float64] = np.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=1)
    return turned


def _linear(colours: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Converts sRGB bytes to linear light [0..1], the form of glTF's vertex colours."""
    share = colours / 255.0
    light: NDArray[np.float64] = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return light
