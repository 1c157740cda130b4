"""Selects poses of the base from which it opens a fixture or takes an object."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.robot.clearance import Cell, Clearance
from stma_ros.worlds.robot.geometry import OrientedRect, Placement
from stma_ros.worlds.robot.motion import GOAL_TOLERANCE, Ground
from stma_ros.worlds.robot.reach import REACH, arm_distance
from stma_ros.worlds.robot.scene import Fixture, Scene
from stma_ros.worlds.robot.state import SceneState

DOCK_DISTANCE = 0.8  # from the front of a container to the base that opens it [m]
_DOOR_DISTANCE = (
    0.8,
    1.3,
)  # from the wall to the base that moves a door: behind its swing, on its side [m]
_DOOR_TOLERANCE = 0.7  # greatest distance of a free place from the best one [m]
_BEST_DISTANCE = 0.75  # from the base to the object that it handles [m]
_REACH_MARGIN = 0.1  # for the difference between a target's box and the object's [m]


def docking_pose(before: Ground, after: Ground, base: Placement, thing: Fixture) -> Placement | None:
    """Returns a pose to open or close a container or a door, facing the middle of its front.

    The place can be reached before the motion, is free after it, and is not swept by the leaf; None when there is none.
    """
    if thing.swings:
        return _door_dock(before, after, base, thing)
    x, y = thing.ahead(DOCK_DISTANCE)
    clearance, reachable = before.reachable_from(base)
    cell = clearance.nearest_free(x, y, GOAL_TOLERANCE, reachable & after.free)
    return None if cell is None else _facing(clearance, cell, (x, y), thing.ahead(0.0))


def _door_dock(before: Ground, after: Ground, base: Placement, door: Fixture) -> Placement | None:
    swing_side = _is_ahead(door.placement, base)
    distance = _DOOR_DISTANCE[swing_side]
    x, y = door.placement.point(distance if swing_side else -distance, 0.0)
    clearance, reachable = before.reachable_from(base)
    swept = Clearance(clearance.bounds, door.sweep, clearance.radius)
    mask = reachable & after.free & swept.free & _half_plane(clearance, door.placement, swing_side)
    cell = clearance.nearest_free(x, y, _DOOR_TOLERANCE, mask)
    return None if cell is None else _facing(clearance, cell, (x, y), door.footprint.centre)


def _is_ahead(place: Placement, base: Placement) -> bool:
    return (base.x - place.x) * math.cos(place.yaw) + (base.y - place.y) * math.sin(place.yaw) > 0


def _facing(
    clearance: Clearance, cell: Cell, best: tuple[float, float], towards: tuple[float, float]
) -> Placement:
    x, y = best if cell == clearance.cell(*best) else clearance.point(cell)
    return Placement(x, y, math.atan2(towards[1] - y, towards[0] - x))


def _half_plane(clearance: Clearance, place: Placement, ahead: bool) -> NDArray[np.bool_]:
    x, y = clearance.centres
    along = (x - place.x) * math.cos(place.yaw) + (y - place.y) * math.sin(place.yaw)
    mask: NDArray[np.bool_] = (along > 0) == ahead
    return mask


def standing_place(
    scene: Scene,
    state: SceneState,
    ground: Ground,
    base: Placement,
    target: OrientedRect,
    *,
    front: tuple[float, float] | None = None,
    nearest: float = 0.3,
    within: float = math.inf,
) -> Placement | None:
    """Returns a free place that the base can reach, facing the target, with the target (seen from above) in the arm's
    reach.

    Args:
        scene: objects and free space.
        state: present state of the scene.
        ground: floor in that state.
        base: pose of the base.
        target: area of the target.
        front: preferred point to stand near [m]; None = a step away from the target, nearest to the base.
        nearest: least distance from the target's middle, so that it is in the camera's view [m].
        within: greatest distance from the base [m].

    Returns:
        The pose; None when there is no such place.
    """
    clearance, reachable = ground.reachable_from(base)
    x, y = clearance.centres
    centre_x, centre_y = target.centre
    away = target.distances(x, y)
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
        if arm_distance(scene, state, *place, target) <= REACH:
            return Placement(*place, math.atan2(centre_y - place[1], centre_x - place[0]))
    return None
