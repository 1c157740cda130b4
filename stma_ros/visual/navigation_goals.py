"""Draws the floor, frontiers, routes, and the target of the running skill."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from stma_ros.mapping.transforms import matrix_of
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.message import Message
from stma_ros.types.planning import Outcome, SkillRequest, TaskResult
from stma_ros.types.scene_graph import Frontiers, Route
from stma_ros.types.standard import OccupancyGrid, Point, Pose, Vector3
from stma_ros.visual import colours, paths
from stma_ros.visual.drawables import Arrows, Boxes, Clear, Drawn, Grid, Lines
from stma_ros.visual.drawing_context import DrawingContext, is_somewhere, row, yaws

_ROUTE: colours.RGB = (110, 170, 235)
_ROUTE_WIDTH, _GOAL_WIDTH = 0.015, 0.05  # [m]
_HEIGHT = 0.06  # above the floor, which would hide it [m]
_LENGTH = 0.4  # of a frontier's arrow [m]
_MARGIN = 0.03  # by which the target's box exceeds the object's own [m]


class NavigationGoals:
    """Draws things that the next message of their kind, or the end of the skill, replaces."""

    def __init__(self, context: DrawingContext) -> None:
        self._context = context

    def take(self, topic: str, message: Message) -> Iterator[Drawn]:
        placed = self._context.placed
        match message:
            case OccupancyGrid():
                grid = _grid(message)
                if grid is not None:
                    yield placed(paths.FLOOR, grid)
            case Frontiers():
                yield placed(paths.FRONTIERS, self._frontiers(message))
            case SpatialBelief():
                yield placed(paths.ROUTES, self._routes(message))
            case SkillRequest():
                yield placed(paths.TARGET, self._target(message))
                yield placed(paths.GOAL, self._goal(message))
            case Outcome() | TaskResult():
                yield placed(paths.TARGET, Clear())
                yield placed(paths.GOAL, Clear())
            case _:
                pass

    def _frontiers(self, message: Frontiers) -> Arrows:
        """Returns arrows from the robot's viewpoints towards the frontiers, of those whose direction is known."""
        drawn = [f for f in message.frontiers if is_somewhere(f.viewpoint) and math.isfinite(f.viewpoint.yaw)]
        headings = np.array([frontier.viewpoint.yaw for frontier in drawn])
        vectors = np.stack([np.cos(headings), np.sin(headings), np.zeros_like(headings)], axis=1) * _LENGTH
        return Arrows(
            np.array([_low(frontier.viewpoint) for frontier in drawn], np.float32).reshape(-1, 3),
            vectors.astype(np.float32),
            colours.rows(colours.FRONTIER for _ in drawn),
            tuple(f"{self._context.name(f.id)}, {f.unknown_area:.1f} m² unknown" for f in drawn),
        )

    def _routes(self, message: SpatialBelief) -> Lines:
        """Returns straight lines: beliefs hold the end and length of a route, but not its course."""
        drawn = [r for r in message.routes if is_somewhere(r.goal, message.robot)]
        return Lines(
            tuple(np.array([_low(message.robot), _low(route.goal)], np.float32) for route in drawn),
            colours.rows((_ROUTE for _ in drawn), alpha=150),
            tuple(self._route_label(route) for route in drawn),
            _ROUTE_WIDTH,
        )

    def _route_label(self, route: Route) -> str:
        length = f", {route.length:.1f} m" if np.isfinite(route.length) else ""
        return f"to {self._context.name(route.target)}{length}"

    def _target(self, message: SkillRequest) -> Boxes:
        drawn = [target for target in message.targets if is_somewhere(target.pose)]
        return Boxes(
            np.array([row(target.pose) for target in drawn], np.float32).reshape(-1, 3),
            np.array([_around(target.size) for target in drawn], np.float32).reshape(-1, 3),
            yaws(target.pose.yaw for target in drawn),
            colours.rows(colours.TARGET for _ in drawn),
            tuple(target.id for target in drawn),
            tuple(str(message.action) for _ in drawn),
        )

    def _goal(self, message: SkillRequest) -> Lines:
        robot, goal = self._context.robot, message.base_goal
        if robot is None or not is_somewhere(goal):
            return Lines((), colours.rows(()), (), _GOAL_WIDTH)
        here = Point(*robot[:3, 3])
        return Lines(
            (np.array([_low(here), _low(goal)], np.float32),),
            colours.rows([colours.TARGET]),
            (str(message.action),),
            _GOAL_WIDTH,
        )


def _low(place: Point | Pose) -> tuple[float, float, float]:
    x, y, z = row(place)
    return x, y, z + _HEIGHT


def _around(size: Vector3) -> tuple[float, float, float]:
    x, y, z = np.nan_to_num((size.x, size.y, size.z), nan=0.0).clip(0.0, 100.0) + 2 * _MARGIN
    return float(x), float(y), float(z)


def _grid(message: OccupancyGrid) -> Grid | None:
    """Returns None where the data does not fit the stated size."""
    info = message.info
    if (
        not message.data.size
        or message.data.size != info.width * info.height
        or not 0 < info.resolution < 100
    ):
        return None
    try:
        origin = matrix_of(info.origin)
    except ValueError:
        return None
    return Grid(message.data.reshape(info.height, info.width), info.resolution, origin)
