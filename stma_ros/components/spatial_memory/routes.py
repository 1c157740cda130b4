"""Routes of a spatial belief: where to stand to reach things, and before which side to open them."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from stma_ros.components.spatial_memory.last_action import last_outcome
from stma_ros.library.scene.scene_messages import frontier_id
from stma_ros.mapping.approach_pose import ApproachPose
from stma_ros.mapping.footprint import SIDES, Side
from stma_ros.mapping.front_pose import FrontEvidence
from stma_ros.mapping.spatial_map import MapSnapshot
from stma_ros.mapping.viewpoint import OVER_RIM
from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.boxes import Box
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.states import dimension
from stma_ros.memory.tracked_object import ObjectStatus, TrackedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planar import turned
from stma_ros.types.planning import Result
from stma_ros.types.scene_graph import Route
from stma_ros.types.standard import Pose

_LOW = 0.4  # lower pieces stand in no row [m]
_ROW = 0.15  # greatest gap between pieces in a row [m]
_MAX_FAILED = 64  # poses before a wrong side that are stored
_STANDS = 0.2  # a robot within this distance of where it went has not left [m]
_MAX_WORKED = 256  # containers whose front is remembered

_PlanarPose: TypeAlias = tuple[float, float, float]  # x, y [m], yaw [rad] in the map

_OPENING = (words.SKILL_OPEN, words.SKILL_CLOSE)


class Routes:
    """Computes the routes of each step: to the front of a container where it was opened or closed before, and not to
    poses from which something could not be opened or closed in this task. There is no way to what the robot has gone
    to look at, unless its state did not show: then it leads to where other sides of it are in view. From before
    something that is open at the top, as a bag is, it leads to another side, where the rest of its inside shows."""

    def __init__(self, knowledge: CategoryKnowledge, max_stride: float = 0.0) -> None:
        """Creates routes.

        Args:
            knowledge: of categories.
            max_stride: goals are at most so far from the robot, along the way [m]; 0 = they are the ends of the ways.
        """
        self._knowledge = knowledge
        self._max_stride = max_stride
        self._task = ""
        self._newest: tuple[Route, ...] = ()
        self._failed: deque[tuple[str, tuple[float, float]]] = deque(maxlen=_MAX_FAILED)
        self._worked: dict[str, tuple[float, float]] = {}
        self._looked_from: dict[str, list[tuple[float, float]]] = {}
        self._stood_at: dict[str, list[tuple[float, float]]] = {}
        self._robot = (math.nan, math.nan)

    def forget(self) -> None:
        """Forgets where things were opened: the frame of the map has jumped."""
        self._newest = ()
        self._failed.clear()
        self._worked.clear()
        self._looked_from.clear()
        self._stood_at.clear()

    def take(self, belief: TemporalBelief, robot: tuple[float, float]) -> None:
        """Takes notice of the last action of a task, which began where the route at the step before said.

        Args:
            belief: what was done.
            robot: (x, y) of the base after it [m].
        """
        if belief.task_id != self._task:
            self._task, self._newest = belief.task_id, ()
            self._failed.clear()
            self._looked_from.clear()
            self._stood_at.clear()
        self._robot = robot
        last = last_outcome(belief)
        if not last.action.arguments:
            return
        target = last.action.arguments[0]
        if last.action.skill in words.MOTIONS:
            arrived = any(r.target == target and not 0 < self._max_stride < r.length for r in self._newest)
            if arrived and last.result == Result.SUCCEEDED:
                is_look = last.action.skill == words.SKILL_EXPLORE
                places = self._looked_from if is_look else self._stood_at
                places.setdefault(target, []).append(robot)
        if last.action.skill not in _OPENING:
            return
        if last.result == Result.SUCCEEDED:
            self._worked.pop(target, None)
            self._worked[target] = robot
            if len(self._worked) > _MAX_WORKED:
                del self._worked[next(iter(self._worked))]
        if last.error.code != ErrorCode.BAD_STANCE:
            return
        self._worked.pop(target, None)
        for route in self._newest:
            if route.target == target and route.goal.given:
                self._failed.append((target, (route.goal.position.x, route.goal.position.y)))

    def find(
        self,
        objects: Sequence[TrackedObject],
        snapshot: MapSnapshot,
        unconfirmed: Sequence[TrackedObject] = (),
    ) -> tuple[Route, ...]:
        """Returns the ways to all objects whose place is known, to the last places of missing ones, to those of which
        another look must tell whether they exist, and to all frontiers. There is none to another floor."""
        pieces = BoxArray.of(item.box for item in objects if item.is_present and self._is_piece(item))
        ways = [
            self._route(item, pieces, snapshot)
            for item in (*objects, *unconfirmed)
            if item.status is not ObjectStatus.HELD
        ]
        ways += [
            Route(
                target=frontier_id(frontier.id),
                goal=Pose.planar(
                    *self._towards(frontier.viewpoint, frontier.distance, snapshot), snapshot.floor
                ),
                length=frontier.distance,
            )
            for frontier in snapshot.frontiers
        ]
        self._newest = tuple(ways)
        return self._newest

    def _towards(self, end: _PlanarPose, length: float, snapshot: MapSnapshot) -> _PlanarPose:
        """Returns the pose to go to: the end of a way of a length [m], or one stride on the way there."""
        if not 0 < self._max_stride < length:
            return end
        x, y, _ = end
        return snapshot.stride_to(x, y, self._max_stride) or end

    def _is_piece(self, item: TrackedObject) -> bool:
        """Whether it is a piece of furniture that may stand in a row."""
        is_furniture = self._knowledge.is_furniture(item.category)
        is_door = self._knowledge.is_door(item.category)
        return is_furniture and not is_door and item.box.extent[2] > _LOW

    def _has_hidden_state(self, item: TrackedObject) -> bool:
        """Whether it can be open, on or full, and no picture has shown whether it is."""
        known = {dimension(fact.object) for fact in item.states}
        return any(
            self._knowledge.can_be(item.category, state) and dimension(state) not in known
            for state in (words.STATE_OPEN, words.STATE_ON, words.STATE_FULL)
        )

    def _route(self, item: TrackedObject, pieces: BoxArray, snapshot: MapSnapshot) -> Route:
        if item.id in self._looked_from:
            pose = self._next_viewpoint(item, snapshot)
        elif self._stands_before(item) and self._knowledge.is_open_receptacle(item.category):
            pose = self._next_look_inside(item, snapshot) or self._pose_before(item, pieces, snapshot)
        else:
            pose = self._pose_before(item, pieces, snapshot)
        if pose is None:
            return Route(target=item.id)
        goal = self._towards((pose.x, pose.y, pose.yaw), pose.distance, snapshot)
        return Route(target=item.id, goal=Pose.planar(*goal, snapshot.floor), length=pose.distance)

    def _stands_before(self, item: TrackedObject) -> bool:
        """Whether the robot went to something and has not left since."""
        places = self._stood_at.get(item.id)
        return places is not None and math.dist(places[-1], self._robot) < _STANDS

    def _next_look_inside(self, item: TrackedObject, snapshot: MapSnapshot) -> ApproachPose | None:
        """Returns where to see more of what is in something, from near by; None if that shows no more."""
        half = item.box.extent[:2] / 2
        near_by = [
            (x, y)
            for x, y in self._stood_at[item.id]
            if np.hypot(*(np.abs(item.box.local(np.array([x, y, 0.0]))[:2]) - half).clip(0))
            < OVER_RIM.max_gap
        ]
        return snapshot.find_viewpoint(*_box_values(item.box), near_by, OVER_RIM)

    def _next_viewpoint(self, item: TrackedObject, snapshot: MapSnapshot) -> ApproachPose | None:
        """Returns where to see the other sides of what was looked at; None if that shows no more."""
        if not self._has_hidden_state(item):
            return None
        return snapshot.find_viewpoint(*_box_values(item.box), self._looked_from[item.id])

    def _pose_before(
        self, item: TrackedObject, pieces: BoxArray, snapshot: MapSnapshot
    ) -> ApproachPose | None:
        """Returns where to stand to reach something, if it opens before its front."""
        box, pose = _box_values(item.box), None
        if self._knowledge.is_openable(item.category):
            evidence = FrontEvidence(
                beside=_sides_beside(item.box, pieces),
                failed=[at for name, at in self._failed if name == item.id],
                # A door opens from both of its sides.
                worked=self._worked.get(item.id) if self._knowledge.is_container(item.category) else None,
            )
            pose = snapshot.find_front_pose(*box, evidence)
        return pose or snapshot.find_approach_pose(*box)


def _box_values(box: Box) -> tuple[list[float], list[float], float]:
    """Returns middle [m], sides [m] and yaw [rad] of a box."""
    return box.middle.tolist(), box.extent.tolist(), box.yaw


def _sides_beside(box: Box, pieces: BoxArray) -> tuple[Side, ...]:
    """Returns the sides of a box at which other pieces stand."""
    offsets = np.zeros((len(SIDES), 2))
    for offset, (axis, sign) in zip(offsets, SIDES, strict=True):
        offset[axis] = sign * (box.extent[axis] / 2 + _ROW)
    points = box.middle[:2] + turned(offsets, box.yaw)
    away = turned(points[:, None] - pieces.middle[:, :2], -pieces.yaw)
    inside = np.all(np.abs(away) <= pieces.extent[:, :2] / 2, axis=2)
    return tuple(side for side, pieces_there in zip(SIDES, inside, strict=True) if pieces_there.any())
