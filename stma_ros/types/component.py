"""The interface of components: reactors that take one typed message and return typed messages."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeAlias, runtime_checkable

from stma_ros.types.message import Message

Emission: TypeAlias = tuple[str, Message]
"""A topic and the message for it."""


class Component(Protocol):
    """A part of the agent. It knows neither ROS nor threads, files or sockets, and waits only for the model behind a
    role."""

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        """Takes one message, changes the component's state, and returns the messages that follow from it.

        A message that was handled before (same topic, id and revision) changes nothing.
        """
        ...


@runtime_checkable
class Closeable(Protocol):
    """A component with resources to release."""

    def close(self) -> None:
        """Releases the resources, once, after the last `handle`. Raises StmaError if that fails."""
        ...


class CancelToken:
    """Cancels work in progress from another thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._event = threading.Event()
        self._stops: list[Callable[[], object]] = []
        self.reason = ""

    def cancel(self, reason: str) -> None:
        """Cancels; only the first call counts."""
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
        """Waits until it is canceled, at most this long [s]; returns whether it is."""
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
