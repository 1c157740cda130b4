"""The simulated robot: its pose, the time, the state of the scene, and the frames that it captures on its way."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Time
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.depth_camera import DepthCamera, pixels_of_owners
from stma_ros.worlds.robot.detector.detector import SimulatedDetector, Viewpoint
from stma_ros.worlds.robot.detector.errors import FLAWLESS, DetectorErrors
from stma_ros.worlds.robot.geometry import Placement, wrap_angle
from stma_ros.worlds.robot.localiser import Localiser
from stma_ros.worlds.robot.map_frame import MapFrame
from stma_ros.worlds.robot.motion import GOAL_TOLERANCE, Ground, Increment, Waypoint, turn, way_length
from stma_ros.worlds.robot.noise import QUIET, Hand, NoiseModel
from stma_ros.worlds.robot.picture import CameraRenderer
from stma_ros.worlds.robot.placing import floor_spot
from stma_ros.worlds.robot.scene import Scene
from stma_ros.worlds.robot.sensors import frame
from stma_ros.worlds.robot.state import SceneState

_FRAME_EVERY = 0.75  # distance driven between two frames [m]
_FRAME_TURN = math.radians(60)  # angle turned between two frames [rad]
_FRAME_SECONDS = 0.1
_SAME_YAW = 1e-3


class Canceled(Exception):
    """The cancel token was set while the robot was moving."""


class Body:
    """One episode in one scene. Its generators move the robot and yield the frames captured meanwhile.

    Poses are in the frame of the home; only what the localiser believes is in the map frame.

    `now` [ns] is simulated time; `driven` [m] and `bumper` refer to the skill since `begin`.

    Args:
        scene: objects and free space.
        camera: the camera.
        camera_renderer: renders the frames; None = the motions and times are the same without frames, for planners with
            full knowledge.
        base: initial pose of the base.
        rng: numbers the segments of the images.
        noise: imperfections of the robot.
        seed: draws the noise.
        frame_rate: of frames while moving [Hz]; 0 = by distance and angle.
        detector_errors: errors of the segmentation.
        map_frame: of the home.
    """

    def __init__(
        self,
        scene: Scene,
        camera: Camera,
        camera_renderer: CameraRenderer | None,
        base: Placement,
        rng: np.random.Generator,
        noise: NoiseModel = QUIET,
        seed: int = 0,
        frame_rate: float = 0.0,
        detector_errors: DetectorErrors = FLAWLESS,
        map_frame: MapFrame = MapFrame(),
    ) -> None:
        self.scene = scene
        self.base = base
        self.now = 0
        self.camera = camera
        self._state = scene.initial
        self.localiser = Localiser(noise, seed, base, map_frame)
        self.hand = Hand(noise, seed)
        self._depth_camera = DepthCamera(noise, seed)
        self._detector = SimulatedDetector(scene, camera, detector_errors, seed, rng)
        self._camera_renderer = camera_renderer
        self._frame_period = round(NANOSECONDS_PER_SECOND / frame_rate) if frame_rate else 0  # [ns]
        self._next_frame, self._last_frame = 0, -1  # [ns]
        self._ground = scene.ground(self._state)
        self.handled: frozenset[str] = frozenset()  # names of things that the arm has changed
        self.seen_pixels: Counter[str] = Counter()  # most of each thing in one picture, by its name
        self.begin()

    @property
    def state(self) -> SceneState:
        return self._state

    @state.setter
    def state(self, state: SceneState) -> None:
        if state.open_names != self._state.open_names:
            self._ground = self.scene.ground(state)
        self._state = state

    def change(self, name: str, state: SceneState) -> None:
        """Changes the state by an action of the arm on the thing of that name."""
        self.state = state
        self.handled |= {name}

    @property
    def ground(self) -> Ground:
        """The floor in the present state."""
        return self._ground

    def begin(self) -> None:
        """Starts a new skill."""
        self.driven = 0.0
        self.bumper = False
        self._since_frame = [0.0, 0.0]  # driven [m], turned [rad]
        self._slips_after: float | None = None
        self._slips_at = math.inf

    def may_slip(self) -> None:
        """Draws whether a held object slips out of the gripper while this skill drives."""
        self._slips_after = self.hand.slips_after() if self._state.held else None

    def capture(self) -> Iterator[Emission]:
        """Captures one frame from the present pose, which takes its time."""
        self.pass_time(_FRAME_SECONDS)
        yield from self._take_frame()

    def _take_frame(self) -> Iterator[Emission]:
        self._next_frame = max(self._next_frame + self._frame_period, self.now)
        self._last_frame = self.now
        self._since_frame = [0.0, 0.0]
        if self._camera_renderer is None:
            return
        picture = self._camera_renderer.render(self.base, self._state)
        owners = self._camera_renderer.owners
        stamp = Time.from_nanoseconds(self.now)
        depth = self._depth_camera.measured(picture, [self.scene.categories[name] for name in owners])
        segmentation = self._detector.segment(picture, owners, Viewpoint(self.base, self._state, stamp))
        pixels = pixels_of_owners(picture, depth, len(owners)).tolist()
        self.seen_pixels |= Counter(dict(zip(owners, pixels, strict=True)))
        yield from frame(
            stamp,
            self.camera,
            self.localiser.odometry,
            self.localiser.map_from_odometry,
            replace(picture, depth=depth),
            segmentation,
        )

    def look_around(self, cancel: CancelToken) -> Iterator[Emission]:
        """Turns once around."""
        yield from self._move(turn(self.base, 2 * math.pi), cancel)

    def drive_to(
        self, goal: Placement, cancel: CancelToken, tolerance: float = GOAL_TOLERANCE
    ) -> Iterator[Emission]:
        """Drives to a place, or to a free one within `tolerance` [m] of it, and turns to its yaw.

        Where no path leads to the goal, the robot drives as near as it gets before it fails, as a real one does.

        Raises:
            SkillError: UNREACHABLE when no path leads to the goal; BLOCKED when an obstacle was on the path.
        """
        way = self._ground.way(self.base, goal.x, goal.y, tolerance)
        if way is None:
            here = math.hypot(goal.x - self.base.x, goal.y - self.base.y)
            yield from self._follow(self._ground.way(self.base, goal.x, goal.y, here) or (), cancel)
            short = math.hypot(goal.x - self.base.x, goal.y - self.base.y)
            raise SkillError(ErrorCode.UNREACHABLE, f"the way ends {short:.2f} m short of the goal")
        yield from self._follow(way, cancel)
        yield from self._turn_to(goal.yaw, cancel)

    def face(self, x: float, y: float, cancel: CancelToken) -> Iterator[Emission]:
        """Turns in place until a point is straight ahead."""
        yield from self._turn_to(math.atan2(y - self.base.y, x - self.base.x), cancel)

    def _follow(self, way: tuple[Waypoint, ...], cancel: CancelToken) -> Iterator[Emission]:
        length = way_length(self.base, way)
        before = self.driven
        if self._slips_after is not None:
            self._slips_at = self.driven + self._slips_after * length
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
            self.localiser.moved(self.base, increment)
            self.base = increment.pose
            self.driven += increment.driven
            self.bumper = increment.bumped
            self.pass_time(increment.seconds)
            self._since_frame[0] += increment.driven
            self._since_frame[1] += increment.turned
            if self.driven >= self._slips_at:
                self._drop()
            if self._frame_period:
                if self.now >= self._next_frame and self.now > self._last_frame:  # a bump takes no time
                    yield from self._take_frame()
            elif self._since_frame[0] >= _FRAME_EVERY or self._since_frame[1] >= _FRAME_TURN - 1e-9:
                yield from self.capture()

    def _drop(self) -> None:
        item = self.scene.items_by_name[self._state.held]
        state = self._state.moved(item.name, floor_spot(self.scene, self._state, item, self.base))
        for name in (item.name, *state.load(item.name)):
            state = state.filled(name, full=False)
        self._state = state
        raise SkillError(ErrorCode.DROPPED, "what was in the hand slipped out of it and lies near here")

    def pass_time(self, seconds: float) -> None:
        self.now += round(seconds * NANOSECONDS_PER_SECOND)
