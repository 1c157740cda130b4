"""The flat from above, as SVG: for documentation, reports and people's eyes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape

from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.house.geometry import Placement, Rect
from stma_ros.worlds.house.meshes import Colour
from stma_ros.worlds.house.motion import BASE_RADIUS
from stma_ros.worlds.house.programme import PROGRAMMES

_SCALE = 60.0  # pixels per metre
_MARGIN = 0.3  # [m]
_FRONT = "#b5461b"
_SVG = "http://www.w3.org/2000/svg"

_ToPixels = Callable[[float, float], tuple[float, float]]


def draw_flat(
    flat: Flat,
    robot: Placement | None = None,
    open_names: frozenset[str] = frozenset(),
    path: Sequence[tuple[float, float]] = (),
    labels: bool = True,
) -> str:
    """An SVG document: rooms, walls, furniture in its colours, small things as dots (rings: in something).

    x goes right and y up, as in the map. `path` [m] is drawn as a line.
    """
    bounds = flat.layout.bounds.grown(_MARGIN)
    width, height = bounds.width * _SCALE, bounds.depth * _SCALE

    def at(x: float, y: float) -> tuple[float, float]:
        return (x - bounds.x0) * _SCALE, (bounds.y1 - y) * _SCALE

    parts = [_tag("rect", width=width, height=height, fill="#ffffff")]
    parts += [_rect(room.floor, at, _soft(PROGRAMMES[room.kind].floor)) for room in flat.layout.rooms]
    parts += [_rect(doorway.opening, at, "#d8d2c8") for doorway in flat.layout.doorways]
    parts += [_rect(wall, at, "#4a4a4e") for wall in flat.layout.walls]
    for piece in sorted(flat.furniture, key=lambda piece: (piece.kind.solid, piece.box)):
        parts += _furniture(piece, at, piece.name in open_names, labels)
    for item in sorted(flat.items, key=lambda item: item.box):
        parts += _item(item, at, labels)
    for room in flat.layout.rooms:
        x, y = at(room.floor.centre[0], room.floor.y1 - 0.25)
        parts.append(_text(x, y, room.kind, size=15, font_weight="bold", fill="#33302c"))
    if path:
        line = _points(at(*point) for point in path)
        parts.append(_tag("polyline", points=line, fill="none", stroke="#d6336c", stroke_width=2.5))
    if robot is not None:
        parts += _robot(robot, at)
    box = f"0 0 {width:.0f} {height:.0f}"
    return _tag(
        "svg", "\n".join(parts), xmlns=_SVG, viewBox=box, width=width, height=height, font_family="sans-serif"
    )


def _furniture(piece: Furniture, at: _ToPixels, opened: bool, labels: bool) -> list[str]:
    parts = [
        _rect(piece.footprint, at, _hex(piece.colours[0]), stroke="#2b2b2b" if piece.kind.solid else "none")
    ]
    if piece.is_container:  # a thick edge on the side that opens
        depth, width, _ = piece.size
        (x1, y1), (x2, y2) = (at(*piece.placement.point(depth / 2, side * width / 2)) for side in (-1, 1))
        parts.append(_tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=_FRONT, stroke_width=4))
    for leaf in piece.obstacles(opened)[1:]:
        place = Placement(leaf.x, leaf.y, leaf.yaw)
        signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        corners = (at(*place.point(sx * leaf.half_x, sy * leaf.half_y)) for sx, sy in signs)
        parts.append(_tag("polygon", points=_points(corners), fill=_FRONT))
    if labels and piece.kind.solid:
        x, y = at(*piece.footprint.centre)
        dark = sum(piece.colours[0]) < 380
        parts.append(_text(x, y + 3, piece.category, size=9, fill="#ffffff" if dark else "#222222"))
    return parts


def _item(item: Item, at: _ToPixels, labels: bool) -> list[str]:
    x, y = at(item.x, item.y)
    colour = _hex(item.colour)
    if item.inside:
        parts = [_tag("circle", cx=x, cy=y, r=4.5, fill="none", stroke=colour, stroke_width=2)]
    else:
        parts = [_tag("circle", cx=x, cy=y, r=4.5, fill=colour, stroke="#222222", stroke_width=0.8)]
    if labels:
        parts.append(_text(x + 6, y - 3, item.category, size=8.5, fill="#1a3c6e", text_anchor="start"))
    return parts


def _robot(robot: Placement, at: _ToPixels) -> list[str]:
    (x, y), (tip_x, tip_y) = at(robot.x, robot.y), at(*robot.point(0.4, 0.0))
    return [
        _tag(
            "circle", cx=x, cy=y, r=BASE_RADIUS * _SCALE, fill="#2f6fde", fill_opacity=0.85, stroke="#ffffff"
        ),
        _tag("line", x1=x, y1=y, x2=tip_x, y2=tip_y, stroke="#10306e", stroke_width=4),
    ]


def _rect(rect: Rect, at: _ToPixels, fill: str, stroke: str = "none") -> str:
    x, y = at(rect.x0, rect.y1)
    width, height = rect.width * _SCALE, rect.depth * _SCALE
    return _tag("rect", x=x, y=y, width=width, height=height, fill=fill, stroke=stroke)


def _text(x: float, y: float, text: str, size: float, text_anchor: str = "middle", **attributes: str) -> str:
    return _tag("text", escape(text), x=x, y=y, font_size=size, text_anchor=text_anchor, **attributes)


def _tag(element: str, inner: str = "", **attributes: str | float) -> str:
    """An SVG element; underscores in attribute names become hyphens."""
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
