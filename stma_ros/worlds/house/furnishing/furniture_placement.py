"""Places furniture in the rooms of a layout so that every piece can be reached and every container opened."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stma_ros.worlds.house.building.layout import Layout
from stma_ros.worlds.house.building.partition import WALL_THICKNESS
from stma_ros.worlds.house.building.room_templates import ROOM_TEMPLATES, Group, Satellite
from stma_ros.worlds.house.flat import Furniture
from stma_ros.worlds.house.kinds.furniture_kinds import FURNITURE
from stma_ros.worlds.robot.clearance import Clearance
from stma_ros.worlds.robot.geometry import OrientedRect, Placement, Rect
from stma_ros.worlds.robot.places import DOCK_DISTANCE

COMFORT_RADIUS = 0.36  # passages are wide enough for a base of 0.25 m that plans on a coarse map [m]
_CONTAINER_ZONE = DOCK_DISTANCE + COMFORT_RADIUS + 0.04
_SURFACE_ZONE = 0.55
_DOOR_ZONE = 0.95
_LEAF = 0.08  # extent of an open leaf on either side of its jamb [m]
_GAP = 0.1  # between groups; open doors extend a little to the sides
_WALL_GAP = 0.03  # leaves room for window frames
_SIGHT = 0.6  # distance from a piece's corners at which the base can stand to see the objects on it [m]
_ATTEMPTS = 60
_DRAWS = 3  # of one room
_CROWDED = frozenset(
    {
        *("table", "dining table", "coffee table", "side table", "desk", "bench", "bed", "bunk bed"),
        *("chair", "office chair", "stool", "sofa", "armchair", "tv", "floor lamp"),
    }
)
"""Furniture in front of which other pieces may stand close."""


class _RoomPlan:
    """One room while it is being furnished."""

    def __init__(self, layout: Layout, room: int) -> None:
        self.room = room
        self.floor = layout.rooms[room].floor
        self.pieces: list[Furniture] = []
        self._zones: list[OrientedRect] = []
        self._doors: list[OrientedRect] = []
        self._leaves: list[OrientedRect] = []
        self.door_points: list[tuple[float, float]] = []
        for doorway in layout.doorways:
            if room in doorway.rooms:
                self._add_door(doorway.opening, doorway.along_x)
        walls = [
            OrientedRect.of(wall) for wall in layout.walls if wall.overlaps(self.floor.grown(WALL_THICKNESS))
        ]
        self._clearance = Clearance(self.floor.grown(WALL_THICKNESS), walls, COMFORT_RADIUS)

    def _add_door(self, opening: Rect, along_x: bool) -> None:
        x, y = opening.centre
        if along_x:
            zone = Rect(opening.x0 - 0.1, y - _DOOR_ZONE, opening.x1 + 0.1, y + _DOOR_ZONE)
        else:
            zone = Rect(x - _DOOR_ZONE, opening.y0 - 0.1, x + _DOOR_ZONE, opening.y1 + 0.1)
        self._doors.append(OrientedRect.of(zone))
        # The area of an open leaf.
        for jamb in (opening.x0, opening.x1) if along_x else (opening.y0, opening.y1):
            at_x, at_y, reach_x, reach_y = (
                (jamb, y, _LEAF, _DOOR_ZONE) if along_x else (x, jamb, _DOOR_ZONE, _LEAF)
            )
            self._leaves.append(OrientedRect(at_x, at_y, reach_x, reach_y))
        self.door_points.append((x, y))

    def try_add(self, pieces: Sequence[Furniture], gap: float = _GAP) -> bool:
        """Adds the pieces if they fit among the others and everything stays within reach. Returns whether they fit."""
        rugs = [piece for piece in pieces if not piece.kind.solid]
        solid = [piece for piece in pieces if piece.kind.solid]
        if rugs:
            fits = all(
                self.floor.covers(r.footprint.grown(0.05).bounds)
                and not any(r.footprint.overlaps(p.footprint) for p in self._against_wall())
                for r in rugs
            )
            if fits:
                self.pieces += rugs
            return fits
        standing = [piece.footprint for piece in self.pieces if piece.kind.solid]
        for area in (piece.footprint for piece in solid):
            if not self.floor.covers(area.bounds) or any(area.overlaps(door) for door in self._doors):
                return False
            apart = area.grown(gap)
            if any(apart.overlaps(other) for other in standing):
                return False
            if any(area.overlaps(zone) for zone in self._zones):
                return False
        zones = [zone for piece in solid for zone in _zones(piece)]
        standing += [piece.footprint for piece in solid]
        if any(zone.overlaps(area) for zone in zones for area in standing):
            return False
        for piece in solid:
            if piece.opens and not self._can_open(piece):
                return False
        clearance = self._clearance.copy()
        for piece in solid:
            for obstacle in piece.obstacles(open_=True):
                clearance.block(obstacle)
        if not self._all_within_reach(clearance, [*self.pieces, *solid]):
            return False
        self._clearance = clearance
        self.pieces += solid
        self._zones += zones
        return True

    def _can_open(self, piece: Furniture) -> bool:
        """Whether there is floor in front of it, no open door in between, and its leaves stay clear of the doors."""
        front = _zones(piece)[0]
        return (
            self.floor.covers(front.bounds)
            and not any(front.overlaps(leaf) for leaf in self._leaves)
            and not any(leaf.overlaps(door) for leaf in piece.leaves for door in self._doors)
        )

    def _against_wall(self) -> list[Furniture]:
        inner = self.floor.grown(-0.1)
        return [p for p in self.pieces if p.kind.solid and not inner.covers(p.footprint.bounds)]

    def _all_within_reach(self, clearance: Clearance, pieces: Sequence[Furniture]) -> bool:
        start = clearance.cell(*self.door_points[0])
        reachable = clearance.reachable(start)
        needed = self.door_points + [piece.ahead(DOCK_DISTANCE) for piece in pieces if piece.opens]
        for x, y in needed:
            row, column = clearance.cell(x, y)
            if not reachable[row, column]:
                return False
        return all(
            clearance.nearest_free(
                piece.placement.x, piece.placement.y, _half_diagonal(piece) + _SIGHT, reachable
            )
            is not None
            for piece in pieces
            if _is_used(piece)
        )


def _half_diagonal(piece: Furniture) -> float:
    return math.hypot(*piece.size[:2]) / 2


def _zones(piece: Furniture) -> list[OrientedRect]:
    """Returns the floor in front of a piece that other pieces have to leave free, except satellites such as chairs."""
    depth, width, _ = piece.size
    if piece.opens:
        ahead = _CONTAINER_ZONE
    elif _is_used(piece) and piece.category not in _CROWDED:
        ahead = _SURFACE_ZONE
    else:
        return []
    front = Rect(depth / 2 + 0.01, -width / 2 + 0.01, depth / 2 + ahead, width / 2 - 0.01)
    return [piece.placement.rect(front)]


def _is_used(piece: Furniture) -> bool:
    """Whether the robot has a use for the piece."""
    return bool(piece.shape.on) or piece.is_receptacle or piece.is_device or piece.kind.tap


def furnish(rng: np.random.Generator, layout: Layout) -> tuple[Furniture, ...]:
    """Returns the furniture of all rooms, named by category and number ("chair_3")."""
    rooms = [_furnish_room(rng, layout, index) for index in range(len(layout.rooms))]
    pieces = [piece for room in rooms for piece in room]
    counts: dict[str, int] = {}
    named = []
    for piece in pieces:
        counts[piece.category] = counts.get(piece.category, 0) + 1
        named.append(replace(piece, name=f"{piece.category.replace(' ', '_')}_{counts[piece.category]}"))
    return tuple(named)


def _furnish_room(rng: np.random.Generator, layout: Layout, index: int) -> list[Furniture]:
    """Returns the best of a few draws: the one in which the fewest of the room's regular pieces are missing."""
    best: list[Furniture] = []
    fewest = math.inf
    for _ in range(_DRAWS):
        plan = _RoomPlan(layout, index)
        missing = 0
        for group in ROOM_TEMPLATES[layout.rooms[index].kind].groups:
            wanted = rng.random() < group.chance
            if wanted and not _place_group(rng, plan, group):
                missing += group.chance == 1.0
        if missing < fewest:
            best, fewest = plan.pieces, missing
        if not missing:
            break
    return best


def _place_group(rng: np.random.Generator, plan: _RoomPlan, group: Group) -> bool:
    """Places a group; returns whether all of its run found a place."""
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
        placed = (
            _in_the_open(rng, plan.floor, run[0])
            if in_the_open
            else _along_wall(rng, plan.floor, run, group.gap)
        )
        if placed is None:
            continue
        if plan.try_add(placed):
            served = placed[group.main]
            for satellite, piece in zip(group.satellites, satellites, strict=True):
                plan.try_add([replace(piece, placement=_placed_by(served, satellite, piece))], gap=0.02)
            return True
    if len(group.run) == 1:
        return False
    half = len(group.run) // 2  # no wall is long enough: two shorter runs
    placed_all = True
    for part, main in ((group.run[:half], group.main), (group.run[half:], group.main - half)):
        with_main = 0 <= main < len(part)
        satellites_left = group.satellites if with_main else ()
        shorter = replace(group, run=part, main=main if with_main else 0, satellites=satellites_left)
        placed_all &= _place_group(rng, plan, shorter)
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
    rng: np.random.Generator, floor: Rect, run: Sequence[Furniture], gap: float
) -> list[Furniture] | None:
    """Places the run with its backs to a random wall, at a random position, in a corner half of the time."""
    side = int(rng.integers(4))  # the wall at the lower y, greater x, greater y, lower x
    yaw = (math.pi / 2, math.pi, -math.pi / 2, 0.0)[side]
    length = floor.width if side in (0, 2) else floor.depth
    margin = max(_WALL_GAP, gap)
    total = sum(piece.size[1] for piece in run) + gap * (len(run) - 1)
    slack = length - total - 2 * margin
    offset = float(rng.random())
    corner = float(rng.random())
    if slack < 0:
        return None
    at = margin + slack * (0.0 if corner < 0.25 else 1.0 if corner < 0.5 else offset)
    placed = []
    for piece in run:
        depth, width, _ = piece.size
        along, off = at + width / 2, depth / 2 + _WALL_GAP
        x, y = (
            (floor.x0 + along, floor.y0 + off),
            (floor.x1 - off, floor.y0 + along),
            (floor.x0 + along, floor.y1 - off),
            (floor.x0 + off, floor.y0 + along),
        )[side]
        placed.append(replace(piece, placement=Placement(round(x, 3), round(y, 3), yaw)))
        at += width + gap
    return placed


def _in_the_open(rng: np.random.Generator, floor: Rect, piece: Furniture) -> list[Furniture] | None:
    turned = bool(rng.random() < 0.5)
    depth, width = (piece.size[1], piece.size[0]) if turned else piece.size[:2]
    share = (0.2 + 0.6 * rng.random(2)).tolist()
    slack_x, slack_y = floor.width - depth, floor.depth - width
    if slack_x < 0 or slack_y < 0:
        return None
    x, y = floor.x0 + depth / 2 + share[0] * slack_x, floor.y0 + width / 2 + share[1] * slack_y
    return [
        replace(
            piece, placement=Placement(round(float(x), 3), round(float(y), 3), math.pi / 2 if turned else 0.0)
        )
    ]


def _placed_by(main: Furniture, satellite: Satellite, piece: Furniture) -> Placement:
    distance = main.size[0] / 2 + satellite.ahead + piece.size[0] / 2
    x, y = main.placement.point(-distance if satellite.behind else distance, satellite.aside * main.size[1])
    return Placement(round(x, 3), round(y, 3), main.placement.yaw + satellite.turn)
