"""The interface of components: reactors that take one typed message and return typed messages."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

from stma_ros.types.causality import message_id
from stma_ros.types.message import Message
from stma_ros.types.scene_answer import SceneAnswer
from stma_ros.types.stepped import StepStamp

Emission: TypeAlias = tuple[str, Message]
"""A topic and the message for it."""


class Component(Protocol):
    """A part of the agent.

    It uses no ROS, threads, files or sockets, and blocks only while a role's model answers.
    """

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        """Takes one message, changes the component's state, and returns the messages that follow from it.

        A message that was handled before (same topic, id and revision) changes nothing.
        """
        ...


@runtime_checkable
class Closeable(Protocol):
    """A component with resources to release."""

    def close(self) -> None:
        """Releases the resources; called once, after the last `handle`.

        Raises:
            StmaError: Releasing them fails, as when a memory cannot be saved.
        """
        ...


@runtime_checkable
class Resuming(Protocol):
    """A component that can go on from a state that a killed process has left."""

    @property
    def resumed_from(self) -> str:
        """Name of the file, in its folder of states, with the state that it went on from; empty = it began anew.

        A component that went on is given all messages of the graph's life again, each topic in its order.
        """
        ...


@dataclass(frozen=True)
class OpenQuestion:
    """A question to a model that a component does not wait for: so far, one about a camera frame.

    Attributes:
        topic: Topic of the answer, which the component reads.
        at: Task, step and frame that it is about.
        ask: Asks the model, in any thread, and returns the answer, also where it is an error.
    """

    topic: str
    at: StepStamp
    ask: Callable[[], SceneAnswer]

    @property
    def answer_id(self) -> str:
        """Id of the answer, as of types.causality.message_id."""
        return message_id(SceneAnswer(header=self.at.header))


@runtime_checkable
class Asking(Protocol):
    """A component that has open questions.

    Whoever runs it asks them, one after the other, publishes the answers, and delivers them to it in that order: they
    are messages like any other, so that a replay does the same.
    """

    def take_questions(self) -> Sequence[OpenQuestion]:
        """Returns the questions since the last call, in the order in which they are to be asked."""
        ...


class CancelToken:
    """Cancels work in progress from another thread.

    Attributes:
        reason: Reason of the cancel; empty before.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._event = threading.Event()
        self._stops: list[Callable[[], object]] = []
        self.reason = ""

    def cancel(self, reason: str) -> None:
        """Cancels; calls after the first have no effect."""
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
        """Waits until the token is canceled or the time [s] has passed; returns whether it is canceled."""
        return self._event.wait(seconds)

    @contextmanager
    def stopping(self, stop: Callable[[], object]) -> Iterator[None]:
        """Returns a context in which a cancel also calls `stop`, once, in the thread that cancels.

        If the token is canceled already, `stop` is called immediately. A cancel at the end of the block may call it
        shortly after the block.

        Args:
            stop: Function that must not raise.
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
