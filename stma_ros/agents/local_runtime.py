"""Runs components in one process: first in, first out, deterministic."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from stma_ros.agents.journal import Journal
from stma_ros.agents.stamp_alarms import StampAlarms
from stma_ros.sensing.assembler import FrameAssembler
from stma_ros.types import topics
from stma_ros.types.component import Asking, Component, Emission, OpenQuestion
from stma_ros.types.control import Alarm
from stma_ros.types.errors import StmaError
from stma_ros.types.message import Message
from stma_ros.types.standard import Header

Tap = Callable[[str, Message], None]
"""Receives every published message, in order."""


@dataclass(frozen=True)
class Binding:
    """A component with its input and output topics.

    Attributes:
        frames: assembles the camera frames that it takes; None = it takes none.
        alarms: its alarms that are due by stamps of frames; None = it has none.
        answers: topics of the answers to its open questions.
    """

    name: str
    component: Component
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    frames: FrameAssembler | None = None
    alarms: StampAlarms | None = None
    answers: tuple[str, ...] = ()

    @property
    def subscriptions(self) -> frozenset[str]:
        """All topics whose messages `inputs_from` needs."""
        parts = self.frames.parts if self.frames is not None else frozenset()
        clock = () if self.alarms is None else (self.alarms.topic,)
        return parts.union(self.inputs, clock)

    def inputs_from(self, topic: str, message: Message) -> Iterator[Emission]:
        """Yields a component's inputs that follow from a message: the message itself, the camera frame that it
        completes, and the alarms that are due by its stamp."""
        if topic in self.inputs:
            yield topic, message
        if self.frames is not None and topic in self.frames.parts:
            frame = self.frames.add(topic, message)
            if frame is not None:
                yield topics.CAMERA_FRAME, frame
        if self.alarms is not None and topic == self.alarms.topic:
            for alarm in self.alarms.advance(message.header.stamp):  # type: ignore[attr-defined]
                yield topics.ALARM_EXPIRED, alarm

    def take_questions(self) -> Sequence[OpenQuestion]:
        """Returns the component's open questions since the last call."""
        return self.component.take_questions() if isinstance(self.component, Asking) else ()


@dataclass(frozen=True)
class Delivered:
    """A message on its way to one component."""

    receiver: Binding
    topic: str
    message: Message


def emissions(binding: Binding, topic: str, message: Message) -> Iterator[Emission]:
    """Yields a component's emissions for a message. Raises StmaError for a topic that is not an output of its
    binding."""
    for out, emission in binding.component.handle(topic, message):
        if out not in binding.outputs:
            raise StmaError(f"{binding.name} spoke on {out}, which the agent's wiring does not give it")
        yield out, emission


class LocalRuntime:
    """Delivers each published message to every component that subscribes to its topic, in order of publication, camera
    frames once they are complete; taps also get each delivery, as a message of the topic `journal`.

    `choose` selects which of the waiting links (one per receiver and topic, each first in, first out) is served next;
    the default serves the oldest message. Tests pass a random choice: decisions must be the same for every choice.

    Open questions are asked at once: no answer is late. `asks` = False: somebody else publishes the answers.
    """

    def __init__(
        self,
        components: Iterable[Binding],
        taps: Iterable[Tap] = (),
        choose: Callable[[int], int] | None = None,
        *,
        asks: bool = True,
    ) -> None:
        self._asks = asks
        self._components = tuple(components)
        self._journals = {binding.name: Journal(binding.name) for binding in self._components}
        self._taps = tuple(taps)
        self._choose = choose
        self._queue: deque[Delivered] = deque()
        self._links: dict[tuple[str, str], deque[Delivered]] = {}

    def publish(self, topic: str, message: Message) -> None:
        """Put a message onto a topic; it is delivered by `run`."""
        self._show(topic, message)
        for binding in self._components:
            if topic in binding.subscriptions:
                self._enqueue(Delivered(binding, topic, message))

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Deliver messages until none is left or `until` holds."""
        while not until():
            delivered = self._next()
            if delivered is None:
                return
            for topic, message in self._deliver(delivered):
                self.publish(topic, message)
                alarms = delivered.receiver.alarms
                if alarms is not None and isinstance(message, Alarm):
                    for alarm in alarms.set(message):
                        self._enqueue(Delivered(delivered.receiver, topics.ALARM_EXPIRED, alarm))
            for question in delivered.receiver.take_questions():
                if self._asks:
                    self.publish(question.topic, question.ask())

    def is_waiting(self, topic: str) -> bool:
        """Returns whether a message of a topic is still to be delivered to one of its receivers."""
        return any(each.topic == topic for each in chain(self._queue, *self._links.values()))

    def _deliver(self, delivered: Delivered) -> Iterator[Emission]:
        binding = delivered.receiver
        for topic, message in binding.inputs_from(delivered.topic, delivered.message):
            if topic == topics.ALARM_EXPIRED:
                self._show(topic, message)
            header = getattr(message, "header", Header())
            self._show(
                topics.JOURNAL, self._journals[binding.name].line(Header(header.stamp), topic, message)
            )
            yield from emissions(binding, topic, message)

    def _show(self, topic: str, message: Message) -> None:
        for tap in self._taps:
            tap(topic, message)

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
