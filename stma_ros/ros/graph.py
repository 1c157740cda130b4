"""The nodes that publish and read each topic, and whether the middleware has connected all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
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
    SPATIAL_MEMORY: (topics.OBJECT_QUERY, topics.MEMORY_REQUEST),
}
"""What a component's own host makes of goals, cancels and skill results, and of questions to its services."""

SIMULATOR_TOPICS = (topics.CLOCK, topics.FAULT, topics.GROUND_TRUTH)
"""Topics of simulators' bridges only: no reader waits for them."""


_ACTION_SERVICES = ("send_goal", "cancel_goal", "get_result")


@dataclass(frozen=True)
class Graph:
    """The nodes of one robot: a component per entry of the agent's wiring, a bridge, a recorder ("" = none), which does
    not listen to the topics that are `excluded_topics`."""

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
        outputs = (*self.wiring.components[name].outputs, topics.FAULT, topics.CONFIGURATION, topics.JOURNAL)
        if topics.ALARM in outputs:
            outputs += (topics.ALARM_EXPIRED,)
        return outputs + HOST_TOPICS.get(name, ())

    def subscriptions(self, name: str) -> tuple[str, ...]:
        """The topics that a node subscribes to; what its own host makes is not sent to it."""
        if name == self.recorder:
            return tuple(topic for topic in topics.TOPICS if topic not in self.excluded_topics)
        if name not in self.wiring.components:
            return ()
        own = (topics.ALARM_EXPIRED, *HOST_TOPICS.get(name, ()))
        return tuple(topic for topic in self.wiring.components[name].subscriptions if topic not in own)

    @property
    def names(self) -> tuple[str, ...]:
        """In the order in which they are to be activated: readers first, what starts the flow last."""
        return tuple(name for name in (self.recorder, *self.wiring.components, self.bridge) if name)

    def publishers(self, topic: str) -> set[str]:
        return {name for name in self.names if topic in self.publications(name)}

    def subscribers(self, topic: str) -> set[str]:
        return {name for name in self.names if topic in self.subscriptions(name)}

    def awaited(self, topic: str) -> set[str]:
        """The publishers without which a reader is not complete."""
        return self.publishers(topic) - ({self.bridge} if topic in SIMULATOR_TOPICS else set())


def unconnected(
    node: Node,
    graph: Graph,
    publishers: Mapping[str, Publisher[Any]],
    subscriptions: Mapping[str, Subscription[Any]],
) -> list[str]:
    """Returns why a node's first message would not reach all of its readers; empty = it would."""
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
        awaited = graph.awaited(topic)
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
    """Whether messages published now reach all of these readers that are compatible."""
    matchable = sum(not incompatibility(publisher.qos_profile, reader.qos_profile) for reader in readers)
    return publisher.get_subscription_count() >= matchable


def cannot_be_answered(node: Node, action: str, client: str) -> list[str]:
    """Returns why an action's server could not answer its client; empty = it can. An answer to a client that the server
    has not discovered is lost, and the client waits for ever."""
    services = (f"{action}/_action/{name}" for name in _ACTION_SERVICES)
    if min(map(node.count_clients, services)) < _instances(node, client):
        return [f"{client} not yet asking for {action}"]
    return []


def _absent(node: Node, names: Iterable[str], ends: Iterable[TopicEndpointInfo]) -> set[str]:
    """The nodes that are not at their end of a topic yet."""
    there = Counter(end.node_name for end in ends)
    return {name for name in names if there[name] < _instances(node, name)}


def _instances(node: Node, name: str) -> int:
    """How often what belongs to another node has to be there: for a while after a node was killed and started again,
    the dead one's is there, too, and must not be taken for that of the living."""
    return max(1, node.count_publishers(alive_topic(name)))


def _names(nodes: set[str]) -> str:
    return ", ".join(sorted(nodes))


def incompatibility(offered: QoSProfile, requested: QoSProfile) -> str:
    """Why the middleware does not connect the two; empty when it does."""
    verdict, reason = qos_check_compatible(offered, requested)
    return str(reason) if verdict == QoSCompatibility.ERROR else ""
