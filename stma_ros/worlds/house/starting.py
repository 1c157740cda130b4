"""Selects the start of an episode in a flat, and finds closed doors on a path."""

from __future__ import annotations

import heapq
import math

import numpy as np

from stma_ros.worlds.house.building.doors import Door
from stma_ros.worlds.house.building.partition import WALL_THICKNESS
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.furnishing.room_plan import COMFORT_RADIUS
from stma_ros.worlds.robot.clearance import Clearance
from stma_ros.worlds.robot.geometry import Placement, wrap_angle
from stma_ros.worlds.robot.motion import Ground
from stma_ros.worlds.robot.state import SceneState


def closed_doors_on_way(
    flat: Flat, state: SceneState, base: Placement, x: float, y: float
) -> tuple[Door, ...] | None:
    """Returns the closed doors on the path with the fewest of them to a place, in their order; None when no doorway
    leads there."""
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
    """Returns the room that holds a place, or the nearest room for a place in a doorway."""
    rooms = flat.layout.rooms
    nearest = min(range(len(rooms)), key=lambda index: rooms[index].floor.distance(x, y))
    return nearest if rooms[nearest].floor.distance(x, y) <= WALL_THICKNESS else None


def start_pose(flat: Flat, rng: np.random.Generator) -> Placement:
    """Returns a spacious place that is connected with every doorway once the doors are open, with any yaw."""
    everything_open = Ground.among(
        flat.layout.bounds, flat.obstacles(SceneState(open_names=flat.openable_names)), COMFORT_RADIUS
    )
    door_x, door_y = flat.layout.doorways[0].opening.centre
    clearance, reachable = everything_open.reachable_from(Placement(door_x, door_y, 0.0))
    shut = Clearance(flat.layout.bounds, flat.obstacles(SceneState()), COMFORT_RADIUS)
    rows, columns = np.nonzero(reachable & shut.free)
    xs, ys = clearance.centres
    inside = [room.floor.outside(xs[0, columns], ys[rows, 0]) == 0.0 for room in flat.layout.rooms]
    (in_rooms,) = np.nonzero(np.any(inside, axis=0))  # not in a doorway
    k = int(in_rooms[rng.integers(len(in_rooms))])
    x, y = clearance.point((int(rows[k]), int(columns[k])))
    return Placement(x, y, wrap_angle(float(rng.uniform(-math.pi, math.pi))))
