"""The world `habitat`: the simulated robot in scenes that habitat-sim draws, on the navmesh that it makes of them."""

from __future__ import annotations

import os

from stma_ros.worlds.habitat.client import EngineProcess
from stma_ros.worlds.habitat.config import INSIDE, HabitatConfig
from stma_ros.worlds.habitat.engine.settings import EngineSettings
from stma_ros.worlds.habitat.engine_child import ProcessSettings
from stma_ros.worlds.habitat.eye import EngineEye
from stma_ros.worlds.habitat.flat_stage import FlatStage, NavmeshFlat, exported_flat
from stma_ros.worlds.habitat.loaded_scene import LiveEngine, LoadedScene
from stma_ros.worlds.habitat.local import in_process
from stma_ros.worlds.habitat.navmesh import RESOLUTION, SETTINGS, NavmeshFloor
from stma_ros.worlds.house.place import SCENE_PREFIX, FlatPlace, flat_of
from stma_ros.worlds.robot.simulated_world import SimulatedWorld

PYTHON_VARIABLE = "STMA_HABITAT_PYTHON"
"""The environment variable that names the interpreter that has habitat-sim."""


class Habitat(SimulatedWorld[FlatPlace]):
    """A World (see types/world.py). Its scenes are the flats of the house, by the same names.

    Raises:
        ConfigurationError: settings that no engine can have.
        MissingDependencyError: there is no habitat-sim.
        WorldError: it cannot be started.
    """

    def __init__(self, config: HabitatConfig) -> None:
        super().__init__(config)
        config.check()
        self._config = config
        self._engine: LiveEngine | None = None
        self._running()

    def load(self, scene: str) -> FlatPlace:
        flat = flat_of(scene, self._config)
        exported = exported_flat(flat, self._config.flats)
        loaded = LoadedScene(self._running, str(exported.dataset), exported.scene)
        stage = FlatStage(flat, exported, loaded.report)
        levels = loaded.make_navmesh(SETTINGS)
        floor = NavmeshFloor.of(loaded.navigable(levels[0].height, RESOLUTION))
        eye = EngineEye(loaded, stage, self.camera)
        return FlatPlace(flat, eye, self._config.changes, NavmeshFlat.of(flat, floor))

    def default_scene(self, seed: int) -> str:
        return f"{SCENE_PREFIX}{seed}"

    def close(self) -> None:
        super().close()
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _running(self) -> LiveEngine:
        """The engine; a new one where it died."""
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
        return EngineProcess(settings, ProcessSettings(python, config.load_deadline, config.deadline))
