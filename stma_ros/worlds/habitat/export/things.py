"""Splits the objects of a flat into the parts shown in every state and in one state only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from stma_ros.types import vocabulary as words
from stma_ros.worlds.habitat.export.drawn import glowing, lit_both_sides
from stma_ros.worlds.habitat.export.metadata import about_door, about_item, about_piece, receptacles
from stma_ros.worlds.habitat.export.shading import Lamps, facing
from stma_ros.worlds.house.building.doors import Door
from stma_ros.worlds.house.building.layout import DOOR_HEIGHT
from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.house.meshes import Mesh, merge, quad
from stma_ros.worlds.robot.geometry import OrientedRect, Placement
from stma_ros.worlds.robot.scene import is_in_view
from stma_ros.worlds.robot.state import SceneState

BODY: Final = "body"
_LAYER = 0.3  # height of a layer in a solid box [m]
_NO_COLOUR = (0, 0, 0)


@dataclass(frozen=True, eq=False)
class Part:
    """A piece of a thing, in the thing's frame.

    Attributes:
        state: the state in which it is shown; empty = in all.
        mesh: the drawn mesh.
        solids: boxes that the base collides with, above the footprint of the thing. A part with boxes is static; a part
            without can be moved and passed through.
    """

    state: str
    mesh: Mesh
    solids: tuple[Mesh, ...] = ()

    @property
    def label(self) -> str:
        return self.state or BODY


@dataclass(frozen=True, eq=False)
class Thing:
    """A piece of furniture, a door or a small thing.

    Attributes:
        name: name in the flat.
        category: category of the thing.
        position: origin of its frame at first, in the map [m].
        yaw: yaw of its frame at first, in the map [rad].
        parts: its parts.
        visible: whether it is in nothing that is closed.
        about: `user_defined` fields of all its parts.
        surfaces: `user_defined` fields of the first part, with its receptacles.
    """

    name: str
    category: str
    position: tuple[float, float, float]
    yaw: float
    parts: tuple[Part, ...]
    visible: bool
    about: Mapping[str, Any]
    surfaces: Mapping[str, Any]


def states_now(name: str, state: SceneState) -> frozenset[str]:
    """Returns the states that the thing of that name is in, if it has states at all."""
    return frozenset(
        (
            words.STATE_OPEN if name in state.open_names else words.STATE_CLOSED,
            words.STATE_ON if name in state.on_names else words.STATE_OFF,
            words.STATE_FULL if name in state.full_names else words.STATE_EMPTY,
        )
    )


def things_of(flat: Flat) -> Iterator[Thing]:
    """Yields all things of the flat except the building."""
    lamps = Lamps(flat.layout)
    for piece in flat.furniture:
        yield _piece(flat, piece, lamps)
    for door in flat.doors:
        yield _door(flat, door, lamps)
    for item in flat.items:
        yield _item(flat, item, lamps)


def _piece(flat: Flat, piece: Furniture, lamps: Lamps) -> Thing:
    shape, place = piece.shape, piece.placement

    def lit(mesh: Mesh) -> Mesh:
        return lit_both_sides(mesh, lamps, place)

    parts = _parts(
        Part("", lit(shape.body), _solids(piece.obstacles(False), place, piece.box.high)),
        Part(words.STATE_CLOSED, lit(shape.shut)),
        Part(words.STATE_OPEN, lit(shape.open)),
        Part(words.STATE_OFF, merge([lit(piece.switched(False)), glowing(piece.shining(False))])),
        Part(words.STATE_ON, merge([lit(piece.switched(True)), glowing(piece.shining(True))])),
    )
    surfaces = receptacles(shape.on, shape.inside)
    at = (place.x, place.y, 0.0)
    return Thing(piece.name, piece.category, at, place.yaw, parts, True, about_piece(flat, piece), surfaces)


def _door(flat: Flat, door: Door, lamps: Lamps) -> Thing:
    place = door.placement
    jambs = door.obstacles(False)[:-1]  # the last is the leaf

    def lit(mesh: Mesh) -> Mesh:
        return lit_both_sides(_local(mesh, place), lamps, place)

    parts = _parts(
        Part("", lit(door.frame), _solids(jambs, place, DOOR_HEIGHT)),
        Part(words.STATE_CLOSED, lit(door.leaf_mesh(open_=False))),
        Part(words.STATE_OPEN, lit(door.leaf_mesh(open_=True))),
    )
    at = (place.x, place.y, 0.0)
    return Thing(door.name, door.category, at, place.yaw, parts, True, about_door(flat, door), {})


def _item(flat: Flat, item: Item, lamps: Lamps) -> Thing:
    """Returns an item, lit as at its first place."""
    spot = flat.initial.spots[item.name]

    def lit(mesh: Mesh) -> Mesh:
        return lit_both_sides(mesh.scaled(item.scale), lamps, Placement(spot.x, spot.y, spot.yaw), spot.z)

    parts = _parts(
        Part("", lit(item.body)),
        Part(words.STATE_FULL, lit(item.liquid)),
        Part(words.STATE_OFF, glowing(item.shining(False).scaled(item.scale))),
        Part(words.STATE_ON, glowing(item.shining(True).scaled(item.scale))),
    )
    at = (spot.x, spot.y, spot.z)
    visible = is_in_view(flat, item, flat.initial)
    return Thing(item.name, item.category, at, spot.yaw, parts, visible, about_item(flat, item), {})


def _parts(*parts: Part) -> tuple[Part, ...]:
    """Returns the parts with a mesh that is not empty."""
    return tuple(part for part in parts if len(part.mesh.triangles))


def _local(mesh: Mesh, place: Placement) -> Mesh:
    """Converts a mesh of the map to the frame at `place`."""
    return mesh.placed(-place.x, -place.y).placed(0.0, 0.0, 0.0, -place.yaw)


def _solids(obstacles: Sequence[OrientedRect], place: Placement, height: float) -> tuple[Mesh, ...]:
    return tuple(_local(_box_on(obstacle, height), place) for obstacle in obstacles)


def _box_on(obstacle: OrientedRect, height: float) -> Mesh:
    """Returns a box of that height [m] over an obstacle, in the frame of the home.

    A navmesh is made of surfaces only. For it to end at the box, neither inside nor above, the top and the layers
    within face down, as nothing that faces down is walkable.
    """
    x, y = obstacle.half_x, obstacle.half_y
    corners = [(-x, -y), (x, -y), (x, y), (-x, y)]
    sides = [
        quad([(*a, 0.0), (*b, 0.0), (*b, height), (*a, height)], _NO_COLOUR)
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
    ]
    levels = [
        quad([(*corner, float(level)) for corner in corners], _NO_COLOUR)
        for level in np.linspace(height, 0.0, max(1, int(height / _LAYER)), endpoint=False)
    ]
    standing = merge([*sides, facing(merge(levels), up=False)])
    return standing.placed(obstacle.x, obstacle.y, 0.0, obstacle.yaw)
