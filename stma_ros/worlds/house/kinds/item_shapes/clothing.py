"""Builds clothes, bags and bedding."""

from __future__ import annotations

from stma_ros.worlds.house.kinds.item_shapes.basic import folded
from stma_ros.worlds.house.kinds.palette import BLACK, BROWN, STEEL, TAN, WHITE
from stma_ros.worlds.house.meshes import Colour, Mesh, box, lathe, merge, rod


def shoe(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.012), (0.28, 0.1, 0.024), WHITE),
            box((0.06, 0, 0.045), (0.15, 0.095, 0.045), c),
            box((-0.07, 0, 0.07), (0.13, 0.09, 0.1), c),
        ]
    )


def hat(c: Colour) -> Mesh:
    return merge(
        [
            rod(0, 0, 0, 0.015, 0.16, c, 16),
            lathe([(0.095, 0.015), (0.085, 0.12), (0, 0.13)], c, 16),
            rod(0, 0, 0.015, 0.045, 0.097, BLACK, 16),
        ]
    )


def bag(c: Colour) -> Mesh:
    return merge(
        [
            box((0, 0, 0.12), (0.14, 0.32, 0.24), c),
            box((0, 0, 0.3), (0.02, 0.16, 0.02), BROWN),
            box((0, 0.08, 0.27), (0.02, 0.02, 0.08), BROWN),
            box((0, -0.08, 0.27), (0.02, 0.02, 0.08), BROWN),
        ]
    )


def backpack(c: Colour) -> Mesh:
    return merge(
        [
            box((-0.01, 0, 0.16), (0.14, 0.26, 0.32), c),
            box((0.08, 0, 0.1), (0.05, 0.2, 0.16), c),
            box((0.106, 0, 0.15), (0.003, 0.18, 0.012), STEEL),
            box((0.061, 0, 0.26), (0.004, 0.22, 0.012), STEEL),
            box((-0.01, 0, 0.33), (0.02, 0.08, 0.02), BLACK),
        ]
    )


def wallet(c: Colour) -> Mesh:
    return merge(
        [box((0, 0, 0.016), (0.1, 0.13, 0.032), c), box((0.03, 0, 0.033), (0.02, 0.03, 0.003), STEEL)]
    )


def shirt(c: Colour) -> Mesh:
    return merge([folded(0.24, 0.28, 0.06, c, c), box((0.06, 0, 0.061), (0.05, 0.12, 0.006), WHITE)])


def trousers(c: Colour) -> Mesh:
    return merge([folded(0.3, 0.22, 0.07, c, c), box((-0.12, 0, 0.071), (0.03, 0.2, 0.006), BROWN)])


def towel(c: Colour) -> Mesh:
    return folded(0.24, 0.32, 0.09, c, WHITE)


def blanket(c: Colour) -> Mesh:
    return folded(0.32, 0.38, 0.12, c, TAN)


def pillow(c: Colour) -> Mesh:
    return merge([box((0, 0, 0.055), (0.26, 0.38, 0.07), c), box((0, 0, 0.055), (0.21, 0.32, 0.11), c)])


def cushion(c: Colour) -> Mesh:
    return merge([box((0, 0, 0.06), (0.32, 0.32, 0.08), c), box((0, 0, 0.06), (0.27, 0.27, 0.12), c)])
