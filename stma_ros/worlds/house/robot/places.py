"""Where the base stands to do things: in front of what it opens, within reach of what it takes, at the start."""

from __future__ import annotations

import heapq
import math

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.house.building.doors import Door
from stma_ros.worlds.house.building.furnishing import COMFORT_RADIUS, DOCK_DISTANCE
from stma_ros.worlds.house.building.partition import WALL_THICKNESS
from stma_ros.worlds.house.clearance import RESOLUTION, Cell, Clearance
from stma_ros.worlds.house.flat import Flat, Furniture
from stma_ros.worlds.house.geometry import FloatArray, Placement, Rect, wrap_angle
from stma_ros.worlds.house.robot.motion import GOAL_TOLERANCE, Ground
from stma_ros.worlds.house.robot.reach import REACH, arm_distance
from stma_ros.worlds.house.state import HouseState

_DOOR_DISTANCE = 0.8, 1.3  # from the wall to the base that moves a door: behind its swing, within it [m]
_DOOR_TOLERANCE = 0.7  # a free place this near to the best one serves as well [m]
_BEST_DISTANCE = 0.75  # from the base to a thing that it handles [m]
_REACH_MARGIN = 0.1  # for what is meant by a box to differ from the box [m]


def ground_of(flat: Flat, state: HouseState) -> Ground:
    return Ground(flat.layout.bounds, flat.obstacles(state))


def docking_pose(before: Ground, after: Ground, base: Placement, thing: Furniture | Door) -> Placement | None:
    """Where to stand to open or close a container or a door, facing the middle of its front: a place that can be
    reached before, that is free after, and that the leaf of a door does not sweep. None when there is none."""
    if isinstance(thing, Door):
        return _door_dock(before, after, base, thing)
    x, y = thing.ahead(DOCK_DISTANCE)
    clearance, reachable = before.reachable_from(base)
    cell = clearance.nearest_free(x, y, GOAL_TOLERANCE, reachable & after.free)
    return None if cell is None else _facing(clearance, cell, (x, y), thing.ahead(0.0))


def _door_dock(before: Ground, after: Ground, base: Placement, door: Door) -> Placement | None:
    swing_side = door.on_swing_side(base.x, base.y)
    x, y = door.ahead(_DOOR_DISTANCE[swing_side], swing_side=swing_side)
    clearance, reachable = before.reachable_from(base)
    swept = Clearance(clearance.bounds, door.sweep, clearance.radius)
    mask = reachable & after.free & swept.free & _half_plane(clearance, door.placement, swing_side)
    cell = clearance.nearest_free(x, y, _DOOR_TOLERANCE, mask)
    return None if cell is None else _facing(clearance, cell, (x, y), door.footprint.centre)


def _facing(
    clearance: Clearance, cell: Cell, best: tuple[float, float], towards: tuple[float, float]
) -> Placement:
    x, y = best if cell == clearance.cell(*best) else clearance.point(cell)
    return Placement(x, y, math.atan2(towards[1] - y, towards[0] - x))


def _half_plane(clearance: Clearance, place: Placement, ahead: bool) -> NDArray[np.bool_]:
    x, y = _centres(clearance)
    along = (x - place.x) * math.cos(place.yaw) + (y - place.y) * math.sin(place.yaw)
    mask: NDArray[np.bool_] = (along > 0) == ahead
    return mask


def _centres(clearance: Clearance) -> tuple[FloatArray, FloatArray]:
    """Of the cells, x (1, columns) and y (rows, 1) [m]."""
    rows, columns = clearance.free.shape
    x: FloatArray = clearance.bounds.x0 + (np.arange(columns, dtype=np.float64) + 0.5) * RESOLUTION
    y: FloatArray = clearance.bounds.y0 + (np.arange(rows, dtype=np.float64) + 0.5) * RESOLUTION
    return x[None, :], y[:, None]


def standing_place(
    flat: Flat,
    state: HouseState,
    ground: Ground,
    base: Placement,
    target: Rect,
    *,
    front: tuple[float, float] | None = None,
    nearest: float = 0.3,
    within: float = math.inf,
) -> Placement | None:
    """A free place that the base can get to, from which the target (seen from above) is in the arm's reach, facing it.

    front: stand near this point if possible [m]; otherwise a step away from the target, nearest to the base.
    nearest: at least this far from the target's middle, so that the camera sees it [m]. within: at most this far from
    the base [m]. None when there is no such place.
    """
    clearance, reachable = ground.reachable_from(base)
    x, y = _centres(clearance)
    centre_x, centre_y = target.centre
    away = np.hypot(
        np.maximum(np.maximum(target.x0 - x, x - target.x1), 0.0),
        np.maximum(np.maximum(target.y0 - y, y - target.y1), 0.0),
    )
    from_base = np.hypot(x - base.x, y - base.y)
    mask = reachable & (away <= REACH - _REACH_MARGIN) & (from_base <= within)
    mask &= np.hypot(x - centre_x, y - centre_y) >= nearest
    if front is not None:
        cost = np.hypot(x - front[0], y - front[1])
    else:
        cost = np.abs(away - _BEST_DISTANCE) + 0.2 * from_base
    rows, columns = np.nonzero(mask)
    for k in np.argsort(cost[rows, columns], kind="stable"):
        place = clearance.point((int(rows[k]), int(columns[k])))
        if arm_distance(flat, state, *place, target) <= REACH:
            return Placement(*place, math.atan2(centre_y - place[1], centre_x - place[0]))
    return None


def closed_doors_on_way(
    flat: Flat, state: HouseState, base: Placement, x: float, y: float
) -> tuple[Door, ...] | None:
    """The closed doors that are to be opened to get to a place, in their order, on the way with the fewest of them;
    None when no doorway leads there."""
    closed = {door.index: door for door in flat.doors if door.name not in state.open_names}
    goal = _room_near(flat, x, y)
    start = _room_near(flat, base.x, base.y)
    if start is None or goal is None:
        return None
    queue: list[tuple[int, float, int, float, float, tuple[int, ...]]] = [(0, 0.0, start, base.x, base.y, ())]
    done: set[int] = set()
    while queue:
        _, length, room, from_x, from_y, passed = heapq.heappop(queue)
        if room == goal:
            return tuple(closed[index] for index in passed)
        if room in done:
            continue
        done.add(room)
        for index, doorway in enumerate(flat.layout.doorways):
            if room in doorway.rooms:
                beyond = doorway.rooms[doorway.rooms[0] == room]
                door_x, door_y = doorway.opening.centre
                further = length + math.hypot(door_x - from_x, door_y - from_y)
                opened = (*passed, index) if index in closed else passed
                heapq.heappush(queue, (len(opened), further, beyond, door_x, door_y, opened))
    return None


def _room_near(flat: Flat, x: float, y: float) -> int | None:
    """The room that a place is in, or the nearest to it in a doorway."""
    rooms = flat.layout.rooms
    nearest = min(range(len(rooms)), key=lambda index: rooms[index].floor.distance(x, y))
    return nearest if rooms[nearest].floor.distance(x, y) <= WALL_THICKNESS else None


def start_pose(flat: Flat, rng: np.random.Generator) -> Placement:
    """A roomy place that is connected with every doorway once the doors are open, and any yaw."""
    everything_open = Ground(
        flat.layout.bounds, flat.obstacles(HouseState(open_names=flat.openable_names)), COMFORT_RADIUS
    )
    door_x, door_y = flat.layout.doorways[0].opening.centre
    clearance, reachable = everything_open.reachable_from(Placement(door_x, door_y, 0.0))
    shut = Clearance(flat.layout.bounds, flat.obstacles(HouseState()), COMFORT_RADIUS)
    inside = np.zeros_like(reachable)
    for room in flat.layout.rooms:
        (r0, c0), (r1, c1) = (
            clearance.cell(room.floor.x0, room.floor.y0),
            clearance.cell(room.floor.x1, room.floor.y1),
        )
        inside[r0:r1, c0:c1] = True
    rows, columns = np.nonzero(reachable & inside & shut.free)
    k = int(rng.integers(len(rows)))
    x, y = clearance.point((int(rows[k]), int(columns[k])))
    return Placement(x, y, wrap_angle(float(rng.uniform(-math.pi, math.pi))))
