"""The engine's process: serves requests from a socket, one at a time, until it is closed.

Images go into memory that both processes have mapped; all else goes through the socket.
"""

from __future__ import annotations

import ctypes
import faulthandler
import importlib
import mmap
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Mapping

from .errors import ClosedError, Code, EngineError
from .interface import Engine, NavmeshSettings, change_from_json
from .protocol import VERSION, Channel, Message
from .settings import EngineSettings
from .views import Views, views_in, views_size

SIMULATOR = ".simulator:Simulator"
"""Makes the engine, from its settings: "module:name"; a module that begins with a dot is one of this package."""

_PR_SET_PDEATHSIG = 1


def main(connection: int, memory: int, parent: int, factory: str) -> None:
    """connection, memory: file descriptors of a socket, and of memory for the images. parent: id of the process that
    started this one."""
    faulthandler.enable()
    _end_with_parent(parent)
    channel = Channel(socket.socket(fileno=connection))
    try:
        engine, views = _begin(channel, memory, factory)
        requests = _Requests(engine, views)
        while True:
            _answer(channel, requests.perform)
    except ClosedError:
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(0)  # the engine's clean-up is not needed, and crashes in part


def _end_with_parent(parent: int) -> None:
    """The kernel ends this process when the thread that started it ends, also while it is busy in C++."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)


def _begin(channel: Channel, memory: int, factory: str) -> tuple[Engine, Views]:
    made: list[tuple[Engine, Views]] = []

    def begin(message: Message) -> Message:
        spoken = message.body.get("protocol")
        if spoken != VERSION:
            raise EngineError(Code.FAILED, f"this engine speaks protocol {VERSION}, not {spoken}")
        settings = EngineSettings.from_json(message.body["settings"])
        size = views_size(settings.width, settings.height)
        views = views_in(mmap.mmap(memory, size), settings.width, settings.height)
        engine = _factory(factory)(settings)
        made.append((engine, views))
        return Message({"result": engine.about()})

    while not made:
        _answer(channel, begin)
    return made[0]


def _factory(name: str) -> Callable[[EngineSettings], Engine]:
    module, _, attribute = name.partition(":")
    factory: Callable[[EngineSettings], Engine] = getattr(
        importlib.import_module(module, __package__), attribute
    )
    return factory


def _answer(channel: Channel, perform: Callable[[Message], Message]) -> None:
    """Takes one request and replies to it: with its result, or with what went wrong."""
    request = channel.receive()
    try:
        reply = perform(request)
    except EngineError as error:
        reply = _refusal(error.code, error.text)
    except MemoryError:
        traceback.print_exc()
        reply = _refusal(
            Code.OUT_OF_MEMORY,
            "the engine has no memory left for this: use a smaller scene, smaller images or larger cells",
        )
    except Exception as error:  # noqa: BLE001 - the boundary: whatever is raised, the engine goes on
        traceback.print_exc()
        reply = _refusal(Code.FAILED, f"{type(error).__name__}: {error}")
    channel.send(reply)


def _refusal(code: str, text: str) -> Message:
    return Message({"error": {"code": code, "text": text}})


class _Requests:
    """Reads each request, has the engine do it, and writes down the result."""

    def __init__(self, engine: Engine, views: Views) -> None:
        self._engine = engine
        self._views = views
        self._calls: Mapping[str, Callable[[Message], Message]] = {
            "about": self._about,
            "load": self._load,
            "render": self._render,
            "apply": self._apply,
            "make_navmesh": self._make_navmesh,
            "navigable": self._navigable,
            "cast_rays": self._cast_rays,
        }

    def perform(self, message: Message) -> Message:
        call = str(message.body.get("call"))
        if call not in self._calls:
            raise EngineError(Code.FAILED, f"the engine cannot do {call!r}")
        return self._calls[call](message)

    def _about(self, message: Message) -> Message:
        return Message({"result": self._engine.about()})

    def _load(self, message: Message) -> Message:
        report = self._engine.load(message.body["dataset"], message.body["scene"])
        return Message({"result": report.to_json()})

    def _render(self, message: Message) -> Message:
        self._engine.render(message.body["position"], message.body["rotation"], self._views)
        return Message({})

    def _apply(self, message: Message) -> Message:
        self._engine.apply([change_from_json(change) for change in message.body["changes"]])
        return Message({})

    def _make_navmesh(self, message: Message) -> Message:
        levels = self._engine.make_navmesh(NavmeshSettings(**message.body["settings"]))
        return Message({"result": [[level.height, level.area] for level in levels]})

    def _navigable(self, message: Message) -> Message:
        raster = self._engine.navigable(message.body["height"], message.body["resolution"])
        return Message({"origin": raster.origin}, {"cells": raster.cells})

    def _cast_rays(self, message: Message) -> Message:
        shares = self._engine.cast_rays(message.arrays["starts"], message.arrays["ends"])
        return Message({}, {"shares": shares})
