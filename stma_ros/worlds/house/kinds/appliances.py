"""Builds household appliances. `lit` parts are shown while an appliance is on, `unlit` parts while it is off."""

from __future__ import annotations

import math
from dataclasses import replace

from stma_ros.worlds.house.kinds import palette
from stma_ros.worlds.house.kinds.containers import cabinet, carcass, doors
from stma_ros.worlds.house.kinds.shapes import DARK, PANEL, STEEL, Builder, Shape, Size, open_shelf
from stma_ros.worlds.house.meshes import Colour, Mesh, Point, box, disc, lathe, merge, rod, slab
from stma_ros.worlds.robot.geometry import OrientedRect, Rect
from stma_ros.worlds.robot.scene import Shelf

_OFF = (38, 42, 52)
_LINING = (96, 98, 102)


def _display(centre: Point, size: Point, colour: Colour) -> tuple[Mesh, Mesh]:
    """Returns a panel while it is on, and while it is off."""
    return box(centre, size, colour), box(centre, size, _OFF)


def flap_appliance(bottom: float, top: float, window: bool, display: Colour) -> Builder:
    """Returns the builder of an oven or a dishwasher: a flap over the opening between `bottom` and `top` folds down to
    the front."""

    def build(size: Size, main: Colour, second: Colour) -> Shape:
        depth, width, height = size
        parts, shelves = carcass(size, main, _LINING, bottom - PANEL, (bottom + 0.04,))
        front = depth / 2
        shelf = replace(shelves[0], clearance=top - bottom - 0.08)
        parts.append(slab((-depth / 2, -width / 2, top), (front, width / 2, height), main))
        parts.append(slab((front - PANEL, -width / 2, 0.06), (front, width / 2, bottom), main))
        on, off = _display(
            (front, 0, (top + height) / 2), (0.012, width - 0.12, min(0.08, (height - top) * 0.6)), display
        )
        flap = [
            slab((front - PANEL, -width / 2, bottom), (front, width / 2, top), main),
            box((front + 0.02, 0, top - 0.05), (0.025, width * 0.7, 0.02), STEEL),
        ]
        if window:
            middle, tall = (bottom + top) / 2 - 0.02, (top - bottom) * 0.55
            flap.append(box((front + 0.002, 0, middle), (0.006, width * 0.7, tall), second))
        reach = top - bottom
        lying = slab(
            (front - PANEL, -width / 2, bottom - PANEL), (front + reach - PANEL, width / 2, bottom), main
        )
        obstacle = OrientedRect(front + reach / 2, 0.0, reach / 2, width / 2)
        return Shape(merge(parts), (), (shelf,), merge(flap), lying, (obstacle,), on, off)

    return build


def drum_appliance(size: Size, main: Colour, second: Colour) -> Shape:
    """Builds a washing machine or a dryer: a front that swings open, with a round window."""
    depth, width, height = size
    bottom, top = 0.12, height - 0.16
    parts, shelves = carcass(size, main, (176, 180, 184), bottom, (0.3,))
    front = depth / 2
    parts.append(slab((front - PANEL, -width / 2, top), (front, width / 2, height), main))
    parts.append(slab((front - PANEL, -width / 2, 0.02), (front, width / 2, bottom), main))
    parts.append(rod(0, 0, 0, 0.02, 0.035, STEEL).placed(front + 0.01, width / 2 - 0.1, height - 0.09))
    middle = (front, 0.0, (bottom + top) / 2)
    window = merge([disc(middle, 0.2, 0.014, (100, 104, 110)), disc(middle, 0.15, 0.02, second)])
    shut, opened, leaves = doors(size, main, STEEL, bottom, top, 1, 0, window)
    on, off = _display((front + 0.004, -0.08, height - 0.08), (0.01, width - 0.28, 0.06), palette.SCREEN)
    shelf = replace(shelves[0], clearance=top - 0.3 - 0.03)
    return Shape(merge(parts), (), (shelf,), shut, opened, leaves, on, off)


def microwave(size: Size, main: Colour, second: Colour) -> Shape:
    """Builds a microwave oven on a stand of its own."""
    depth, width, height = size
    low = height - 0.34
    stand = open_shelf((0.2,))((depth, width, low), (150, 108, 70), (110, 78, 50))
    inner = width - 0.16  # the rest is the panel with the knobs
    half, front = width / 2, depth / 2
    parts = [
        slab((-front, -half, low), (front, half, low + PANEL), main),
        slab((-front, -half, height - PANEL), (front, half, height), main),
        slab((-front, -half, low), (-front + PANEL, half, height), main),
        slab((-front, -half, low), (front, -half + 0.16, height), main),
        slab((-front, half - PANEL, low), (front, half, height), main),
        slab(
            (-front + PANEL, -half + 0.16, low + PANEL),
            (front - 0.03, half - PANEL, low + PANEL + 0.004),
            _LINING,
        ),
    ]
    on, off = _display((front + 0.003, -half + 0.08, height - 0.09), (0.01, 0.13, 0.09), palette.WARM)
    parts.append(rod(0, 0, 0, 0.02, 0.03, STEEL).placed(front + 0.01, -half + 0.08, low + 0.08))
    centre = half - inner / 2
    pane = box((front + 0.004, 0, low + 0.17), (0.008, inner - 0.12, 0.2), second)
    shut, opened, leaves = doors((depth, inner, height), main, STEEL, low + PANEL, height, 1, 0, pane)
    area = Rect(-front + 0.05, -half + 0.19, front - 0.03, half - PANEL - 0.03)
    moved = tuple(replace(leaf, y=leaf.y + centre) for leaf in leaves)
    return Shape(
        merge([stand.body, *parts]),
        (),
        (Shelf(area, low + PANEL + 0.004, 0.26),),
        shut.placed(0, centre),
        opened.placed(0, centre),
        moved,
        on,
        off,
    )


def freezer(size: Size, main: Colour, second: Colour) -> Shape:
    body = cabinet(1, (0.12, 0.46), 0.06, drawers=3, top=False, lining=(228, 238, 246), accent=second)
    return body(size, main, main)


def tv(size: Size, main: Colour, second: Colour) -> Shape:
    """Builds a flat screen that hangs on the wall; `size` reaches to its upper edge."""
    depth, width, height = size
    tall = width * 0.58
    middle = height - tall / 2
    frame = box((0, 0, middle), (depth, width, tall), main)
    on, off = _display((0, 0, middle), (depth + 0.006, width - 0.05, tall - 0.05), palette.SCREEN)
    return Shape(frame, lit=on, unlit=off)


def fan(size: Size, main: Colour, second: Colour) -> Shape:
    _depth, width, height = size
    radius = width * 0.46
    hub = height - radius
    blade = box((0.03, 0, radius * 0.5), (0.012, radius * 0.5, radius * 0.75), main)
    parts = [
        rod(0, 0, 0, 0.03, width * 0.4, second, 16),
        rod(-0.05, 0, 0.03, hub, 0.018, second),
        box((-0.05, 0, hub), (0.1, 0.12, 0.12), second),
        disc((0, 0, hub), radius, 0.012, second),
        *(blade.rolled(k * math.pi / 2).placed(0, 0, hub) for k in range(4)),
    ]
    on, off = (disc((0.04, 0, hub), 0.085, 0.02, colour) for colour in (palette.SCREEN, _OFF))
    return Shape(merge(parts), lit=on, unlit=off)


def heater(size: Size, main: Colour, second: Colour) -> Shape:
    """Builds an electric heater on feet, its rods behind a grille."""
    depth, width, height = size
    parts = [
        box((-0.02, 0, height / 2 + 0.03), (depth - 0.06, width, height - 0.06), main),
        box((0, -width / 2 + 0.08, 0.015), (depth, 0.05, 0.03), second),
        box((0, width / 2 - 0.08, 0.015), (depth, 0.05, 0.03), second),
        box((depth / 2 - 0.045, 0, height / 2 + 0.02), (0.01, width - 0.08, height - 0.2), second),
    ]
    parts += [
        box((depth / 2 - 0.015, y, height / 2 + 0.02), (0.012, 0.012, height - 0.18), main)
        for y in (-width / 3, -width / 9, width / 9, width / 3)
    ]
    heights = (height * 0.3, height * 0.5, height * 0.7)
    on, off = (
        merge(box((depth / 2 - 0.035, 0, z), (0.02, width - 0.1, 0.045), colour) for z in heights)
        for colour in (palette.GLOWING, (104, 100, 98))
    )
    return Shape(merge(parts), lit=on, unlit=off)


def stove(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, height = size
    front = depth / 2
    parts = [
        box((0, 0, (height - 0.01) / 2), (depth, width, height - 0.01), main),
        box((0, 0, height - 0.005), (depth - 0.02, width - 0.02, 0.012), second),
        box((front, 0, height - 0.08), (0.02, width - 0.04, 0.09), second),
        box((front + 0.004, 0, height / 2 - 0.06), (0.02, width - 0.06, height - 0.34), main),
        box((front + 0.03, 0, height - 0.2), (0.025, width * 0.7, 0.02), STEEL),
    ]
    parts += [
        box((front + 0.015, (k - 1.5) * 0.1, height - 0.1), (0.03, 0.035, 0.035), STEEL) for k in range(4)
    ]
    places = [(sx * depth / 4, sy * width / 4) for sx in (-1, 1) for sy in (-1, 1)]
    on, off = (
        merge(
            [
                *(rod(x, y, height, height + 0.008, 0.085, colour, 16) for x, y in places),
                box((front + 0.01, 0, height - 0.055), (0.006, width - 0.1, 0.025), strip),
            ]
        )
        for colour, strip in ((palette.GLOWING, palette.GLOWING), ((88, 86, 88), DARK))
    )
    top = Rect(-depth / 2 + 0.1, -width / 2 + 0.1, depth / 2 - 0.1, width / 2 - 0.1)
    return Shape(merge(parts), on=(Shelf(top, height + 0.008, 1.0),), lit=on, unlit=off)


def floor_lamp(size: Size, main: Colour, second: Colour) -> Shape:
    width, height = size[1], size[2]
    stand = [rod(0, 0, 0, 0.03, width * 0.4, second), rod(0, 0, 0.03, height - 0.25, 0.015, second)]
    shade = [(0, height - 0.3), (width / 2, height - 0.3), (width * 0.32, height), (0, height)]
    return Shape(merge(stand), lit=lathe(shade, palette.WARM), unlit=lathe(shade, main))
