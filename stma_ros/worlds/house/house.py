"""The world `house`: a robot with a camera in a procedural flat."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from stma_ros.types import vocabulary as words
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ConfigurationError, StorageError, WorldError
from stma_ros.types.planning import SkillRequest, SkillSchema
from stma_ros.types.standard import Time
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.house.building.stocking import make_flat
from stma_ros.worlds.house.changes import Changes
from stma_ros.worlds.house.config import HouseConfig
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.flat_file import load_flat
from stma_ros.worlds.house.identity import permuted
from stma_ros.worlds.house.rendering.renderer import Renderer
from stma_ros.worlds.house.starting import start_pose
from stma_ros.worlds.house.truth import truth_of
from stma_ros.worlds.robot import skills
from stma_ros.worlds.robot.body import Body
from stma_ros.worlds.robot.execution import execute
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.motion import Ground
from stma_ros.worlds.robot.state import SceneState

_NO_FLAT = "the house has no flat yet: reset it first, with a scene such as 'flat_1000'"
_SCENE_PREFIX, _FILE_SUFFIX = "flat_", ".json"


class House:
    """A World (see types/world.py). Scenes are "flat_0", "flat_1", ...: the number is the flat's seed; or the path of a
    saved flat (flat_file.py), "my_flat.json".

    `reset` puts everything back as the flat's seed says and the robot where the episode's seed says, and starts the
    time at 0: an episode does not depend on what was before it. Without noise the odometry is in the map
    frame.

    Raises:
        ConfigurationError: settings that no flat can have.
    """

    def __init__(self, config: HouseConfig) -> None:
        if 0 < config.rooms < 3:
            raise ConfigurationError(f"house.rooms must be 0 or from 3 to 10, got {config.rooms}")
        self.camera = config.camera
        self._config = config
        self._scene = ""
        self._renderer: Renderer | None = None
        self._flat: Flat | None = None
        self._body: Body | None = None
        self._changes = Changes(0, 0)
        self._skills_begun = 0

    @property
    def skills(self) -> tuple[SkillSchema, ...]:
        return skills.SKILLS

    @property
    def flat(self) -> Flat:
        """The loaded flat, for scorers and drawings only."""
        return self._present_flat()

    @property
    def state(self) -> SceneState:
        """Its present state, for scorers and drawings only."""
        return self._present_body().state

    @property
    def robot(self) -> Placement:
        """Where the base really is, for scorers and drawings only."""
        return self._present_body().base

    @property
    def ground(self) -> Ground:
        """Its floor as it is now, for planners with full knowledge only."""
        return self._present_body().ground

    def truth(self) -> GroundTruth:
        """How things really are now, for scorers and reports only."""
        body = self._present_body()
        return truth_of(
            self._present_flat(), self._scene, body.base, body.state, Time.from_nanoseconds(body.now)
        )

    def reset(self, scene: str, seed: int) -> str:
        scene = scene or self._scene or f"{_SCENE_PREFIX}{seed}"
        if self._flat is None or self._renderer is None or scene != self._scene:
            self._flat = self._load(scene)
            self._renderer = Renderer(self._flat, self.camera)
            self._scene = scene
        flat = self._flat
        # What draws the numbers in segmentation images also differs with the identities.
        numbering = np.random.default_rng((self._config.identity_seed + 1, seed % 2**64))
        start = start_pose(flat, np.random.default_rng(seed % 2**64))
        self._body = Body(
            flat,
            self.camera,
            self._renderer,
            start,
            numbering,
            self._config.noise_model,
            seed % 2**64,
            self._config.frame_rate,
        )
        self._changes = Changes(self._config.changes, seed % 2**64)
        self._skills_begun = 0
        # What the first picture takes to prepare is not to hold up the first skill.
        self._renderer.render(start, flat.initial)
        return scene

    def execute(self, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        body = self._present_body()
        if request.action.skill != words.SKILL_OBSERVE:
            self._skills_begun += 1
            body.state = self._changes.before_skill(
                self._skills_begun, self._present_flat(), body.state, body.base, body.handled
            )
        yield from execute(body, request, cancel, self.truth)

    def close(self) -> None:
        self._flat, self._body, self._renderer, self._scene = None, None, None, ""

    def _present_body(self) -> Body:
        if self._body is None:
            raise WorldError(_NO_FLAT)
        return self._body

    def _present_flat(self) -> Flat:
        if self._flat is None:
            raise WorldError(_NO_FLAT)
        return self._flat

    def _load(self, scene: str) -> Flat:
        if scene.endswith(_FILE_SUFFIX):
            flat = self._load_file(Path(scene))
        else:
            number = scene.removeprefix(_SCENE_PREFIX)
            if not scene.startswith(_SCENE_PREFIX) or not (number.isascii() and number.isdigit()):
                raise ConfigurationError(
                    f"the house has no scene {scene!r}; its scenes are 'flat_0', 'flat_1' and so on, and the "
                    "files of saved flats, such as 'my_flat.json'"
                )
            flat = make_flat(int(number), self._config.rooms or None)
        return flat if self._config.identity_seed < 0 else permuted(flat, self._config.identity_seed)

    def _load_file(self, path: Path) -> Flat:
        if self._config.rooms:
            raise ConfigurationError(f"{path} has the rooms it was saved with; leave house.rooms at 0")
        try:
            return load_flat(path)
        except StorageError as error:
            raise ConfigurationError(str(error)) from error
