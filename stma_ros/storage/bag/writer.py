"""Records a bag in rosbag2's MCAP layout: a folder with .mcap files and metadata.yaml."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path
from types import TracebackType

from stma_ros.storage.bag.metadata import BagTopic, StoredQos, write_metadata
from stma_ros.storage.bag.split_files import BAG_FILE, BAG_FILES, SplitFiles
from stma_ros.storage.cdr import to_cdr
from stma_ros.storage.definitions import definitions
from stma_ros.storage.lossy_color import to_jpeg
from stma_ros.storage.recording import COMPRESSED_COLOR, RecordingConfig, excluded_topics
from stma_ros.storage.reserved_file import Reserve
from stma_ros.types import topics
from stma_ros.types.errors import StorageError
from stma_ros.types.message import Message
from stma_ros.types.standard import Image

__all__ = ["BAG_FILE", "BagWriter", "MessageRecorder"]

_FLUSH_SECONDS = 0.25
_METADATA_SECONDS = 10.0  # between updates of the counts in metadata.yaml
_RESERVE_BYTES = 16 * 1024 * 1024  # to close a bag on a full disk: a chunk, the index and the metadata


class BagWriter:
    """Writes messages in the order of the calls, from one thread at a time.

    Messages that were written a quarter of a second before the last `write`, or before `flush`, survive the end of the
    process: `read_bag` and `mcap recover` read such a file up to its end. When the disk is full, the bag is closed and
    contains all messages up to then.
    """

    def __init__(
        self,
        folder: Path,
        custom_data: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.monotonic,
        config: RecordingConfig = RecordingConfig(),
    ) -> None:
        """Creates an empty bag.

        Args:
            folder: Folder of the bag; it is created if necessary.
            custom_data: Metadata of the run, for metadata.yaml and each file.
            clock: Clock that paces flushes [s].
            config: Settings. The limits of files are applied here and the rest by MessageRecorder; the metadata mention
                all of them.

        Raises:
            StorageError: The folder contains a bag already or cannot be written.
            ConfigurationError: The settings do not fit together.
        """
        config.check()
        self._folder = folder
        self._clock = clock
        self._topics: dict[str, BagTopic] = {}
        self._counts: Counter[str] = Counter()
        self._flushed = self._described = clock()
        self._closed = False
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.glob(BAG_FILES)):
                raise FileExistsError
            self._reserve = Reserve(folder, _RESERVE_BYTES)
            about = {**(custom_data or {}), **config.about()}
            self._files = SplitFiles(folder, config, about, self._reserve)
        except FileExistsError as error:
            raise StorageError(f"{folder} holds a bag already; name another folder") from error
        except OSError as error:
            raise StorageError(
                f"no bag can be written to {folder} ({error.strerror}); free space, or name another folder"
            ) from error
        self._write_metadata()

    @property
    def closed(self) -> bool:
        """Whether the bag is closed, by `close` or because the disk was full."""
        return self._closed

    def add_topic(self, name: str, ros_type: str, qos: tuple[StoredQos, ...] = ()) -> None:
        """Declares a topic; metadata.yaml lists it from the next flush on.

        Args:
            name: Full name ("/robot/odom").
            ros_type: ROS type of its messages.
            qos: QoS profiles of its publishers.

        Raises:
            StorageError: The definition of the type is not found, or the topic has another type already.
        """
        known = self._topics.get(name)
        if known is not None:
            if known.ros_type != ros_type:
                raise StorageError(f"{name} is recorded as {known.ros_type} and cannot also be {ros_type}")
            return
        known_types = definitions()
        topic = BagTopic(name, ros_type, known_types.type_hash(ros_type), known_types.schema(ros_type), qos)
        self._files.current.add_topic(topic)
        self._topics[name] = topic
        self._metadata_is_old = True

    def write(self, topic: str, data: bytes, stamp_ns: int, published_ns: int | None = None) -> None:
        """Appends a message.

        Args:
            topic: Full name of its topic.
            data: The message as CDR.
            stamp_ns: Log time [ns].
            published_ns: Time of publication [ns]; None = `stamp_ns`.

        Raises:
            StorageError: The topic was not added, the bag is closed, or the disk is full.
        """
        if self._closed:
            raise StorageError(f"the bag in {self._folder} is closed; nothing can be added")
        if topic not in self._topics:
            raise StorageError(f"{topic} is not a topic of this bag; add_topic declares it, with its type")
        published = stamp_ns if published_ns is None else published_ns
        with self._ending():
            if self._files.split(stamp_ns, self._topics.values()):
                self._write_metadata()
            # The metadata need the time of the first message, or players would wait from 1970 on.
            self._metadata_is_old |= not self._counts
            self._files.current.write(topic, data, stamp_ns, published, self._counts[topic])
            self._counts[topic] += 1
            if self._clock() - self._flushed >= _FLUSH_SECONDS:
                self._flush()

    def flush(self) -> None:
        """Passes written messages to the operating system; does nothing if the bag is closed.

        It is to be called four times a second when nothing is written.

        Raises:
            StorageError: The disk is full.
        """
        if not self._closed:
            with self._ending():
                self._flush()

    def close(self) -> None:
        """Writes the index and the final metadata. It may be called twice.

        Raises:
            StorageError: There is no space for them.
        """
        if self._closed:
            return
        self._closed = True
        self._reserve.release()
        try:
            self._files.current.close()
        except OSError as error:
            raise StorageError(
                f"the index of the bag in {self._folder} could not be written ({error.strerror}); free space. The bag "
                "can be read up to its end, and `mcap recover` gives it an index"
            ) from error
        finally:
            self._write_metadata()

    def __enter__(self) -> BagWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _flush(self) -> None:
        self._files.current.flush()
        now = self._clock()
        surplus = self._files.take_surplus()
        aged = now - self._described >= _METADATA_SECONDS and self._files.current.size > self._described_size
        if self._metadata_is_old or surplus or aged:
            self._write_metadata()
        for path in surplus:  # the metadata no longer list these files
            path.unlink(missing_ok=True)
        self._flushed = self._clock()

    def _write_metadata(self) -> None:
        write_metadata(self._folder, self._files.contents, list(self._topics.values()), self._files.about)
        self._metadata_is_old = False
        self._described, self._described_size = self._clock(), self._files.current.size

    @contextmanager
    def _ending(self) -> Iterator[None]:
        """Closes the bag on a write error; on a full disk, with the reserved space."""
        try:
            yield
            if self._files.current.failure is not None:
                raise self._files.current.failure
        except (OSError, StorageError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            left = "holds everything up to here"
            try:
                self.close()
            except StorageError as worse:
                left = f"can be read up to its end ({worse})"
            if self._files.current.broken:
                left = "can be read up to its end, the last second of which may be missing"
            cause, remedy = "the bag cannot be written", "Record to another folder or disk"
            if _is_full(error):
                cause = "the disk takes no more"
                remedy = (
                    "Free space, record to another disk, or have the oldest files deleted (settings keep and "
                    "max_file_size)"
                )
            raise StorageError(
                f"recording ends, for {cause} ({reason}): the bag in {self._folder} is closed and {left}. {remedy}"
            ) from error


def _is_full(error: BaseException) -> bool:
    """Returns whether the cause is a full disk, an exhausted quota, or a file of the largest possible size."""
    causes = (error, error.__cause__)
    return any(isinstance(cause, OSError) and cause.errno in (ENOSPC, EDQUOT, EFBIG) for cause in causes)


class MessageRecorder:
    """Records messages of the local runtime, as a function that is called for each one.

    The log time is the message's own stamp but never decreases, so readers that sort by log time see the messages in
    the order of their publication.
    """

    def __init__(
        self, writer: BagWriter, namespace: str = "", config: RecordingConfig = RecordingConfig()
    ) -> None:
        """Makes a recorder.

        Args:
            writer: Writer of the bag.
            namespace: The robot's namespace.
            config: Excluded topics and compression of images.

        Raises:
            ConfigurationError: `config` excludes a topic that does not exist.
        """
        self._writer = writer
        self._prefix = f"/{namespace.strip('/')}/" if namespace.strip("/") else "/"
        self._excluded = excluded_topics(config.exclude)
        self._quality = config.lossy_color
        self._now = 0

    @property
    def closed(self) -> bool:
        """Whether the bag is closed, as when the disk was full."""
        return self._writer.closed

    def __call__(self, topic: str, message: Message) -> None:
        if topic in self._excluded:
            return
        header = getattr(message, "header", None)
        stamp = message.clock if header is None else header.stamp  # type: ignore[attr-defined]
        self._now = max(self._now, stamp.nanoseconds)
        if self._quality and topic == topics.COLOR and isinstance(message, Image):
            topic, message = COMPRESSED_COLOR, to_jpeg(message, self._quality)
        name = self._prefix + topic
        self._writer.add_topic(name, message.ROS_TYPE)
        self._writer.write(name, to_cdr(message), self._now, stamp.nanoseconds)
