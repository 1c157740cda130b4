"""Builds seats and beds."""

from __future__ import annotations

from stma_ros.worlds.house.kinds.shapes import DARK, Shape, Size, top_of
from stma_ros.worlds.house.meshes import Colour, Mesh, box, lathe, merge, rod
from stma_ros.worlds.robot.geometry import Rect
from stma_ros.worlds.robot.scene import Shelf

_LINEN = (240, 241, 240)
_SEAT = 0.45  # height [m]
_PILLOWS = 0.62  # from the head of a bed to its blanket [m]


def chair(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, height = size
    legs = [
        box((sx * (depth / 2 - 0.03), sy * (width / 2 - 0.03), _SEAT / 2), (0.035, 0.035, _SEAT), second)
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    posts = [
        box(
            (-depth / 2 + 0.03, sy * (width / 2 - 0.03), (_SEAT + height) / 2 - 0.05),
            (0.03, 0.03, height - _SEAT - 0.1),
            second,
        )
        for sy in (-1, 1)
    ]
    return Shape(merge([_seat(size, main), _back(size, main), *legs, *posts]), on=(_sitting(size, 0.05),))


def office_chair(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, _ = size
    feet = [box((0, 0, 0.04), (depth, 0.05, 0.04), second), box((0, 0, 0.04), (0.05, width, 0.04), second)]
    arms = [box((0, sy * (width / 2 - 0.02), 0.64), (0.26, 0.04, 0.03), second) for sy in (-1, 1)]
    arms += [box((-0.05, sy * (width / 2 - 0.02), 0.55), (0.03, 0.03, 0.18), second) for sy in (-1, 1)]
    parts = [_seat(size, main), _back(size, main), rod(0, 0, 0.05, _SEAT, 0.03, DARK), *feet, *arms]
    return Shape(merge(parts), on=(_sitting(size, 0.08),))


def stool(size: Size, main: Colour, second: Colour) -> Shape:
    depth, width, height = size
    legs = [
        rod(sx * depth * 0.3, sy * width * 0.3, 0, height - 0.03, 0.016, second)
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    seat = lathe([(0, height - 0.04), (width / 2, height - 0.04), (width / 2, height), (0, height)], main, 18)
    return Shape(merge([seat, *legs]), on=(top_of(size, 0.2 * width),))


def _seat(size: Size, colour: Colour) -> Mesh:
    return box((0, 0, _SEAT), (size[0], size[1], 0.04), colour)


def _back(size: Size, colour: Colour) -> Mesh:
    depth, width, height = size
    return box(
        (-depth / 2 + 0.02, 0, _SEAT + (height - _SEAT) / 2 + 0.06),
        (0.03, width, height - _SEAT - 0.12),
        colour,
    )


def _sitting(size: Size, margin: float) -> Shelf:
    depth, width, _ = size
    area = Rect(-depth / 2 + 0.06, -width / 2 + margin, depth / 2 - 0.02, width / 2 - margin)
    return Shelf(area, _SEAT + 0.02, 1.0)


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
        *_bedding(size, mattress, main),
    ]
    return Shape(merge(parts), on=(_lying(size, mattress, 1.0),))


def bunk_bed(size: Size, main: Colour, second: Colour) -> Shape:
    """Builds two beds above one another and a ladder at the foot of the upper one; objects lie on the lower one."""
    depth, width, height = size
    lower, upper = 0.42, height - 0.28
    posts = [
        box((sx * (depth / 2 - 0.035), sy * (width / 2 - 0.035), height / 2), (0.07, 0.07, height), second)
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    rails = [
        box((0, sy * (width / 2 - 0.02), top + 0.1 * (top == upper)), (depth, 0.04, 0.14), second)
        for sy in (-1, 1)
        for top in (lower - 0.12, upper)
    ]
    boards = [
        box((sx * (depth / 2 - 0.02), 0, top), (0.04, width, 0.3), second)
        for sx in (-1, 1)
        for top in (lower + 0.02, upper)
    ]
    ladder = [box((depth / 2 - 0.01, 0, z), (0.03, 0.4, 0.035), main) for z in (0.3, 0.6, 0.9, 1.2)]
    ladder += [box((depth / 2 - 0.01, sy * 0.2, upper / 2), (0.03, 0.035, upper), main) for sy in (-1, 1)]
    parts = [*posts, *rails, *boards, *ladder, *_bedding(size, lower, main), *_bedding(size, upper, main)]
    return Shape(merge(parts), on=(_lying(size, lower, upper - lower - 0.3),))


def _bedding(size: Size, mattress: float, cover: Colour) -> list[Mesh]:
    """Returns mattress, blanket and pillows; `mattress` is the height of its upper side."""
    depth, width, _ = size
    pillows = max(1, round(width / 0.8))
    across = width / pillows
    parts = [
        box((0.03, 0, mattress - 0.1), (depth - 0.08, width - 0.06, 0.2), _LINEN),
        box(
            ((_PILLOWS - 0.02) / 2, 0, mattress - 0.09), (depth - _PILLOWS - 0.02, width - 0.02, 0.22), cover
        ),
    ]
    for k in range(pillows):
        y = -width / 2 + across * (k + 0.5)
        parts.append(box((-depth / 2 + 0.3, y, mattress + 0.05), (0.36, min(0.6, across - 0.1), 0.1), _LINEN))
    return parts


def _lying(size: Size, mattress: float, clearance: float) -> Shelf:
    """Returns the blanket, from the pillows to the foot."""
    depth, width, _ = size
    area = Rect(-depth / 2 + _PILLOWS, -width / 2 + 0.1, depth / 2 - 0.12, width / 2 - 0.1)
    return Shelf(area, mattress + 0.02, clearance)
