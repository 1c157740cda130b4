"""Types that the readers of bag files share: recorded messages, topics, damage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from stma_ros.types.errors import StorageError


class RawMessage(NamedTuple):
    """A message as it was recorded: `topic` is its full name, `stamp_ns` its log time [ns], `data` its CDR."""

    topic: str
    ros_type: str
    stamp_ns: int
    data: bytes


@dataclass(frozen=True)
class TopicInfo:
    """A topic of a bag and how many messages it holds."""

    name: str
    ros_type: str
    count: int


@dataclass(frozen=True)
class Damage:
    """A part of a bag that could not be read: from byte `offset` of `file` on; -1: not known. str() is a sentence for
    people.

    `is_cut`: the file only ends too early, as a recorder that was killed leaves it.
    """

    file: Path
    offset: int
    text: str
    is_cut: bool = False

    def __str__(self) -> str:
        where = f", byte {self.offset}" if self.offset >= 0 else ""
        return f"{self.file.name}{where}: {self.text}"


OnDamage = Callable[[Damage], None]


class Definition(NamedTuple):
    """How a bag describes a type: `encoding` is "ros2msg" or "ros2idl"."""

    encoding: str
    text: str


class NoBagError(StorageError):
    """A file in which there is nothing of a bag; its text goes on from the file's name."""


class BagFile(Protocol):
    """One storage file of a bag. Its methods raise NoBagError where it is none at all."""

    def messages(self, on_damage: OnDamage, wanted: Callable[[str], bool]) -> Iterator[RawMessage]:
        """The messages of the topics that are `wanted`, in the order of the recording; damage is skipped."""

    def counts(self) -> dict[tuple[str, str], int] | None:
        """The number of messages of each (topic, type), where the file states it without being read."""
