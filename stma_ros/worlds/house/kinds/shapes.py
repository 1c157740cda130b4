"""Builds furniture: families of shapes, with the places on and in them where objects can stand.

Local frame of a piece: origin on the floor under its centre, x to its front, y along the wall, z up [m].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stma_ros.worlds.house.meshes import EMPTY, Colour, Mesh, box, merge, slab
from stma_ros.worlds.robot.geometry import OrientedRect, Rect
from stma_ros.worlds.robot.scene import Shelf

Size = tuple[float, float, float]
"""Depth (x), width (y), height (z) [m]."""

PANEL = 0.02
STEEL = (190, 194, 198)
DARK = (52, 54, 58)


@dataclass(frozen=True, eq=False)
class Shape:
    """A built piece of furniture. A piece with a front is a container; one with places `inside` and no front is an open
    receptacle; one with `lit` triangles is a device.

    Attributes:
        body: the part that is always visible.
        on: places on top.
        inside: places inside.
        shut: the closed front.
        open: the open front.
        leaves: local obstacles that the open front adds.
        lit: parts that are visible while it is on.
        unlit: parts that are visible while it is off.
    """

    body: Mesh
    on: tuple[Shelf, ...] = ()
    inside: tuple[Shelf, ...] = ()
    shut: Mesh = EMPTY
    open: Mesh = EMPTY
    leaves: tuple[OrientedRect, ...] = ()
    lit: Mesh = EMPTY
    unlit: Mesh = EMPTY


Builder = Callable[[Size, Colour, Colour], Shape]
"""(size, main colour, second colour) -> shape."""


def top_of(size: Size, margin: float = 0.04, clearance: float = 1.0) -> Shelf:
    depth, width, height = size
    return Shelf(
        Rect(-depth / 2 + margin, -width / 2 + margin, depth / 2 - margin, width / 2 - margin),
        height,
        clearance,
    )


def table(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, height = size
    thickness = 0.04
    legs = [
        box(
            (sx * (depth / 2 - 0.05), sy * (width / 2 - 0.05), (height - thickness) / 2),
            (0.05, 0.05, height - thickness),
            second,
        )
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    return Shape(
        merge([box((0, 0, height - thickness / 2), (depth, width, thickness), main), *legs]),
        on=(top_of(size),),
    )


def desk(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, _height = size
    drawers = [
        box((0.0, -width / 2 + 0.23, 0.2 + 0.2 * k), (depth - 0.08, 0.4, 0.19), second) for k in range(2)
    ]
    plain = table(size, main, second)
    return Shape(merge([plain.body, *drawers]), on=plain.on)


def open_shelf(levels: tuple[float, ...], back: bool = True) -> Builder:
    """Returns the builder of shelves open to the front; `levels` are the heights of the boards' upper sides below the
    top one."""

    def build(size: Size, main: Colour, second: Colour) -> Shape:
        depth, width, height = size
        half = width / 2
        parts = [
            slab(
                (-depth / 2, sy * half - PANEL * (sy > 0), 0),
                (depth / 2, sy * half + PANEL * (sy < 0), height),
                main,
            )
            for sy in (-1, 1)
        ]
        parts.append(slab((-depth / 2, -half, height - PANEL), (depth / 2, half, height), main))
        if back:
            parts.append(slab((-depth / 2, -half, 0), (-depth / 2 + 0.01, half, height), second))
        # Objects stand at the front edge, where the board above hides least of them.
        area = Rect(-depth / 2 + 0.05, -half + PANEL + 0.03, depth / 2 - 0.02, half - PANEL - 0.03)
        shelves = []
        for level, ceiling in zip(levels, [*levels[1:], height], strict=True):
            parts.append(slab((-depth / 2, -half, level - PANEL), (depth / 2, half, level), main))
            shelves.append(Shelf(area, level, ceiling - PANEL - level - 0.02))
        upper = (top_of(size),) if height < 1.15 else ()
        return Shape(merge(parts), upper + tuple(shelves))

    return build
