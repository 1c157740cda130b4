"""Places furniture in the rooms of a layout so that every piece can be reached and every container opened."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from stma_ros.worlds.house.building.layout import Layout
from stma_ros.worlds.house.building.room_templates import ROOM_TEMPLATES, Group, Satellite
from stma_ros.worlds.house.flat import Furniture
from stma_ros.worlds.house.furnishing.angles import PlacedGroup, turn_groups
from stma_ros.worlds.house.furnishing.room_plan import SATELLITE_GAP, RoomPlan
from stma_ros.worlds.house.kinds.furniture_kinds import FURNITURE
from stma_ros.worlds.robot.geometry import ConvexPolygon, Placement, wrap_angle

_WALL_GAP = 0.03  # leaves room for window frames
_ATTEMPTS = 60
_DRAWS = 3  # of one room
_FURTHER_DRAWS = 30  # of a room without its main piece: a bedroom has a bed


def furnish(rng: np.random.Generator, layout: Layout) -> tuple[Furniture, ...]:
    """Returns the furniture of all rooms, named by category and number ("chair_3")."""
    # Random streams of their own: what is in other rooms depends neither on the angles nor on further draws.
    angles, further = rng.spawn(2)
    rooms = [_furnish_room(rng, further, angles, layout, index) for index in range(len(layout.rooms))]
    pieces = [piece for room in rooms for piece in room]
    counts: dict[str, int] = {}
    named = []
    for piece in pieces:
        counts[piece.category] = counts.get(piece.category, 0) + 1
        named.append(replace(piece, name=f"{piece.category.replace(' ', '_')}_{counts[piece.category]}"))
    return tuple(named)


def further_piece(
    rng: np.random.Generator, layout: Layout, furniture: Sequence[Furniture], category: str, room: int
) -> Furniture | None:
    """Returns one more piece, without a name, against a wall of a furnished room; None where none fits."""
    standing = [piece for piece in furniture if piece.room == room]
    plan = RoomPlan(layout, room).with_others((), standing)
    for _ in range(_ATTEMPTS):
        row = _along_wall(rng, plan.floor, [_draw_piece(rng, category, room)], 0.0)
        if row is not None and plan.fits(row) and plan.with_others((), row).is_within_reach():
            return row[0]
    return None


def _furnish_room(
    rng: np.random.Generator,
    further: np.random.Generator,
    angles: np.random.Generator,
    layout: Layout,
    index: int,
) -> list[Furniture]:
    """Returns the best of a few draws: the one in which the fewest of the room's regular pieces are missing.

    Args:
        rng: source of the first draws.
        further: source of further draws, of a room that its main piece did not fit into.
        angles: source of the angles.
        layout: of the flat.
        index: of the room.
    """
    best = _draw_room(rng, layout, index)
    for _ in range(_DRAWS - 1):
        if best.missing:
            best = min(best, _draw_room(rng, layout, index), key=lambda draw: draw.missing)
    for _ in range(_FURTHER_DRAWS):
        if best.lacks_main:
            best = min(
                best, _draw_room(further, layout, index), key=lambda draw: (draw.lacks_main, draw.missing)
            )
    return turn_groups(angles, best.plan.on_raster_of(layout), best.groups)


@dataclass(frozen=True)
class _Draw:
    """Furniture drawn for a room.

    Attributes:
        plan: the furnished room.
        groups: the groups that stand in it.
        missing: number of regular groups that did not fit.
        lacks_main: whether the first of them is missing, which makes the room what it is.
    """

    plan: RoomPlan
    groups: Sequence[PlacedGroup]
    missing: int
    lacks_main: bool


def _draw_room(rng: np.random.Generator, layout: Layout, index: int) -> _Draw:
    plan = RoomPlan(layout, index)
    placed: list[PlacedGroup] = []
    groups = ROOM_TEMPLATES[layout.rooms[index].kind].groups
    missing = 0
    for group in groups:
        wanted = rng.random() < group.chance
        if wanted and not _place_group(rng, plan, group, placed):
            missing += group.chance == 1.0
    main = groups[0].run[groups[0].main]
    has_main = any(piece.category == main for group in placed for piece in group.run)
    return _Draw(plan, placed, missing, groups[0].chance == 1.0 and not has_main)


def _place_group(rng: np.random.Generator, plan: RoomPlan, group: Group, placed: list[PlacedGroup]) -> bool:
    """Places a group and adds it to `placed`; returns whether all of its run found a place."""
    run = [_draw_piece(rng, kind, plan.room) for kind in group.run]
    satellites = [_draw_piece(rng, satellite.kind, plan.room) for satellite in group.satellites]
    # Chairs around one table match.
    satellites = [
        replace(piece, colours=satellites[0].colours, size=satellites[0].size)
        if piece.category == satellites[0].category
        else piece
        for piece in satellites
    ]
    tries = 2 * _ATTEMPTS if group.in_the_open else _ATTEMPTS
    for attempt in range(tries):
        # A piece that would block the way anywhere else goes to a wall.
        in_the_open = group.in_the_open and (attempt < tries - _ATTEMPTS // 2 or not run[0].kind.solid)
        row = (
            _in_the_open(rng, plan.floor, run[0])
            if in_the_open
            else _along_wall(rng, plan.floor, run, group.gap)
        )
        if row is not None and plan.try_add(row):
            around = [
                replace(piece, placement=_placed_by(row[group.main], satellite, piece))
                for satellite, piece in zip(group.satellites, satellites, strict=True)
            ]
            seated = [piece for piece in around if plan.try_add([piece], SATELLITE_GAP)]
            placed.append(PlacedGroup(group, tuple(row), tuple(seated)))
            return True
    if len(group.run) == 1:
        return False
    half = len(group.run) // 2  # no wall is long enough: two shorter runs
    placed_all = True
    for part, main in ((group.run[:half], group.main), (group.run[half:], group.main - half)):
        with_main = 0 <= main < len(part)
        satellites_left = group.satellites if with_main else ()
        shorter = replace(group, run=part, main=main if with_main else 0, satellites=satellites_left)
        placed_all &= _place_group(rng, plan, shorter, placed)
    return placed_all


def _draw_piece(rng: np.random.Generator, category: str, room: int) -> Furniture:
    kind = FURNITURE[category]
    share = rng.random(3).tolist()
    low, high = kind.least, kind.greatest
    size = (
        round(low[0] + share[0] * (high[0] - low[0]), 2),
        round(low[1] + share[1] * (high[1] - low[1]), 2),
        round(low[2] + share[2] * (high[2] - low[2]), 3),
    )
    colours = kind.colours[int(rng.integers(len(kind.colours)))]
    return Furniture("", category, room, Placement(0.0, 0.0, 0.0), size, colours)


def _along_wall(
    rng: np.random.Generator, floor: ConvexPolygon, run: Sequence[Furniture], gap: float
) -> list[Furniture] | None:
    """Places the run with its backs to a random wall, at a random position, in a corner half of the time."""
    side = int(rng.integers(len(floor.sides)))
    wall, length = floor.sides[side]
    margin = max(_WALL_GAP, gap)
    total = sum(piece.size[1] for piece in run) + gap * (len(run) - 1)
    slack = length - total - 2 * margin
    offset = float(rng.random())
    corner = float(rng.random())
    if slack < 0:
        return None
    at = margin + slack * (0.0 if corner < 0.25 else 1.0 if corner < 0.5 else offset)
    backwards = side >= len(floor.sides) / 2  # a run leads eastwards or northwards
    placed = []
    for piece in run:
        depth, width, _ = piece.size
        along = at + width / 2
        x, y = wall.point(length - along if backwards else along, depth / 2 + _WALL_GAP)
        yaw = wrap_angle(wall.yaw + math.pi / 2)
        placed.append(replace(piece, placement=Placement(round(x, 3), round(y, 3), yaw)))
        at += width + gap
    return placed


def _in_the_open(rng: np.random.Generator, floor: ConvexPolygon, piece: Furniture) -> list[Furniture] | None:
    room = floor.bounds
    turned = bool(rng.random() < 0.5)
    depth, width = (piece.size[1], piece.size[0]) if turned else piece.size[:2]
    share = (0.2 + 0.6 * rng.random(2)).tolist()
    slack_x, slack_y = room.width - depth, room.depth - width
    if slack_x < 0 or slack_y < 0:
        return None
    x, y = room.x0 + depth / 2 + share[0] * slack_x, room.y0 + width / 2 + share[1] * slack_y
    yaw = math.pi / 2 if turned else 0.0
    return [replace(piece, placement=Placement(round(float(x), 3), round(float(y), 3), yaw))]


def _placed_by(main: Furniture, satellite: Satellite, piece: Furniture) -> Placement:
    distance = main.size[0] / 2 + satellite.ahead + piece.size[0] / 2
    x, y = main.placement.point(-distance if satellite.behind else distance, satellite.aside * main.size[1])
    return Placement(round(x, 3), round(y, 3), main.placement.yaw + satellite.turn)
