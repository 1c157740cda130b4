"""Writes one .mcap file of a bag, which includes definitions, topics and metadata of the run."""

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
"""Name of the MCAP metadata record with the custom_data of metadata.yaml."""

_CHUNK_BYTES = 1024 * 1024  # before compression; a damaged chunk is lost as a whole


class BagFileWriter:
    """Writes messages in the order of the calls, from one thread. All methods raise OSError if the disk is full."""

    def __init__(
        self, path: Path, topics: Iterable[BagTopic], about: Mapping[str, str], reserve: Reserve
    ) -> None:
        """Creates the file.

        Args:
            path: Path of the file.
            topics: Topics that are known already.
            about: Metadata of the run.
            reserve: Reserved space on the disk.

        Raises:
            FileExistsError: The file exists.
        """
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
        """Counts and times of the messages in the file."""
        return FileContent(self.path.name, dict(self._counts), self._span)

    @property
    def size(self) -> int:
        """Size on the disk, without the chunk in memory [bytes]."""
        return self._stream.tell()

    @property
    def failure(self) -> OSError | None:
        """The error of a full disk, after which only the end of the file can be written; None before."""
        return self._stream.failure

    def duration_until(self, stamp_ns: int) -> int:
        """Returns the time from the first message to a stamp [ns]; 0 without messages."""
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
        """Writes the index and closes the file. It may be called twice.

        After a failed write the index is left out; such a file can be read up to its end.
        """
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
            self.broken = True  # data were lost, so the index would be wrong
            raise
