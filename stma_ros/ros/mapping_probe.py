"""Stands for the body of a robot that drives by itself, and notes when its frames are in the map."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from rclpy.publisher import Publisher

from stma_ros.agents.spec import Wiring
from stma_ros.ros.background_node import BackgroundNode
from stma_ros.ros.conversions import from_msg, msg_class
from stma_ros.ros.dummy_bridge import DummyBridge
from stma_ros.ros.graph import SPATIAL_MEMORY, Graph
from stma_ros.ros.qos import PROFILES
from stma_ros.storage.cdr import header_stamp
from stma_ros.types import topics
from stma_ros.types.control import JournalEntry
from stma_ros.types.standard import Time

HEARD = (topics.MAP, topics.FRONTIERS, topics.SCENE_GRAPH)


class MappingProbe(BackgroundNode):
    """Publishes camera frames that were made beforehand, at a steady rate, and reads map, frontiers and scene graph. It
    refuses every skill.

    Attributes:
        sent: Time of the steady clock [ns] at which the sending of each frame began, by the frame's stamp [ns].
        arrived: For each topic of HEARD the same of the arrival of a message, by its stamp.
        taken: Stamps [ns] of the frames that the spatial memory has taken.
        keyframes: Stamps [ns] of those in which perception has looked for objects.
    """

    def __init__(self, name: str, namespace: str, wiring: Wiring) -> None:
        """Makes the node.

        Args:
            name: Name of the node, the `robot_bridge` of the graph.
            namespace: That of the robot.
            wiring: That of the agent, which says what a bridge publishes.
        """
        super().__init__(name, namespace)
        self.sent: dict[int, int] = {}
        self.arrived: dict[str, dict[int, int]] = {topic: {} for topic in HEARD}
        self.taken: set[int] = set()
        self.keyframes: set[int] = set()
        self._publishers: dict[str, Publisher[Any]] = {}
        for topic in Graph(wiring, name, "").publications(name):
            spec = topics.TOPICS[topic]
            self._publishers[topic] = self._node.create_publisher(
                msg_class(spec.type), topic, PROFILES[spec.delivery]
            )
        for topic in HEARD:
            spec, arrives = topics.TOPICS[topic], partial(self._arrives, topic)
            self._node.create_subscription(
                msg_class(spec.type), topic, arrives, PROFILES[spec.delivery], raw=True
            )
        for topic, take in (
            (topics.JOURNAL, self._journaled),
            (topics.KEYFRAME_DETECTIONS, self._looked),
        ):
            spec = topics.TOPICS[topic]
            self._node.create_subscription(msg_class(spec.type), topic, take, PROFILES[spec.delivery])
        self._body = DummyBridge(self._node)
        self.start()

    def publish(self, frames: Sequence[Mapping[str, bytes]], rate: float) -> None:
        """Publishes frames, each when it is due or, if that time is over, at once. Waits for the last one.

        Args:
            frames: The parts of each frame by topic, as CDR.
            rate: Frames per second.
        """
        begun = time.monotonic()
        for number, parts in enumerate(frames):
            time.sleep(max(0.0, begun + number / rate - time.monotonic()))
            self.sent[header_stamp(parts[topics.ODOMETRY])] = time.monotonic_ns()
            for topic, data in parts.items():
                self._publishers[topic].publish(data)

    @property
    def heard(self) -> int:
        """The number of messages that have arrived."""
        return len(self.taken) + sum(map(len, self.arrived.values()))

    # -- in the node's thread

    def _arrives(self, topic: str, data: bytes) -> None:
        self.arrived[topic].setdefault(header_stamp(data), time.monotonic_ns())

    def _looked(self, msg: Any) -> None:
        if msg.keyframe:
            self.keyframes.add(from_msg(msg.header.stamp, Time).nanoseconds)

    def _journaled(self, msg: Any) -> None:
        entry = from_msg(msg, JournalEntry)
        if (entry.component, entry.topic) == (SPATIAL_MEMORY, topics.CAMERA_FRAME):
            self.taken.add(int(entry.id))
