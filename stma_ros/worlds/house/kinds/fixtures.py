"""Builds the fixtures of kitchens and bathrooms."""

from __future__ import annotations

from stma_ros.worlds.house.kinds.shapes import DARK, STEEL, Shape, Size, top_of
from stma_ros.worlds.house.meshes import Colour, Mesh, box, lathe, merge, rod, slab
from stma_ros.worlds.robot.geometry import Rect
from stma_ros.worlds.robot.scene import Shelf

_BASIN = 0.09  # depth: objects in a basin are visible over its rim [m]


def counter(size: Size, main: Colour, second: Colour) -> Shape:
    """Builds a base unit that does not open: worktop, plinth and drawer fronts."""
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
    """Builds a base unit with a shallow basin in its worktop."""
    depth, width, height = size
    floor = height - _BASIN
    base = counter((depth, width, floor), main, main)
    x0, x1, half = -depth / 2 + 0.14, depth / 2 - 0.07, width / 2 - 0.12
    parts = [
        *_rim(size, x0, x1, half, floor, second),
        box(((x0 + x1) / 2, 0, floor), (x1 - x0, 2 * half, 0.01), (150, 155, 160)),
        *_tap(-depth / 2 + 0.06, height, 0.26),
    ]
    inside = Shelf(Rect(x0 + 0.01, -half + 0.01, x1 - 0.01, half - 0.01), floor + 0.005, 1.0)
    return Shape(merge([base.body, *parts]), inside=(inside,))


def washbasin(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, height = size
    floor = height - _BASIN
    x0, x1, half = -depth / 2 + 0.1, depth / 2 - 0.04, width / 2 - 0.05
    parts = [
        box((-depth / 4, 0, (floor - 0.04) / 2), (depth / 2, width * 0.35, floor - 0.04), main),
        slab((-depth / 2, -width / 2, floor - 0.05), (depth / 2, width / 2, floor), main),
        *_rim(size, x0, x1, half, floor, main),
        box(((x0 + x1) / 2, 0, floor), (x1 - x0, 2 * half, 0.01), second),
        *_tap(-depth / 2 + 0.04, height, 0.14),
    ]
    inside = Shelf(Rect(x0 + 0.01, -half + 0.01, x1 - 0.01, half - 0.01), floor + 0.005, 1.0)
    return Shape(merge(parts), inside=(inside,))


def _rim(size: Size, x0: float, x1: float, half: float, bottom: float, colour: Colour) -> list[Mesh]:
    """Returns the solid around a basin from x0 to x1 and `half` to either side, up to the height of the piece."""
    depth, width, height = size
    return [
        slab((-depth / 2, -width / 2, bottom), (x0, width / 2, height), colour),
        slab((x1, -width / 2, bottom), (depth / 2, width / 2, height), colour),
        slab((x0, -width / 2, bottom), (x1, -half, height), colour),
        slab((x0, half, bottom), (x1, width / 2, height), colour),
    ]


def _tap(x: float, z: float, tall: float) -> list[Mesh]:
    return [rod(x, 0, z, z + tall, 0.015, STEEL), box((x + 0.06, 0, z + tall), (0.14, 0.025, 0.025), STEEL)]


def bathtub(size: Size, main: Colour, second: Colour) -> Shape:
    """Builds a bathtub with a high floor, so that objects in it are visible over the rim."""
    depth, width, height = size
    floor, rim = height - 0.2, 0.07
    x, half = depth / 2 - rim, width / 2 - rim
    parts = [
        slab((-depth / 2, -width / 2, 0), (depth / 2, width / 2, floor), main),
        *_rim(size, -x, x, half, floor, main),
        box((0, 0, floor), (2 * x, 2 * half, 0.01), second),
        *_tap(-depth / 2 + 0.035, height, 0.16),
    ]
    inside = Shelf(Rect(-x + 0.02, -half + 0.05, x - 0.15, half - 0.05), floor + 0.005, 1.0)
    return Shape(merge(parts), inside=(inside,))


def shower(size: Size, main: Colour, second: Colour) -> Shape:
    """Builds a tray with a tiled back, a rail on top and a shower head; open to the front."""
    depth, width, height = size
    back, half = -depth / 2, width / 2
    posts = [
        box((depth / 2 - 0.015, sy * (half - 0.015), height / 2), (0.03, 0.03, height), STEEL)
        for sy in (-1, 1)
    ]
    rails = [box((0, sy * (half - 0.015), height - 0.015), (depth, 0.03, 0.03), STEEL) for sy in (-1, 1)]
    parts = [
        slab((back, -half, 0), (depth / 2, half, 0.1), main),
        box((0, 0, 0.1), (depth - 0.1, width - 0.1, 0.012), second),
        slab((back, -half, 0.1), (back + 0.03, half, height), second),
        *(box((back + 0.032, 0, z), (0.006, width, 0.01), main) for z in (0.4, 0.7, 1.0, 1.3, 1.6)),
        rod(back + 0.06, 0, 0.9, height - 0.05, 0.015, STEEL),
        box((back + 0.16, 0, height - 0.06), (0.24, 0.03, 0.03), STEEL),
        rod(back + 0.26, 0, height - 0.1, height - 0.06, 0.09, STEEL, 16),
        box((back + 0.08, 0, 1.1), (0.06, 0.16, 0.05), STEEL),
    ]
    return Shape(merge([*parts, *posts, *rails]))


def toilet(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, height = size
    parts = [
        box((-depth / 2 + 0.09, 0, height - 0.2), (0.18, width, 0.4), main),
        lathe([(0, 0), (0.13, 0), (0.11, 0.2), (width / 2, 0.4), (0, 0.4)], main).placed(0.08, 0),
        lathe([(width / 2 + 0.005, 0.4), (width / 2 + 0.005, 0.43), (0, 0.44)], second).placed(0.08, 0),
        box((-depth / 2 + 0.09, 0, height + 0.01), (0.2, width + 0.02, 0.02), second),
    ]
    return Shape(merge(parts))
