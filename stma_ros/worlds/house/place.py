"""A flat as a place for the simulated robot, with any renderer."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np

from stma_ros.types.errors import ConfigurationError, StorageError
from stma_ros.types.standard import Time
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.house.activities.instantiation import activity_home
from stma_ros.worlds.house.changes import Changes
from stma_ros.worlds.house.config import VARIED_STATES, HouseConfig
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.flat_file import load_flat
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.furnishing.looks import recoloured
from stma_ros.worlds.house.furnishing.varied_states import with_varied_states
from stma_ros.worlds.house.identity import permuted
from stma_ros.worlds.house.starting import start_pose
from stma_ros.worlds.house.truth import truth_of
from stma_ros.worlds.robot.body import Body
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.picture import CameraRenderer
from stma_ros.worlds.robot.scene import Scene
from stma_ros.worlds.robot.state import SceneState

SCENE_PREFIX, FILE_SUFFIX = "flat_", ".json"
_ACTIVITY = re.compile(r"activity_(?P<name>.+)_(?P<seed>[0-9]+)")
_SCENE = re.compile(rf"{SCENE_PREFIX}(?P<flat>[0-9]+)(_items_(?P<items>[0-9]+))?")


class FlatPlace:
    """Implements robot.simulated_world.Place.

    Args:
        home: the home's name, as `home_of` gives it for the scene.
        flat: the flat.
        camera_renderer: renders its images.
        changes: number of changes by others in an episode.
        changes_between: number of changes by others between two tasks.
        scene: the flat itself, or an engine's view of its floor; None = the flat.
        daylight: is called with the episode's seed, which determines the sun; None = the renderer has no sun.
    """

    def __init__(
        self,
        home: str,
        flat: Flat,
        camera_renderer: CameraRenderer,
        changes: int,
        scene: Scene | None = None,
        daylight: Callable[[int], None] | None = None,
        changes_between: int = 0,
    ) -> None:
        self.home = home
        self.flat = flat
        self.scene: Scene = flat if scene is None else scene
        self.camera_renderer = camera_renderer
        self._count, self._count_between = changes, changes_between
        self._daylight = daylight
        self._changes = Changes(0, 0)

    def begin(self, seed: int) -> Placement:
        self._changes = Changes(self._count, seed)
        if self._daylight is not None:
            self._daylight(seed)
        return start_pose(self.flat, np.random.default_rng(seed))

    def before_skill(self, number: int, body: Body) -> None:
        body.state = self._changes.before_skill(number, self.flat, body.state, body.base, body.handled)

    def between_tasks(self, body: Body) -> None:
        body.state = self._changes.between_tasks(
            self._count_between, self.flat, body.state, body.base, body.handled
        )

    def truth(self, name: str, robot: Placement, state: SceneState, stamp: Time) -> GroundTruth:
        return truth_of(self.flat, name, robot, state, stamp)


def is_flat(scene: str) -> bool:
    """Whether a scene's name is that of a flat, or looks like that of a saved one."""
    return (
        scene.endswith(FILE_SUFFIX)
        or scene.startswith(SCENE_PREFIX)
        or _ACTIVITY.fullmatch(scene) is not None
    )


def home_of(scene: str) -> str:
    """Returns the name of the home in a scene, the same for a flat and its saved files. Raises ConfigurationError."""
    if _ACTIVITY.fullmatch(scene):
        return scene
    return scene_of(_load_file(Path(scene)).seed if scene.endswith(FILE_SUFFIX) else _seeds_of(scene)[0])


def scene_of(flat_seed: int, items_seed: int = 0) -> str:
    """Returns the name of the scene of a flat. items_seed: as in make_flat."""
    return f"{SCENE_PREFIX}{flat_seed}" + (f"_items_{items_seed}" if items_seed else "")


def activity_scene(activity: str, seed: int) -> str:
    """Returns the name of the scene of an activity. seed: as in activity_home."""
    return f"activity_{activity}_{seed}"


def flat_of(scene: str, config: HouseConfig) -> Flat:
    """Returns the flat of a scene's name: "flat_7" is the flat of seed 7, "flat_7_items_3" the same with other small
    things, "activity_store_honey_5" one for an activity, "my_flat.json" a saved one.

    Raises:
        ConfigurationError: there is no such flat.
        MissingDependencyError: the definitions of activities are not installed.
    """
    if scene.endswith(FILE_SUFFIX):
        if config.rooms:
            raise ConfigurationError(f"{scene} has the rooms it was saved with; leave house.rooms at 0")
        flat = _load_file(Path(scene))
    elif match := _ACTIVITY.fullmatch(scene):
        if config.rooms:
            raise ConfigurationError(f"{scene} has the rooms that the activity needs; leave house.rooms at 0")
        flat = activity_home(match["name"], int(match["seed"])).flat
    else:
        flat_seed, items_seed = _seeds_of(scene)
        flat = make_flat(flat_seed, config.rooms or None, items_seed)
    if config.states == VARIED_STATES:
        flat = with_varied_states(flat)
    if config.palette_seed >= 0:
        flat = recoloured(flat, config.palette_seed)
    return flat if config.identity_seed < 0 else permuted(flat, config.identity_seed)


def _seeds_of(scene: str) -> tuple[int, int]:
    """Returns the seeds of a flat and of its small things; the latter is 0 for those that it was made with."""
    match = _SCENE.fullmatch(scene)
    if match is None:
        raise ConfigurationError(
            f"the house has no scene {scene!r}; its scenes are 'flat_0', 'flat_1' and so on, 'flat_0_items_1' and so "
            "on with other small things, and the files of saved flats, such as 'my_flat.json'"
        )
    return int(match["flat"]), int(match["items"] or 0)


def _load_file(path: Path) -> Flat:
    try:
        return load_flat(path)
    except StorageError as error:
        raise ConfigurationError(str(error)) from error
