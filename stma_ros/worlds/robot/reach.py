"""Computes the arm's reach from a pose of the base, without passing walls or closed doors."""

from __future__ import annotations

import math

from stma_ros.worlds.robot.geometry import OrientedRect, Rect
from stma_ros.worlds.robot.scene import Scene
from stma_ros.worlds.robot.state import SceneState

REACH = 1.5  # from the base to the handled object [m]
_SKIN = 0.005  # a line along a surface does not cross it [m]


def arm_distance(scene: Scene, state: SceneState, x: float, y: float, target: OrientedRect) -> float:
    """Returns the distance from the base to an object's area seen from above [m]; infinite where a wall or a closed
    door is in between."""
    # Around a corner the arm may reach another end of the object.
    ends = [
        target.point(along * target.half_x, across * target.half_y)
        for along in (-1, 0, 1)
        for across in (-1, 0, 1)
    ]
    all_x, all_y = [x, *(end[0] for end in ends)], [y, *(end[1] for end in ends)]
    between = Rect(min(all_x), min(all_y), max(all_x), max(all_y))
    walls = [wall.grown(-_SKIN) for wall in scene.barriers(state, between) if wall != target]
    for end in sorted([target.nearest(x, y), *ends], key=lambda to: math.hypot(to[0] - x, to[1] - y)):
        if not any(wall.is_crossed(x, y, *end) for wall in walls):
            return math.hypot(end[0] - x, end[1] - y)
    return math.inf
