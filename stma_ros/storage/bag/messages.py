"""Types that the readers of bag files share: recorded messages, topics, damage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from stma_ros.types.errors import StorageError


class RawMessage(NamedTuple):
    """A message as it was recorded.

    Attributes:
        topic: Full name of the topic.
        ros_type: ROS type of the message.
        stamp_ns: Log time [ns].
        data: The message as CDR.
    """

    topic: str
    ros_type: str
    stamp_ns: int
    data: bytes


@dataclass(frozen=True)
class TopicInfo:
    """Name, ROS type and number of messages of a topic in a bag."""

    name: str
    ros_type: str
    count: int


@dataclass(frozen=True)
class Damage:
    """A part of a bag that could not be read. str() describes it for users.

    Attributes:
        file: The file.
        offset: Position of the damage [bytes]; -1 = unknown.
        text: Description of the damage.
        is_cut: Whether the file only ends too early, as after a recorder was killed.
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
    """The definition of a type in a bag; `encoding` is "ros2msg" or "ros2idl"."""

    encoding: str
    text: str


class NoBagError(StorageError):
    """A file is not part of a bag; the text continues a sentence that begins with the file's name."""


class BagFile(Protocol):
    """One storage file of a bag. Its methods raise NoBagError if the file is not part of a bag."""

    def messages(self, on_damage: OnDamage, wanted: Callable[[str], bool]) -> Iterator[RawMessage]:
        """Yields the messages of the `wanted` topics in the order of the recording; damaged parts are skipped."""

    def counts(self) -> dict[tuple[str, str], int] | None:
        """Returns the number of messages by (topic, type); None if the whole file must be read to count them."""
