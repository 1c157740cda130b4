"""The shape of every part of the agent: a reactor that takes one typed message and returns typed messages."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Protocol, TypeAlias, runtime_checkable

from stma_ros.types.message import Message

Emission: TypeAlias = tuple[str, Message]
"""A topic and the message for it."""


class Component(Protocol):
    """Knows neither ROS nor threads, files or sockets. Handlers return; they never wait."""

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
        self._event = threading.Event()
        self.reason = ""

    def cancel(self, reason: str) -> None:
        self.reason = reason
        self._event.set()

    @property
    def canceled(self) -> bool:
        return self._event.is_set()
