"""Describes the objects of a data set in their `user_defined` fields, for readers without this package.

Only numbers, texts, truth values, three numbers in a row, and objects of those appear: habitat-sim reads nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stma_ros.worlds.habitat.axes import points_to_habitat
from stma_ros.worlds.house.building.doors import Door
from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.robot.scene import Shelf

_THICK = 0.001  # half the height of a surface's box [m]


def about_piece(flat: Flat, piece: Furniture) -> dict[str, Any]:
    return {
        "room": flat.layout.rooms[piece.room].kind,
        "room_index": piece.room,
        "opens": piece.opens,
        "device": piece.is_device,
        "tap": piece.is_tap,
        "container": piece.is_container,
        "portable": False,
        "colour": _numbers(piece.colours[0]),
    }


def about_door(flat: Flat, door: Door) -> dict[str, Any]:
    from_room, to_room = (flat.layout.rooms[room].kind for room in door.doorway.rooms)
    return {
        "joins": f"{from_room}, {to_room}",
        "opens": True,
        "portable": False,
        "colour": _numbers(door.colour),
    }


def about_item(flat: Flat, item: Item) -> dict[str, Any]:
    spot = flat.initial.spots[item.name]
    support = flat.furniture_by_name.get(flat.initial.base_of(item.name).support)
    room = support.room if support else flat.layout.room_at(spot.x, spot.y)
    return {
        "room": "" if room is None else flat.layout.rooms[room].kind,
        "room_index": -1 if room is None else room,
        "opens": False,
        "device": item.is_device,
        "vessel": item.is_vessel,
        "portable": True,
        "material": item.kind.material,
        "colour": _numbers(item.colour),
        "size": item.scale,
        "support": spot.support,
        "inside": spot.inside,
    }


def receptacles(on: Sequence[Shelf], inside: Sequence[Shelf]) -> dict[str, Any]:
    """Returns the surfaces on which objects can be placed, by habitat-lab's convention: boxes in the object's frame,
    `scale` half their extents. Two more fields give the clearance above [m], and whether the surface is inside."""
    described: dict[str, Any] = {}
    for where, shelves in (("on", on), ("inside", inside)):
        for number, shelf in enumerate(shelves):
            name = f"receptacle_aabb_{where}_{number}"
            x, y = shelf.area.centre
            described[name] = {
                "name": name,
                "position": points_to_habitat(np.array([[x, y, shelf.height + _THICK]]))[0].tolist(),
                "scale": [shelf.area.width / 2, _THICK, shelf.area.depth / 2],
                "clearance": float(shelf.clearance),
                "inside": where == "inside",
            }
    return described


def _numbers(colour: Sequence[int]) -> list[float]:
    """Returns sRGB values from 0 to 255."""
    return [float(share) for share in colour]
