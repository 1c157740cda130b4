"""The robot in the flat: where it is, what time it is, what stands open, and the frames it takes on its
way."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Time
from stma_ros.worlds.house.camera import Camera
from stma_ros.worlds.house.flat import Flat, Furniture
from stma_ros.worlds.house.furnishing import COMFORT_RADIUS, DOCK_DISTANCE
from stma_ros.worlds.house.geometry import Placement, wrap_angle
from stma_ros.worlds.house.motion import GOAL_TOLERANCE, Ground, Increment, Waypoint, turn, way_length
from stma_ros.worlds.house.renderer import CEILING, FLOOR, WALL, Renderer
from stma_ros.worlds.house.sensors import frame

_FRAME_EVERY = 0.75  # driven since the last frame [m]
_FRAME_TURN = math.radians(60)  # turned since the last frame [rad]
_FRAME_SECONDS = 0.1
_OPENING_SECONDS = 3.0
_SAME_YAW = 1e-3


class Canceled(Exception):
    """The cancel token was set while the robot was moving."""


class Body:
    """One episode in one flat. Its generators move the robot and yield the frames taken meanwhile.

    `now` [ns] is simulated time; `driven` [m] and `bumper` are about the skill since `begin`.
    """

    def __init__(
        self, flat: Flat, camera: Camera, renderer: Renderer, base: Placement, rng: np.random.Generator
    ) -> None:
        self.flat = flat
        self.base = base
        self.now = 0
        self.open_names: frozenset[str] = frozenset()
        self._camera = camera
        self._renderer = renderer
        self._rng = rng
        self._ground = Ground(flat.layout.bounds, flat.obstacles(self.open_names))
        self._categories = {FLOOR: FLOOR, CEILING: CEILING, WALL: WALL}
        self._categories |= {piece.name: piece.category for piece in flat.furniture}
        self._categories |= {item.name: item.category for item in flat.items}
        self.begin()

    def begin(self) -> None:
        """A new skill starts."""
        self.driven = 0.0
        self.bumper = False
        self._since_frame = [0.0, 0.0]  # driven [m], turned [rad]

    def capture(self) -> Iterator[Emission]:
        """One frame from where the robot stands."""
        self._pass_time(_FRAME_SECONDS)
        self._since_frame = [0.0, 0.0]
        picture = self._renderer.render(self.base, self.open_names)
        categories = {k: self._categories[name] for k, name in enumerate(self._renderer.owners)}
        yield from frame(
            Time.from_nanoseconds(self.now), self._camera, self.base, picture, categories, self._rng
        )

    def look_around(self, cancel: CancelToken) -> Iterator[Emission]:
        """A full turn; ends as it began."""
        yield from self._move(turn(self.base, 2 * math.pi), cancel)

    def drive_to(
        self, goal: Placement, cancel: CancelToken, tolerance: float = GOAL_TOLERANCE
    ) -> Iterator[Emission]:
        """Drive to a place, or to a free one within `tolerance` [m] of it, and turn to its yaw.

        A goal that is cut off is found out as a robot finds it out: by driving as near as it gets.

        Raises:
            SkillError: UNREACHABLE, when no way leads there; BLOCKED where something was in the way.
        """
        way = self._ground.way(self.base, goal.x, goal.y, tolerance)
        if way is None:
            here = math.hypot(goal.x - self.base.x, goal.y - self.base.y)
            yield from self._follow(self._ground.way(self.base, goal.x, goal.y, here) or (), cancel)
            short = math.hypot(goal.x - self.base.x, goal.y - self.base.y)
            raise SkillError(
                ErrorCode.UNREACHABLE, f"the way ends {short:.2f} m short of ({goal.x:.2f}, {goal.y:.2f})"
            )
        yield from self._follow(way, cancel)
        yield from self._turn_to(goal.yaw, cancel)

    def open(self, container: Furniture, cancel: CancelToken) -> Iterator[Emission]:
        """Dock in front of a container and open it. Raises SkillError as `drive_to`."""
        opened = self.open_names | {container.name}
        after = Ground(self.flat.layout.bounds, self.flat.obstacles(opened))
        dock = docking_pose(self._ground, after, self.base, container)
        if dock is None:
            raise SkillError(ErrorCode.UNREACHABLE, "there is no free place in front of it to open it from")
        yield from self.drive_to(dock, cancel)
        self._pass_time(_OPENING_SECONDS)
        self.open_names, self._ground = opened, after

    def _follow(self, way: tuple[Waypoint, ...], cancel: CancelToken) -> Iterator[Emission]:
        length = way_length(self.base, way)
        before = self.driven
        yield from self._move(self._ground.follow(self.base, way), cancel)
        if self.bumper:
            raise SkillError(
                ErrorCode.BLOCKED,
                f"something is in the way after {self.driven - before:.2f} of {length:.2f} m",
            )

    def _turn_to(self, yaw: float, cancel: CancelToken) -> Iterator[Emission]:
        angle = wrap_angle(yaw - self.base.yaw)
        if abs(angle) > _SAME_YAW:
            yield from self._move(turn(self.base, angle), cancel)

    def _move(self, increments: Iterable[Increment], cancel: CancelToken) -> Iterator[Emission]:
        for increment in increments:
            if cancel.canceled:
                raise Canceled
            self.base = increment.pose
            self.driven += increment.driven
            self.bumper = increment.bumped
            self._pass_time(increment.seconds)
            self._since_frame[0] += increment.driven
            self._since_frame[1] += increment.turned
            if self._since_frame[0] >= _FRAME_EVERY or self._since_frame[1] >= _FRAME_TURN - 1e-9:
                yield from self.capture()

    def _pass_time(self, seconds: float) -> None:
        self.now += round(seconds * NANOSECONDS_PER_SECOND)


def docking_pose(before: Ground, after: Ground, base: Placement, container: Furniture) -> Placement | None:
    """Where to stand to open a container, facing the middle of its front: a place that can be reached
    while it is shut and
    that is free once it is open. None when there is none within GOAL_TOLERANCE of the best place."""
    x, y = container.ahead(DOCK_DISTANCE)
    clearance, reachable = before.reachable_from(base)
    cell = clearance.nearest_free(x, y, GOAL_TOLERANCE, reachable & after.free)
    if cell is None:
        return None
    if cell != clearance.cell(x, y):
        x, y = clearance.point(cell)
    front_x, front_y = container.ahead(0.0)
    return Placement(x, y, math.atan2(front_y - y, front_x - x))


def start_pose(flat: Flat, rng: np.random.Generator) -> Placement:
    """A roomy place that is connected with every doorway, and any yaw."""
    everything_open = frozenset(piece.name for piece in flat.containers)
    ground = Ground(flat.layout.bounds, flat.obstacles(everything_open), COMFORT_RADIUS)
    door_x, door_y = flat.layout.doorways[0].opening.centre
    clearance, reachable = ground.reachable_from(Placement(door_x, door_y, 0.0))
    inside = np.zeros_like(reachable)
    for room in flat.layout.rooms:
        (r0, c0), (r1, c1) = (
            clearance.cell(room.floor.x0, room.floor.y0),
            clearance.cell(room.floor.x1, room.floor.y1),
        )
        inside[r0:r1, c0:c1] = True
    rows, columns = np.nonzero(reachable & inside)
    k = int(rng.integers(len(rows)))
    x, y = clearance.point((int(rows[k]), int(columns[k])))
    return Placement(x, y, wrap_angle(float(rng.uniform(-math.pi, math.pi))))
