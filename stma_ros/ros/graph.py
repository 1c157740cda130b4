"""Describes the nodes that publish and read each topic, and checks whether the middleware has connected them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import QoSCompatibility, QoSProfile, qos_check_compatible
from rclpy.subscription import Subscription
from rclpy.topic_endpoint_info import TopicEndpointInfo

from stma_ros.agents.spec import Wiring
from stma_ros.ros.liveliness import alive_topic
from stma_ros.types import topics

EXECUTOR = "executor"
SPATIAL_MEMORY = "spatial_memory"
LIFECYCLE_MANAGER = "lifecycle_manager"

HOST_TOPICS = {
    EXECUTOR: (topics.TASK, topics.CANCEL, topics.OUTCOME),
    SPATIAL_MEMORY: (topics.OBJECT_QUERY, topics.MEMORY_QUESTION, topics.MEMORY_REQUEST),
}
"""Topics that a component's own host publishes from goals, cancels and skill results, and from service requests."""

SIMULATOR_TOPICS = (topics.CLOCK, topics.FAULT, topics.GROUND_TRUTH)
"""Topics of simulators' bridges only, which no reader waits for."""


_ACTION_SERVICES = ("send_goal", "cancel_goal", "get_result")


@dataclass(frozen=True)
class Graph:
    """The nodes of one robot.

    Attributes:
        wiring: the agent's wiring; each component is a node.
        bridge: name of the bridge.
        recorder: name of the recorder; empty = none.
        excluded_topics: topics to which the recorder does not subscribe.
    """

    wiring: Wiring
    bridge: str
    recorder: str
    excluded_topics: frozenset[str] = frozenset()

    def publications(self, name: str) -> tuple[str, ...]:
        """The topics that a node publishes."""
        if name == self.bridge:
            return (*(topic for topic in self.wiring.world_outputs if topic != topics.OUTCOME), topics.FAULT)
        if name not in self.wiring.components:
            return (topics.FAULT,)
        spec = self.wiring.components[name]
        outputs = (*spec.outputs, *spec.answers, topics.FAULT, topics.CONFIGURATION, topics.JOURNAL)
        if topics.ALARM in outputs:
            outputs += (topics.ALARM_EXPIRED,)
        return outputs + HOST_TOPICS.get(name, ())

    def subscriptions(self, name: str) -> tuple[str, ...]:
        """Returns the topics that a node subscribes to, except those that its own host publishes."""
        if name == self.recorder:
            return tuple(topic for topic in topics.TOPICS if topic not in self.excluded_topics)
        if name not in self.wiring.components:
            return ()
        spec = self.wiring.components[name]
        own = (topics.ALARM_EXPIRED, *spec.answers, *HOST_TOPICS.get(name, ()))
        return tuple(topic for topic in spec.subscriptions if topic not in own)

    @property
    def names(self) -> tuple[str, ...]:
        """The nodes in their order of activation: readers first, the source of the data flow last."""
        return tuple(name for name in (self.recorder, *self.wiring.components, self.bridge) if name)

    def publishers(self, topic: str) -> set[str]:
        return {name for name in self.names if topic in self.publications(name)}

    def subscribers(self, topic: str) -> set[str]:
        return {name for name in self.names if topic in self.subscriptions(name)}

    def awaited(self, topic: str) -> set[str]:
        """Returns the publishers that a reader waits for."""
        return self.publishers(topic) - ({self.bridge} if topic in SIMULATOR_TOPICS else set())


def unconnected(
    node: Node,
    graph: Graph,
    publishers: Mapping[str, Publisher[Any]],
    subscriptions: Mapping[str, Subscription[Any]],
    optional: Collection[str] = (),
) -> list[str]:
    """Returns the reasons why a node would miss messages, or its own first ones not reach all readers; empty = none.

    Args:
        node: The node.
        graph: All nodes.
        publishers, subscriptions: The node's, by topic.
        optional: Topics that the node reads if somebody publishes them.
    """
    missing = []
    for topic, publisher in publishers.items():
        readers = node.get_subscriptions_info_by_topic(topic)
        absent = _absent(node, graph.subscribers(topic), readers)
        if absent:
            missing.append(f"{_names(absent)} not yet reading {topic}")
        elif not is_connected(publisher, readers):
            missing.append(f"{topic} not yet connected to every reader")
    for topic, subscription in subscriptions.items():
        writers = node.get_publishers_info_by_topic(topic)
        awaited = set() if topic in optional else graph.awaited(topic)
        absent = _absent(node, awaited, writers)
        unheard = [
            f"{writer.node_name} publishes {topic} with a quality of service that is not heard: {reason}"
            for writer in writers
            if writer.node_name in awaited
            and (reason := incompatibility(writer.qos_profile, subscription.qos_profile))
        ]
        matchable = sum(not incompatibility(w.qos_profile, subscription.qos_profile) for w in writers)
        missing += unheard
        if absent:
            missing.append(f"{_names(absent)} not yet publishing {topic}")
        elif subscription.get_publisher_count() < matchable:
            missing.append(f"{topic} not yet connected to every publisher")
    return missing


def is_connected(publisher: Publisher[Any], readers: Iterable[TopicEndpointInfo]) -> bool:
    """Whether messages published now reach all compatible readers."""
    matchable = sum(not incompatibility(publisher.qos_profile, reader.qos_profile) for reader in readers)
    return publisher.get_subscription_count() >= matchable


def cannot_be_answered(node: Node, action: str, client: str) -> list[str]:
    """Returns the reasons why an action's server could not answer its client; empty = it can. An answer to a client
    that the server has not discovered is lost, and the client waits forever."""
    services = (f"{action}/_action/{name}" for name in _ACTION_SERVICES)
    if min(map(node.count_clients, services)) < _instances(node, client):
        return [f"{client} not yet asking for {action}"]
    return []


def _absent(node: Node, names: Iterable[str], ends: Iterable[TopicEndpointInfo]) -> set[str]:
    """Returns the nodes without an endpoint on a topic."""
    there = Counter(end.node_name for end in ends)
    return {name for name in names if there[name] < _instances(node, name)}


def _instances(node: Node, name: str) -> int:
    """Returns the number of nodes of a name that the graph shows: after a restart of a killed node, the dead one's
    endpoints remain for a while, and must not count as those of its successor."""
    return max(1, node.count_publishers(alive_topic(name)))


def _names(nodes: set[str]) -> str:
    return ", ".join(sorted(nodes))


def incompatibility(offered: QoSProfile, requested: QoSProfile) -> str:
    """Returns why the middleware does not connect the two; empty when it does."""
    verdict, reason = qos_check_compatible(offered, requested)
    return str(reason) if verdict == QoSCompatibility.ERROR else ""
