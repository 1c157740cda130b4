"""Reads bags: our own, finished or not, and those of other recorders and distributions."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import IO, NamedTuple

import zstandard
from mcap.exceptions import EndOfFile, McapError
from mcap.records import Channel, Schema
from mcap.records import Message as McapMessage
from mcap.stream_reader import StreamReader
from mcap.writer import MCAP0_MAGIC
from rosbags.highlevel import AnyReader, AnyReaderError
from rosbags.rosbag2 import ReaderError

from stma_ros.storage.bag_metadata import METADATA_FILE, read_metadata
from stma_ros.storage.bag_writer import BAG_FILE
from stma_ros.storage.cdr import from_cdr
from stma_ros.storage.definitions import definitions
from stma_ros.types import topics
from stma_ros.types.errors import StorageError
from stma_ros.types.message import Message

_RECORD_LIMIT = 256 * 1024 * 1024  # [bytes]; a longer record is the length field of a damaged one
_DAMAGE = (McapError, zstandard.ZstdError, struct.error, RuntimeError, ValueError, KeyError)


class Recorded(NamedTuple):
    """A message of a bag; `topic` is relative to the robot's namespace, `stamp_ns` its log time [ns]."""

    topic: str
    stamp_ns: int
    message: Message


class _Raw(NamedTuple):
    topic: str
    ros_type: str
    stamp_ns: int
    data: bytes


def read_bag(path: Path, namespace: str = "") -> Iterator[Recorded]:
    """The messages of a bag in the order of the recording, those whose types this package knows.

    `path` is a run's folder, a rosbag2 folder or an .mcap file; an unfinished one (see `is_finished`) is read
    to its end. Raises StorageError for a bag that is missing, damaged (after its good part), or recorded with
    other definitions of our messages.
    """
    prefix = f"/{namespace.strip('/')}/" if namespace.strip("/") else "/"
    known = message_types()
    for raw in _read_raw(path):
        if raw.ros_type in known:
            message = from_cdr(raw.data, known[raw.ros_type])
            yield Recorded(raw.topic.removeprefix(prefix), raw.stamp_ns, message)


def is_finished(path: Path) -> bool:
    """Whether the recorder of an .mcap file (or of a run's folder) came to close it."""
    file = path / BAG_FILE if path.is_dir() else path
    try:
        with file.open("rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - len(MCAP0_MAGIC)))
            return size > len(MCAP0_MAGIC) and stream.read() == MCAP0_MAGIC
    except OSError as error:
        raise StorageError(f"{file} cannot be read ({error.strerror}); name a run's folder") from error


@lru_cache(maxsize=1)
def message_types() -> dict[str, type[Message]]:
    """The types of all topics, by ROS type."""
    return {spec.type.ROS_TYPE: spec.type for spec in topics.TOPICS.values()}


def _read_raw(path: Path) -> Iterator[_Raw]:
    if path.is_file() and path.suffix == ".mcap":
        yield from _read_mcap(path)
        return
    if not path.is_dir():
        raise StorageError(f"{path} is neither a folder with a bag nor an .mcap file; name one of these")
    if not (path / METADATA_FILE).exists() and (path / BAG_FILE).is_file():
        yield from _read_mcap(path / BAG_FILE)
        return
    about = read_metadata(path)
    if about["storage_identifier"] == "mcap" and not about.get("compression_mode"):
        for name in about["relative_file_paths"]:
            yield from _read_mcap(path / name)
    else:
        yield from _read_other(path)


def _read_mcap(file: Path) -> Iterator[_Raw]:
    try:
        with file.open("rb") as stream:
            try:
                yield from _read_stream(stream)
            except (EndOfFile, *_DAMAGE) as error:
                if stream.tell() <= len(MCAP0_MAGIC):
                    raise StorageError(
                        f"{file} holds no bag; name a run's folder or an .mcap file"
                    ) from error
                # A recorder that was killed leaves half a record at the end, and no end mark.
                ends_here = not stream.read(1)
                if not ends_here or is_finished(file):
                    raise _damaged(file, error) from error
    except FileNotFoundError as error:
        raise StorageError(f"{file} is missing; name a run's folder or an .mcap file") from error
    except OSError as error:
        raise StorageError(f"{file} cannot be read ({error.strerror})") from error


def _read_stream(stream: IO[bytes]) -> Iterator[_Raw]:
    schemas: dict[int, str] = {}
    channels: dict[int, Channel] = {}
    for record in StreamReader(stream, validate_crcs=True, record_size_limit=_RECORD_LIMIT).records:
        if isinstance(record, Schema):
            schemas[record.id] = record.name
            if record.name in message_types() and record.encoding == "ros2msg":
                definitions().check_schema(record.name, record.data.decode())
        elif isinstance(record, Channel):
            channels[record.id] = record
        elif isinstance(record, McapMessage):
            channel = channels[record.channel_id]
            yield _Raw(channel.topic, schemas.get(channel.schema_id, ""), record.log_time, record.data)


def _damaged(file: Path, error: Exception) -> StorageError:
    cause = str(error) or type(error).__name__
    return StorageError(f"{file} is damaged ({cause}); `mcap recover` saves the parts that can still be read")


def _read_other(folder: Path) -> Iterator[_Raw]:
    try:
        with AnyReader([folder]) as reader:
            for connection, stamp, data in reader.messages():
                yield _Raw(connection.topic, connection.msgtype, stamp, bytes(data))
    except (AnyReaderError, ReaderError) as error:
        raise StorageError(f"{folder} cannot be read ({error}); `ros2 bag reindex` may repair it") from error
