"""Implements a World around the simulated robot: episodes in places that are loaded by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import Generic, Protocol, TypeVar

import numpy as np

from stma_ros.types import vocabulary as words
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import WorldError
from stma_ros.types.planning import SkillRequest, SkillSchema
from stma_ros.types.standard import Time
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.robot import skills
from stma_ros.worlds.robot.body import Body
from stma_ros.worlds.robot.config import RobotConfig
from stma_ros.worlds.robot.execution import execute
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.map_frame import MapFrame
from stma_ros.worlds.robot.motion import Ground
from stma_ros.worlds.robot.picture import CameraRenderer
from stma_ros.worlds.robot.scene import Scene
from stma_ros.worlds.robot.state import SceneState


class Place(Protocol):
    """A loaded scene: its objects, its images, and facts that only the world knows. Everything is in the frame of the
    home, which the world converts to the map frame."""

    @property
    def home(self) -> str:
        """The name of the home, from which its map frame is drawn; empty = the scene keeps its own frame."""
        ...

    @property
    def scene(self) -> Scene: ...

    @property
    def camera_renderer(self) -> CameraRenderer: ...

    def begin(self, seed: int) -> Placement:
        """Begins a new episode; returns the initial pose of the robot."""
        ...

    def before_skill(self, number: int, body: Body) -> None:
        """Applies changes by others, before the robot begins its skill of that number (from 1)."""
        ...

    def between_tasks(self, body: Body) -> None:
        """Applies changes by others, before the robot begins a further task."""
        ...

    def truth(self, name: str, robot: Placement, state: SceneState, stamp: Time) -> GroundTruth:
        """Returns the ground truth. name: of the scene."""
        ...


PlaceT = TypeVar("PlaceT", bound=Place)


class SimulatedWorld(ABC, Generic[PlaceT]):
    """A World (see types/world.py) whose subclasses load the scenes.

    `reset` restores the scene, draws the robot's pose from the episode's seed, and starts the time at 0: an episode
    does not depend on earlier ones. Without noise the odometry is exact; it begins at the origin. Only messages are in
    the map frame; properties are in the frame of the home.
    """

    def __init__(self, config: RobotConfig) -> None:
        self.camera = config.camera
        self._robot = config
        self._name = ""
        self._place: PlaceT | None = None
        self._body: Body | None = None
        self._map_frame = MapFrame()
        self._skills_begun = 0
        self._task = ""  # that of the last skill

    @abstractmethod
    def load(self, scene: str) -> PlaceT:
        """Loads a scene by name. Raises ConfigurationError for one that does not exist, WorldError when the engine
        fails."""

    @abstractmethod
    def default_scene(self, seed: int) -> str:
        """Returns the scene of a reset without a scene's name, when none was named before."""

    @property
    def skills(self) -> tuple[SkillSchema, ...]:
        return skills.SKILLS

    @property
    def place(self) -> PlaceT:
        """The loaded place, for scorers and drawings only. Raises WorldError before the first reset."""
        if self._place is None:
            raise WorldError(
                "the world has no scene yet: reset it first, with one such as "
                + repr(self.default_scene(1000))
            )
        return self._place

    @property
    def state(self) -> SceneState:
        """The present state, for scorers and drawings only."""
        return self._present_body().state

    @property
    def robot(self) -> Placement:
        """The true pose of the base, for scorers and drawings only."""
        return self._present_body().base

    @property
    def ground(self) -> Ground:
        """The floor in the present state, for planners with full knowledge only."""
        return self._present_body().ground

    @property
    def map_frame(self) -> MapFrame:
        """The map frame of the present scene, for scorers and drawings only."""
        return self._map_frame

    def truth(self) -> GroundTruth:
        """The ground truth of the present state in the map frame, for scorers and reports only."""
        body = self._present_body()
        truth = self.place.truth(self._name, body.base, body.state, Time.from_nanoseconds(body.now))
        objects = tuple(replace(thing, seen_pixels=body.seen_pixels[thing.name]) for thing in truth.objects)
        return self._map_frame.truth(replace(truth, objects=objects))

    def reset(self, scene: str, seed: int) -> str:
        scene = scene or self._name or self.default_scene(seed)
        if self._place is None or scene != self._name:
            self._place, self._name = self.load(scene), scene
        place = self._place
        seed %= 2**64
        # The random numbers of the segmentation images also depend on the identities.
        numbering = np.random.default_rng((self._robot.identity_seed + 1, seed))
        start = place.begin(seed)
        self._map_frame = self._robot.map_frame(place.home)
        self._body = Body(
            place.scene,
            self.camera,
            place.camera_renderer,
            start,
            numbering,
            self._robot.noise_model,
            seed,
            self._robot.frame_rate,
            self._robot.detector_errors,
            self._map_frame,
        )
        self._skills_begun, self._task = 0, ""
        # The first image takes time to prepare, which must not delay the first skill.
        place.camera_renderer.render(start, place.scene.initial)
        return scene

    def execute(self, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        body = self._present_body()
        if request.task_id and request.task_id != self._task:
            if self._task:
                self.place.between_tasks(body)
            self._task = request.task_id
        if request.action.skill != words.SKILL_OBSERVE:
            self._skills_begun += 1
            self.place.before_skill(self._skills_begun, body)
        yield from execute(body, request, cancel, self.truth)

    def close(self) -> None:
        self._place, self._body, self._name = None, None, ""

    def _present_body(self) -> Body:
        if self._body is None:
            raise self._without_scene()
        return self._body

    def _without_scene(self) -> WorldError:
        return WorldError(
            f"the world has no scene yet: reset it first, with one such as {self.default_scene(1000)!r}"
        )
