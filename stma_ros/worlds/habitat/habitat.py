"""The world `habitat`: the simulated robot in scenes that habitat-sim renders, on the navmesh that it makes of them."""

from __future__ import annotations

import os
from pathlib import Path

from stma_ros.types.errors import ConfigurationError, MissingDependencyError
from stma_ros.worlds.habitat.camera_renderer import EngineCameraRenderer
from stma_ros.worlds.habitat.client import EngineProcess
from stma_ros.worlds.habitat.config import INSIDE, PYTHON_VARIABLE, HabitatConfig
from stma_ros.worlds.habitat.engine.settings import EngineSettings
from stma_ros.worlds.habitat.engine_child import ProcessSettings
from stma_ros.worlds.habitat.flat_stage import FlatStage, NavmeshFlat, exported_flat
from stma_ros.worlds.habitat.lab.start import PlaceFrom, split_scene
from stma_ros.worlds.habitat.loaded_scene import LiveEngine, LoadedScene
from stma_ros.worlds.habitat.local import in_process
from stma_ros.worlds.habitat.navmesh import FLAT_SETTINGS, RESOLUTION, NavmeshFloor
from stma_ros.worlds.habitat.scene.dataset_files import is_dataset, is_scene_file, scenes_of
from stma_ros.worlds.habitat.scene.dataset_place import DatasetPlace
from stma_ros.worlds.habitat.scene.loading import load_place
from stma_ros.worlds.habitat.scene.storey import SAME_STOREY
from stma_ros.worlds.house.place import FlatPlace, flat_of, home_of, is_flat, scene_of
from stma_ros.worlds.robot.simulated_world import Place, SimulatedWorld


class Habitat(SimulatedWorld[Place]):
    """A World (see types/world.py). Its scenes are the flats of the house, by the same names; the scenes of the
    configured data set; and files: a mesh, a *.scene_instance.json, or a data set, whose first scene is taken.

    Raises:
        ConfigurationError: settings that no engine can have.
        MissingDependencyError: habitat-sim is not installed.
        WorldError: the engine cannot be started.
    """

    def __init__(self, config: HabitatConfig) -> None:
        super().__init__(config)
        config.check()
        self._config = config
        self._engine: LiveEngine | None = None
        # The name of the last scene, and the height of its floor where the name states one.
        self._latest: tuple[str, float | None, Place] | None = None
        self._present: LoadedScene | None = None
        self._running()

    def load(self, scene: str) -> Place:
        """Loads a scene. Its name may state the robot's start, and so its storey (lab/start.py); another start in the
        scene that was loaded last needs no loading."""
        name, start = split_scene(scene)
        height = None if start is None else start.z
        if self._latest is None or self._latest[0] != name or not _same_storey(self._latest[1], height):
            self._latest = name, height, self._load(name, height)
        place = self._latest[2]
        return place if start is None else PlaceFrom(place, start)

    def _load(self, scene: str, height: float | None) -> FlatPlace | DatasetPlace:
        dataset = self._config.dataset
        if not dataset and is_dataset(scene):
            dataset, scene = scene, scenes_of(scene)[0]
        if dataset or is_scene_file(scene):
            return self._load_files(dataset, scene, height)
        if not is_flat(scene):
            raise ConfigurationError(
                f"habitat has no scene {scene!r}: give a flat ('flat_0', 'flat_1' ..., or the file of a saved one), "
                "the path of a *.glb, *.scene_instance.json or *.scene_dataset_config.json, or name the data set that "
                "the scene is of with world.dataset"
            )
        return self._load_flat(scene)

    def reset(self, scene: str, seed: int) -> str:
        if self._engine is not None and self._engine.has_ended:
            self._engine.close()  # no skill fails for it: the next request starts another engine
        return super().reset(scene, seed)

    def default_scene(self, seed: int) -> str:
        """Returns a flat without a data set, else one of the data set's scenes, drawn from the seed."""
        if not self._config.dataset:
            return scene_of(seed)
        scenes = scenes_of(self._config.dataset)
        return scenes[seed % len(scenes)]

    def close(self) -> None:
        super().close()
        self._latest = None
        self._present = None
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _load_flat(self, scene: str) -> FlatPlace:
        flat = flat_of(scene, self._config)
        exported = exported_flat(flat, self._config.flats)
        loaded = self._open(str(exported.dataset), exported.scene)
        stage = FlatStage(flat, exported, loaded.report)
        levels = loaded.make_navmesh(FLAT_SETTINGS)
        floor = NavmeshFloor.of(loaded.navigable(levels[0].height, RESOLUTION), FLAT_SETTINGS.radius)
        camera_renderer = EngineCameraRenderer(loaded, stage, self.camera)
        self._present = loaded
        return FlatPlace(
            home_of(scene),
            flat,
            camera_renderer,
            self._config.changes,
            NavmeshFlat.of(flat, floor),
            changes_between=self._config.changes_between,
        )

    def _load_files(self, dataset: str, scene: str, height: float | None) -> DatasetPlace:
        """Loads a scene of a data set. dataset: empty for a scene that is a file by itself."""
        for option in ("rooms", "changes", "changes_between"):
            if getattr(self._config, option):
                raise ConfigurationError(
                    f"world.{option} is for flats of the house, and the scene {scene!r} is none: leave it at 0"
                )
        paths = [str(Path(path).expanduser().absolute()) if path else "" for path in (dataset, scene)]
        loaded = self._open(paths[0], scene if dataset else paths[1])
        place = load_place(loaded, self.camera, self._config.floor, height)
        self._present = loaded
        return place

    def _open(self, dataset: str, scene: str) -> LoadedScene:
        if self._present is not None:
            self._present.leave()  # the previous episode continues where the other scene is refused
        return LoadedScene(self._running, dataset, scene)

    def _running(self) -> LiveEngine:
        """Returns the engine; starts a new one where it died."""
        if self._engine is None or self._engine.is_lost:
            if self._engine is not None:
                self._engine.close()
            self._engine = self._start()
        return self._engine

    def _start(self) -> LiveEngine:
        config = self._config
        settings = EngineSettings(
            config.width, config.height, config.hfov, config.gpu, config.any_version, config.unlabelled
        )
        if config.engine == INSIDE:
            return in_process(settings)
        python = config.python or os.environ.get(PYTHON_VARIABLE, "")
        process = ProcessSettings(python, config.load_deadline, config.deadline)
        try:
            return EngineProcess(settings, process)
        except MissingDependencyError as error:
            raise MissingDependencyError(f"{error}: with {PYTHON_VARIABLE}, or world.python") from error


def _same_storey(a: float | None, b: float | None) -> bool:
    return a == b or (a is not None and b is not None and abs(a - b) < SAME_STOREY)
