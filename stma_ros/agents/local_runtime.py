"""Runs components in one process: first in, first out, deterministic."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from stma_ros.types.component import Component
from stma_ros.types.errors import StmaError
from stma_ros.types.message import Message

Tap = Callable[[str, Message], None]
"""Sees every message that is published, in order."""


@dataclass(frozen=True)
class Attached:
    """A component, the topics it listens to and those it speaks on."""

    name: str
    component: Component
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class Delivered:
    """A message on its way to one component."""

    receiver: Attached
    topic: str
    message: Message


class LocalRuntime:
    """Delivers each published message to every component that listens to its topic, in order of publication.

    `choose` picks which of the waiting links (one per receiver and topic, each first in, first out) is served
    next; the default serves the oldest message. Tests pass a random choice: whatever it picks, decisions must
    come out the same.
    """

    def __init__(
        self,
        components: Iterable[Attached],
        taps: Iterable[Tap] = (),
        choose: Callable[[int], int] | None = None,
    ) -> None:
        self._components = tuple(components)
        self._taps = tuple(taps)
        self._choose = choose
        self._queue: deque[Delivered] = deque()
        self._links: dict[tuple[str, str], deque[Delivered]] = {}

    def publish(self, topic: str, message: Message) -> None:
        """Put a message onto a topic; it is delivered by `run`."""
        for tap in self._taps:
            tap(topic, message)
        for attached in self._components:
            if topic in attached.inputs:
                self._enqueue(Delivered(attached, topic, message))

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Deliver messages until none is left or `until` holds."""
        while not until():
            delivered = self._next()
            if delivered is None:
                return
            speaker = delivered.receiver
            for topic, message in speaker.component.handle(delivered.topic, delivered.message):
                if topic not in speaker.outputs:
                    raise StmaError(
                        f"{speaker.name} spoke on {topic}, which the wiring table does not give it"
                    )
                self.publish(topic, message)

    def _enqueue(self, delivered: Delivered) -> None:
        if self._choose is None:
            self._queue.append(delivered)
        else:
            self._links.setdefault((delivered.receiver.name, delivered.topic), deque()).append(delivered)

    def _next(self) -> Delivered | None:
        if self._choose is None:
            return self._queue.popleft() if self._queue else None
        waiting = [link for link in self._links.values() if link]
        return waiting[self._choose(len(waiting))].popleft() if waiting else None
