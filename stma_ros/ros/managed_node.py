"""The base of managed nodes: checked parameters, gated topics, liveliness, faults and diagnostics."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn
from rclpy.publisher import Publisher

from stma_ros.ros.conversions import msg_class, to_msg
from stma_ros.ros.diagnostics import SHOWN_FOR, DiagnosticsPublisher, Health
from stma_ros.ros.liveliness import AliveSignal
from stma_ros.ros.parameters import Parameters
from stma_ros.ros.qos import PROFILES
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.control import Fault
from stma_ros.types.errors import ErrorCode, StmaError, described
from stma_ros.types.message import Message
from stma_ros.types.standard import Header, Time


class ManagedNode(LifecycleNode):
    """A lifecycle node that publishes why a transition failed, and that no exception ends.

    Subclasses override the hooks below. The executor thread runs transitions and services; a subclass does its work in
    a thread of its own, and publishes with the number of the activation that the work belongs to.
    """

    def __init__(self, name: str, **node_options: Any) -> None:
        super().__init__(name, automatically_declare_parameters_from_overrides=True, **node_options)
        self.parameters = Parameters(self)
        self._alive = AliveSignal(self)
        self._topics: dict[str, Publisher[Any]] = {}
        self._gate = threading.Lock()
        self._activations = 0
        self._activation: int | None = None
        self._last_error = ""
        self._failed_at = 0.0  # time of the last error [s]
        DiagnosticsPublisher(self, self._health)

    # -- hooks, called in the executor thread

    def declare(self) -> None:
        """Declares parameters that depend on others. Raises StmaError where that fails."""

    def configure(self) -> None:
        """Makes everything that needs parameters. Raises StmaError where that fails."""

    def waiting_for(self) -> list[str]:
        """Returns why the node cannot become active yet; called again until the list is empty."""
        return []

    def activate(self) -> None:
        """Called after output was enabled."""

    def deactivate(self) -> None:
        """Called after output was disabled."""

    def cleanup(self) -> None:
        """Releases what `configure` made, also after an incomplete one. Must not raise."""

    def diagnostics(self) -> Mapping[str, str]:
        return {}

    def warning(self) -> str:
        """Describes a problem that does not stop the node; empty = none."""
        return ""

    def close(self, timeout: float) -> bool:
        """Ends the threads at the end of the process. Returns False if one does not end within `timeout` [s]."""
        return True

    # -- topics

    def open_topics(self, names: Iterable[str]) -> None:
        for name in names:
            spec = topics.TOPICS[name]
            self._topics[name] = self.create_publisher(msg_class(spec.type), name, PROFILES[spec.delivery])

    @property
    def publications(self) -> Mapping[str, Publisher[Any]]:
        return self._topics

    @property
    def activation(self) -> int | None:
        """The number of the present activation; None while the node is not active."""
        return self._activation

    def publish(self, topic: str, message: Message, activation: int | None) -> bool:
        """Publishes a message unless its activation is over; returns whether it was published. Thread-safe."""
        msg = to_msg(message)
        with self._gate:
            if activation is None or activation != self._activation:
                return False
            self._topics[topic].publish(msg)
        return True

    def call_soon(self, function: Callable[..., None], *arguments: Any) -> None:
        """Runs a function in the executor thread. Thread-safe."""
        executor = self.executor
        if executor is not None:
            executor.create_task(function, *arguments)

    def header(self) -> Header:
        return Header(Time.from_nanoseconds(self.get_clock().now().nanoseconds))

    # -- trouble

    def report(
        self, error: Exception, *, doing: str = "", fatal: bool = False, node: str = "", tell: bool = True
    ) -> None:
        """Logs an error, adds it to the diagnostics and, with `tell`, publishes a fault. Thread-safe."""
        known = isinstance(error, StmaError)
        text = f"{doing}: {described(error)}" if doing else described(error)
        self._last_error, self._failed_at = text, time.monotonic()
        if not self.context.ok():
            return
        self.get_logger().error(text if known else text + "\n" + "".join(traceback.format_exception(error)))
        with self._gate:
            publisher = self._topics.get(topics.FAULT)
            if tell and publisher is not None:
                code = error.code if isinstance(error, StmaError) else ErrorCode.NODE_FAILED
                fault = Fault(
                    header=self.header(), node=node or self.get_name(), fatal=fatal, error=Error(code, text)
                )
                publisher.publish(to_msg(fault))

    # -- lifecycle

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        return self._transition("configure", self._configure, undo=self._clean_up)

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        missing = self.waiting_for()
        self._alive.say("; ".join(missing))
        if missing:
            return TransitionCallbackReturn.FAILURE
        return self._transition("activate", self._activate, undo=self._deactivate)

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        self._last_error = ""
        return self._transition("deactivate", self._deactivate)

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        return self._transition("cleanup", self._clean_up)

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        return self._transition("shutdown", self._clean_up)

    def _transition(
        self, name: str, step: Callable[[], None], undo: Callable[[], None] = lambda: None
    ) -> TransitionCallbackReturn:
        try:
            step()
        except Exception as error:  # noqa: BLE001 - the boundary: rclpy would swallow it silently
            self.report(error, doing=name)
            self._alive.say(self._last_error)
            undo()
            return TransitionCallbackReturn.FAILURE
        self._alive.say("")
        return TransitionCallbackReturn.SUCCESS

    def _configure(self) -> None:
        self.declare()
        self.parameters.check()
        self.configure()
        self.parameters.lock(True)

    def _activate(self) -> None:
        self._last_error = ""
        with self._gate:
            self._activations += 1
            self._activation = self._activations
        self.activate()

    def _deactivate(self) -> None:
        with self._gate:
            was_active = self._activation is not None
            self._activation = None
        if was_active:
            self.deactivate()

    def _clean_up(self) -> None:
        self._deactivate()
        self.cleanup()
        with self._gate:
            published = list(self._topics.values())
            self._topics.clear()
        for publisher in published:
            self.destroy_publisher(publisher)
        self.parameters.lock(False)

    def _health(self) -> Health:
        """Returns the health. A node that cannot be made active shows why until it is; an active one, which goes on,
        shows an error for a while."""
        is_active = self._activation is not None
        shows_error = not is_active or time.monotonic() < self._failed_at + SHOWN_FOR
        return Health(
            "active",
            self.warning() or ("" if is_active else "not active"),
            self._last_error if shows_error else "",
            self.diagnostics(),
        )
