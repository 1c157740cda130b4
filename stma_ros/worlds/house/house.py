"""The world `house`: a robot with a camera in a procedural flat."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ConfigurationError, ErrorCode, SkillError, WorldError
from stma_ros.types.planning import Outcome, Result, SkillRequest, SkillSchema
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Time
from stma_ros.worlds.house import skills
from stma_ros.worlds.house.body import Body, Canceled, start_pose
from stma_ros.worlds.house.camera import Camera
from stma_ros.worlds.house.config import HouseConfig
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.identity import permuted
from stma_ros.worlds.house.renderer import Renderer
from stma_ros.worlds.house.sensors import ODOM_FRAME
from stma_ros.worlds.house.stocking import make_flat
from stma_ros.worlds.house.truth import Truth, truth_of

_SCENE_PREFIX = "flat_"


class House:
    """A World (see types/world.py). Scenes are "flat_0", "flat_1", ...: the number is the flat's seed.

    `reset` closes all containers, puts the robot where the episode's seed says, and starts the time at 0:
    an episode does
    not depend on what was before it. The frame of the odometry is the map frame.

    Raises:
        ConfigurationError: settings that no flat can have.
    """

    def __init__(self, config: HouseConfig) -> None:
        if 0 < config.rooms < 3:
            raise ConfigurationError(f"house.rooms must be 0 or from 3 to 6, got {config.rooms}")
        self.camera = Camera(
            config.width, config.height, config.hfov, config.camera_height, config.camera_pitch
        )
        self._config = config
        self._scene = ""
        self._renderer: Renderer | None = None
        self._body: Body | None = None

    @property
    def skills(self) -> tuple[SkillSchema, ...]:
        return skills.SKILLS

    @property
    def flat(self) -> Flat:
        """The loaded flat, for scorers and drawings only."""
        return self._present_body().flat

    def truth(self) -> Truth:
        """How things really are now, for scorers and reports only; never published."""
        body = self._present_body()
        return truth_of(body.flat, self._scene, body.base, body.open_names)

    def reset(self, scene: str, seed: int) -> str:
        scene = scene or self._scene or f"{_SCENE_PREFIX}{seed}"
        if self._body is None or self._renderer is None or scene != self._scene:
            flat = self._load(scene)
            self._renderer = Renderer(flat, self.camera)
            self._scene = scene
        else:
            flat = self._body.flat
        # What draws the numbers in segmentation images also differs with the identities.
        numbering = np.random.default_rng((self._config.identity_seed + 1, seed % 2**64))
        start = start_pose(flat, np.random.default_rng(seed % 2**64))
        self._body = Body(flat, self.camera, self._renderer, start, numbering)
        return scene

    def execute(self, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        body = self._present_body()
        began = body.now
        body.begin()
        result, error = Result.SUCCEEDED, Error()
        try:
            yield from _perform(body, request, cancel)
        except SkillError as reason:
            result, error = Result.FAILED, Error.of(reason)
        except Canceled:
            result, error = Result.CANCELED, Error(ErrorCode.CANCELED, cancel.reason)
        yield from body.capture()
        stamp = Time.from_nanoseconds(body.now)
        header = Header(stamp, ODOM_FRAME)
        outcome = Outcome(
            header,
            request.request_id,
            request.task_id,
            request.step,
            request.action,
            result,
            error,
            body.driven,
            (body.now - began) / 1e9,
        )
        last = Outcome() if request.action.skill == words.SKILL_OBSERVE else outcome
        yield topics.OBSERVATION, Observation(header, request.task_id, request.step, stamp, last, body.bumper)
        yield topics.OUTCOME, outcome

    def close(self) -> None:
        self._body, self._renderer, self._scene = None, None, ""

    def _present_body(self) -> Body:
        if self._body is None:
            raise WorldError("the house has no flat yet: reset it first, with a scene such as 'flat_1000'")
        return self._body

    def _load(self, scene: str) -> Flat:
        number = scene.removeprefix(_SCENE_PREFIX)
        if not scene.startswith(_SCENE_PREFIX) or not (number.isascii() and number.isdigit()):
            raise ConfigurationError(
                f"the house has no scene {scene!r}; its scenes are 'flat_0', 'flat_1' and so on"
            )
        flat = make_flat(int(number), self._config.rooms or None)
        return flat if self._config.identity_seed < 0 else permuted(flat, self._config.identity_seed)


def _perform(body: Body, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
    """The motions of one skill; the frame at its end is the caller's. Raises SkillError and Canceled."""
    skills.check_request(request)
    skill = request.action.skill
    if skill == words.SKILL_NAVIGATE:
        yield from body.drive_to(skills.standing_pose(request), cancel)
    elif skill == words.SKILL_EXPLORE:
        yield from body.drive_to(skills.standing_pose(request), cancel, skills.VIEWPOINT_TOLERANCE)
        yield from body.look_around(cancel)
    elif skill == words.SKILL_LOOK_AROUND:
        yield from body.look_around(cancel)
    elif skill == words.SKILL_OPEN:
        container = skills.container_at_hand(body.flat, request.targets[0], body.base, body.open_names)
        yield from body.open(container, cancel)
