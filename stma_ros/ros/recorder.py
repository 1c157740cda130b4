"""Writes every topic to a bag, byte for byte as it came over the wire."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from rclpy.qos import QoSProfile
from rclpy.subscription import MessageInfo, Subscription

from stma_ros.agents.wiring import Wiring
from stma_ros.ros.conversions import msg_class
from stma_ros.ros.gaps import GapDetector
from stma_ros.ros.graph import Graph, unconnected
from stma_ros.ros.host import BodyConfig, MessagesLostError
from stma_ros.ros.managed_node import ManagedNode
from stma_ros.ros.qos import PROFILES
from stma_ros.ros.worker import Worker
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import setting
from stma_ros.types.world import Senses

_FLUSH_PERIOD = 1.0  # [s]


class Writer(Protocol):
    """A bag that is being written; used from one thread."""

    def write(self, topic: str, data: bytes, stamp_ns: int, published_ns: int | None = None) -> None: ...

    def flush(self) -> None: ...

    def close(self) -> None: ...


OpenWriter: TypeAlias = Callable[[Path, Mapping[str, tuple[str, QoSProfile]]], Writer]
"""Opens a bag in a folder, for topics by full name with their type and profile; raises StorageError."""


@dataclass(frozen=True)
class RecorderConfig:
    path: str = setting(
        "", "folder of the bag; after a reset, the next bag goes to the first free PATH_1, PATH_2, ..."
    )
    bridge: str = setting("sim_bridge", "name of the node that stands for the robot's body")


class Recorder(ManagedNode):
    """Listens before anyone speaks, and writes in a thread of its own."""

    def __init__(
        self,
        open_writer: OpenWriter,
        wirings: Mapping[Senses, Wiring],
        name: str = "recorder",
        **node_options: Any,
    ) -> None:
        super().__init__(name, **node_options)
        self._open_writer = open_writer
        self.parameters.declare(BodyConfig, fixed=True)
        self._wiring = wirings[Senses(self.parameters.declared(BodyConfig).senses)]
        self._worker: Worker[Callable[[], None]] | None = None
        self._writer: Writer | None = None
        self._inputs: dict[str, Subscription[Any]] = {}
        self._used: set[Path] = set()
        self.parameters.declare(RecorderConfig)
        self.create_timer(_FLUSH_PERIOD, self._flush)

    def configure(self) -> None:
        config = self.parameters.build(RecorderConfig)
        if not config.path:
            raise ConfigurationError(f"{self.get_name()} needs the parameter path, the folder of the bag")
        self._graph = Graph(self._wiring, config.bridge, self.get_name())
        specs = {name: topics.TOPICS[name] for name in self._graph.subscriptions(self.get_name())}
        self._writer = self._open_writer(
            self._next_folder(Path(config.path)),
            {
                self.resolve_topic_name(name): (spec.type.ROS_TYPE, PROFILES[spec.delivery])
                for name, spec in specs.items()
            },
        )
        self._gaps = GapDetector()
        # Of the clock only the newest is ever wanted: what it skips is not lost.
        self._skipping = {
            self.resolve_topic_name(name)
            for name, spec in specs.items()
            if spec.delivery is topics.Delivery.CLOCK
        }
        self._worker = Worker(
            self.get_name(), lambda job: job(), lambda _, error: self.report(error, doing="recording")
        )
        self.open_topics(self._graph.publications(self.get_name()))
        for name, spec in specs.items():
            self._inputs[name] = self.create_subscription(
                msg_class(spec.type),
                name,
                partial(self._received, self._writer, self.resolve_topic_name(name)),
                PROFILES[spec.delivery],
                raw=True,
            )

    def waiting_for(self) -> list[str]:
        return unconnected(self, self._graph, self.publications, self._inputs)

    def cleanup(self) -> None:
        for subscription in self._inputs.values():
            self.destroy_subscription(subscription)
        self._inputs.clear()
        worker, writer = self._worker, self._writer
        self._worker = self._writer = None
        if worker is not None and writer is not None:
            worker.inbox.put(writer.close)
            worker.inbox.put(worker.inbox.close)

    def close(self, timeout: float) -> bool:
        worker = self._worker
        self.cleanup()
        return worker is None or worker.join(timeout)

    def diagnostics(self) -> Mapping[str, str]:
        if self._worker is None:
            return {}
        return {"waiting to be written": str(len(self._worker.inbox)), "written": str(self._worker.handled)}

    def _next_folder(self, path: Path) -> Path:
        """A bag is never written over: what this node recorded before a reset stays."""
        folder, number = path, 0
        while folder in self._used:
            number += 1
            folder = path.with_name(f"{path.name}_{number}")
        self._used.add(folder)
        return folder

    def _received(self, writer: Writer, topic: str, data: bytes, info: MessageInfo) -> None:
        lost = self._gaps.lost(topic, info)
        if lost and topic not in self._skipping:
            self.report(MessagesLostError(f"{lost} message(s) on {topic} are missing from the bag"))
        if self._worker is not None:
            self._worker.inbox.put(
                partial(writer.write, topic, data, time.time_ns(), info["source_timestamp"])
            )

    def _flush(self) -> None:
        if self._worker is not None and self._writer is not None:
            self._worker.inbox.put(self._writer.flush)
