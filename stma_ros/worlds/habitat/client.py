"""Runs the engine in a process of its own, possibly under another Python; its death does not end this process."""

from __future__ import annotations

import mmap
import os
import socket
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from stma_ros.types.errors import MissingDependencyError, StmaError
from stma_ros.worlds.habitat.engine.errors import (
    ClosedError,
    Code,
    DamagedFrameError,
    DeadlineError,
    EngineError,
)
from stma_ros.worlds.habitat.engine.interface import (
    Change,
    Level,
    NavigableRaster,
    NavmeshSettings,
    change_to_json,
)
from stma_ros.worlds.habitat.engine.protocol import VERSION, Arrays, Channel, Message
from stma_ros.worlds.habitat.engine.scene_report import SceneReport
from stma_ros.worlds.habitat.engine.settings import EngineSettings
from stma_ros.worlds.habitat.engine.views import Views, empty_views, views_in, views_size
from stma_ros.worlds.habitat.engine_child import UNFIT, EngineChild, ProcessSettings
from stma_ros.worlds.habitat.engine_errors import EngineLostError, ours

_GRACE = 5.0  # time that the process has to end by itself [s]


class EngineProcess:
    """An engine (see Engine) in a separate process. It may be used from one thread at a time; the process ends when the
    thread that created it ends.

    Methods raise the errors of engine_errors.ours. When the process has died, or was killed because it missed a
    deadline, they raise EngineLostError, and so does each later call; the caller makes a new engine and repeats what
    was loaded and changed.
    """

    def __init__(self, settings: EngineSettings, process: ProcessSettings | None = None) -> None:
        """Raises MissingDependencyError or ConfigurationError when the engine cannot be started like this."""
        self._settings = settings
        self._process = process or ProcessSettings()
        self._lost = ""
        remote, local = socket.socketpair()
        memory = os.memfd_create("stma_habitat")
        try:
            size = views_size(settings.width, settings.height)
            os.ftruncate(memory, size)
            shared = views_in(mmap.mmap(memory, size), settings.width, settings.height)
            self._views: Views | None = shared
            self._child = EngineChild(self._process, remote, memory)
        except BaseException:
            local.close()
            raise
        finally:
            remote.close()
            os.close(memory)
        self._channel = Channel(local)
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def is_lost(self) -> bool:
        """Whether a call has found that the process has ended. The next call finds an end between two calls."""
        return bool(self._lost)

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended, including an end that no call has met yet."""
        return self.is_lost or self._child.exit_status is not None

    def about(self) -> dict[str, Any]:
        return dict(self._call("about", {}).body["result"])

    def load(self, dataset: str, scene: str) -> SceneReport:
        fields = {"dataset": dataset, "scene": scene}
        return SceneReport.from_json(self._call("load", fields, is_long=True).body["result"])

    def render(
        self, position: Sequence[float], rotation: Sequence[float], into: Views | None = None
    ) -> Views:
        self._call("render", {"position": _numbers(position), "rotation": _numbers(rotation)})
        assert self._views is not None  # the engine is not lost
        views = into or empty_views(self._settings.width, self._settings.height)
        views.fill(self._views)
        return views

    def apply(self, changes: Sequence[Change]) -> None:
        self._call("apply", {"changes": list(map(change_to_json, changes))})

    def make_navmesh(self, settings: NavmeshSettings) -> tuple[Level, ...]:
        reply = self._call("make_navmesh", {"settings": settings.to_json()}, is_long=True)
        return tuple(Level(height, area) for height, area in reply.body["result"])

    def navigable(self, height: float, resolution: float) -> NavigableRaster:
        reply = self._call("navigable", {"height": float(height), "resolution": float(resolution)})
        x, z = reply.body["origin"]
        return NavigableRaster((x, z), float(resolution), reply.arrays["cells"])

    def cast_rays(self, starts: npt.ArrayLike, ends: npt.ArrayLike) -> npt.NDArray[np.float64]:
        rays = {"starts": np.asarray(starts, np.float64), "ends": np.asarray(ends, np.float64)}
        return self._call("cast_rays", {}, rays).arrays["shares"]

    def close(self) -> None:
        self._end(self._lost or "it has been closed", _GRACE)

    def _begin(self) -> None:
        fields = {"protocol": VERSION, "settings": self._settings.to_json()}
        try:
            self._call("begin", fields, is_long=True)
        except EngineLostError as error:
            if self._child.exit_status == UNFIT:
                why = str(error).splitlines()[-1]
                raise MissingDependencyError(f"{why}. Name an interpreter that has habitat_sim") from None
            raise

    def _call(
        self, call: str, fields: Mapping[str, Any], arrays: Arrays | None = None, is_long: bool = False
    ) -> Message:
        """Sends one request and returns its reply. is_long: the deadline for loading a scene applies."""
        if self._lost:
            raise EngineLostError(f"the Habitat engine is gone: {self._lost}. Start it again")
        limit = self._process.load_deadline if is_long else self._process.deadline
        deadline = time.monotonic() + limit
        try:
            self._channel.send(Message({**fields, "call": call}, arrays or {}), deadline)
            reply = self._channel.receive(deadline)
        except DeadlineError:
            raise self._lose(
                Code.TOO_SLOW, f"it did not {_WORDS[call]} within {limit:g} s and was killed", 0.0
            ) from None
        except ClosedError:
            why = f"{self._child.ending}, when it was to {_WORDS[call]}"
            raise self._lose(Code.DIED, why) from None
        except DamagedFrameError as damage:
            why = f"{damage}; it was killed, when it was to {_WORDS[call]}"
            raise self._lose(Code.DIED, why, 0.0) from None
        except BaseException:
            self._end(
                "it was interrupted", 0.0
            )  # a late reply must not be taken for the reply to another request
            raise
        error = reply.body.get("error")
        if error is None:
            return reply
        if error["code"] == Code.OUT_OF_MEMORY:
            raise self._lose(Code.OUT_OF_MEMORY, error["text"], 0.0)
        raise ours(EngineError(error["code"], error["text"]))

    def _lose(self, code: str, why: str, grace: float = _GRACE) -> StmaError:
        """Ends the process, and returns an error with the reason and its last output.

        Args:
            code: one of engine.errors.Code.
            why: the reason, for people.
            grace: time that the process has to end by itself [s].
        """
        words = self._child.last_output
        self._end(why, grace)
        said = f". The last that it said:\n{words}" if words else ", and said nothing"
        return ours(EngineError(code, f"the Habitat engine ({self._child.python}) is gone: {why}{said}"))

    def _end(self, why: str, grace: float) -> None:
        self._lost = why
        self._views = None  # releases the shared memory
        self._channel.close()
        self._child.end(grace)


_WORDS = {
    "begin": "start",
    "about": "say what it is",
    "load": "load a scene",
    "render": "render",
    "apply": "change the scene",
    "make_navmesh": "make a navmesh",
    "navigable": "draw the navmesh",
    "cast_rays": "cast rays",
}


def _numbers(values: Sequence[float]) -> list[float]:
    return list(map(float, values))
