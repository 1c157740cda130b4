"""The free places near the robot for what is in its hand, and what became of those that were tried."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np

from stma_ros.components.spatial_memory.last_action import last_outcome
from stma_ros.library.scene.floor_places import Within, choose_floor_place, stands_on_floor
from stma_ros.library.scene.free_places import FailedPlace, PlacingLimits, choose_place
from stma_ros.mapping.spatial_map import MapSnapshot
from stma_ros.memory.asked_kinds import with_asked
from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.boxes import Box
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.tracked_object import ObjectStatus, TrackedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.errors import ErrorCode
from stma_ros.types.goals import GoalKind
from stma_ros.types.planning import Result
from stma_ros.types.scene_graph import FreePlace, Relation
from stma_ros.types.standard import Point, Pose

_WITHIN = 2.0  # from the base [m]: farther pieces are out of the arm's reach
_UNKNOWN_SIZE = (0.12, 0.12, 0.15)  # of something in the hand that was not seen before [m]
_COMFORTABLE = 0.9  # height for arm and camera [m]
_WALL = 0.1  # thickness of the sides of a sink or a tub, on which nothing stays [m]
_FLOOR = 0.03  # a surface that is not as far above the underside of a piece is the floor beside it [m]
_RIM = 0.05  # the bottom of a receptacle is at least this far below its rim [m]
_TOLERANCE = 0.1  # error of the height of a box's top [m]
_BOARD = 0.3  # spacing of levels where nothing was seen in a container [m]
_TALL = 1.3  # nothing is put on top of what is taller [m]
_MAX_FAILED = 64  # places tried in vain that are stored

_FAILURES = {ErrorCode.SPOT_TAKEN: False, ErrorCode.NO_SURFACE: True}


class PutDownPlaces:
    """Chooses free places anew at each step, and avoids those that were tried in vain in this task."""

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        self._knowledge = knowledge
        self._asked = knowledge  # with what the task says of the things that it names
        self._task = ""
        self._near: list[tuple[str, str]] = []
        self._offered: tuple[FreePlace, ...] = ()
        self._failed: deque[tuple[str, str, FailedPlace]] = deque(maxlen=_MAX_FAILED)

    def forget(self) -> None:
        """Forgets the places: the frame of the map has jumped."""
        self._offered = ()
        self._failed.clear()

    def take(self, belief: TemporalBelief) -> dict[int, Pose]:
        """Takes notice of the last action of a task, which used a place that was offered at the step before.

        Returns:
            Where it put something down, by the stamp of its outcome [ns].
        """
        if belief.task_id != self._task:
            self._task = belief.task_id
            self.forget()
        self._near = [
            (goal.what[0].category, goal.destination[0].category)
            for goal in belief.goals
            if goal.kind == GoalKind.PLACE and goal.relation == words.NEAR and goal.what and goal.destination
        ]
        self._asked = with_asked(self._knowledge, belief.goals)
        last = last_outcome(belief)
        action = last.action
        if action.skill not in words.PLACINGS or not action.arguments:
            return {}
        target = action.arguments[0]
        used = [
            place.pose for place in self._offered if (place.skill, place.target) == (action.skill, target)
        ]
        if used and last.error.code in _FAILURES:
            at = used[0].position
            failure = FailedPlace(np.array([at.x, at.y, at.z]), _FAILURES[last.error.code])
            self._failed.append((action.skill, target, failure))
        done = used and last.result == Result.SUCCEEDED
        return {last.header.stamp.nanoseconds: used[0]} if done else {}

    def offer(
        self,
        objects: Sequence[TrackedObject],
        relations: Sequence[Relation],
        snapshot: MapSnapshot,
        robot: tuple[float, float],
        *,
        holding: bool,
    ) -> tuple[FreePlace, ...]:
        """Returns a free place on and in each thing near the robot on or into which something can be put, and on the
        floor next to each thing that stands there.

        Args:
            objects: of the scene graph.
            relations: between them.
            snapshot: the map.
            robot: (x, y) of the base [m].
            holding: whether something is in the hand; without it there are no places.
        """
        self._offered = tuple(self._find(objects, relations, snapshot, robot)) if holding else ()
        return self._offered

    def _find(
        self,
        objects: Sequence[TrackedObject],
        relations: Sequence[Relation],
        snapshot: MapSnapshot,
        robot: tuple[float, float],
    ) -> Iterator[FreePlace]:
        held = next((item for item in objects if item.status is ObjectStatus.HELD), None)
        size = _sides(held.box) if held is not None else _UNKNOWN_SIZE
        here = [item for item in objects if item.is_present and snapshot.is_here(float(item.box.middle[2]))]
        if not here:
            return
        (gaps,) = BoxArray.of([Box(np.array([*robot, snapshot.floor]), np.array([0, 0, 10.0]))]).gaps(
            BoxArray.of(item.box for item in here)
        )
        beside = self._wanted_near(held, here, gaps.tolist()) if held is not None else None
        near = [item for item, gap in zip(here, gaps.tolist(), strict=True) if gap <= _WITHIN]
        for item in near:
            yield from self._on_and_in(item, here, relations, snapshot, robot, size, beside)
        yield from self._next_to(near, here, snapshot, robot, size)

    def _on_and_in(
        self,
        item: TrackedObject,
        here: Sequence[TrackedObject],
        relations: Sequence[Relation],
        snapshot: MapSnapshot,
        robot: tuple[float, float],
        size: tuple[float, float, float],
        beside: Box | None,
    ) -> Iterator[FreePlace]:
        skills = self._skills(item.category)
        if not skills:
            return
        there = {
            fact.subject
            for fact in relations
            if fact.object == item.id and fact.predicate in (words.ON, words.IN)
        }
        on_it = [other.box for other in here if other.id in there]
        others = on_it + [
            other.box
            for other in here
            if other.id not in there
            and other is not item
            and not self._knowledge.is_furniture(other.category)
        ]
        box, failed = item.box, self._failed_at(item, words.SKILL_PLACE_ON, words.SKILL_PLACE_IN)
        volume = snapshot.volume_in(
            box.middle.tolist(), box.extent.tolist(), box.yaw, size[2] + 2 * _TOLERANCE
        )
        for skill in skills:
            limits = self._limits(item, skill, size[2], on_it, snapshot.floor)
            chosen = (
                choose_place(box, volume, size, limits, known, robot, tried, beside)
                # Where nothing seems to be free, the attempt shows whether anything is.
                for known, tried in ((others, failed), ((), failed), ((), ()))
            )
            pose = next((pose for pose in chosen if pose is not None), _middle(box, limits))
            yield FreePlace(target=item.id, skill=skill, pose=pose)

    def _next_to(
        self,
        near: Sequence[TrackedObject],
        here: Sequence[TrackedObject],
        snapshot: MapSnapshot,
        robot: tuple[float, float],
        size: tuple[float, float, float],
    ) -> Iterator[FreePlace]:
        low = {item.id: item.box for item in here if stands_on_floor(item.box.bottom, (snapshot.floor,))}
        rooms = snapshot.rooms
        for item in near:
            if item.id not in low:
                continue
            others = [box for name, box in low.items() if name != item.id]
            failed = self._failed_at(item, words.SKILL_PLACE_NEXT_TO)
            room = snapshot.room_at(*item.box.middle[:2].tolist())
            within = Within(rooms.labels == room, rooms.geometry) if room else None
            pose = choose_floor_place(
                item.box, snapshot.occupancy, snapshot.floor, size, others, robot, failed, within
            )
            if pose is not None:  # or the robot may find one by itself
                yield FreePlace(target=item.id, skill=words.SKILL_PLACE_NEXT_TO, pose=pose)

    def _failed_at(self, item: TrackedObject, *skills: str) -> list[FailedPlace]:
        return [place for skill, name, place in self._failed if name == item.id and skill in skills]

    def _wanted_near(
        self, held: TrackedObject, here: Sequence[TrackedObject], gaps: Sequence[float]
    ) -> Box | None:
        """Returns the box of what the task wants the held thing to be near: of several, that nearest to the robot."""
        knows = self._knowledge
        kinds = [near for what, near in self._near if knows.is_kind(held.category, what)]
        found = [
            (gap, item.id, item.box)
            for item, gap in zip(here, gaps, strict=True)
            if item is not held and any(knows.is_kind(item.category, kind) for kind in kinds)
        ]
        return min(found)[2] if found else None

    def _skills(self, category: str) -> list[str]:
        knows = self._asked
        onto, into = knows.is_surface(category), knows.is_receptacle(category)
        return [*[words.SKILL_PLACE_ON] * onto, *[words.SKILL_PLACE_IN] * into]

    def _limits(
        self, item: TrackedObject, skill: str, height: float, on_it: Sequence[Box], floor: float
    ) -> PlacingLimits:
        box, best = item.box, floor + _COMFORTABLE
        bottom, top = box.top - float(box.extent[2]), box.top
        bases = [other.bottom for other in on_it]
        opens = self._knowledge.is_openable(item.category)
        if skill == words.SKILL_PLACE_ON:
            low = top - _TOLERANCE if opens else bottom + _RIM
            boards = [top] if opens or top <= floor + _TALL else _boards(bottom, top - _BOARD)
            stood_on = tuple(base for base in bases if base >= low)
            return PlacingLimits(low, top + _TOLERANCE, best, np.inf, stood_on, tuple(boards))
        low, high = bottom + _FLOOR, top - _RIM
        boards = _boards(bottom, top - _BOARD / 2 - (height if opens else 0.0))
        stood_on = tuple(base for base in bases if low <= base <= high)
        if opens:
            return PlacingLimits(low, high, best, top, stood_on, tuple(boards))
        return PlacingLimits(low, high, top - _BOARD, np.inf, stood_on, tuple(boards), _WALL)


def _boards(bottom: float, top: float) -> list[float]:
    """Returns heights from `top` down to `bottom` [m], at least one."""
    return [max(top - _BOARD * k, bottom) for k in range(max(int((top - bottom) / _BOARD), 0) + 1)]


def _middle(box: Box, limits: PlacingLimits) -> Pose:
    x, y, _ = box.middle.tolist()
    return Pose.upright(Point(x, y, limits.guesses[-1]), box.yaw)


def _sides(box: Box) -> tuple[float, float, float]:
    """Returns the longer and the shorter horizontal side of a box, and its height [m]."""
    long, short = sorted(box.extent[:2].tolist(), reverse=True)
    return long, short, float(box.extent[2])
