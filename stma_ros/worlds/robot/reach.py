"""Computes the arm's reach from a pose of the base, without passing walls or closed doors."""

from __future__ import annotations

import math

from stma_ros.worlds.robot.geometry import Rect
from stma_ros.worlds.robot.scene import Scene
from stma_ros.worlds.robot.state import SceneState

REACH = 1.5  # from the base to the handled object [m]
_SKIN = 0.005  # a line along a surface does not cross it [m]


def arm_distance(scene: Scene, state: SceneState, x: float, y: float, target: Rect) -> float:
    """Returns the distance from the base to an object's area seen from above [m]; infinite where a wall or a closed
    door is in between."""
    between = Rect(min(x, target.x0), min(y, target.y0), max(x, target.x1), max(y, target.y1))
    walls = [wall.grown(-_SKIN) for wall in scene.barriers(state, between) if wall != target]
    nearest = min(max(x, target.x0), target.x1), min(max(y, target.y0), target.y1)
    # Around a corner the arm may reach another end of the object.
    ends = [
        (a, b)
        for a in (target.x0, target.centre[0], target.x1)
        for b in (target.y0, target.centre[1], target.y1)
    ]
    for to_x, to_y in sorted([nearest, *ends], key=lambda to: math.hypot(to[0] - x, to[1] - y)):
        if not any(_crosses(x, y, to_x, to_y, wall) for wall in walls):
            return math.hypot(to_x - x, to_y - y)
    return math.inf


def _crosses(ax: float, ay: float, bx: float, by: float, rect: Rect) -> bool:
    """Whether a line crosses a rectangle (clipping it against the four sides)."""
    first, last = 0.0, 1.0
    for start, step, low, high in ((ax, bx - ax, rect.x0, rect.x1), (ay, by - ay, rect.y0, rect.y1)):
        if abs(step) < 1e-12:
            if not low <= start <= high:
                return False
            continue
        enter, leave = sorted(((low - start) / step, (high - start) / step))
        first, last = max(first, enter), min(last, leave)
    return first <= last
