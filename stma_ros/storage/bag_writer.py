"""Records a bag in rosbag2's MCAP layout: a folder with one .mcap file and metadata.yaml."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType

import yaml
from mcap.writer import CompressionType, Writer

from stma_ros.storage.bag_metadata import BagTopic, StoredQos, write_metadata
from stma_ros.storage.cdr import to_cdr
from stma_ros.storage.definitions import definitions
from stma_ros.types.errors import StorageError
from stma_ros.types.message import Message

BAG_FILE = "run.mcap"
_CHUNK_BYTES = 256 * 1024
_FLUSH_SECONDS = 0.5


class BagWriter:
    """Writes messages in the order they are given, from one thread at a time.

    What was written half a second before the last `write`, or before `flush`, survives the process:
    `read_bag` and `mcap recover` read such a file up to its end.
    """

    def __init__(
        self,
        folder: Path,
        custom_data: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Creates `folder` and an empty bag; metadata.yaml holds `custom_data`, `clock` [s] paces flushes.

        Raises StorageError where the folder holds a bag already or cannot be written.
        """
        self._folder = folder
        self._custom_data = dict(custom_data or {})
        self._clock = clock
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._stream = (folder / BAG_FILE).open("xb")
        except FileExistsError as error:
            raise StorageError(f"{folder} holds a bag already; name another folder") from error
        except OSError as error:
            raise StorageError(f"no bag can be written to {folder} ({error.strerror})") from error
        self._writer = Writer(self._stream, chunk_size=_CHUNK_BYTES, compression=CompressionType.ZSTD)
        self._writer.start(profile="ros2", library="stma_ros")
        self._stream.flush()
        self._topics: dict[str, BagTopic] = {}
        self._channels: dict[str, int] = {}
        self._schemas: dict[str, int] = {}
        self._span: tuple[int, int] | None = None
        self._flushed = clock()
        self._closed = False
        self._write_metadata()

    def add_topic(self, name: str, ros_type: str, qos: tuple[StoredQos, ...] = ()) -> None:
        """Declares a topic by its full name ("/robot/odom"), its type and its publishers' QoS profiles.

        metadata.yaml lists it from the next flush on.

        Raises StorageError where the type's definition is not found, or the topic has another type already.
        """
        known = self._topics.get(name)
        if known is not None:
            if known.ros_type != ros_type:
                raise StorageError(f"{name} is recorded as {known.ros_type} and cannot also be {ros_type}")
            return
        topic = BagTopic(name, ros_type, definitions().type_hash(ros_type), qos)
        if ros_type not in self._schemas:
            schema = definitions().schema(ros_type).encode()
            self._schemas[ros_type] = self._writer.register_schema(ros_type, "ros2msg", schema)
        profiles = yaml.safe_dump([profile.as_dict() for profile in qos])
        self._channels[name] = self._writer.register_channel(
            name,
            "cdr",
            self._schemas[ros_type],
            {"offered_qos_profiles": profiles, "topic_type_hash": topic.type_hash},
        )
        self._topics[name] = topic
        self._metadata_is_old = True

    def write(self, topic: str, data: bytes, stamp_ns: int, published_ns: int | None = None) -> None:
        """Appends a message as CDR, with its log time and the time it was published (default: the same).

        Raises StorageError for a topic that was not added, a closed bag, and a disk that takes no more.
        """
        if self._closed:
            raise StorageError(f"the bag in {self._folder} is closed; nothing can be added")
        if topic not in self._topics:
            raise StorageError(f"{topic} is not a topic of this bag; add_topic declares it, with its type")
        published = stamp_ns if published_ns is None else published_ns
        counted = self._topics[topic]
        try:
            self._writer.add_message(self._channels[topic], stamp_ns, data, published, counted.message_count)
            if self._clock() - self._flushed >= _FLUSH_SECONDS:
                self.flush()
        except OSError as error:
            raise StorageError(
                f"{self._folder} takes no more ({error.strerror}): is the disk full?"
            ) from error
        counted.message_count += 1
        start, end = self._span or (stamp_ns, stamp_ns)
        self._span = (min(start, stamp_ns), max(end, stamp_ns))

    def flush(self) -> None:
        """Hands what was written to the operating system. Call it once a second where nothing is written."""
        self._writer.flush()  # type: ignore[no-untyped-call]
        if self._metadata_is_old:
            self._write_metadata()
        self._flushed = self._clock()

    def close(self) -> None:
        """Writes the index and the final metadata. May be called twice."""
        if self._closed:
            return
        self._closed = True
        try:
            self._writer.finish()  # type: ignore[no-untyped-call]
        finally:
            self._stream.close()
        self._write_metadata()

    def __enter__(self) -> BagWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write_metadata(self) -> None:
        self._metadata_is_old = False
        write_metadata(self._folder, BAG_FILE, list(self._topics.values()), self._span, self._custom_data)


class MessageRecorder:
    """A tap that records typed messages, for runs without ROS.

    The log time is the message's own stamp, but never runs backwards: readers that sort by log time then see
    the messages in the order of their publication.
    """

    def __init__(self, writer: BagWriter, namespace: str = "") -> None:
        self._writer = writer
        self._prefix = f"/{namespace.strip('/')}/" if namespace.strip("/") else "/"
        self._now = 0

    def __call__(self, topic: str, message: Message) -> None:
        header = getattr(message, "header", None)
        stamp = message.clock if header is None else header.stamp  # type: ignore[attr-defined]
        self._now = max(self._now, stamp.nanoseconds)
        name = self._prefix + topic
        self._writer.add_topic(name, message.ROS_TYPE)
        self._writer.write(name, to_cdr(message), self._now, stamp.nanoseconds)
