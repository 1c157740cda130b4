"""An engine without habitat_sim, for the other process, which dies, hangs or fails on request.

There the package under test is called `stma_habitat_engine`.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

import numpy as np
from stma_habitat_engine.errors import Code, EngineError
from stma_habitat_engine.interface import Level, NavigableRaster, change_to_json
from stma_habitat_engine.scene_report import OBJECT_IDS, JointReport, ObjectReport, RegionReport, SceneReport
from stma_habitat_engine.views import empty_views


class FakeEngine:
    def __init__(self, settings: Any) -> None:
        if settings.gpu == 7:
            raise EngineError(Code.NO_GPU, "there is no GPU 7: use another")
        self._settings = settings
        self._changes: list[Any] = []

    def about(self) -> Any:
        return {
            "python": list(sys.version_info[:2]),
            "pid": os.getpid(),
            "path": sys.path,
            "changes": self._changes,
            "settings": self._settings.to_json(),
        }

    def load(self, dataset: str, scene: str) -> Any:
        print(f"loading {scene} of {dataset}", flush=True)
        order, _, argument = scene.partition(":")
        getattr(self, f"_{order}", self._nothing)(argument)
        return report(scene)

    def render(self, position: Any, rotation: Any, into: Any = None) -> Any:
        views = into or empty_views(self._settings.width, self._settings.height)
        views.color[:] = int(position[0])
        views.depth[:] = np.arange(views.depth.size).reshape(views.depth.shape) + position[1]
        views.instance[:] = OBJECT_IDS + int(rotation[0])
        return views

    def apply(self, changes: Any) -> None:
        self._changes += [change_to_json(change) for change in changes]

    def make_navmesh(self, settings: Any) -> Any:
        return Level(settings.radius, settings.height), Level(settings.max_climb, settings.max_slope)

    def navigable(self, height: float, resolution: float) -> Any:
        return NavigableRaster(
            (height, -height), resolution, np.array([[True, False, True], [False, True, False]])
        )

    def cast_rays(self, starts: Any, ends: Any) -> Any:
        return (ends - starts)[:, 0]

    def close(self) -> None:
        pass

    def _nothing(self, argument: str) -> None:
        pass

    def _exit(self, argument: str) -> None:
        print("that is the end", file=sys.stderr)
        os._exit(int(argument))

    def _abort(self, argument: str) -> None:
        os.abort()

    def _hang(self, fifo: str) -> None:
        """As C++ does: without letting other threads of Python run."""
        with open(fifo, "w"):
            pass
        ctypes.PyDLL(None).sleep(3600)

    def _memory(self, argument: str) -> None:
        raise MemoryError

    def _bug(self, argument: str) -> None:
        raise RuntimeError("a bug")

    def _nonsense(self, argument: str) -> None:
        """Writes into the connection as a library might that prints to any file descriptor."""
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, b"x" * 64)
            except OSError:
                continue

    def _missing(self, argument: str) -> None:
        raise EngineError(Code.MISSING_ASSET, f"there is no {argument}")


def report(scene: str) -> Any:
    thing = ObjectReport(
        id=OBJECT_IDS,
        name="cup_:0000",
        template="cup",
        category="cup",
        static=False,
        articulated=True,
        box=((-0.5, 0.0, -0.25), (0.5, 1.0, 0.25)),
        position=(1.0, 2.0, 3.0),
        rotation=(1.0, 0.0, 0.0, 0.0),
        user={"category": "cup", "nested": {"sizes": [1, 2.5], "open": True}},
        joints=(JointReport("hinge", "door", "revolute", float("-inf"), 1.5, 0.25),),
    )
    regions = (RegionReport("r", "kitchen", "0", None, ((0.0, 1.0), (2.0, 3.0), (4.0, 5.0))),)
    return SceneReport(scene, ((-1.0, -2.0, -3.0), (1.0, 2.0, 3.0)), (thing,), (), regions, ())
