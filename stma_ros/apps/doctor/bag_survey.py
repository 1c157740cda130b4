"""Counts the messages of a bag, measures their rates and samples a topic, in one pass."""

from __future__ import annotations

from dataclasses import dataclass, field

from stma_ros.sensing.topic_map import KINDS
from stma_ros.storage.bag.messages import Damage, RawMessage
from stma_ros.storage.bag.reader import Bag
from stma_ros.storage.cdr import header_frame, header_stamp
from stma_ros.types.errors import StorageError
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, TFMessage

_STAMPED = {ros_type for types in KINDS.values() for ros_type in types} - {TFMessage.ROS_TYPE}
"""Types that begin with a header."""

_SAMPLE = 24
"""Largest number of sampled messages; images are large."""


@dataclass
class Stream:
    """A topic. Stamps are the headers', or the log times of messages without; times are [ns]."""

    name: str
    count: int = 0
    frame_id: str = ""
    without_stamp: int = 0
    jumps_back: int = 0
    longest_gap: int = 0
    first: int = 0
    last: int = 0

    @property
    def rate(self) -> float:
        """The rate [Hz]; 0 where it is unknown."""
        seconds = (self.last - self.first) / NANOSECONDS_PER_SECOND
        return (self.count - 1) / seconds if seconds > 0 else 0.0

    def take(self, raw: RawMessage) -> None:
        stamp = 0
        if raw.ros_type in _STAMPED:
            stamp = _stamp(raw)
            self.frame_id = self.frame_id or header_frame(raw.data)
            self.without_stamp += not stamp
        stamp = stamp or raw.stamp_ns
        if self.count == 0:
            self.first = stamp
        else:
            self.jumps_back += stamp < self.last
            self.longest_gap = max(self.longest_gap, stamp - self.last)
        self.last = stamp
        self.count += 1


@dataclass
class EvenSample:
    """Some messages of a sequence of unknown length, evenly spread over it: at first all, later every second, fourth
    and so on, so that there are never more than `limit`."""

    limit: int
    messages: list[RawMessage] = field(default_factory=list)
    _stride: int = 1
    _seen: int = 0

    def take(self, raw: RawMessage) -> None:
        if self._seen % self._stride == 0:
            self.messages.append(raw)
        self._seen += 1
        if len(self.messages) > self.limit:
            del self.messages[1::2]
            self._stride *= 2


@dataclass
class Survey:
    """first, last: log times [ns]. sample: of the messages of one topic."""

    streams: dict[str, Stream] = field(default_factory=dict)
    sample: EvenSample = field(default_factory=lambda: EvenSample(_SAMPLE))
    damages: list[Damage] = field(default_factory=list)
    first: int = 0
    last: int = 0

    @property
    def seconds(self) -> float:
        return (self.last - self.first) / NANOSECONDS_PER_SECOND


def _stamp(raw: RawMessage) -> int:
    """Returns the stamp [ns]; 0 without a usable one."""
    try:
        return max(0, header_stamp(raw.data))
    except StorageError:
        return 0


def survey(bag: Bag, sampled: str = "") -> Survey:
    """Reads a bag once. sampled: the topic of which messages are kept."""
    seen = Survey()
    for raw in bag.messages(on_damage=seen.damages.append):
        if raw.topic == sampled:
            seen.sample.take(raw)
        stream = seen.streams.setdefault(raw.topic, Stream(raw.topic))
        stream.take(raw)
        seen.first = min(seen.first or raw.stamp_ns, raw.stamp_ns)
        seen.last = max(seen.last, raw.stamp_ns)
    return seen
