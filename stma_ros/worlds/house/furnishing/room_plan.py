"""The plan of one room while it is furnished: what stands where, and whether a further piece fits."""

from __future__ import annotations

import copy
import math
from collections.abc import Collection, Sequence
from dataclasses import replace

from stma_ros.worlds.house.building.layout import Layout
from stma_ros.worlds.house.building.partition import WALL_THICKNESS
from stma_ros.worlds.house.flat import Furniture
from stma_ros.worlds.robot.clearance import RESOLUTION, Clearance
from stma_ros.worlds.robot.geometry import OrientedRect, Rect
from stma_ros.worlds.robot.places import DOCK_DISTANCE

COMFORT_RADIUS = 0.36  # passages are wide enough for a base of 0.25 m that plans on a coarse map [m]
GAP = 0.1  # between groups; open doors extend a little to the sides [m]
SATELLITE_GAP = 0.02  # between a satellite, such as a chair, and other pieces [m]
_CONTAINER_ZONE = DOCK_DISTANCE + COMFORT_RADIUS + 0.04
_SURFACE_ZONE = 0.55
_DOOR_ZONE = 0.95
_LEAF = 0.08  # extent of an open leaf on either side of its jamb [m]
_SIGHT = 0.6  # distance from a piece's corners at which the base can stand to see the objects on it [m]
_CROWDED = frozenset(
    {
        *("table", "dining table", "coffee table", "side table", "desk", "bench", "bed", "bunk bed"),
        *("chair", "office chair", "stool", "sofa", "armchair", "tv", "floor lamp"),
    }
)
"""Furniture in front of which other pieces may stand close."""


class RoomPlan:
    """One room while it is being furnished."""

    def __init__(self, layout: Layout, room: int) -> None:
        self.room = room
        self.floor = layout.rooms[room].floor
        self._middle = self.floor.grown(-0.1)  # the floor away from the walls
        self.pieces: list[Furniture] = []
        self._standing: list[OrientedRect] = []
        self._zones: list[OrientedRect] = []
        self._doors: list[OrientedRect] = []
        self._leaves: list[OrientedRect] = []
        self._door_points: list[tuple[float, float]] = []
        for doorway in layout.doorways:
            if room in doorway.rooms:
                self._add_door(doorway.opening)
        area = self.floor.bounds.grown(WALL_THICKNESS)
        self._walls = [wall for wall in layout.walls if wall.bounds.overlaps(area)]
        self._bare = Clearance(area, self._walls, COMFORT_RADIUS)
        self._clearance = self._bare

    def _add_door(self, opening: OrientedRect) -> None:
        self._doors.append(replace(opening, half_x=opening.half_x + 0.1, half_y=_DOOR_ZONE))
        # The area of an open leaf.
        for end in (-opening.half_x, opening.half_x):
            self._leaves.append(OrientedRect(*opening.point(end, 0.0), _LEAF, _DOOR_ZONE, opening.yaw))
        self._door_points.append(opening.centre)

    def try_add(self, pieces: Sequence[Furniture], gap: float = GAP) -> bool:
        """Adds the pieces if they fit among the others and everything stays within reach. Returns whether they fit."""
        if not self.fits(pieces, gap):
            return False
        clearance = self._clearance.copy()
        _block(clearance, pieces)
        if not self._all_within_reach(clearance, [*self.pieces, *pieces]):
            return False
        self._clearance = clearance
        self._stand(pieces)
        return True

    def fits(self, pieces: Sequence[Furniture], gap: float = GAP) -> bool:
        """Whether the pieces fit among the others, apart from what stays within reach."""
        solid = [piece for piece in pieces if piece.kind.solid]
        rugs = [piece for piece in pieces if not piece.kind.solid]
        return all(map(self._is_free_for_rug, rugs)) and self._are_free_for(solid, gap)

    def _is_free_for_rug(self, rug: Furniture) -> bool:
        against_wall = (area for area in self._standing if not self._middle.covers(area))
        return self.floor.covers(rug.footprint.grown(0.05)) and not any(
            map(rug.footprint.overlaps, against_wall)
        )

    def _are_free_for(self, solid: Sequence[Furniture], gap: float) -> bool:
        areas = [piece.footprint for piece in solid]
        for area in areas:
            if not self.floor.covers(area) or any(area.overlaps(door) for door in self._doors):
                return False
            apart = area.grown(gap)
            if any(apart.overlaps(other) for other in self._standing):
                return False
            if any(area.overlaps(zone) for zone in self._zones):
                return False
        zones = [zone for piece in solid for zone in _zones(piece)]
        if any(zone.overlaps(area) for zone in zones for area in (*self._standing, *areas)):
            return False
        return all(self._can_open(piece) for piece in solid if piece.opens)

    def with_others(self, removed: Collection[Furniture], added: Sequence[Furniture]) -> RoomPlan:
        """Returns the plan with other pieces in the place of some, whether they fit or not; for `fits` and
        `is_within_reach` only."""
        other = copy.copy(self)
        other.pieces, other._standing, other._zones = [], [], []
        other._stand([piece for piece in self.pieces if piece not in removed])
        other._stand(added)
        return other

    def on_raster_of(self, layout: Layout) -> RoomPlan:
        """Returns the plan on the raster of the whole flat: a narrow passage may be free on one of two rasters only."""
        area, flat = self._bare.bounds, layout.bounds
        x0 = flat.x0 + math.floor((area.x0 - flat.x0) / RESOLUTION) * RESOLUTION
        y0 = flat.y0 + math.floor((area.y0 - flat.y0) / RESOLUTION) * RESOLUTION
        other = self.with_others((), ())
        other._bare = Clearance(Rect(x0, y0, area.x1, area.y1), self._walls, COMFORT_RADIUS)
        return other

    def is_within_reach(self) -> bool:
        """Whether the robot can pass all doors, and get to all pieces that it has a use for."""
        clearance = self._bare.copy()
        _block(clearance, self.pieces)
        return self._all_within_reach(clearance, self.pieces)

    def _stand(self, pieces: Sequence[Furniture]) -> None:
        self.pieces += pieces
        for piece in pieces:
            if piece.kind.solid:
                self._standing.append(piece.footprint)
                self._zones += _zones(piece)

    def _can_open(self, piece: Furniture) -> bool:
        """Whether there is floor in front of it, no open door in between, and its leaves stay clear of the doors."""
        front = _zones(piece)[0]
        return (
            self.floor.covers(front)
            and not any(front.overlaps(leaf) for leaf in self._leaves)
            and not any(leaf.overlaps(door) for leaf in piece.leaves for door in self._doors)
        )

    def _all_within_reach(self, clearance: Clearance, pieces: Sequence[Furniture]) -> bool:
        start = clearance.cell(*self._door_points[0])
        reachable = clearance.reachable(start)
        needed = self._door_points + [piece.ahead(DOCK_DISTANCE) for piece in pieces if piece.opens]
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


def _block(clearance: Clearance, pieces: Sequence[Furniture]) -> None:
    for piece in pieces:
        for obstacle in piece.obstacles(open_=True):
            clearance.block(obstacle)


def _half_diagonal(piece: Furniture) -> float:
    return math.hypot(*piece.size[:2]) / 2


def _zones(piece: Furniture) -> list[OrientedRect]:
    """Returns the floor in front of a piece that other pieces have to leave free, except satellites such as chairs."""
    depth, width, _ = piece.size
    if piece.opens:
        ahead = _CONTAINER_ZONE
    elif piece.category not in _CROWDED and _is_used(piece):
        ahead = _SURFACE_ZONE
    else:
        return []
    front = Rect(depth / 2 + 0.01, -width / 2 + 0.01, depth / 2 + ahead, width / 2 - 0.01)
    return [piece.placement.rect(front)]


def _is_used(piece: Furniture) -> bool:
    """Whether the robot has a use for the piece."""
    return bool(piece.shape.on) or piece.is_receptacle or piece.is_device or piece.kind.tap
