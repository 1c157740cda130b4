"""How the fixtures of kitchens and bathrooms are built."""

from __future__ import annotations

from stma_ros.worlds.house.meshes import Colour, box, lathe, merge, rod, slab
from stma_ros.worlds.house.shapes import DARK, STEEL, Shape, Size, top_of


def counter(size: Size, main: Colour, second: Colour) -> Shape:
    """A base unit that does not open: worktop, plinth and drawer fronts."""
    depth, width, height = size
    fronts = max(1, round(width / 0.6))
    parts = [
        box((-0.01, 0, 0.05), (depth - 0.08, width, 0.1), DARK),
        box((-0.01, 0, (height - 0.04 + 0.1) / 2), (depth - 0.03, width, height - 0.14), main),
        box((0, 0, height - 0.02), (depth, width, 0.04), second),
    ]
    for k in range(fronts):
        y = -width / 2 + width * (k + 0.5) / fronts
        parts.append(box((depth / 2 - 0.025, y, height - 0.17), (0.02, width / fronts - 0.02, 0.18), main))
        parts.append(box((depth / 2 - 0.01, y, height - 0.11), (0.025, 0.16, 0.015), STEEL))
        parts.append(
            box(
                (depth / 2 - 0.025, y, (height - 0.28 + 0.12) / 2),
                (0.02, width / fronts - 0.02, height - 0.42),
                main,
            )
        )
    return Shape(merge(parts), on=(top_of(size),))


def sink(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, height = size
    base = counter(size, main, second)
    bowl = [
        box((0.03, 0, height + 0.006), (depth - 0.2, width - 0.24, 0.012), STEEL),
        box((0.03, 0, height + 0.008), (depth - 0.26, width - 0.3, 0.014), (120, 126, 132)),
        rod(-depth / 2 + 0.06, 0, height, height + 0.26, 0.015, STEEL),
        box((-depth / 2 + 0.13, 0, height + 0.26), (0.16, 0.025, 0.025), STEEL),
    ]
    return Shape(merge([base.body, *bowl]))


def washbasin(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, height = size
    parts = [
        box((-depth / 4, 0, (height - 0.14) / 2), (depth / 2, width * 0.35, height - 0.14), main),
        box((0, 0, height - 0.07), (depth, width, 0.14), main),
        box((0.03, 0, height + 0.001), (depth - 0.14, width - 0.12, 0.006), second),
        rod(-depth / 2 + 0.04, 0, height, height + 0.14, 0.014, STEEL),
        box((-depth / 2 + 0.09, 0, height + 0.14), (0.11, 0.022, 0.022), STEEL),
    ]
    return Shape(merge(parts))


def stove(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, height = size
    parts = [
        box((0, 0, (height - 0.01) / 2), (depth, width, height - 0.01), main),
        box((0, 0, height - 0.005), (depth - 0.02, width - 0.02, 0.012), second),
        box((depth / 2, 0, height - 0.08), (0.02, width - 0.04, 0.09), second),
    ]
    for sx in (-1, 1):
        for sy in (-1, 1):
            parts.append(rod(sx * depth / 4, sy * width / 4, height, height + 0.008, 0.08, (180, 60, 50)))
            parts.append(rod(sx * depth / 4, sy * width / 4, height, height + 0.009, 0.065, second))
    parts += [
        box((depth / 2 + 0.015, (k - 1.5) * 0.1, height - 0.08), (0.03, 0.035, 0.035), STEEL)
        for k in range(4)
    ]
    return Shape(merge(parts), on=(top_of(size, 0.1),))


def bathtub(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, height = size
    rim = 0.07
    parts = [
        slab(
            (-depth / 2, sy * (width / 2) - (rim if sy > 0 else 0), 0),
            (depth / 2, sy * (width / 2) + (rim if sy < 0 else 0), height),
            main,
        )
        for sy in (-1, 1)
    ]
    parts += [
        slab(
            (sx * (depth / 2) - (rim if sx > 0 else 0), -width / 2, 0),
            (sx * (depth / 2) + (rim if sx < 0 else 0), width / 2, height),
            main,
        )
        for sx in (-1, 1)
    ]
    parts += [
        slab((-depth / 2, -width / 2, 0), (depth / 2, width / 2, 0.15), second),
        rod(-depth / 2 + 0.035, 0, height, height + 0.16, 0.015, STEEL),
        box((-depth / 2 + 0.09, 0, height + 0.15), (0.12, 0.03, 0.03), STEEL),
    ]
    return Shape(merge(parts))


def toilet(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, height = size
    parts = [
        box((-depth / 2 + 0.09, 0, height - 0.2), (0.18, width, 0.4), main),
        lathe([(0, 0), (0.13, 0), (0.11, 0.2), (width / 2, 0.4), (0, 0.4)], main).placed(0.08, 0),
        lathe([(width / 2 + 0.005, 0.4), (width / 2 + 0.005, 0.43), (0, 0.44)], second).placed(0.08, 0),
        box((-depth / 2 + 0.09, 0, height + 0.01), (0.2, width + 0.02, 0.02), second),
    ]
    return Shape(merge(parts))
