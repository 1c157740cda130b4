"""How furniture is built: families of shapes with the places on and in them where things can stand.

Local frame of a piece: origin on the floor under its centre, x to its front, y along the wall, z up [m].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from stma_ros.worlds.house.geometry import Obstacle, Rect
from stma_ros.worlds.house.meshes import EMPTY, Colour, Mesh, box, merge, slab

Size = tuple[float, float, float]
"""Depth (x), width (y), height (z) [m]."""

PANEL = 0.02
STEEL = (190, 194, 198)
DARK = (52, 54, 58)
_WHITE = (240, 241, 240)


@dataclass(frozen=True)
class Shelf:
    """A level place to stand things on: its local rectangle, its height above the floor and the room above
    it [m]."""

    area: Rect
    height: float
    clearance: float


@dataclass(frozen=True, eq=False)
class Shape:
    """One built piece. A piece with `inside` is a container: `shut` and `open` are its front in the two
    states.

    `leaves` are the local obstacles that an open front adds.
    """

    body: Mesh
    on: tuple[Shelf, ...] = ()
    inside: tuple[Shelf, ...] = ()
    shut: Mesh = EMPTY
    open: Mesh = EMPTY
    leaves: tuple[Obstacle, ...] = ()


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


def chair(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, height = size
    seat = 0.45
    legs = [
        box((sx * (depth / 2 - 0.03), sy * (width / 2 - 0.03), seat / 2), (0.035, 0.035, seat), second)
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    back = [
        box(
            (-depth / 2 + 0.02, 0, seat + (height - seat) / 2 + 0.06),
            (0.03, width, height - seat - 0.12),
            main,
        )
    ]
    posts = [
        box(
            (-depth / 2 + 0.03, sy * (width / 2 - 0.03), (seat + height) / 2 - 0.05),
            (0.03, 0.03, height - seat - 0.1),
            second,
        )
        for sy in (-1, 1)
    ]
    return Shape(merge([box((0, 0, seat), (depth, width, 0.04), main), *legs, *back, *posts]))


def sofa(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, height = size
    arm, seat, back = 0.16, 0.42, 0.2
    inner = width - 2 * arm
    count = max(1, round(inner / 0.7))
    cushions = [
        box(
            (back / 2, -inner / 2 + inner * (k + 0.5) / count, seat - 0.05),
            (depth - back - 0.02, inner / count - 0.02, 0.14),
            second,
        )
        for k in range(count)
    ]
    body = [
        box((0, 0, 0.18), (depth, width, 0.28), main),
        box((-depth / 2 + back / 2, 0, height / 2 + 0.02), (back, width, height - 0.04), main),
    ]
    arms = [box((0, sy * (width / 2 - arm / 2), 0.3), (depth, arm, 0.56), main) for sy in (-1, 1)]
    area = Rect(-depth / 2 + back + 0.05, -inner / 2 + 0.03, depth / 2 - 0.05, inner / 2 - 0.03)
    return Shape(merge([*body, *arms, *cushions]), on=(Shelf(area, seat + 0.02, 1.0),))


def bed(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, height = size
    mattress = 0.46
    parts = [
        box((0, 0, 0.16), (depth, width, 0.2), second),
        box((-depth / 2 + 0.03, 0, height / 2), (0.06, width, height), second),
        box((0.03, 0, mattress - 0.1), (depth - 0.08, width - 0.06, 0.2), _WHITE),
        box((0.3, 0, mattress - 0.09), (depth - 0.58, width - 0.02, 0.22), main),
    ]
    pillows = max(1, round(width / 0.8))
    for k in range(pillows):
        y = -width / 2 + width * (k + 0.5) / pillows
        parts.append(
            box((-depth / 2 + 0.3, y, mattress + 0.05), (0.36, min(0.6, width / pillows - 0.1), 0.1), _WHITE)
        )
    return Shape(
        merge(parts),
        on=(Shelf(Rect(0.0, -width / 2 + 0.1, depth / 2 - 0.12, width / 2 - 0.1), mattress + 0.02, 1.0),),
    )


def open_shelf(levels: tuple[float, ...], back: bool = True) -> Builder:
    """Shelves open to the front; `levels` are the heights of the boards' upper sides below the top one."""

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
        # Things stand at the front edge, where the board above hides least of them.
        area = Rect(-depth / 2 + 0.05, -half + PANEL + 0.03, depth / 2 - 0.02, half - PANEL - 0.03)
        shelves = []
        for level, ceiling in zip(levels, [*levels[1:], height], strict=True):
            parts.append(slab((-depth / 2, -half, level - PANEL), (depth / 2, half, level), main))
            shelves.append(Shelf(area, level, ceiling - PANEL - level - 0.02))
        upper = (top_of(size),) if height < 1.15 else ()
        return Shape(merge(parts), upper + tuple(shelves))

    return build
