"""The shape of every part of the agent: a reactor that takes one typed message and returns typed messages."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeAlias, runtime_checkable

from stma_ros.types.message import Message

Emission: TypeAlias = tuple[str, Message]
"""A topic and the message for it."""


class Component(Protocol):
    """Knows neither ROS nor threads, files or sockets. Handlers return; they wait for nothing but the model behind a
    role."""

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        """Take one message, change own state, return what follows from it.

        A message that was handled before (same topic, id and revision) changes nothing.
        """
        ...


@runtime_checkable
class Closeable(Protocol):
    """A component that has something to put away when it is not needed any more."""

    def close(self) -> None:
        """Called once, after the last `handle`. Raises StmaError for what could not be put away."""
        ...


class CancelToken:
    """Tells work in progress, from another thread, that it is no longer wanted."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._event = threading.Event()
        self._stops: list[Callable[[], object]] = []
        self.reason = ""

    def cancel(self, reason: str) -> None:
        """Only the first time counts."""
        with self._lock:
            if self._event.is_set():
                return
            self.reason = reason
            self._event.set()
            stops = tuple(self._stops)
        for stop in stops:
            stop()

    @property
    def canceled(self) -> bool:
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleeps, at most until it is canceled; says whether it is."""
        return self._event.wait(seconds)

    @contextmanager
    def stopping(self, stop: Callable[[], object]) -> Iterator[None]:
        """While in the block, a cancel also calls `stop`, once, in the thread that cancels; at once if it was canceled.

        stop: must not raise. A cancel that meets the end of the block may call it a moment after that.
        """
        with self._lock:
            self._stops.append(stop)
            canceled = self._event.is_set()
        try:
            if canceled:
                stop()
            yield
        finally:
            with self._lock:
                self._stops.remove(stop)
