"""Builds containers: closed boxes with shelves in them, and fronts that swing or fold open."""

from __future__ import annotations

import math

from stma_ros.worlds.house.kinds.shapes import PANEL, STEEL, Builder, Shape, Size, top_of
from stma_ros.worlds.house.meshes import EMPTY, Colour, Mesh, box, merge, slab
from stma_ros.worlds.robot.geometry import OrientedRect, Rect
from stma_ros.worlds.robot.scene import Shelf

_LEAF_ANGLE = math.radians(97)


def carcass(
    size: Size, main: Colour, lining: Colour, plinth: float, levels: tuple[float, ...]
) -> tuple[list[Mesh], tuple[Shelf, ...]]:
    """Returns a box open to the front with a shelf at each of the `levels` (heights of the shelves' upper sides)."""
    depth, width, height = size
    back, front, half = -depth / 2, depth / 2 - PANEL, width / 2
    parts = [
        slab((back, -half, plinth), (back + PANEL, half, height), main),
        slab((back, -half, 0), (front, -half + PANEL, height), main),
        slab((back, half - PANEL, 0), (front, half, height), main),
        slab((back, -half, height - PANEL), (front, half, height), main),
        slab((back, -half, 0), (front - 0.03, half, plinth), main),
        slab(
            (back + PANEL, -half + PANEL, plinth),
            (back + PANEL + 0.004, half - PANEL, height - PANEL),
            lining,
        ),
    ]
    shelves = []
    area = Rect(back + 0.06, -half + PANEL + 0.03, front - 0.03, half - PANEL - 0.03)
    for level, ceiling in zip(
        levels, [*(above - PANEL for above in levels[1:]), height - PANEL], strict=True
    ):
        parts.append(
            slab((back + PANEL, -half + PANEL, level - PANEL), (front - 0.01, half - PANEL, level), lining)
        )
        shelves.append(Shelf(area, level, ceiling - level - 0.03))
    return parts, tuple(shelves)


def _swing(
    front: Mesh, hinge_y: float, width: float, towards: int, depth: float
) -> tuple[Mesh, OrientedRect]:
    """Returns a door leaf swung open around the vertical edge at `hinge_y`; `towards` is the side (+1, -1) of the other
    edge."""
    turn = towards * -_LEAF_ANGLE
    x = depth / 2 - PANEL
    placed = front.placed(-x, -hinge_y).placed(x, hinge_y, 0.0, turn)
    along_x, along_y = -math.sin(turn) * towards, math.cos(turn) * towards
    centre = (x + along_x * width / 2, hinge_y + along_y * width / 2)
    return placed, OrientedRect(centre[0], centre[1], PANEL, width / 2, turn)


def doors(
    size: Size,
    main: Colour,
    accent: Colour,
    bottom: float,
    top: float,
    leaves: int,
    drawers: int,
    ornament: Mesh = EMPTY,
) -> tuple[Mesh, Mesh, tuple[OrientedRect, ...]]:
    """Returns hinged doors over the whole front: closed, open, and the obstacles of the open ones.

    `drawers` > 0 draws that many drawer fronts on each leaf; `ornament` moves with the first leaf.
    """
    depth, width, _ = size
    x = depth / 2 - PANEL / 2
    shut, opened, obstacles = [], [], []
    leaf_width = width / leaves
    for k in range(leaves):
        centre = -width / 2 + leaf_width * (k + 0.5)
        towards = 1 if k == 0 else -1
        hinge = centre - towards * leaf_width / 2
        handle = centre + towards * (leaf_width / 2 - 0.06)
        overlap = 0.001  # closes the gap between the leaves
        parts = [box((x, centre, (bottom + top) / 2), (PANEL, leaf_width + overlap, top - bottom), main)]
        if drawers:
            pitch = (top - bottom) / drawers
            for j in range(drawers):
                z = bottom + pitch * (j + 0.5)
                parts.append(
                    box((x + PANEL / 2 + 0.004, centre, z), (0.01, leaf_width - 0.03, pitch - 0.03), main)
                )
                parts.append(box((x + PANEL / 2 + 0.02, centre, z), (0.03, 0.1, 0.02), accent))
        else:
            parts.append(
                box(
                    (x + PANEL / 2 + 0.003, centre, (bottom + top) / 2),
                    (0.008, leaf_width - 0.08, top - bottom - 0.1),
                    main,
                )
            )
            middle = min(max((bottom + top) / 2, bottom + 0.15), 1.05)
            parts.append(
                box(
                    (x + PANEL / 2 + 0.02, handle, middle),
                    (0.025, 0.02, min(0.3, (top - bottom) / 2)),
                    accent,
                )
            )
        front = merge([*parts, ornament if k == 0 else EMPTY])
        swung, obstacle = _swing(front, hinge, leaf_width, towards, depth)
        shut.append(front)
        opened.append(swung)
        obstacles.append(obstacle)
    return merge(shut), merge(opened), tuple(obstacles)


def cabinet(
    leaves: int,
    levels: tuple[float, ...],
    plinth: float = 0.06,
    drawers: int = 0,
    top: bool = True,
    lining: Colour = (225, 214, 196),
    accent: Colour = STEEL,
) -> Builder:
    """Returns the builder of a container with hinged doors. levels: heights of its shelves. top: whether objects may
    stand on it."""

    def build(size: Size, main: Colour, second: Colour) -> Shape:
        parts, shelves = carcass(size, main, lining, plinth, levels)
        if size[2] < 1.3:
            parts.append(box((0, 0, size[2] + 0.01), (size[0] + 0.01, size[1], 0.02), second))
        shut, opened, leaf_obstacles = doors(size, main, accent, plinth, size[2], leaves, drawers)
        upper = top_of((size[0], size[1], size[2] + 0.02))
        return Shape(merge(parts), (upper,) if top else (), shelves, shut, opened, leaf_obstacles)

    return build


def chest(size: Size, main: Colour, second: Colour) -> Shape:
    """Builds a box whose lid swings up to its back; its content lies high enough to be visible over the front."""
    depth, width, height = size
    lid, floor = 0.05, height - 0.24
    half, front = width / 2, depth / 2
    walls = [
        slab((-front, -half, 0), (front, half, floor), main),
        slab((-front, -half, floor), (-front + PANEL, half, height - lid), main),
        slab((front - PANEL, -half, floor), (front, half, height - lid), main),
        slab((-front, -half, floor), (front, -half + PANEL, height - lid), main),
        slab((-front, half - PANEL, floor), (front, half, height - lid), main),
        box((front + 0.004, 0, height - lid - 0.06), (0.01, 0.12, 0.06), STEEL),
        box((0, -half * 0.7, height / 2 - lid / 2), (depth + 0.006, 0.05, height - lid), second),
        box((0, half * 0.7, height / 2 - lid / 2), (depth + 0.006, 0.05, height - lid), second),
    ]
    shut = slab((-front, -half, height - lid), (front, half, height), second)
    opened = slab((-front, -half, height - lid), (-front + lid, half, height - lid + depth), second)
    area = Rect(-front + PANEL + 0.03, -half + PANEL + 0.03, front - 0.14, half - PANEL - 0.03)
    return Shape(merge(walls), (), (Shelf(area, floor, height - lid - floor - 0.01),), shut, opened)
