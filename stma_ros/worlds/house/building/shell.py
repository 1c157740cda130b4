"""The inner faces of the building as meshes: floors, ceilings, walls with their doorways and windows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from stma_ros.worlds.house.building.layout import DOOR_HEIGHT, WALL_HEIGHT, Doorway, Layout
from stma_ros.worlds.house.building.partition import WALL_THICKNESS
from stma_ros.worlds.house.building.room_templates import ROOM_TEMPLATES
from stma_ros.worlds.house.meshes import Colour, Mesh, merge, quad, slab
from stma_ros.worlds.robot.geometry import Rect

FLOOR, CEILING, WALL = "floor", "ceiling", "wall"
"""The labels of the parts of the building in segmentation."""

_CEILING: Colour = (250, 250, 248)
TRIM: Colour = (250, 248, 242)
_SILL: Colour = (150, 144, 136)
_PANE: Colour = (176, 214, 240)
_TRIM_WIDTH, TRIM_PROUD = 0.07, 0.015
_SKIRTING = 0.09
_WINDOW_BOTTOM, _WINDOW_TOP, _WINDOW_WIDTH = 0.95, 2.05, 1.2

_PAINTED_WALL, _PAINTING_WIDTH, _PAINTING_BOTTOM = 1.8, 0.7, 1.55
_FRAME: Colour = (96, 68, 46)
_LANDSCAPES: tuple[tuple[Colour, Colour], ...] = (
    ((110, 140, 84), (176, 206, 222)),
    ((196, 170, 120), (226, 206, 176)),
    ((80, 116, 140), (220, 190, 170)),
    ((150, 110, 130), (206, 196, 214)),
)

_Side = tuple[bool, float, float, float, float]
"""A wall of a room: runs along x, its plane, start, end, direction into the room (+1, -1)."""


def floors(layout: Layout) -> Mesh:
    rooms = [_level(room.floor, 0.0, ROOM_TEMPLATES[room.kind].floor) for room in layout.rooms]
    return merge(rooms + [_level(doorway.opening, 0.0, _SILL) for doorway in layout.doorways])


def ceilings(layout: Layout) -> Mesh:
    rooms = [_level(room.floor, WALL_HEIGHT, _CEILING) for room in layout.rooms]
    return merge(rooms)


def walls(layout: Layout, bare_doorways: Iterable[Doorway]) -> Mesh:
    """Returns walls, skirting and window panes, and the frames of doorways without a door."""
    parts = []
    for index, room in enumerate(layout.rooms):
        colour = ROOM_TEMPLATES[room.kind].walls
        doors = [doorway for doorway in layout.doorways if index in doorway.rooms]
        for side in _sides(room.floor):
            parts += _wall(side, doors, colour)
            if _is_outer(side, layout.bounds):
                parts += _window(side)
            else:
                parts += [
                    board for start, end in _stretches(side, doors) for board in _painting(side, start, end)
                ]
    for doorway in bare_doorways:
        parts += [*_reveal(doorway), architrave(doorway)]
    return merge(parts)


def architrave(doorway: Doorway) -> Mesh:
    """Returns the trim around a doorway, on both sides of the wall."""
    o, along_x = doorway.opening, doorway.along_x
    (low, high), faces = ((o.x0, o.x1), (o.y0, o.y1)) if along_x else ((o.y0, o.y1), (o.x0, o.x1))
    parts = []
    for at, inward in zip(faces, (-1, 1), strict=True):
        side = (along_x, at, low, high, inward)
        for start, end in ((low - _TRIM_WIDTH, low), (high, high + _TRIM_WIDTH)):
            parts.append(_board(side, start, end, 0, DOOR_HEIGHT + _TRIM_WIDTH, TRIM_PROUD, TRIM))
        parts.append(_board(side, low, high, DOOR_HEIGHT, DOOR_HEIGHT + _TRIM_WIDTH, TRIM_PROUD, TRIM))
    return merge(parts)


def _level(rect: Rect, z: float, colour: Colour) -> Mesh:
    return quad(
        [(rect.x0, rect.y0, z), (rect.x1, rect.y0, z), (rect.x1, rect.y1, z), (rect.x0, rect.y1, z)], colour
    )


def _sides(floor: Rect) -> list[_Side]:
    return [
        (True, floor.y0, floor.x0, floor.x1, 1),
        (True, floor.y1, floor.x0, floor.x1, -1),
        (False, floor.x0, floor.y0, floor.y1, 1),
        (False, floor.x1, floor.y0, floor.y1, -1),
    ]


def _panel(side: _Side, start: float, end: float, bottom: float, top: float, colour: Colour) -> Mesh:
    along_x, at = side[0], side[1]
    corners = [(start, bottom), (end, bottom), (end, top), (start, top)]
    return quad([(a, at, z) if along_x else (at, a, z) for a, z in corners], colour)


def _board(
    side: _Side, start: float, end: float, bottom: float, top: float, proud: float, colour: Colour
) -> Mesh:
    """Returns a thin box on the wall, `proud` thick."""
    along_x, at, _, _, inward = side
    low, high = sorted((at, at + inward * proud))
    if along_x:
        return slab((start, low, bottom), (end, high, top), colour)
    return slab((low, start, bottom), (high, end, top), colour)


def _openings(side: _Side, doors: list[Doorway]) -> list[tuple[float, float]]:
    """Returns the begin and end of each doorway in a wall."""
    along_x, at = side[0], side[1]
    return sorted(
        (d.opening.x0, d.opening.x1) if along_x else (d.opening.y0, d.opening.y1)
        for d in doors
        if d.along_x == along_x and _touches(d.opening, along_x, at)
    )


def _stretches(side: _Side, doors: list[Doorway]) -> list[tuple[float, float]]:
    """Returns the begin and end of each stretch of wall between the doorways."""
    edges = [side[2]] + [edge for opening in _openings(side, doors) for edge in opening] + [side[3]]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _wall(side: _Side, doors: list[Doorway], colour: Colour) -> list[Mesh]:
    start, end = side[2], side[3]
    parts = [
        _panel(side, low, high, DOOR_HEIGHT, WALL_HEIGHT, colour) for low, high in _openings(side, doors)
    ]
    for low, high in _stretches(side, doors):
        parts.append(_panel(side, low, high, 0, WALL_HEIGHT, colour))
        inset = _TRIM_WIDTH + 0.002
        skirt_from = low + (inset if low > start else 0.0)
        skirt_to = high - (inset if high < end else 0.0)
        parts.append(_board(side, skirt_from, skirt_to, 0, _SKIRTING, 0.012, TRIM))
    return parts


def _painting(side: _Side, start: float, end: float) -> list[Mesh]:
    """Returns a framed landscape in the middle of a long stretch of wall, above the furniture; empty on short
    stretches."""
    if end - start < _PAINTED_WALL:
        return []
    middle, half = (start + end) / 2, _PAINTING_WIDTH / 2
    ground, sky = _LANDSCAPES[round(10 * (start + end) + 10 * side[1]) % len(_LANDSCAPES)]
    low, high = _PAINTING_BOTTOM, _PAINTING_BOTTOM + 0.45
    return [
        _board(side, middle - half - 0.03, middle + half + 0.03, low - 0.03, high + 0.03, 0.02, _FRAME),
        _board(side, middle - half, middle + half, low + 0.18, high, 0.023, sky),
        _board(side, middle - half, middle + half, low, low + 0.18, 0.023, ground),
    ]


def _touches(opening: Rect, along_x: bool, at: float) -> bool:
    low, high = (opening.y0, opening.y1) if along_x else (opening.x0, opening.x1)
    return min(abs(low - at), abs(high - at)) < 1e-6


def _is_outer(side: _Side, bounds: Rect) -> bool:
    along_x, at = side[0], side[1]
    edges = (bounds.y0, bounds.y1) if along_x else (bounds.x0, bounds.x1)
    return min(abs(at - edge) for edge in edges) < WALL_THICKNESS + 1e-6


@dataclass(frozen=True)
class Window:
    """The opening of a window: the room's floor, the wall's plane and direction, begin and end along it, and heights
    [m]. `inward` is the direction into the room (+1, -1)."""

    floor: Rect
    along_x: bool
    at: float
    inward: float
    start: float
    end: float
    bottom: float = _WINDOW_BOTTOM
    top: float = _WINDOW_TOP


def windows(layout: Layout) -> list[Window]:
    """Returns the windows of all rooms."""
    return [
        Window(room.floor, side[0], side[1], side[4], middle - half, middle + half)
        for room in layout.rooms
        for side in _sides(room.floor)
        if _is_outer(side, layout.bounds)
        for middle, half in [_extent(side)]
        if half > 0
    ]


def _extent(side: _Side) -> tuple[float, float]:
    """Returns the middle of the window in an outer wall, and half of its width."""
    start, end = side[2], side[3]
    return (start + end) / 2, min(_WINDOW_WIDTH, (end - start) - 1.2) / 2


def _window(side: _Side) -> list[Mesh]:
    """Returns a window in the middle of an outer wall: a frame and two panes."""
    middle, half = _extent(side)
    parts = [
        _board(
            side,
            middle - half - 0.06,
            middle + half + 0.06,
            _WINDOW_BOTTOM - 0.06,
            _WINDOW_TOP + 0.06,
            0.02,
            TRIM,
        )
    ]
    for low, high in ((middle - half, middle - 0.02), (middle + 0.02, middle + half)):
        parts.append(_board(side, low, high, _WINDOW_BOTTOM, _WINDOW_TOP, 0.025, _PANE))
    return parts


def _reveal(doorway: Doorway) -> list[Mesh]:
    """Returns the faces within the wall: both jambs and the underside of the lintel."""
    o = doorway.opening
    parts = [_level(o, DOOR_HEIGHT, TRIM)]
    if doorway.along_x:
        ends = [((x, o.y0), (x, o.y1)) for x in (o.x0, o.x1)]
    else:
        ends = [((o.x0, y), (o.x1, y)) for y in (o.y0, o.y1)]
    for (xa, ya), (xb, yb) in ends:
        parts.append(quad([(xa, ya, 0), (xb, yb, 0), (xb, yb, DOOR_HEIGHT), (xa, ya, DOOR_HEIGHT)], TRIM))
    return parts
