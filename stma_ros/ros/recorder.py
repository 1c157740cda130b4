"""Records every topic in a bag, byte for byte as received."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from rclpy.clock import Clock, ClockType
from rclpy.qos import QoSProfile
from rclpy.subscription import MessageInfo, Subscription

from stma_ros.agents.registry import AgentRegistry
from stma_ros.ros.agent_parameters import declare_agent
from stma_ros.ros.bag_backlog import BagBacklog
from stma_ros.ros.conversions import msg_class
from stma_ros.ros.graph import Graph, unconnected
from stma_ros.ros.host import MessagesLostError
from stma_ros.ros.managed_node import ManagedNode
from stma_ros.ros.qos import PROFILES
from stma_ros.ros.sequence_gaps import GapDetector
from stma_ros.ros.worker import Worker
from stma_ros.storage.cdr import from_cdr, to_cdr
from stma_ros.storage.experiences.recorded import record_experiences
from stma_ros.storage.lossy_color import to_jpeg
from stma_ros.storage.memory_store import record_memory
from stma_ros.storage.recording import COMPRESSED_COLOR, RecordingConfig, excluded_topics
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError, StorageError
from stma_ros.types.settings import setting
from stma_ros.types.standard import CompressedImage, Image

_FLUSH_PERIOD = 0.25  # newer messages are lost when the process is killed [s]
_BACKLOG = 1_000_000_000  # size of what waits to be written beyond which images are dropped [bytes]


class Writer(Protocol):
    """A bag that is being written; used from one thread. Its methods raise StorageError."""

    @property
    def closed(self) -> bool:
        """Whether the bag is closed, including after an error."""
        ...

    def write(self, topic: str, data: bytes, stamp_ns: int, published_ns: int | None = None) -> None: ...

    def flush(self) -> None: ...

    def close(self) -> None: ...


Write: TypeAlias = Callable[[str, bytes, int, int], None]
"""Takes a topic, a message, its log time and its publication time [ns]."""

Offers: TypeAlias = Mapping[str, tuple[str, QoSProfile]]
"""Topics by full name, with their type and profile."""

OpenWriter: TypeAlias = Callable[[Path, Offers, Mapping[str, str], RecordingConfig], Writer]
"""Opens a bag in a folder for these topics, with a description of the run; raises StorageError."""


@dataclass(frozen=True)
class RecorderConfig:
    path: str = setting(
        "", "folder of the bag; after a reset, the next bag goes to the first free PATH_1, PATH_2, ..."
    )
    bridge: str = setting("sim_bridge", "name of the node that stands for the robot's body")
    memory_dir: str = setting(
        "", "folder of the initial spatial memory, which is copied next to the bag; empty = none"
    )
    experiences: str = setting(
        "", "file of the initial experiences, which is copied next to the bag; empty = none"
    )
    about: str = setting("", "description of the run for the bag: a JSON object of texts")


class Recorder(ManagedNode):
    """Subscribes before other nodes publish, and writes in its own thread."""

    def __init__(
        self,
        open_writer: OpenWriter,
        agents: AgentRegistry,
        name: str = "recorder",
        **node_options: Any,
    ) -> None:
        super().__init__(name, **node_options)
        self._open_writer = open_writer
        self._wiring = declare_agent(self.parameters, agents).wiring
        self._worker: Worker[Callable[[], None]] | None = None
        self._writer: Writer | None = None
        self._inputs: dict[str, Subscription[Any]] = {}
        self._used: set[Path] = set()
        self._backlog = BagBacklog(_BACKLOG)
        self.parameters.declare(RecorderConfig)
        self.parameters.declare(RecordingConfig)
        # On the steady clock: simulated time may stand still while messages wait.
        self.create_timer(_FLUSH_PERIOD, self._flush, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def configure(self) -> None:
        config = self.parameters.build(RecorderConfig)
        if not config.path:
            raise ConfigurationError(f"{self.get_name()} needs the parameter path, the folder of the bag")
        recording = self.parameters.build(RecordingConfig)
        about = _texts(config.about)
        self._graph = Graph(self._wiring, config.bridge, self.get_name(), excluded_topics(recording.exclude))
        specs = {name: topics.TOPICS[name] for name in self._graph.subscriptions(self.get_name())}
        offers = {
            self.resolve_topic_name(name): (spec.type.ROS_TYPE, PROFILES[spec.delivery])
            for name, spec in specs.items()
        }
        color = self.resolve_topic_name(topics.COLOR)
        self._quality = recording.lossy_color
        self._compressed = self.resolve_topic_name(COMPRESSED_COLOR)
        if self._quality and color in offers:
            offers[self._compressed] = CompressedImage.ROS_TYPE, offers.pop(color)[1]
        folder = self._next_folder(Path(config.path))
        writer = self._open_writer(folder, offers, about, recording)
        try:  # late, as an existing bag retains its own memory
            record_memory(config.memory_dir if recording.includes_memory else "", folder)
            record_experiences(config.experiences, folder)
        except StorageError:
            writer.close()
            raise
        self._writer = writer
        self._backlog = BagBacklog(_BACKLOG)
        self._told, self._over = "", False
        self._gaps = GapDetector()
        self._images = {self.resolve_topic_name(name) for name, spec in specs.items() if spec.type is Image}
        # Only the newest clock message matters, so that skipped ones are not lost.
        self._skipping = {
            self.resolve_topic_name(name)
            for name, spec in specs.items()
            if spec.delivery is topics.Delivery.CLOCK
        }
        self._worker = Worker(self.get_name(), lambda job: job(), partial(self._report_failure, self._writer))
        self.open_topics(self._graph.publications(self.get_name()))
        for name, spec in specs.items():
            self._inputs[name] = self.create_subscription(
                msg_class(spec.type),
                name,
                partial(self._received, self._write_of(name, self._writer), self.resolve_topic_name(name)),
                PROFILES[spec.delivery],
                raw=True,
            )

    def waiting_for(self) -> list[str]:
        return unconnected(self, self._graph, self.publications, self._inputs, topics.MASKS)

    def cleanup(self) -> None:
        for subscription in self._inputs.values():
            self.destroy_subscription(subscription)
        self._inputs.clear()
        worker, writer = self._worker, self._writer
        self._worker = self._writer = None
        if worker is not None and writer is not None:
            worker.inbox.put(writer.close)
            worker.inbox.put(worker.inbox.close)
        if self._backlog.not_recorded:
            self.get_logger().error(
                f"{self._backlog.not_recorded} message(s) were not recorded; see the first error above"
            )

    def close(self, timeout: float) -> bool:
        worker = self._worker
        self.cleanup()
        if worker is None or worker.join(timeout):
            return True
        self.get_logger().error(
            f"{self._backlog.waiting} message(s) are missing from the bag: they were not written within {timeout:g} s"
        )
        return False

    def diagnostics(self) -> Mapping[str, str]:
        if self._worker is None:
            return {}
        return {
            "waiting to be written": str(self._backlog.waiting),
            "written": str(self._backlog.written),
            "not recorded": str(self._backlog.not_recorded),
        }

    def warning(self) -> str:
        return self._backlog.warning if self._worker is not None else ""

    def _next_folder(self, path: Path) -> Path:
        """Returns a free folder: a bag that this node recorded before a reset is never overwritten."""
        folder, number = path, 0
        while folder in self._used:
            number += 1
            folder = path.with_name(f"{path.name}_{number}")
        self._used.add(folder)
        return folder

    def _write_of(self, name: str, writer: Writer) -> Write:
        return partial(self._write_color, writer) if self._quality and name == topics.COLOR else writer.write

    def _received(self, write: Write, topic: str, data: bytes, info: MessageInfo) -> None:
        lost = self._gaps.lost(topic, info)
        if lost and topic not in self._skipping:
            self.report(MessagesLostError(f"{lost} message(s) on {topic} are missing from the bag"))
        if self._worker is None:
            return
        backlog = self._backlog
        if backlog.admit(len(data), is_image=topic in self._images):
            stamps = time.time_ns(), info["source_timestamp"]
            self._worker.inbox.put(partial(self._record, backlog, write, topic, data, *stamps))
        elif backlog.dropped == 1:
            self.report(MessagesLostError(f"camera images are missing from the bag: {backlog.warning}"))

    def _flush(self) -> None:
        if self._worker is not None and self._writer is not None:
            self._worker.inbox.put(self._writer.flush)

    # -- in the worker

    def _record(
        self, backlog: BagBacklog, write: Write, topic: str, data: bytes, stamp_ns: int, published_ns: int
    ) -> None:
        is_written = False
        try:
            write(topic, data, stamp_ns, published_ns)
            is_written = True
        finally:
            backlog.end(len(data), is_written=is_written)

    def _write_color(self, writer: Writer, topic: str, data: bytes, stamp_ns: int, published_ns: int) -> None:
        compressed = to_cdr(to_jpeg(from_cdr(data, Image), self._quality))
        writer.write(self._compressed, compressed, stamp_ns, published_ns)

    def _report_failure(self, writer: Writer, job: Callable[[], None], error: Exception) -> None:
        """Reports each cause once, and nothing more of a bag that has ended; the messages are counted."""
        if str(error) != self._told and not self._over:
            self.report(error, doing="recording")
        self._told, self._over = str(error), writer.closed


def _texts(about: str) -> dict[str, str]:
    try:
        texts = json.loads(about or "{}")
    except ValueError as error:
        raise ConfigurationError(f"about is no JSON ({error}): give an object of texts") from error
    if not isinstance(texts, dict) or not all(isinstance(value, str) for value in texts.values()):
        raise ConfigurationError(f"about is no JSON object of texts: {about[:80]}")
    return texts
