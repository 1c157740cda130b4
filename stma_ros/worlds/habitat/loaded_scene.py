"""A scene that survives the death of its engine: changes are recorded here and repeated in a new engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from stma_ros.worlds.habitat.engine.interface import Change, Engine, Level, NavigableRaster, NavmeshSettings
from stma_ros.worlds.habitat.engine.scene_report import SceneReport
from stma_ros.worlds.habitat.engine.views import Views


class LiveEngine(Engine, Protocol):
    """An engine that may end at any time."""

    @property
    def is_lost(self) -> bool:
        """Whether a call has found that the engine has ended."""
        ...

    @property
    def has_ended(self) -> bool:
        """Whether the engine has ended, including an end that no call has found yet."""
        ...


class LoadedScene:
    """One scene of a data set (see Engine.load), loaded into the engine that runs at present.

    `wanted` arguments hold the last change of each kind for each object, relative to the scene's files.
    """

    def __init__(self, start: Callable[[], LiveEngine], dataset: str, scene: str) -> None:
        """Loads the scene. start: returns a running engine. Raises the errors of `start` and of Engine.load."""
        self._start = start
        self._where = dataset, scene
        self._reported: dict[tuple[int, type[Change]], Change] = {}
        self._engine: LiveEngine | None = None
        self.report: SceneReport = self._load()

    def render(
        self,
        position: Sequence[float],
        rotation: Sequence[float],
        wanted: Mapping[tuple[int, type[Change]], Change],
    ) -> Views:
        """Renders the camera's images (see Engine.render) with the scene changed to `wanted`. Raises WorldError; the
        next call starts a new engine where the engine died."""
        engine = self._live()
        self._bring_to(engine, wanted)
        return engine.render(position, rotation)

    def change(self, wanted: Mapping[tuple[int, type[Change]], Change]) -> None:
        """Changes the scene to `wanted` for the next requests. Raises WorldError."""
        self._bring_to(self._live(), wanted)

    def leave(self) -> None:
        """Marks the scene as unloaded, before another one is loaded into the engine: its next use loads it again."""
        self._engine = None

    def make_navmesh(self, settings: NavmeshSettings) -> tuple[Level, ...]:
        """See Engine."""
        return self._live().make_navmesh(settings)

    def navigable(self, height: float, resolution: float) -> NavigableRaster:
        """See Engine."""
        return self._live().navigable(height, resolution)

    def cast_rays(self, starts: npt.ArrayLike, ends: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """See Engine."""
        return self._live().cast_rays(starts, ends)

    def _bring_to(self, engine: LiveEngine, wanted: Mapping[tuple[int, type[Change]], Change]) -> None:
        changes = [change for key, change in wanted.items() if self._reported.get(key) != change]
        if changes:
            engine.apply(changes)
            self._reported.update({(change.id, type(change)): change for change in changes})

    def _live(self) -> LiveEngine:
        if self._engine is None or self._engine.is_lost:
            self.report = self._load()
        assert self._engine is not None
        return self._engine

    def _load(self) -> SceneReport:
        self._engine, self._reported = None, {}
        engine = self._start()
        report = engine.load(*self._where)
        self._engine = engine
        return report
