"""Computes with full knowledge what is visible from a pose, to show that a task can be solved."""

from __future__ import annotations

import math

import numpy as np

from stma_ros.worlds.house.flat import Flat, Item
from stma_ros.worlds.house.rendering.renderer import Renderer
from stma_ros.worlds.robot.clearance import RESOLUTION
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.places import docking_pose
from stma_ros.worlds.robot.state import SceneState

SEEN = 20  # pixels at 320x240
_NEAREST_VIEW, _BEST_VIEW, _FARTHEST_VIEW = 0.8, 1.2, 2.5  # from the thing to the base [m]
_VIEWS = 40


def pixels(renderer: Renderer, base: Placement, state: SceneState, name: str) -> int:
    """Returns the number of pixels of that object in the image from a pose."""
    picture = renderer.render(base, state)
    return int((picture.owner == renderer.owners.index(name)).sum()) if name in renderer.owners else 0


def seen_after_opening(flat: Flat, renderer: Renderer, start: Placement, item: Item) -> int:
    """Returns the pixels of an object in a container, seen from the pose that opens it; 0 when it cannot be opened. All
    doors are open."""
    container = flat.furniture_by_name[item.support]
    before = _doors_open(flat).closed(container.name)
    after = before.opened(container.name)
    dock = docking_pose(flat.ground(before), flat.ground(after), start, container)
    return 0 if dock is None else pixels(renderer, dock, after, item.name)


def seen_in_the_open(flat: Flat, renderer: Renderer, start: Placement, item: Item) -> int:
    """Returns the most pixels of an object on a surface, over the poses around it that the robot can reach with all
    doors open."""
    state = _doors_open(flat)
    clearance, reachable = flat.ground(state).reachable_from(start)
    rows, columns = np.nonzero(reachable)
    x = clearance.bounds.x0 + (columns + 0.5) * RESOLUTION
    y = clearance.bounds.y0 + (rows + 0.5) * RESOLUTION
    distance = np.hypot(x - item.x, y - item.y)
    near = np.flatnonzero((distance > _NEAREST_VIEW) & (distance < _FARTHEST_VIEW))
    near = near[np.argsort(np.abs(distance[near] - _BEST_VIEW), kind="stable")]
    best = 0
    for k in near[:: max(1, len(near) // _VIEWS)]:
        yaw = math.atan2(item.y - y[k], item.x - x[k])
        best = max(best, pixels(renderer, Placement(float(x[k]), float(y[k]), yaw), state, item.name))
        if best >= SEEN:
            break
    return best


def _doors_open(flat: Flat) -> SceneState:
    return flat.initial.opened(*(door.name for door in flat.doors))
