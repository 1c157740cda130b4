"""Writes one .mcap file of a bag, complete in itself: definitions, topics, and metadata of the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from mcap.writer import CompressionType, Writer

from stma_ros.storage.bag.metadata import BagTopic, FileContent, qos_text
from stma_ros.storage.reserved_file import Reserve, ReservedFile

ABOUT_RECORD = "stma_ros"
"""The name of the MCAP metadata record that holds what metadata.yaml has as custom_data."""

_CHUNK_BYTES = 1024 * 1024  # before compression; a damaged chunk is lost as a whole


class BagFileWriter:
    """Written in the order of the calls, from one thread. Every method raises OSError where the disk takes no more."""

    def __init__(
        self, path: Path, topics: Iterable[BagTopic], about: Mapping[str, str], reserve: Reserve
    ) -> None:
        """Raises FileExistsError where the file is there already."""
        self.path = path
        self.closed = False
        self.broken = False
        self._channels: dict[str, int] = {}
        self._schemas: dict[str, int] = {}
        self._counts: Counter[str] = Counter()
        self._span: tuple[int, int] | None = None
        self._stream = ReservedFile(path, reserve)
        self._writer = Writer(
            cast("IO[bytes]", self._stream), chunk_size=_CHUNK_BYTES, compression=CompressionType.ZSTD
        )
        self._writer.start(profile="ros2", library="stma_ros")
        if about:
            self._writer.add_metadata(ABOUT_RECORD, dict(about))
        for topic in topics:
            self.add_topic(topic)

    @property
    def content(self) -> FileContent:
        return FileContent(self.path.name, dict(self._counts), self._span)

    @property
    def size(self) -> int:
        """Bytes on the disk, without the chunk in memory."""
        return self._stream.tell()

    @property
    def failure(self) -> OSError | None:
        """Set once the disk takes no more but what closes the file."""
        return self._stream.failure

    def spans(self, stamp_ns: int) -> int:
        """The time from the first message to the stamp [ns]; 0 without messages."""
        return stamp_ns - self._span[0] if self._span else 0

    def add_topic(self, topic: BagTopic) -> None:
        if topic.ros_type not in self._schemas:
            self._schemas[topic.ros_type] = self._writer.register_schema(
                topic.ros_type, "ros2msg", topic.definition.encode()
            )
        about = {
            "offered_qos_profiles": qos_text(topic.qos),
            "topic_type_hash": topic.type_hash,
        }
        schema_id = self._schemas[topic.ros_type]
        self._channels[topic.name] = self._writer.register_channel(topic.name, "cdr", schema_id, about)

    def write(self, topic: str, data: bytes, stamp_ns: int, published_ns: int, sequence: int) -> None:
        with self._breaking():
            self._writer.add_message(self._channels[topic], stamp_ns, data, published_ns, sequence)
        self._counts[topic] += 1
        start, end = self._span or (stamp_ns, stamp_ns)
        self._span = (min(start, stamp_ns), max(end, stamp_ns))

    def flush(self) -> None:
        """Passes written data to the operating system."""
        with self._breaking():
            self._writer.flush()  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """Writes the index, but not after a failed write: the file is read up to its end then. May be called twice."""
        if self.closed:
            return
        self.closed = True
        try:
            if not self.broken:
                with self._breaking():
                    self._writer.finish()  # type: ignore[no-untyped-call]
        finally:
            self._stream.close()

    @contextmanager
    def _breaking(self) -> Iterator[None]:
        try:
            yield
        except OSError:
            self.broken = True  # the writer has lost a piece, and its index would be wrong
            raise
