"""Builds plants, rugs, baskets and other decor."""

from __future__ import annotations

import math

from stma_ros.worlds.house.kinds.shapes import DARK, STEEL, Shape, Size, open_shelf, table
from stma_ros.worlds.house.meshes import Colour, ball, box, lathe, merge, rod, slab
from stma_ros.worlds.robot.geometry import Rect
from stma_ros.worlds.robot.scene import Shelf


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


def laundry_basket(size: Size, main: Colour, second: Colour) -> Shape:
    """Builds a basket that is nearly full: objects put into it lie on top."""
    depth, width, height = size
    floor, half_x, half_y = height - 0.12, depth / 2, width / 2
    parts = [
        slab((-half_x, -half_y, 0), (half_x, half_y, floor), main),
        box((0, 0, floor), (depth - 0.06, width - 0.06, 0.02), (226, 222, 214)),
        *(
            slab(
                (sx * half_x - 0.03 * (sx > 0), -half_y, floor),
                (sx * half_x + 0.03 * (sx < 0), half_y, height),
                second,
            )
            for sx in (-1, 1)
        ),
        *(
            slab(
                (-half_x, sy * half_y - 0.03 * (sy > 0), floor),
                (half_x, sy * half_y + 0.03 * (sy < 0), height),
                second,
            )
            for sy in (-1, 1)
        ),
        *(box((0, 0, z), (depth + 0.008, width + 0.008, 0.02), second) for z in (0.1, 0.2, 0.3)),
    ]
    area = Rect(-half_x + 0.04, -half_y + 0.04, half_x - 0.04, half_y - 0.04)
    return Shape(merge(parts), inside=(Shelf(area, floor + 0.01, 1.0),))


def waste_bin(size: Size, main: Colour, second: Colour) -> Shape:
    width, height = size[1], size[2]
    radius, floor = width / 2, height - 0.1
    wall = [
        (0, 0),
        (radius * 0.85, 0),
        (radius, height),
        (radius - 0.02, height),
        (radius * 0.9, floor),
        (0, floor),
    ]
    half = radius * 0.62
    ring = lathe([(radius + 0.004, height - 0.04), (radius + 0.004, height + 0.002)], second, 18)
    inside = Shelf(Rect(-half, -half, half, half), floor, 1.0)
    return Shape(merge([lathe(wall, main, 18), ring]), inside=(inside,))


def fireplace(size: Size, main: Colour, second: Colour) -> Shape:
    """Builds a chimney breast with an open hearth at its front."""
    depth, width, height = size
    half, hearth, opening = width / 2, 0.35, 0.55
    parts = [
        slab((-depth / 2, -half, 0), (depth / 2, half, hearth), main),
        slab((-depth / 2, -half, hearth), (-depth / 2 + 0.03, half, height), second),
        slab((-depth / 2, -half, hearth + opening), (depth / 2, half, height), main),
        *(
            slab(
                (-depth / 2, side * half - 0.12 * (side > 0), hearth),
                (depth / 2, side * half + 0.12 * (side < 0), height),
                main,
            )
            for side in (-1, 1)
        ),
    ]
    area = Rect(-depth / 2 + 0.08, -half + 0.16, depth / 2 - 0.03, half - 0.16)
    return Shape(merge(parts), on=(Shelf(area, hearth, opening - 0.03),))


def coat_rack(size: Size, main: Colour, second: Colour) -> Shape:
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
    """Builds a low stand with an open compartment under its top."""
    return open_shelf((0.12,))(size, main, second)


def piano(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, height = size
    back, key_depth = depth * 0.55, depth * 0.45
    keys = [
        box((depth / 2 - key_depth / 2, 0, 0.72), (key_depth - 0.04, width - 0.16, 0.03), (246, 244, 236))
    ]
    keys += [
        box((depth / 2 - key_depth * 0.62, y, 0.74), (key_depth * 0.45, 0.018, 0.02), DARK)
        for y in (-width / 2 + 0.16 + 0.055 * k for k in range(int((width - 0.3) / 0.055)))
        if round(y / 0.055) % 7 not in (2, 6)
    ]
    parts = [
        box((-depth / 2 + back / 2, 0, height / 2), (back, width, height), main),
        box((0, 0, 0.66), (depth, width, 0.1), main),
        *(box((depth / 2 - 0.06, sy * (width / 2 - 0.05), 0.31), (0.08, 0.08, 0.62), main) for sy in (-1, 1)),
        box((-depth / 2 + back + 0.02, 0, 0.9), (0.02, width * 0.6, 0.18), second),
    ]
    top = Rect(-depth / 2 + 0.02, -width / 2 + 0.05, -depth / 2 + back - 0.01, width / 2 - 0.05)
    return Shape(merge([*parts, *keys]), on=(Shelf(top, height, 1.0),))


def ironing_board(size: Size, main: Colour, second: Colour) -> Shape:
    """Builds an ironing board, narrower at one end."""
    depth, width, height = size
    legs = [box((0, y, height / 2), (0.04, 0.04, height - 0.04), second) for y in (-width / 4, width / 4)]
    feet = [box((0, y, 0.015), (depth, 0.04, 0.03), second) for y in (-width / 4, width / 4)]
    top = [
        box((0, -0.1 * width, height - 0.02), (depth, 0.8 * width, 0.04), main),
        box((0, 0.4 * width, height - 0.02), (0.6 * depth, 0.2 * width, 0.04), main),
    ]
    area = Rect(-depth / 2 + 0.02, -0.48 * width, depth / 2 - 0.02, 0.28 * width)
    return Shape(merge([*top, *legs, *feet]), on=(Shelf(area, height, 1.0),))


def workbench(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, height = size
    plain = table(size, main, second)
    parts = [
        box((0, 0, 0.2), (depth - 0.1, width - 0.12, 0.03), second),
        box((-depth / 2 + 0.02, 0, height + 0.3), (0.04, width, 0.6), second),
        *(
            box((-depth / 2 + 0.05, y * width, height + 0.32), (0.02, 0.03, 0.28), STEEL)
            for y in (-0.3, -0.1, 0.15)
        ),
        *(
            box((-depth / 2 + 0.05, y * width, height + 0.48), (0.03, 0.12, 0.05), (170, 60, 50))
            for y in (-0.3, 0.15)
        ),
    ]
    area = Rect(-depth / 2 + 0.08, -width / 2 + 0.04, depth / 2 - 0.04, width / 2 - 0.04)
    return Shape(merge([plain.body, *parts]), on=(Shelf(area, height, 1.0),))
