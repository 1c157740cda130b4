"""Nodes with their own participant and thread each, as in production, but in one process."""

from __future__ import annotations

import gc
import itertools
import threading
import traceback
from typing import Any

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.lifecycle import TransitionCallbackReturn
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.signals import SignalHandlerOptions
from rclpy.task import Future

from stma_ros.ros import spin
from stma_ros.ros.conversions import from_msg, msg_class, to_msg
from stma_ros.ros.managed_node import ManagedNode
from stma_ros.ros.qos import PROFILES
from stma_ros.types.message import Message
from stma_ros.types.topics import TOPICS
from support.ros.waiting import PATIENCE, eventually


class Home:
    """The thread of one node."""

    def __init__(self) -> None:
        self.context = rclpy.Context()
        rclpy.init(context=self.context, signal_handler_options=SignalHandlerOptions.NO)
        self.executor = SingleThreadedExecutor(context=self.context)
        self._thread = threading.Thread(target=self._spin, daemon=True)

    def start(self, node: Node) -> None:
        self.node = node
        self.executor.add_node(node)
        self._thread.start()

    def report(self, error: Exception) -> None:
        traceback.print_exception(error)

    def run(self, function: Any, *arguments: Any) -> Any:
        future: Future[Any] = self.executor.create_task(function, *arguments)
        eventually(future.done, "the answer")
        return future.result()

    def close(self) -> None:
        self.run(self.node.destroy_node)
        self.context.try_shutdown()
        self._thread.join(PATIENCE)

    def _spin(self) -> None:
        # As in production: a broken message ends nothing.
        spin.keep_spinning(self.executor, self.report, self.context)


_NUMBERS = itertools.count()


class LivingNodes:
    """Nodes in a namespace of their own, which hears nothing of earlier tests."""

    def __init__(self) -> None:
        self.namespace = f"/test_{next(_NUMBERS)}"
        self._homes: dict[Node, Home] = {}
        self.probe = self.house(rclpy.create_node, "probe")

    def close(self) -> None:
        for node, home in self._homes.items():
            if node is not self.probe:
                node.close(0.1)
            home.close()
        self._homes.clear()
        del self.probe, node, home
        # A participant goes with the last reference to its context. Were they to pile up, discovery, which
        # tries a limited number of ports, would miss new ones.
        gc.collect()

    def remove(self, node: Node) -> None:
        """Removes the node, as at the end of its process."""
        node.close(0.1)
        self._homes.pop(node).close()

    def house(self, kind: Any, *arguments: Any, **options: Any) -> Any:
        """Makes a node and spins it in its own thread."""
        home = Home()
        node: Node = kind(*arguments, context=home.context, namespace=self.namespace, **options)
        home.start(node)
        self._homes[node] = home
        return node

    def add(self, kind: Any, *arguments: Any, **parameters: Any) -> Any:
        """Makes one of our nodes; `__` in a parameter's name stands for the dot."""
        overrides = [Parameter(name.replace("__", "."), value=value) for name, value in parameters.items()]
        return self.house(kind, *arguments, parameter_overrides=overrides)

    def run(self, method: Any, *arguments: Any) -> Any:
        """Calls a method of a node in the thread of the node."""
        return self._homes[method.__self__].run(method, *arguments)

    def result(self, future: Future[Any]) -> Any:
        eventually(future.done, "the answer")
        return future.result()

    def ask(self, kind: Any, name: str, request: Any) -> Any:
        """Calls a service, and again if its answer is lost, as happens to clients just created."""
        client = self.probe.create_client(kind, name)
        eventually(client.service_is_ready, name)
        for _ in range(3):
            future = client.call_async(request)
            try:
                return self.result(future)
            except AssertionError:
                client.remove_pending_request(future)
        raise AssertionError(f"{name} does not answer")

    def configure(self, node: ManagedNode) -> None:
        assert self.run(node.trigger_configure) == TransitionCallbackReturn.SUCCESS

    def activate(self, *nodes: ManagedNode) -> None:
        waiting: list[str] = []
        for node in nodes:

            def active(node: ManagedNode = node) -> bool:
                waiting[:] = self.run(node.waiting_for)
                return bool(self.run(node.trigger_activate) == TransitionCallbackReturn.SUCCESS)

            try:
                eventually(active)
            except AssertionError as error:
                raise AssertionError(f"{node.get_name()} did not become active: {waiting}") from error

    def up(self, *nodes: ManagedNode) -> None:
        for node in nodes:
            self.configure(node)
        self.activate(*nodes)

    def listen(self, topic: str) -> list[Any]:
        """Returns the list of all messages of a topic, latched ones included."""
        heard: list[Message] = []
        spec = TOPICS[topic]

        def receive(msg: Any) -> None:
            heard.append(from_msg(msg, spec.type))

        name = self.probe.resolve_topic_name(topic)
        publishers = [p for node in self._homes for p in node.publishers if p.topic_name == name]
        readers = [publisher.get_subscription_count() for publisher in publishers]
        subscription = self.probe.create_subscription(
            msg_class(spec.type), topic, receive, PROFILES[spec.delivery]
        )
        eventually(subscription.get_publisher_count, f"publishers of {topic}")
        # The publisher has to know of its reader too: what is volatile is sent only to readers it knows.
        for publisher, before in zip(publishers, readers, strict=True):
            eventually(lambda p=publisher, n=before: p.get_subscription_count() > n, f"a reader of {topic}")
        return heard

    def publisher(self, topic: str, readers: int = 1) -> Any:
        """Returns a function that publishes typed messages, connected to `readers` nodes."""
        spec = TOPICS[topic]
        publisher = self.probe.create_publisher(msg_class(spec.type), topic, PROFILES[spec.delivery])
        eventually(lambda: publisher.get_subscription_count() >= readers, f"readers of {topic}")
        return lambda message: publisher.publish(to_msg(message) if isinstance(message, Message) else message)
