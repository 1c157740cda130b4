"""Draws a flat from above as SVG, for documentation and reports."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape

from stma_ros.worlds.house.building.room_templates import ROOM_TEMPLATES
from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.house.labels import Label, LabelPlacer, around, inside
from stma_ros.worlds.house.meshes import Colour
from stma_ros.worlds.robot.geometry import ConvexPolygon, OrientedRect, Placement, Rect
from stma_ros.worlds.robot.motion import BASE_RADIUS

_SCALE = 100.0  # pixels per metre
_MARGIN = 0.05  # [m]
_FRONT, _INK, _ITEM_INK = "#b5461b", "#222222", "#1a3c6e"
_DOT = 0.05  # radius of a small thing's mark [m]
_ROOM_SIZE, _PIECE_SIZE, _ITEM_SIZE = 0.19, 0.12, 0.11  # of the fonts [m]
_ROOM_GRID = 0.15  # spacing of the candidate positions for a room's name [m]
_SVG = "http://www.w3.org/2000/svg"
_FONT = "Helvetica, Arial, sans-serif"

_ToPixels = Callable[[float, float], tuple[float, float]]


def draw_flat(
    flat: Flat,
    robot: Placement | None = None,
    open_names: frozenset[str] = frozenset(),
    path: Sequence[tuple[float, float]] = (),
    labels: bool = True,
) -> str:
    """Draws a flat as an SVG document.

    The drawing shows rooms, walls, doors, furniture in its colours, and small things as dots, or as rings inside
    furniture. x points right and y up, as in the map.

    Args:
        flat: the flat.
        robot: pose of the robot; None = not drawn.
        open_names: things that are drawn open.
        path: points [m] of a line.
        labels: whether names are written.
    """
    bounds = flat.layout.bounds.grown(_MARGIN)
    width, height = bounds.width * _SCALE, bounds.depth * _SCALE

    def at(x: float, y: float) -> tuple[float, float]:
        return (x - bounds.x0) * _SCALE, (bounds.y1 - y) * _SCALE

    parts = [_tag("rect", width=width, height=height, fill="#ffffff")]
    parts += [
        _area(room.floor, at, _soft(ROOM_TEMPLATES[room.kind].floor), "none") for room in flat.layout.rooms
    ]
    parts += [_area(doorway.opening, at, "#d8d2c8", "none") for doorway in flat.layout.doorways]
    parts += [_area(wall, at, "#4a4a4e", "none") for wall in flat.layout.walls]
    parts += [
        _area(door.obstacles(door.name in open_names)[-1], at, _hex(door.colour)) for door in flat.doors
    ]
    for piece in sorted(flat.furniture, key=lambda piece: (piece.kind.solid, piece.box)):
        parts += _furniture(piece, at, piece.name in open_names)
    parts += [_item(item, at) for item in _sorted(flat.items)]
    parts += _labels(flat, bounds, at) if labels else []
    if path:
        line = _points(at(*point) for point in path)
        parts.append(_tag("polyline", points=line, fill="none", stroke="#d6336c", stroke_width=2.5))
    if robot is not None:
        parts += _robot(robot, at)
    box = f"0 0 {width:.1f} {height:.1f}"
    return _tag(
        "svg", "\n".join(parts), xmlns=_SVG, viewBox=box, width=width, height=height, font_family=_FONT
    )


def _furniture(piece: Furniture, at: _ToPixels, opened: bool) -> list[str]:
    parts = [
        _area(piece.footprint, at, _hex(piece.colours[0]), stroke="#2b2b2b" if piece.kind.solid else "none")
    ]
    if piece.opens:  # a thick edge on the side that opens
        depth, width, _ = piece.size
        (x1, y1), (x2, y2) = (at(*piece.placement.point(depth / 2, side * width / 2)) for side in (-1, 1))
        parts.append(_tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=_FRONT, stroke_width=4))
    return parts + [_area(leaf, at, _FRONT) for leaf in piece.obstacles(opened)[1:]]


def _area(area: OrientedRect | ConvexPolygon, at: _ToPixels, fill: str, stroke: str = "#2b2b2b") -> str:
    corners = (at(*corner) for corner in area.corners)
    return _tag("polygon", points=_points(corners), fill=fill, stroke=stroke, stroke_width=1)


def _item(item: Item, at: _ToPixels) -> str:
    x, y = at(item.x, item.y)
    colour = _hex(item.colour)
    radius = _DOT * _SCALE
    if item.inside:
        return _tag("circle", cx=x, cy=y, r=radius, fill="none", stroke=colour, stroke_width=3)
    return _tag("circle", cx=x, cy=y, r=radius, fill=colour, stroke="#222222", stroke_width=1)


def _labels(flat: Flat, page: Rect, at: _ToPixels) -> list[str]:
    """Returns the labels: furniture first, on the piece where there is room, then rooms, then small things."""
    placer = LabelPlacer(page)
    pieces = sorted((piece for piece in flat.furniture if piece.kind.solid), key=lambda piece: piece.box)
    items = _sorted(flat.items)
    for wall in flat.layout.walls:
        placer.avoid(wall.bounds, 2.0)
    for piece in flat.furniture:
        placer.avoid(piece.footprint.bounds, 1.0 if piece.kind.solid else 0.3)
    for item in items:
        placer.avoid(_mark(item), 4.0)
    parts = []
    for piece in pieces:
        name, place = piece.category, piece.footprint.bounds
        fitting = inside(name, place, _PIECE_SIZE) or inside(name, place, 0.8 * _PIECE_SIZE)
        label = placer.place(fitting or around(name, place, _PIECE_SIZE), on=place)
        dark = bool(fitting) and sum(piece.colours[0]) < 380
        parts.append(_text(label, at, "#ffffff" if dark else _INK, halo=not fitting))
    for room in flat.layout.rooms:
        label = placer.place(_across(room.kind, room.floor, _ROOM_SIZE), clear=_ROOM_SIZE / 2)
        placer.avoid(label.box, 20.0)
        parts.append(_text(label, at, "#33302c", halo=True, font_weight="bold"))
    for item in items:
        label = placer.place(around(item.category, _mark(item), _ITEM_SIZE))
        parts.append(_text(label, at, _ITEM_INK, halo=True))
    return parts


def _across(text: str, floor: ConvexPolygon, size: float) -> list[Label]:
    """Returns candidate labels all over a floor, those nearest to its middle first."""
    x, y = floor.centre
    columns, rows = int(floor.bounds.width / 2 / _ROOM_GRID), int(floor.bounds.depth / 2 / _ROOM_GRID)
    shifts = [
        (i * _ROOM_GRID, j * _ROOM_GRID) for i in range(-columns, columns + 1) for j in range(-rows, rows + 1)
    ]
    nearest = sorted(shifts, key=lambda shift: math.hypot(*shift))
    found = [Label(text, x + dx, y + dy, size) for dx, dy in nearest]
    return [label for label in found if floor.covers(OrientedRect.of(label.box))] or found[:1]


def _mark(item: Item) -> Rect:
    return Rect(item.x, item.y, item.x, item.y).grown(1.3 * _DOT)


def _sorted(items: Iterable[Item]) -> list[Item]:
    return sorted(items, key=lambda item: item.box)


def _robot(robot: Placement, at: _ToPixels) -> list[str]:
    (x, y), (tip_x, tip_y) = at(robot.x, robot.y), at(*robot.point(0.4, 0.0))
    return [
        _tag(
            "circle", cx=x, cy=y, r=BASE_RADIUS * _SCALE, fill="#2f6fde", fill_opacity=0.85, stroke="#ffffff"
        ),
        _tag("line", x1=x, y1=y, x2=tip_x, y2=tip_y, stroke="#10306e", stroke_width=4),
    ]


def _text(label: Label, at: _ToPixels, fill: str, halo: bool, **attributes: str) -> str:
    """Returns a text element. halo: a light outline, for a background of more than one colour."""
    x, y = at(label.x, label.y)
    size = label.size * _SCALE
    if label.upright:
        attributes["transform"] = f"rotate(-90 {x:.1f} {y:.1f})"
    if halo:
        attributes |= {
            "paint_order": "stroke",
            "stroke": "#ffffff",
            "stroke_opacity": "0.75",
            "stroke_width": "3",
        }
    return _tag(
        "text",
        escape(label.text),
        x=x,
        y=y + 0.35 * size,
        font_size=size,
        text_anchor="middle",
        fill=fill,
        **attributes,
    )


def _tag(element: str, inner: str = "", **attributes: str | float) -> str:
    """Returns an SVG element; underscores in attribute names become hyphens."""
    written = " ".join(
        f'{name.replace("_", "-")}="{value if isinstance(value, str) else round(value, 1)}"'
        for name, value in attributes.items()
    )
    return f"<{element} {written}>{inner}</{element}>"


def _points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _soft(colour: Colour) -> str:
    red, green, blue = (channel + (255 - channel) // 2 for channel in colour)
    return _hex((red, green, blue))
