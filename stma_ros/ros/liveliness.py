"""Publishes and watches the liveliness of nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from rclpy.clock import Clock, ClockType
from rclpy.event_handler import QoSLivelinessChangedInfo, SubscriptionEventCallbacks
from rclpy.node import Node
from rclpy.timer import Timer
from std_msgs.msg import String

from stma_ros.ros.qos import ALIVE, LIVELINESS_LEASE
from stma_ros.types.errors import ErrorCode, StmaError


class NodeDiedError(StmaError):
    """A node that the work depends on has died."""

    code = ErrorCode.NODE_DIED


def alive_topic(name: str) -> str:
    return f"alive/{name}"


class AliveSignal:
    """A node's liveliness signal, with a line on what it waits for or what failed (empty = neither).

    A node that watches itself creates the signal after the watch.
    """

    def __init__(self, node: Node) -> None:
        self._publisher = node.create_publisher(String, alive_topic(node.get_name()), ALIVE)
        self._text: str | None = None
        self.say("")

    def say(self, text: str) -> None:
        if text != self._text:
            self._text = text
            self._publisher.publish(String(data=text))


class LivelinessWatch:
    """Watches nodes by name: the ones that are `alive`, and the ones that were alive and are `dead` now.

    Calls `on_death(name)` in the executor's thread when a node dies. On an overloaded machine a signal may be late, so
    that a node that misses its lease has the same time again to show itself. Calls `on_line(name)` at each status line:
    the first one comes when a node starts, which may be before the death of its predecessor was noticed.

    Create it after all other subscriptions, services and clients of the process: Fast DDS walks the list of them,
    without a lock, when the liveliness of a watched node changes, and crashes if the list grows meanwhile
    (docs/adr/0039-liveliness-is-watched-last.md).
    """

    def __init__(
        self,
        node: Node,
        names: Iterable[str],
        on_death: Callable[[str], None] = lambda _: None,
        on_line: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.alive: set[str] = set()
        self.dead: set[str] = set()
        self._node = node
        self._clock = Clock(clock_type=ClockType.STEADY_TIME)
        self._said: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._missed: dict[str, Timer] = {}
        self._on_death = on_death
        self._on_line = on_line
        self.names = tuple(names)
        self._subscriptions = [
            node.create_subscription(
                String,
                alive_topic(name),
                partial(self._heard, name),
                ALIVE,
                event_callbacks=SubscriptionEventCallbacks(liveliness=partial(self._changed, name)),
            )
            for name in self.names
        ]

    def destroy(self) -> None:
        """Ends the watch."""
        for name in self.names:
            self._forget(name)
        for subscription in self._subscriptions:
            self._node.destroy_subscription(subscription)
        self._subscriptions.clear()

    def said(self, name: str) -> str:
        """Returns the last status line of a node."""
        return self._said.get(name, "")

    def count(self, name: str) -> int:
        """Returns the number of living nodes of a name, including the watching node itself."""
        return self._counts.get(name, 0)

    def _heard(self, name: str, msg: String) -> None:
        self._said[name] = msg.data
        self._lives(name)
        self._on_line(name)

    def _changed(self, name: str, change: QoSLivelinessChangedInfo) -> None:
        self._counts[name] = change.alive_count
        if change.alive_count > 0:
            self._lives(name)
        elif name in self.alive and name not in self._missed:
            grace = LIVELINESS_LEASE.nanoseconds / 1e9
            self._missed[name] = self._node.create_timer(grace, partial(self._died, name), clock=self._clock)

    def _lives(self, name: str) -> None:
        self._forget(name)
        self.alive.add(name)
        self.dead.discard(name)

    def _died(self, name: str) -> None:
        self._forget(name)
        self.alive.discard(name)
        self.dead.add(name)
        self._on_death(name)

    def _forget(self, name: str) -> None:
        timer = self._missed.pop(name, None)
        if timer is not None:
            self._node.destroy_timer(timer)
