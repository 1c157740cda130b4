"""Plans with full knowledge: solves the subtasks with the robot's own skills and counts the commands.

A solution proves that a task can be done, and with how many commands. It never explores; a closed door or container
costs the same commands as for the robot (go there, open it).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from stma_ros.evaluation.household_tasks.jobs import Job, jobs_of
from stma_ros.evaluation.household_tasks.subtasks import SpatialRelation, Subtask
from stma_ros.types import vocabulary as words
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.types.planning import Action, SkillRequest, SkillTarget
from stma_ros.types.standard import Pose
from stma_ros.worlds.house.building.doors import Door
from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.house.starting import closed_doors_on_way
from stma_ros.worlds.robot.body import Body
from stma_ros.worlds.robot.boxes import Box
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import OrientedRect, Placement
from stma_ros.worlds.robot.manipulation import PERFORM
from stma_ros.worlds.robot.motion import GOAL_TOLERANCE, Ground
from stma_ros.worlds.robot.places import DOCK_DISTANCE, standing_place
from stma_ros.worlds.robot.reach import REACH, arm_distance
from stma_ros.worlds.robot.scene import is_hidden, item_box
from stma_ros.worlds.robot.state import SceneState
from stma_ros.worlds.robot.targets import footprint
from stma_ros.worlds.robot.truth import bounding_box

Thing = Furniture | Door | Item

_ANOTHER_ROOM = 4.0  # excess of a path through doors over the straight distance [m]
_FULL = (ErrorCode.NO_ROOM, ErrorCode.DOES_NOT_FIT)


@dataclass(frozen=True)
class Sketch:
    """The best order of a task's jobs, the approximate number of commands, and the final state."""

    jobs: tuple[Job, ...]
    commands: int
    state: SceneState


@dataclass(frozen=True)
class Reference:
    """The executed actions, one per command, in the world's own names, and the final state."""

    actions: tuple[Action, ...]
    state: SceneState
    base: Placement

    @property
    def commands(self) -> int:
        return len(self.actions)


def sketch(flat: Flat, start: Placement, subtasks: Sequence[Subtask]) -> Sketch:
    """Plans the subtasks in their given order and by the nearest next; returns the shorter plan.

    Raises:
        SkillError: a subtask cannot be done: there is no path, or no room.
    """
    jobs = tuple(jobs_of(flat, subtasks))
    orders = (True, False) if len(jobs) > 1 else (True,)
    sketches = [_in_order(flat, InstantBody(flat, start), jobs, nearest=nearest) for nearest in orders]
    return min(sketches, key=lambda plan: plan.commands)


def reference_run(flat: Flat, start: Placement, plan: Sketch) -> Reference:
    """Executes the planned actions. Raises SkillError as `sketch`, and where an obstacle is in the way."""
    body = Body(flat, Camera(), None, start, np.random.default_rng(0))
    robot = OracleRobot(flat, body)
    for job in plan.jobs:
        robot.do(job)
    return Reference(tuple(robot.actions), body.state, body.base)


class InstantBody(Body):
    """A body that moves to its goals instantly, if there is a path."""

    def __init__(self, flat: Flat, start: Placement) -> None:
        super().__init__(flat, Camera(), None, start, np.random.default_rng(0))

    def drive_to(
        self, goal: Placement, cancel: CancelToken, tolerance: float = GOAL_TOLERANCE
    ) -> Iterator[Emission]:
        clearance, reachable = self.ground.reachable_from(self.base)
        cell = clearance.nearest_free(goal.x, goal.y, tolerance, reachable)
        if cell is None:
            raise SkillError(ErrorCode.UNREACHABLE, f"no way leads to ({goal.x:.2f}, {goal.y:.2f})")
        x, y = (goal.x, goal.y) if cell == clearance.cell(goal.x, goal.y) else clearance.point(cell)
        self.base = Placement(x, y, goal.yaw)
        yield from ()


def _in_order(flat: Flat, body: Body, jobs: Sequence[Job], *, nearest: bool) -> Sketch:
    robot = OracleRobot(flat, body)
    left, done = list(jobs), []
    while left:
        ready = [job for job in left if not any(job.comes_after(other) for other in left if other is not job)]
        distance = robot.distance if nearest else lambda _: 0.0
        job = min(ready, key=lambda job: (job.rank, distance(job)))
        left.remove(job)
        robot.do(job)
        done.append(job)
    return Sketch(tuple(done), len(robot.actions), body.state)


class OracleRobot:
    """The robot of a planner with full knowledge."""

    def __init__(self, flat: Flat, body: Body) -> None:
        self.flat, self.body = flat, body
        self.actions: list[Action] = []
        self._used: set[str] = set()

    def distance(self, job: Job) -> float:
        return self._away(self._choice(job.names))

    def do(self, job: Job) -> None:
        """Carries out a job. Raises SkillError."""
        name = self._choice(job.names)
        if len(job.spread) > 1:
            self._used.add(name)
        thing = self.thing(name)
        if job.switch:
            if not (job.switch == words.SKILL_OPEN and thing.name in self.body.state.open_names):
                self.act(job.switch, thing)
        elif not (job.tap or job.places or job.stays_in_hand):
            self._see(thing)
        else:
            self.free_hand()
            self.act(words.SKILL_PICK, thing)
            if job.tap:
                taps = [piece.name for piece in self.flat.furniture if piece.kind.tap]
                self.act(job.tap, self.thing(min(sorted(taps), key=self._away)))
            if job.places:
                self._put_down(job.places, job.relation)

    def _see(self, thing: Thing) -> None:
        if not self._reveal(thing) and not self._is_within_reach(thing):
            self.navigate(thing)

    def free_hand(self) -> None:
        """Puts a held object down at the nearest allowed place."""
        if self.body.state.held:
            pieces = [piece.name for piece in self.flat.furniture if _is_plain(piece)]
            self._put_down(pieces, SpatialRelation.TO)

    def _put_down(self, places: Iterable[str], relation: SpatialRelation) -> None:
        reason = SkillError(ErrorCode.NO_SUCH_TARGET, "there is no such place")
        for name in sorted(places, key=lambda name: (self._away(name), name)):
            piece = self.flat.furniture_by_name[name]
            ways = [words.SKILL_PLACE_ON] if piece.shape.on and relation is not SpatialRelation.IN else []
            ways += (
                [words.SKILL_PLACE_IN] if piece.shape.inside and relation is not SpatialRelation.ON else []
            )
            for skill in ways:
                try:
                    if skill == words.SKILL_PLACE_IN and piece.opens and not self._is_open(piece):
                        self.act(words.SKILL_OPEN, piece)
                    self.act(skill, piece)
                except SkillError as error:
                    if error.code not in _FULL:
                        raise
                    reason = error
                else:
                    return
        raise reason

    def act(self, skill: str, thing: Thing, place_goal: Pose = Pose.none()) -> None:
        """Performs a skill from the present pose if the arm reaches the object there, else from one near it. Raises
        SkillError."""
        if isinstance(thing, Item):
            self._reveal(thing)
        if self._is_within_reach(thing):
            try:
                self._perform(skill, thing, place_goal)
            except SkillError as error:
                if error.code not in (ErrorCode.TOO_FAR, ErrorCode.UNREACHABLE):
                    raise
            else:
                return
        self.navigate(thing)
        self._perform(skill, thing, place_goal)

    def _reveal(self, thing: Thing) -> bool:
        """Opens the container of an object; returns whether that was necessary."""
        if not isinstance(thing, Item) or not is_hidden(self.flat, thing, self.body.state):
            return False
        self.act(words.SKILL_OPEN, self.flat.furniture_by_name[self.body.state.base_of(thing.name).support])
        return True

    def navigate(self, thing: Thing) -> None:
        """Drives to a place from which the arm reaches an object, through doors. Raises SkillError."""
        area, front = footprint(self.body.state, thing), self._front(thing)
        self._drive_within_reach(thing.name, area, self._box(thing).centre[2], front)

    def navigate_to_place(self, name: str, x: float, y: float, z: float) -> None:
        """Drives to where the arm reaches a place [m] on a thing of that name. Raises SkillError."""
        self._drive_within_reach(name, OrientedRect(x, y, 0.0, 0.0), z, None)

    def _drive_within_reach(
        self, name: str, area: OrientedRect, height: float, front: tuple[float, float] | None
    ) -> None:
        """Drives to a place from which the arm reaches an area.

        Args:
            name: of what is there.
            area: to be in reach.
            height: of the middle of what is there [m].
            front: preferred point to stand near [m].
        """
        place = self._pose_near(area, height, front, self.body.state, self.body.ground)
        if place is None:
            state = self.body.state
            passable = state.opened(*(door.name for door in self.flat.doors if door.name != name))
            place = self._pose_near(area, height, front, passable, self.flat.ground(passable))
            if place is None:
                raise SkillError(ErrorCode.UNREACHABLE, f"the arm gets nowhere near {name}")
            for door in closed_doors_on_way(self.flat, state, self.body.base, place.x, place.y) or ():
                self.act(words.SKILL_OPEN, door)
        self._do(self.body.drive_to(place, CancelToken()))
        self.actions.append(Action(words.SKILL_NAVIGATE, (name,)))

    def _pose_near(
        self,
        area: OrientedRect,
        height: float,
        front: tuple[float, float] | None,
        state: SceneState,
        ground: Ground,
    ) -> Placement | None:
        nearest = self.body.camera.nearest_view(height)
        return standing_place(self.flat, state, ground, self.body.base, area, front=front, nearest=nearest)

    def _front(self, thing: Thing) -> tuple[float, float] | None:
        piece = (
            self.flat.furniture_by_name.get(self.body.state.base_of(thing.name).support)
            if isinstance(thing, Item)
            else thing
        )
        return piece.ahead(DOCK_DISTANCE) if isinstance(piece, Furniture) and piece.opens else None

    def _perform(self, skill: str, thing: Thing, place_goal: Pose) -> None:
        box = bounding_box(self._box(thing))
        target = SkillTarget(id=thing.name, category=thing.category, pose=box.center, size=box.size)
        action = Action(skill, (thing.name,))
        self.ask(SkillRequest(action=action, targets=(target,), place_goal=place_goal))

    def ask(self, request: SkillRequest) -> None:
        """Performs a skill where the robot is. Raises SkillError."""
        self._do(PERFORM[request.action.skill](self.body, request, CancelToken()))
        self.actions.append(request.action)

    def _do(self, motions: Iterator[object]) -> None:
        for _ in motions:
            pass

    def _box(self, thing: Thing) -> Box:
        state = self.body.state
        if isinstance(thing, Item):
            return item_box(thing, state)
        return thing.box_when(thing.name in state.open_names)

    def _is_within_reach(self, thing: Thing) -> bool:
        base, area = self.body.base, footprint(self.body.state, thing)
        return arm_distance(self.flat, self.body.state, base.x, base.y, area) <= REACH

    def _is_open(self, piece: Furniture) -> bool:
        return piece.name in self.body.state.open_names

    def thing(self, name: str) -> Furniture | Item:
        return self.flat.items_by_name.get(name) or self.flat.furniture_by_name[name]

    def _choice(self, names: Sequence[str]) -> str:
        """Returns the nearest candidate, preferably one in view."""

        def rank(name: str) -> tuple[bool, float, str]:
            thing = self.thing(name)
            hidden = isinstance(thing, Item) and is_hidden(self.flat, thing, self.body.state)
            return hidden, self._away(name), name

        return min((name for name in names if name not in self._used), key=rank)

    def _away(self, name: str) -> float:
        """Returns the approximate distance to an object [m]."""
        x, y = footprint(self.body.state, self.thing(name)).centre
        base, layout = self.body.base, self.flat.layout
        same_room = layout.room_at(x, y) == layout.room_at(base.x, base.y)
        return math.hypot(x - base.x, y - base.y) + (0.0 if same_room else _ANOTHER_ROOM)


def _is_plain(piece: Furniture) -> bool:
    """Whether objects can be put down there without opening it."""
    return bool(piece.shape.on) or (bool(piece.shape.inside) and not piece.opens)
