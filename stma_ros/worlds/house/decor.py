"""How plants, lamps, rugs and other furnishings that fill a room are built."""

from __future__ import annotations

import math

from stma_ros.worlds.house.meshes import Colour, ball, box, lathe, merge, rod
from stma_ros.worlds.house.shapes import DARK, Shape, Size, open_shelf


def plant(size: Size, main: Colour, second: Colour) -> Shape:
    width, height = size[1], size[2]
    pot = lathe([(0, 0), (width * 0.28, 0), (width * 0.38, 0.28), (0, 0.28)], second)
    leaves = [
        ball(
            (
                width * 0.22 * math.cos(2.4 * k),
                width * 0.22 * math.sin(2.4 * k),
                0.45 + (height - 0.65) * k / 5,
            ),
            width * 0.27,
            main,
            8,
        )
        for k in range(6)
    ]
    return Shape(merge([pot, rod(0, 0, 0.28, height - 0.2, 0.02, (110, 80, 50)), *leaves]))


def floor_lamp(size: Size, main: Colour, second: Colour) -> Shape:
    width, height = size[1], size[2]
    return Shape(
        merge(
            [
                rod(0, 0, 0, 0.03, width * 0.4, second),
                rod(0, 0, 0.03, height - 0.25, 0.015, second),
                lathe(
                    [(0, height - 0.3), (width / 2, height - 0.3), (width * 0.32, height), (0, height)], main
                ),
            ]
        )
    )


def rug(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, height = size
    return Shape(
        merge(
            [
                box((0, 0, height / 2), (depth, width, height), main),
                box((0, 0, height / 2 + 0.001), (depth - 0.24, width - 0.24, height), second),
                box((0, 0, height / 2 + 0.002), (depth - 0.36, width - 0.36, height), main),
            ]
        )
    )


def basket(size: Size, main: Colour, second: Colour) -> Shape:
    width, height = size[1], size[2]
    r = width / 2
    return Shape(
        merge(
            [
                lathe(
                    [(0, 0), (r * 0.8, 0), (r, height), (r * 0.9, height), (r * 0.75, 0.1), (0, 0.1)], main
                ),
                lathe([(r * 1.02, height - 0.05), (r * 1.02, height)], second),
            ]
        )
    )


def coat_stand(size: Size, main: Colour, second: Colour) -> Shape:
    height = size[2]
    hooks = [
        box(
            (0.1 * math.cos(k * math.pi / 2), 0.1 * math.sin(k * math.pi / 2), height - 0.1),
            (0.16 if k % 2 == 0 else 0.02, 0.02 if k % 2 == 0 else 0.16, 0.02),
            main,
        )
        for k in range(4)
    ]
    coat = lathe(
        [(0.05, height - 0.15), (0.16, height - 0.3), (0.2, height - 0.95), (0, height - 0.95)], second, 10
    )
    return Shape(
        merge(
            [
                rod(0, 0, 0, 0.03, size[1] * 0.45, main),
                rod(0, 0, 0.03, height, 0.02, main),
                *hooks,
                coat.placed(0.06, 0.08),
            ]
        )
    )


def tv_stand(size: Size, main: Colour, second: Colour) -> Shape:
    _depth, width, height = size
    shelf = open_shelf((0.08,))(size, main, second)
    screen_width = width * 0.8
    tall = screen_width * 0.56
    parts = [
        box((-0.05, 0, height + 0.02), (0.2, 0.4, 0.04), DARK),
        box((-0.06, 0, height + 0.06), (0.04, 0.08, 0.06), DARK),
        box((-0.05, 0, height + 0.08 + tall / 2), (0.05, screen_width, tall), DARK),
        box((-0.024, 0, height + 0.08 + tall / 2), (0.006, screen_width - 0.05, tall - 0.05), (30, 38, 52)),
    ]
    return Shape(merge([shelf.body, *parts]), on=shelf.on[1:])
