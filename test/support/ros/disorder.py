"""Measures from outside how much artificial delays disturb a running graph."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from statistics import fmean
from typing import Any

from rclpy.node import Node

from stma_ros.ros.conversions import from_msg, msg_class
from stma_ros.ros.qos import PROFILES
from stma_ros.types import topics
from stma_ros.types.causality import message_id
from stma_ros.types.control import JournalEntry

# Without the images, which would cost more than they tell: the parts of a frame are published together.
_WATCHED = (
    topics.CAMERA_INFO,
    topics.CAMERA_POSE,
    topics.ODOMETRY,
    topics.OBSERVATION,
    topics.KEYFRAME_DETECTIONS,
    topics.TEMPORAL_BELIEF,
    topics.SPATIAL_BELIEF,
    topics.SCENE_GRAPH,
    topics.FRONTIERS,
    topics.PLAN_REQUEST,
    topics.PLAN,
    topics.ACTION_PROPOSAL,
    topics.CRITIQUE,
)
# On these the reader is idle when the message comes: what it waits is the delay.
_ANSWERED_AT_ONCE = (topics.PLAN_REQUEST, topics.PLAN, topics.ACTION_PROPOSAL, topics.CRITIQUE)

_Key = tuple[str, str, int]  # topic, id, revision


@dataclass(frozen=True)
class _Line:
    """One journal entry; times [s] are those of the middleware, of the publication of message and entry."""

    component: str
    topic: str
    published: float
    consumed: float


class Disorder:
    """Records published messages and the journals of the components."""

    def __init__(self, node: Node) -> None:
        """Args:
        node: subscribes in the root namespace; its thread calls back.
        """
        self._published: dict[_Key, list[float]] = defaultdict(list)
        self._journal: list[tuple[JournalEntry, float]] = []
        for topic in (*_WATCHED, topics.JOURNAL):
            spec = topics.TOPICS[topic]
            node.create_subscription(
                msg_class(spec.type), f"/{topic}", partial(self._heard, topic), PROFILES[spec.delivery]
            )

    def mean_wait(self, since: float) -> float:
        """Returns the mean time from the publication of a plan, a critique or a request for one to its consumption
        [s]."""
        return fmean(
            line.consumed - line.published for line in self._lines(since) if line.topic in _ANSWERED_AT_ONCE
        )

    def overtakings(self, since: float) -> float:
        """Returns the share of messages that were consumed right after a message published later.

        Two frames in a row are left out: a component takes frames by their stamps, however late they arrive.
        """
        by_component: dict[str, list[_Line]] = defaultdict(list)
        for line in self._lines(since):
            by_component[line.component].append(line)
        pairs = [
            pair
            for lines in by_component.values()
            for pair in pairwise(lines)
            if {line.topic for line in pair} != {topics.CAMERA_FRAME}
        ]
        return sum(later.published < earlier.published for earlier, later in pairs) / len(pairs)

    def _heard(self, topic: str, msg: Any, info: Any) -> None:
        message = from_msg(msg, topics.TOPICS[topic].type)
        stamp = info["source_timestamp"] * 1e-9
        if isinstance(message, JournalEntry):
            self._journal.append((message, stamp))
        else:
            # A frame is published with the last of its parts.
            named = topics.CAMERA_FRAME if topic in topics.FRAME else topic
            key = named, message_id(message), getattr(message, "revision", 0)
            self._published[key].append(stamp)

    def _lines(self, since: float) -> Iterator[_Line]:
        """Returns the entries in the order of consumption; `since` [s] is a time of the epoch."""
        for line, consumed in sorted(self._journal, key=lambda entry: entry[1]):
            published = sorted(self._published[line.topic, line.id, line.revision])
            before = bisect(published, consumed)  # the same ids come back in every episode
            if before and consumed >= since:
                yield _Line(line.component, line.topic, published[before - 1], consumed)
