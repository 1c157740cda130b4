"""Plain forms of a given size, for kinds of things of which no more is known than how large they are, and roughly
their shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.worlds.house.kinds import palette as p
from stma_ros.worlds.house.kinds.item_shapes.basic import cup_shape, folded, packet
from stma_ros.worlds.house.meshes import Colour, Mesh, ball, box, lathe, merge, slab
from stma_ros.worlds.robot.geometry import Rect
from stma_ros.worlds.robot.scene import Shelf

Size: TypeAlias = "tuple[float, float, float]"
"""Depth (x), width (y) and height (z) [m]."""

_WALL = 0.012  # of an open box [m]
_CONTENT = 0.1  # depth of what is filled: things in an open box are visible over its rim [m]
_LAYER, _LAYERS = 0.08, 3  # height [m] and number of the layers of things in an open box
_OPEN = 1.0  # clearance of a place without anything above it [m]


@dataclass(frozen=True)
class PlainForm:
    """A form of any size: its mesh, and the places on and in it."""

    build: Callable[[Size, Colour], Mesh]
    on: Callable[[Size], Shelf] | None = None
    inside: Callable[[Size], tuple[Shelf, ...]] | None = None
    lit: Callable[[Size, Colour], Mesh] | None = None


def _packet(size: Size, c: Colour) -> Mesh:
    return packet(*size, c, p.WHITE if c != p.WHITE else p.BLUE)


def _flat(size: Size, c: Colour) -> Mesh:
    depth, width, height = size
    edge = (0.9 * depth, 0.9 * width, height)
    return merge([box((0, 0, height / 2), size, c), box((0, 0, height / 2 + 0.001), edge, p.TAN)])


def _cloth(size: Size, c: Colour) -> Mesh:
    return folded(*size, c, p.WHITE if c != p.WHITE else p.GREY)


def _lump(size: Size, c: Colour) -> Mesh:
    depth, width, height = size
    body = ball((0, 0, height / 2), height / 2, c)
    return Mesh(body.vertices * (depth / height, width / height, 1.0), body.triangles, body.colours)


def _disc(size: Size, c: Colour) -> Mesh:
    radius, height = size[0] / 2, size[2]
    return lathe([(0, 0), (radius, 0), (radius, height), (0, height)], c, 18)


def _bottle(size: Size, c: Colour) -> Mesh:
    radius, height = size[0] / 2, size[2]
    neck = 0.38 * radius
    profile = [
        (0, 0),
        (radius, 0),
        (radius, 0.62 * height),
        (neck, 0.8 * height),
        (neck, height),
        (0, height),
    ]
    label = lathe([(radius + 0.001, 0.2 * height), (radius + 0.001, 0.5 * height)], p.WHITE)
    return merge([lathe(profile, c), label])


def _jar(size: Size, c: Colour) -> Mesh:
    radius, height = size[0] / 2, size[2]
    lid = lathe([(0.9 * radius, 0.85 * height), (0.9 * radius, height), (0, height)], p.STEEL)
    return merge([lathe([(0, 0), (radius, 0), (radius, 0.85 * height), (0, 0.85 * height)], c), lid])


def _bag(size: Size, c: Colour) -> Mesh:
    depth, width, height = size
    return merge(
        [
            box((0, 0, 0.45 * height), (depth, width, 0.9 * height), c),
            box((0, 0, 0.95 * height), (0.3 * depth, width, 0.1 * height), c),
            box((0, 0, 0.5 * height), (depth + 0.002, 0.6 * width, 0.4 * height), p.WHITE),
        ]
    )


def _stick(size: Size, c: Colour) -> Mesh:
    depth, width, height = size
    end = box((0, 0.4 * width, height / 2), (depth + 0.002, 0.2 * width, height), p.TAN)
    return merge([box((0, 0, height / 2), size, c), end])


def _open_box(size: Size, c: Colour) -> Mesh:
    depth, width, height = size
    floor = _floor(size)
    x, y = depth / 2, width / 2
    walls = [
        slab((-x, -y, floor), (-x + _WALL, y, height), c),
        slab((x - _WALL, -y, floor), (x, y, height), c),
        slab((-x, -y, floor), (x, -y + _WALL, height), c),
        slab((-x, y - _WALL, floor), (x, y, height), c),
    ]
    return merge([slab((-x, -y, 0), (x, y, floor), c), *walls])


def _floor(size: Size) -> float:
    """Returns the height of the floor of an open box, which is filled if it is deep [m]."""
    return max(0.01, size[2] - _CONTENT)


def _in_box(size: Size) -> tuple[Shelf, ...]:
    x, y = size[0] / 2 - _WALL, size[1] / 2 - _WALL
    return _heap(Rect(-x, -y, x, y), _floor(size))


def _heap(area: Rect, floor: float) -> tuple[Shelf, ...]:
    """Returns the layers of a heap of things: there is no end to what can be piled up in a box, within reason."""
    return tuple(Shelf(area, floor + layer * _LAYER, _OPEN) for layer in range(_LAYERS))


def _round_tub(size: Size, c: Colour) -> Mesh:
    radius, height = size[0] / 2, size[2]
    return merge([cup_shape(0.85 * radius, radius, height, c), _disc((1.7 * radius, 0, _floor(size)), c)])


def _in_tub(size: Size) -> tuple[Shelf, ...]:
    half = 0.65 * size[0] / 2
    return _heap(Rect(-half, -half, half, half), _floor(size))


def _dish(size: Size, c: Colour) -> Mesh:
    radius, height = size[0] / 2, size[2]
    return lathe([(0, 0), (0.6 * radius, 0), (radius, height), (0.95 * radius, height), (0, 0.4 * height)], c)


def _on_dish(size: Size) -> Shelf:
    half = 0.75 * size[0] / 2
    return Shelf(Rect(-half, -half, half, half), size[2], _OPEN)


def _on_disc(size: Size) -> Shelf:
    half = 0.7 * size[0] / 2
    return Shelf(Rect(-half, -half, half, half), size[2], _OPEN)


def _on_top(size: Size) -> Shelf:
    x, y = size[0] / 2, size[1] / 2
    return Shelf(Rect(-x, -y, x, y), size[2], _OPEN)


def _board(size: Size, c: Colour) -> Mesh:
    return box((0, 0, size[2] / 2), size, c)


def _device(size: Size, c: Colour) -> Mesh:
    depth, width, height = size
    foot = box((0, 0, 0.03 * height), (0.9 * depth, 0.9 * width, 0.06 * height), p.BLACK)
    return merge([box((0, 0, 0.53 * height), (depth, width, 0.94 * height), c), foot])


def _display(size: Size, c: Colour) -> Mesh:
    depth, width, height = size
    return box((depth / 2, 0, 0.7 * height), (0.006, 0.5 * width, 0.3 * height), p.SCREEN)


FORMS: dict[str, PlainForm] = {
    "packet": PlainForm(_packet, on=_on_top),
    "flat": PlainForm(_flat, on=_on_top),
    "cloth": PlainForm(_cloth, on=_on_top),
    "board": PlainForm(_board, on=_on_top),
    "lump": PlainForm(_lump),
    "disc": PlainForm(_disc, on=_on_disc),
    "bottle": PlainForm(_bottle),
    "jar": PlainForm(_jar),
    "bag": PlainForm(_bag),
    "stick": PlainForm(_stick, on=_on_top),
    "open box": PlainForm(_open_box, inside=_in_box),
    "tub": PlainForm(_round_tub, inside=_in_tub),
    "dish": PlainForm(_dish, on=_on_dish),
    "device": PlainForm(_device, on=_on_top, lit=_display),
}
"""The forms by name. Things can be put on those that are flat on top, and into those that are open there."""
