"""Runs the engine in this process: the fastest way, but habitat_sim can end the process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from stma_ros.worlds.habitat.engine.errors import Code, EngineError
from stma_ros.worlds.habitat.engine.interface import Change, Engine, Level, NavigableRaster, NavmeshSettings
from stma_ros.worlds.habitat.engine.scene_report import SceneReport
from stma_ros.worlds.habitat.engine.settings import EngineSettings
from stma_ros.worlds.habitat.engine.simulator import Simulator
from stma_ros.worlds.habitat.engine.views import Views
from stma_ros.worlds.habitat.engine_errors import ours

ResultT = TypeVar("ResultT")


def in_process(settings: EngineSettings) -> LocalEngine:
    """Starts habitat_sim in this process. Raises the errors of engine_errors.ours."""
    return LocalEngine(_ours(Simulator, settings))


class LocalEngine:
    """An engine in this process (see Engine) that raises this package's errors."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @property
    def is_lost(self) -> bool:
        """Always false: the engine ends only with this process."""
        return False

    @property
    def has_ended(self) -> bool:
        """Always false, likewise."""
        return False

    def about(self) -> dict[str, Any]:
        return _ours(self._engine.about)

    def load(self, dataset: str, scene: str) -> SceneReport:
        return _ours(self._engine.load, dataset, scene)

    def render(
        self, position: Sequence[float], rotation: Sequence[float], into: Views | None = None
    ) -> Views:
        return _ours(self._engine.render, position, rotation, into)

    def apply(self, changes: Sequence[Change]) -> None:
        _ours(self._engine.apply, changes)

    def make_navmesh(self, settings: NavmeshSettings) -> tuple[Level, ...]:
        return _ours(self._engine.make_navmesh, settings)

    def navigable(self, height: float, resolution: float) -> NavigableRaster:
        return _ours(self._engine.navigable, height, resolution)

    def cast_rays(self, starts: npt.ArrayLike, ends: npt.ArrayLike) -> npt.NDArray[np.float64]:
        return _ours(self._engine.cast_rays, starts, ends)

    def close(self) -> None:
        _ours(self._engine.close)


def _ours(call: Callable[..., ResultT], *arguments: Any) -> ResultT:
    try:
        return call(*arguments)
    except EngineError as error:
        raise ours(error) from None
    except MemoryError:
        raise ours(EngineError(Code.OUT_OF_MEMORY, "there is no memory left for the engine")) from None
