"""The inner faces of the building as meshes: floors, ceilings, walls with their doorways and windows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stma_ros.worlds.house.building.layout import DOOR_HEIGHT, WALL_HEIGHT, Doorway, Layout
from stma_ros.worlds.house.building.partition import WALL_THICKNESS
from stma_ros.worlds.house.building.room_templates import ROOM_TEMPLATES
from stma_ros.worlds.house.meshes import Colour, Mesh, merge, quad, slab
from stma_ros.worlds.robot.geometry import Placement, Rect, Side

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


def floors(layout: Layout) -> Mesh:
    rooms = [_level(room.floor.corners, 0.0, ROOM_TEMPLATES[room.kind].floor) for room in layout.rooms]
    return merge(rooms + [_level(doorway.opening.corners, 0.0, _SILL) for doorway in layout.doorways])


def ceilings(layout: Layout) -> Mesh:
    return merge([_level(room.floor.corners, WALL_HEIGHT, _CEILING) for room in layout.rooms])


def walls(layout: Layout, bare_doorways: Iterable[Doorway]) -> Mesh:
    """Returns walls, skirting and window panes, and the frames of doorways without a door."""
    parts = []
    for index, room in enumerate(layout.rooms):
        colour = ROOM_TEMPLATES[room.kind].walls
        doors = [doorway for doorway in layout.doorways if index in doorway.rooms]
        for side in room.floor.sides:
            on_wall = _wall(side, doors, colour)
            if _is_outer(side, layout.bounds):
                on_wall += _window(side.length)
            else:
                for start, end in _stretches(side, doors):
                    on_wall += _painting(side, start, end)
            parts.append(_placed(on_wall, side.frame))
    for doorway in bare_doorways:
        parts += [*_reveal(doorway), architrave(doorway)]
    return merge(parts)


def architrave(doorway: Doorway) -> Mesh:
    """Returns the trim around a doorway, on both sides of the wall."""
    opening, high = doorway.opening, 2 * doorway.opening.half_x
    boards = [
        _board(start, end, 0, DOOR_HEIGHT + _TRIM_WIDTH, TRIM_PROUD, TRIM)
        for start, end in ((-_TRIM_WIDTH, 0.0), (high, high + _TRIM_WIDTH))
    ]
    boards.append(_board(0.0, high, DOOR_HEIGHT, DOOR_HEIGHT + _TRIM_WIDTH, TRIM_PROUD, TRIM))
    faces = []
    for yaw in (opening.yaw, opening.yaw + math.pi):
        start = Placement(*opening.centre, yaw).point(-opening.half_x, opening.half_y)
        faces.append(_placed(boards, Placement(*start, yaw)))
    return merge(faces)


def _placed(on_wall: Sequence[Mesh], wall: Placement) -> Mesh:
    """Returns what is on a wall in the map frame, from the frame of the wall: x along it, y into the room."""
    return merge(on_wall).placed(wall.x, wall.y, 0.0, wall.yaw)


def _level(corners: Sequence[tuple[float, float]], z: float, colour: Colour) -> Mesh:
    """Returns a level face with four corners."""
    return quad([(x, y, z) for x, y in corners], colour)


def _panel(start: float, end: float, bottom: float, top: float, colour: Colour) -> Mesh:
    """Returns a face of a wall, in the frame of the wall."""
    return quad([(start, 0.0, bottom), (end, 0.0, bottom), (end, 0.0, top), (start, 0.0, top)], colour)


def _board(start: float, end: float, bottom: float, top: float, proud: float, colour: Colour) -> Mesh:
    """Returns a thin box on a wall, `proud` thick, in the frame of the wall."""
    return slab((start, 0.0, bottom), (end, proud, top), colour)


def _openings(side: Side, doors: Sequence[Doorway]) -> list[tuple[float, float]]:
    """Returns the begin and end of each doorway in a wall."""
    wall, length = side
    found = []
    for opening in (door.opening for door in doors):
        along, across = wall.local(*opening.centre)
        if abs(across + opening.half_y) < 1e-6 and 0.0 < along < length:
            found.append((along - opening.half_x, along + opening.half_x))
    return sorted(found)


def _stretches(side: Side, doors: Sequence[Doorway]) -> list[tuple[float, float]]:
    """Returns the begin and end of each stretch of wall between the doorways."""
    edges = [0.0] + [edge for opening in _openings(side, doors) for edge in opening] + [side.length]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _wall(side: Side, doors: Sequence[Doorway], colour: Colour) -> list[Mesh]:
    parts = [_panel(low, high, DOOR_HEIGHT, WALL_HEIGHT, colour) for low, high in _openings(side, doors)]
    for low, high in _stretches(side, doors):
        parts.append(_panel(low, high, 0, WALL_HEIGHT, colour))
        inset = _TRIM_WIDTH + 0.002
        skirt_from = low + (inset if low > 0.0 else 0.0)
        skirt_to = high - (inset if high < side.length else 0.0)
        parts.append(_board(skirt_from, skirt_to, 0, _SKIRTING, 0.012, TRIM))
    return parts


def _painting(side: Side, start: float, end: float) -> list[Mesh]:
    """Returns a framed landscape in the middle of a long stretch of wall, above the furniture; empty on short
    stretches."""
    if end - start < _PAINTED_WALL:
        return []
    middle, half = (start + end) / 2, _PAINTING_WIDTH / 2
    x, y = side.frame.point(middle, 0.0)
    ground, sky = _LANDSCAPES[round(10 * (x + y)) % len(_LANDSCAPES)]
    low, high = _PAINTING_BOTTOM, _PAINTING_BOTTOM + 0.45
    return [
        _board(middle - half - 0.03, middle + half + 0.03, low - 0.03, high + 0.03, 0.02, _FRAME),
        _board(middle - half, middle + half, low + 0.18, high, 0.023, sky),
        _board(middle - half, middle + half, low, low + 0.18, 0.023, ground),
    ]


def _is_outer(side: Side, bounds: Rect) -> bool:
    """Whether nothing but the outer wall is behind a wall."""
    return not bounds.contains(*side.frame.point(side.length / 2, -WALL_THICKNESS - 1e-3))


@dataclass(frozen=True)
class Window:
    """The opening of a window in an outer wall: the bounds of the room's floor, the wall's plane and direction, begin
    and end along it, and heights [m]. `inward` is the direction into the room (+1, -1)."""

    floor: Rect
    along_x: bool
    at: float
    inward: float
    start: float
    end: float
    bottom: float = _WINDOW_BOTTOM
    top: float = _WINDOW_TOP


def windows(layout: Layout) -> list[Window]:
    """Returns the windows of all rooms. Outer walls run along the axes of the home."""
    found = []
    for room in layout.rooms:
        for side in room.floor.sides:
            half = _half_width(side.length)
            if half <= 0 or not _is_outer(side, layout.bounds):
                continue
            wall, length = side
            along_x = abs(math.cos(wall.yaw)) > 0.5
            x, y = wall.point(length / 2, 0.0)
            middle, at = (x, y) if along_x else (y, x)
            inward = math.copysign(1.0, math.cos(wall.yaw) if along_x else -math.sin(wall.yaw))
            found.append(Window(room.floor.bounds, along_x, at, inward, middle - half, middle + half))
    return found


def _half_width(length: float) -> float:
    """Returns half the width of the window in the middle of an outer wall; not above 0 where there is none [m]."""
    return min(_WINDOW_WIDTH, length - 1.2) / 2


def _window(length: float) -> list[Mesh]:
    """Returns a window in the middle of an outer wall: a frame and two panes."""
    middle, half = length / 2, _half_width(length)
    low, high = _WINDOW_BOTTOM - 0.06, _WINDOW_TOP + 0.06
    parts = [_board(middle - half - 0.06, middle + half + 0.06, low, high, 0.02, TRIM)]
    for start, end in ((middle - half, middle - 0.02), (middle + 0.02, middle + half)):
        parts.append(_board(start, end, _WINDOW_BOTTOM, _WINDOW_TOP, 0.025, _PANE))
    return parts


def _reveal(doorway: Doorway) -> list[Mesh]:
    """Returns the faces within the wall: both jambs and the underside of the lintel."""
    opening = doorway.opening
    parts = [_level(opening.corners, DOOR_HEIGHT, TRIM)]
    for along in (-opening.half_x, opening.half_x):
        a, b = opening.point(along, -opening.half_y), opening.point(along, opening.half_y)
        parts.append(quad([(*a, 0), (*b, 0), (*b, DOOR_HEIGHT), (*a, DOOR_HEIGHT)], TRIM))
    return parts
