"""Runs the engine: habitat_sim in this process."""

from __future__ import annotations

import dataclasses
import importlib
import math
import platform
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import Code, EngineError
from .gpu import check_gpu, renderer_name
from .interface import Change, Level, NavigableRaster, NavmeshSettings
from .loading import SceneFiles, check_annotation, check_complete, find_scene, open_dataset
from .navmesh import Navmesh
from .reading import box_of, box_of_node, levels_of, lexicon_of, regions_of, surfaces_of
from .scene_report import OBJECT_IDS, SceneReport
from .settings import EngineSettings
from .things import Things, quaternion, vector
from .versions import import_habitat
from .views import Views, empty_views

_COLOR, _DEPTH, _INSTANCE = "color", "depth", "instance"
_MOST_SCENES = 8  # scenes loaded until habitat_sim is restarted, as it caches every scene


class Simulator:
    """An Engine on habitat_sim. It holds one scene at a time, lit by the scene's own lights where it has any, else
    evenly.

    Raises:
        EngineError: habitat_sim or the chosen GPU is missing.
    """

    def __init__(self, settings: EngineSettings) -> None:
        self._settings = settings
        self._habitat = import_habitat(settings.any_version)
        self._magnum = importlib.import_module("magnum")
        check_gpu(settings.gpu)
        self._mediator: Any = None
        self._simulator: Any = None
        self._handles: set[str] = set()
        self._scene: tuple[str, str] | None = None
        self._is_loaded = False
        self._camera: Any = None
        self._renderer = ""
        self._things: Things | None = None
        self._report: SceneReport | None = None
        self._navmesh: Navmesh | None = None

    def about(self) -> dict[str, Any]:
        return {
            "version": str(getattr(self._habitat, "__version__", "")),
            "python": platform.python_version(),
            "numpy": str(np.__version__),
            "renderer": self._renderer,
            "gpu": self._settings.gpu,
            "cuda": bool(getattr(self._habitat, "cuda_enabled", False)),
            "bullet": self._bullet,
        }

    def load(self, dataset: str, scene: str) -> SceneReport:
        self._is_loaded = False  # until loading succeeds
        self._navmesh = None
        self._mediator = open_dataset(self._habitat, self._mediator, dataset)
        files = find_scene(self._mediator, dataset, scene)
        if self._scene == (self._mediator.active_dataset, files.handle):
            # habitat_sim would restore movable objects only, and leave the other changes in place.
            assert self._things is not None  # a scene has been loaded before
            self._things.reset()
        else:
            try:
                self._open(files)
                self._report = self._read(files, scene)
            except BaseException:
                self._unload()
                raise
            self._scene = (self._mediator.active_dataset, files.handle)
        self._is_loaded = True
        assert self._report is not None
        return dataclasses.replace(self._report, scene=scene)

    def render(
        self, position: Sequence[float], rotation: Sequence[float], into: Views | None = None
    ) -> Views:
        simulator = self._loaded()
        self._camera.translation = vector(self._magnum, position)
        self._camera.rotation = quaternion(self._magnum, rotation)
        seen = simulator.get_sensor_observations()
        views = into or empty_views(self._settings.width, self._settings.height)
        views.fill(Views(seen[_COLOR], seen[_DEPTH], seen[_INSTANCE]))
        return views

    def apply(self, changes: Sequence[Change]) -> None:
        self._loaded()
        assert self._things is not None  # a scene is loaded
        for change in changes:
            self._things.apply(change)

    def make_navmesh(self, settings: NavmeshSettings) -> tuple[Level, ...]:
        simulator = self._loaded()
        assert self._report is not None  # a scene is loaded
        self._navmesh = None
        self._navmesh = Navmesh(self._habitat, simulator, settings, self._report.box[1][1])
        return self._navmesh.levels

    def navigable(self, height: float, resolution: float) -> NavigableRaster:
        if self._navmesh is None:
            raise EngineError(Code.NO_NAVMESH, "there is no navmesh of this scene yet: make it first")
        return self._navmesh.navigable(height, resolution)

    def cast_rays(self, starts: npt.ArrayLike, ends: npt.ArrayLike) -> npt.NDArray[np.float64]:
        simulator = self._loaded()
        if not self._bullet:
            raise EngineError(
                Code.FAILED,
                "this habitat_sim has no rays: it was built without Bullet. Install one `withbullet`",
            )
        first, last = np.asarray(starts, dtype=float), np.asarray(ends, dtype=float)
        if first.shape != last.shape or first.shape[1:] != (3,) or not np.isfinite([first, last]).all():
            raise EngineError(Code.FAILED, "rays need as many starts as ends, of three finite numbers each")
        return np.array([self._cast(simulator, *ray) for ray in zip(first, last)], dtype=float)  # noqa: B905

    def close(self) -> None:
        self._unload()
        self._mediator = None

    @property
    def _bullet(self) -> bool:
        return bool(getattr(self._habitat, "built_with_bullet", False))

    def _loaded(self) -> Any:
        if not self._is_loaded:
            raise EngineError(Code.FAILED, "no scene is loaded: load one first")
        return self._simulator

    def _unload(self) -> None:
        self._is_loaded = False
        self._scene = self._things = self._report = self._navmesh = self._camera = None
        self._handles.clear()
        simulator, self._simulator = self._simulator, None
        if simulator is not None:
            simulator.close()

    def _open(self, files: SceneFiles) -> None:
        """Loads the scene into the running simulator, if there is one: a start takes seconds, and in software much
        longer."""
        if files.handle not in self._handles and len(self._handles) >= _MOST_SCENES:
            self._unload()
        self._handles.add(files.handle)
        self._scene = None
        configuration = self._configuration(files)
        try:
            if self._simulator is None:
                self._simulator = self._habitat.Simulator(configuration)
                self._renderer = renderer_name()
            else:
                self._simulator.reconfigure(configuration)
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - habitat_sim raises exceptions of any type
            raise EngineError(
                Code.FAILED, f"habitat_sim cannot load the scene {files.handle!r}: {error}"
            ) from None
        self._camera = self._simulator.get_agent(0).scene_node

    def _configuration(self, files: SceneFiles) -> Any:
        backend = self._habitat.SimulatorConfiguration()
        backend.scene_dataset_config_file = self._mediator.active_dataset
        backend.scene_id = files.handle
        backend.gpu_device_id = self._settings.gpu
        backend.enable_physics = self._bullet
        agent = self._habitat.agent.AgentConfiguration()
        kinds = self._habitat.SensorType
        agent.sensor_specifications = [
            self._sensor(_COLOR, kinds.COLOR),
            self._sensor(_DEPTH, kinds.DEPTH),
            self._sensor(_INSTANCE, kinds.SEMANTIC),
        ]
        return self._habitat.Configuration(backend, [agent], self._mediator)

    def _sensor(self, name: str, kind: Any) -> Any:
        """Returns the specification of a camera with the agent's pose."""
        sensor = self._habitat.CameraSensorSpec()
        sensor.uuid = name
        sensor.sensor_type = kind
        sensor.resolution = [self._settings.height, self._settings.width]
        sensor.hfov = math.degrees(self._settings.hfov)
        sensor.position = self._magnum.Vector3(0.0)
        sensor.orientation = self._magnum.Vector3(0.0)
        return sensor

    def _read(self, files: SceneFiles, scene: str) -> SceneReport:
        simulator = self._simulator
        if hasattr(simulator, "scene_aabb"):
            box = box_of(simulator.scene_aabb)
        else:
            box = box_of_node(simulator.get_active_scene_graph().get_root_node())
        if box is None:
            raise EngineError(Code.MISSING_ASSET, f"the scene {scene!r} holds nothing: its meshes are empty")
        semantics = simulator.semantic_scene
        self._things = Things(self._habitat, self._magnum, simulator, lexicon_of(semantics))
        check_complete(files, self._things.rigid_count, self._things.articulated_count)
        surfaces = surfaces_of(semantics)
        if surfaces:
            check_annotation(simulator.get_stage_initialization_template(), scene)
        if surfaces and max(surface.id for surface in surfaces) >= OBJECT_IDS:
            raise EngineError(Code.FAILED, f"the annotation of {scene!r} has ids of {OBJECT_IDS} or more")
        if not surfaces and not self._things.reports and not self._settings.unlabelled:
            raise EngineError(
                Code.NO_SEMANTICS,
                f"nothing in the scene {scene!r} has a name: it has neither objects nor a semantic annotation. Choose "
                "an annotated scene, or set unlabelled to load it all the same",
            )
        return SceneReport(
            scene, box, self._things.reports, surfaces, regions_of(semantics), levels_of(semantics)
        )

    def _cast(self, simulator: Any, start: npt.NDArray[np.float64], end: npt.NDArray[np.float64]) -> float:
        way = end - start
        if not way.any():
            return 1.0
        ray = self._habitat.geo.Ray(self._magnum.Vector3(*start), self._magnum.Vector3(*way))
        found = simulator.cast_ray(ray, 1.0)
        return min(1.0, float(found.hits[0].ray_distance)) if found.has_hits() else 1.0
