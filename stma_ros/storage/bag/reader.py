"""Reads bags of this package, also unfinished ones, and bags of other recorders and distributions."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from stma_ros.storage.bag.definitions import BagDefinitions
from stma_ros.storage.bag.layout import find_bag
from stma_ros.storage.bag.mcap.file import McapFile
from stma_ros.storage.bag.mcap.records import ends_as_bag
from stma_ros.storage.bag.messages import (
    BagFile,
    Damage,
    Definition,
    NoBagError,
    OnDamage,
    RawMessage,
    TopicInfo,
)
from stma_ros.storage.bag.metadata import METADATA_FILE
from stma_ros.storage.bag.packed_files import unpack_message, unpacked
from stma_ros.storage.bag.sqlite_file import SqliteFile
from stma_ros.types import topics
from stma_ros.types.control import JournalEntry
from stma_ros.types.errors import StorageError
from stma_ros.types.message import Message

__all__ = ["Bag", "Damage", "RawMessage", "Recorded", "TopicInfo", "message_types", "read_bag"]

MessageT = TypeVar("MessageT", bound=Message)


class Recorded(NamedTuple):
    """A decoded message of a bag.

    Attributes:
        topic: Name of the topic relative to the robot's namespace.
        stamp_ns: Log time [ns].
        message: The message.
    """

    topic: str
    stamp_ns: int
    message: Message


class Bag:
    """A recorded bag, finished or not.

    Messages are streamed from the files at each iteration.
    """

    def __init__(self, path: Path) -> None:
        """Finds the files of a bag.

        Args:
            path: A run's folder, a rosbag2 folder (MCAP or SQLite, also zstd-compressed), an .mcap or a .db3 file.

        Raises:
            StorageError: There is no bag.
        """
        self.path = path
        self._layout = find_bag(path)
        self._known: dict[str, Definition] = {}
        self._decoders = BagDefinitions(self._known, self._layout.distribution)

    @cached_property
    def topics(self) -> Mapping[str, TopicInfo]:
        """The topics by full name. An unfinished bag is read completely once to find them."""
        counts: Counter[tuple[str, str]] = Counter()
        for file in self._layout.files:
            if file.exists():
                counts.update(self._count(file))
        types: dict[str, str] = {}
        totals: Counter[str] = Counter()
        for (name, ros_type), count in counts.items():
            types.setdefault(name, ros_type)
            totals[name] += count
        return {name: TopicInfo(name, ros_type, totals[name]) for name, ros_type in types.items()}

    @property
    def files(self) -> Sequence[Path]:
        """The files of the bag, in order; some may be missing."""
        return self._layout.files

    @property
    def folder(self) -> Path:
        """The bag's folder, or the folder of its file."""
        return self.path if self.path.is_dir() else self.path.parent

    @property
    def message_count(self) -> int:
        """Number of messages of all topics."""
        return sum(info.count for info in self.topics.values())

    @property
    def is_finished(self) -> bool:
        """Whether the recorder closed all files."""
        return all(_is_file_finished(file) for file in self._layout.files)

    @property
    def custom_data(self) -> Mapping[str, str]:
        """The custom_data of metadata.yaml; in bags of this package, settings and versions of the run."""
        custom = self._layout.metadata.get("custom_data")
        return {str(key): str(value) for key, value in custom.items()} if isinstance(custom, dict) else {}

    @property
    def namespaces(self) -> tuple[str, ...]:
        """The namespaces of all robots with a journal, without slashes ("robot_1"; "" = none), in order."""
        ending = f"/{topics.JOURNAL}"
        return tuple(
            name.removesuffix(ending).strip("/")
            for name, about in sorted(self.topics.items())
            if about.ros_type == JournalEntry.ROS_TYPE and name.endswith(ending)
        )

    def namespace(self) -> str:
        """Returns the robot's namespace without slashes ("robot_1"), by its journal; "" if there is no journal.

        Raises:
            StorageError: There are journals of several robots.
        """
        found = self.namespaces
        if len(found) > 1:
            robots = ", ".join(name or "one without a namespace" for name in found)
            raise StorageError(
                f"{self.path} holds the runs of {len(found)} robots ({robots}), and one at a time can be read: write "
                f"the topics of one to a bag of its own, as `ros2 bag convert` does with `regex: /{found[-1]}/.*`"
            )
        return next(iter(found), "")

    def messages(
        self, on_damage: OnDamage | None = None, topics: Collection[str] | None = None
    ) -> Iterator[RawMessage]:
        """Yields messages in the order of the recording.

        Args:
            on_damage: Called for each damaged part, which is left out. None raises StorageError at the first one,
                except if the bag only ends too early because its recorder was killed.
            topics: Full names of topics; None = all.

        Raises:
            StorageError: A part is damaged, and `on_damage` is None.
        """
        report = on_damage or _raise_damage
        wanted = frozenset(topics).__contains__ if topics is not None else _any_topic
        for path in self._layout.files:
            yield from self._tolerant_messages(path, report, wanted)

    def decode(self, raw: RawMessage, type_: type[MessageT]) -> MessageT:
        """Decodes a message by the bag's definition of its type. If that differs, fields are matched by name.

        Raises:
            StorageError: The message is of another type, its bytes are damaged, the bag's definition lacks a field, or
                it is a message of this package that was recorded with other fields.
        """
        if raw.ros_type != type_.ROS_TYPE:
            raise StorageError(f"{raw.topic} holds {raw.ros_type}, not {type_.ROS_TYPE}; name another topic")
        return self._decoders.decode(raw.data, type_)

    def decode_plain(self, raw: RawMessage, default: Definition) -> Any:
        """Decodes a message of a type that this package has no class of, by the bag's definition of it.

        Args:
            raw: The message.
            default: Definition of its type for bags that hold none.

        Returns:
            An object with the message's fields as attributes.

        Raises:
            StorageError: The bytes are damaged, or the definition cannot be used.
        """
        return self._decoders.decode_plain(raw.data, raw.ros_type, default)

    def _tolerant_messages(
        self, path: Path, report: OnDamage, wanted: Callable[[str], bool]
    ) -> Iterator[RawMessage]:
        """Yields the messages of one file. An unreadable file is reported as damage if the bag has other files."""
        try:
            yield from self._file_messages(path, report, wanted)
        except NoBagError as error:
            if len(self._layout.files) == 1:
                raise NoBagError(f"{path} {error}") from error
            # A recorder that was killed may have just created its next file.
            report(Damage(path, 0, f"the file {error}", is_cut=path.stat().st_size == 0))

    def _file_messages(
        self, path: Path, report: OnDamage, wanted: Callable[[str], bool]
    ) -> Iterator[RawMessage]:
        if not path.exists():
            report(Damage(path, 0, f"the file is missing, though {METADATA_FILE} lists it"))
            return
        with unpacked(path, report) as content:
            for raw in self._reader(content).messages(lambda d: report(replace(d, file=path)), wanted):
                if not self._layout.compresses_messages:
                    yield raw
                    continue
                try:
                    yield raw._replace(data=unpack_message(raw.data))
                except ValueError as error:
                    report(Damage(path, 0, f"a message on {raw.topic} cannot be decompressed ({error})"))

    def _count(self, path: Path) -> Mapping[tuple[str, str], int]:
        with unpacked(path, _ignore) as content, suppress(NoBagError):
            counts = self._reader(content).counts()
            if counts is not None:
                return counts
        messages = self._tolerant_messages(path, _ignore, _any_topic)
        return Counter((raw.topic, raw.ros_type) for raw in messages)

    def _reader(self, file: Path) -> BagFile:
        kind = SqliteFile if file.suffix == ".db3" else McapFile
        return kind(file, self._known)


def read_bag(path: Path, namespace: str = "") -> Iterator[Recorded]:
    """Yields the messages of a bag in the order of the recording, except those of unknown types.

    Args:
        path: Path of the bag, as for `Bag`. An unfinished bag is read to its end.
        namespace: The robot's namespace.

    Raises:
        StorageError: The bag does not exist, is damaged (raised at the damaged part), or was recorded with other
            definitions of this package's messages.
    """
    prefix = f"/{namespace.strip('/')}/" if namespace.strip("/") else "/"
    known = message_types()
    bag = Bag(path)
    for raw in bag.messages():
        if raw.ros_type in known:
            message = bag.decode(raw, known[raw.ros_type])
            yield Recorded(raw.topic.removeprefix(prefix), raw.stamp_ns, message)


@lru_cache(maxsize=1)
def message_types() -> dict[str, type[Message]]:
    """Returns the message classes of all topics by ROS type."""
    return {spec.type.ROS_TYPE: spec.type for spec in topics.TOPICS.values()}


def _is_file_finished(file: Path) -> bool:
    if file.suffix != ".mcap":
        return file.exists()
    try:
        with file.open("rb") as stream:
            return ends_as_bag(stream.fileno(), os.fstat(stream.fileno()).st_size)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StorageError(f"{file} cannot be read ({error.strerror}); name a run's folder") from error


def _raise_damage(damage: Damage) -> None:
    if not damage.is_cut:
        raise StorageError(
            f"{damage.file} is damaged (byte {damage.offset}: {damage.text}); "
            "`mcap recover` saves the parts that can still be read"
        )


def _ignore(damage: Damage) -> None:
    """Ignores damage, which is reported when the messages are read."""


def _any_topic(topic: str) -> bool:
    return True
