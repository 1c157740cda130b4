"""Who is there: every node shows that it lives, and the middleware says when one is gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from rclpy.event_handler import QoSLivelinessChangedInfo, SubscriptionEventCallbacks
from rclpy.node import Node
from std_msgs.msg import String

from stma_ros.ros.qos import ALIVE
from stma_ros.types.errors import ErrorCode, StmaError


class NodeDiedError(StmaError):
    """A node that the work depends on has gone."""

    code = ErrorCode.NODE_DIED


def alive_topic(name: str) -> str:
    return f"alive/{name}"


class AliveSignal:
    """A node's sign of life, with a line on what it waits for or what failed (empty = all is well)."""

    def __init__(self, node: Node) -> None:
        self._publisher = node.create_publisher(String, alive_topic(node.get_name()), ALIVE)
        self._text: str | None = None
        self.say("")

    def say(self, text: str) -> None:
        if text != self._text:
            self._text = text
            self._publisher.publish(String(data=text))


class LivelinessWatch:
    """Watches nodes by name: who is `alive`, and who was and is `dead` now.

    Calls `on_death(name)`, in the executor's thread, when a node goes.
    """

    def __init__(self, node: Node, names: Iterable[str], on_death: Callable[[str], None]) -> None:
        self.alive: set[str] = set()
        self.dead: set[str] = set()
        self._said: dict[str, str] = {}
        self._on_death = on_death
        self._subscriptions = [
            node.create_subscription(
                String,
                alive_topic(name),
                partial(self._heard, name),
                ALIVE,
                event_callbacks=SubscriptionEventCallbacks(liveliness=partial(self._changed, name)),
            )
            for name in names
        ]

    def said(self, name: str) -> str:
        """The last status line of a node."""
        return self._said.get(name, "")

    def _heard(self, name: str, msg: String) -> None:
        self._said[name] = msg.data
        self._lives(name)

    def _changed(self, name: str, change: QoSLivelinessChangedInfo) -> None:
        if change.alive_count > 0:
            self._lives(name)
        elif name in self.alive:
            self.alive.remove(name)
            self.dead.add(name)
            self._on_death(name)

    def _lives(self, name: str) -> None:
        self.alive.add(name)
        self.dead.discard(name)
