"""Names recorded messages as journals do, and decodes them when they are first needed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from functools import cache
from typing import IO, TypeAlias

from stma_ros.storage.bag.reader import Bag, Damage, RawMessage, Recorded
from stma_ros.storage.cdr import header_stamp
from stma_ros.storage.lossy_color import from_jpeg
from stma_ros.storage.recording import COMPRESSED_COLOR
from stma_ros.types import topics
from stma_ros.types.causality import message_id
from stma_ros.types.errors import StorageError
from stma_ros.types.message import Message, field_specs
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.standard import CompressedImage
from stma_ros.types.topics import TOPICS

Key: TypeAlias = tuple[str, str, int]
"""Topic, id and revision, as in a journal."""


class Pending:
    """A recorded message, decoded when it is first needed.

    Attributes:
        topic: relative to the robot's namespace.
        stamp_ns: log time [ns].
        size: number of its bytes, which can be spilled to a file.
    """

    def __init__(self, topic: str, raw: RawMessage, decode: Callable[[RawMessage], Message]) -> None:
        self.topic = topic
        self.stamp_ns = raw.stamp_ns
        self.size = len(raw.data)
        self._raw: RawMessage | None = raw
        self._decode = decode
        self._message: Message | None = None
        self._spilled: tuple[IO[bytes], int, RawMessage] | None = None
        self.key = self._key(raw)

    @property
    def message(self) -> Message:
        """The decoded message. Raises StorageError for bytes that do not fit the topic's type."""
        if self._message is None:
            self._message = self._decode(self._raw or self._unspill())
        return self._message

    def spill(self, file: IO[bytes], offset: int) -> None:
        """Writes the bytes to a file at an offset, and reads them from there when they are needed."""
        assert self._raw is not None
        file.seek(offset)
        file.write(self._raw.data)
        self._spilled = file, offset, self._raw._replace(data=b"")
        self._raw = self._message = None

    def _unspill(self) -> RawMessage:
        assert self._spilled is not None
        file, offset, about = self._spilled
        file.seek(offset)
        return about._replace(data=file.read(self.size))

    def _key(self, raw: RawMessage) -> Key:
        """Returns the key; of images and other large messages, without decoding them."""
        if self.topic in _named_by_stamp():
            return self.topic, str(header_stamp(raw.data)), 0
        return key_of(self.topic, self.message)


def key_of(topic: str, message: Message) -> Key:
    return topic, message_id(message), getattr(message, "revision", 0)


class Reader:
    """The messages of a bag on the topics of this package.

    Attributes:
        topics: relative names of the bag's topics.
        is_lossy: whether colour was recorded as JPEG; it is decoded to images.
    """

    def __init__(self, bag: Bag, on_damage: Callable[[Damage], None]) -> None:
        self._bag = bag
        self._on_damage = on_damage
        namespace = bag.namespace()
        prefix = f"/{namespace}/" if namespace else "/"
        self._relative = {
            prefix + name: name
            for name, spec in TOPICS.items()
            if prefix + name in bag.topics and bag.topics[prefix + name].ros_type == spec.type.ROS_TYPE
        }
        jpeg = prefix + COMPRESSED_COLOR
        self.is_lossy = topics.COLOR not in self._relative.values() and jpeg in bag.topics
        if self.is_lossy:
            self._relative[jpeg] = topics.COLOR
        self.topics = frozenset(self._relative.values())

    def messages(self, only: Collection[str] = ()) -> Iterator[Pending]:
        """Yields the messages in the order of the recording, of the given relative topics or of all. Unreadable ones
        are reported and skipped."""
        for raw in self._bag.messages(self._on_damage, self._wanted(only)):
            try:
                yield Pending(self._relative[raw.topic], raw, self._decode)
            except StorageError as error:
                self._damaged(raw.topic, error)

    def decoded(self, only: Collection[str] = ()) -> Iterator[Recorded]:
        """Yields the decoded messages."""
        for pending in self.messages(only):
            message = self.content(pending)
            if message is not None:
                yield Recorded(pending.topic, pending.stamp_ns, message)

    def content(self, pending: Pending) -> Message | None:
        """Decodes a message; returns None for an unreadable one, which is reported."""
        try:
            return pending.message
        except StorageError as error:
            self._damaged(pending.topic, error)
            return None

    @property
    def spoken(self) -> frozenset[str]:
        """The topics with messages."""
        return frozenset(name for full, name in self._relative.items() if self._bag.topics[full].count)

    def count(self, only: Collection[str] = ()) -> int:
        """Returns the number of messages."""
        return sum(self._bag.topics[full].count for full in self._wanted(only))

    def keyframes(self) -> frozenset[int]:
        """Returns the stamps of all keyframes [ns]. Damage is not reported: it is where the messages are read."""
        wanted = self._wanted((topics.KEYFRAME_DETECTIONS,))
        return frozenset(self._keyframe_stamps(self._bag.messages(lambda damage: None, wanted)))

    def _keyframe_stamps(self, messages: Iterable[RawMessage]) -> Iterator[int]:
        for raw in messages:
            with suppress(StorageError):
                detections = self._bag.decode(raw, KeyframeDetections)
                if detections.keyframe:
                    yield detections.header.stamp.nanoseconds

    def _wanted(self, only: Collection[str]) -> set[str]:
        return {full for full, name in self._relative.items() if not only or name in only}

    def _damaged(self, topic: str, error: Exception) -> None:
        self._on_damage(Damage(self._bag.path, -1, f"a message on {topic} cannot be read: {error}"))

    def _decode(self, raw: RawMessage) -> Message:
        if raw.ros_type == CompressedImage.ROS_TYPE:
            return from_jpeg(self._bag.decode(raw, CompressedImage))
        return self._bag.decode(raw, TOPICS[self._relative[raw.topic]].type)


@cache
def _named_by_stamp() -> frozenset[str]:
    """Returns the topics of which causality.message_id needs only the header."""
    fields = {name: [field.name for field in field_specs(spec.type)] for name, spec in TOPICS.items()}
    return frozenset(
        name
        for name, names in fields.items()
        if names[0] == "header" and not {"task_id", "revision"} & set(names)
    )
