"""Plays a bag onto the live ROS graph: the recorded bytes, at the recorded pace, with a clock."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from rclpy.duration import Duration
from rclpy.publisher import Publisher

from stma_ros.ros.background_node import BackgroundNode
from stma_ros.ros.conversions import msg_class, to_msg
from stma_ros.ros.dummy_bridge import DummyBridge
from stma_ros.ros.graph import EXECUTOR, is_connected
from stma_ros.ros.playback_clock import LONGEST_WAIT, PlaybackClock
from stma_ros.ros.playlist import PLAYER, Playlist
from stma_ros.ros.qos import PROFILES
from stma_ros.ros.task_client import TaskClient
from stma_ros.ros.topic_survey import DISCOVERY
from stma_ros.storage.bag.reader import Bag, Damage
from stma_ros.storage.cdr import from_cdr, to_cdr
from stma_ros.storage.lossy_color import from_jpeg
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError, StorageError
from stma_ros.types.standard import Clock, CompressedImage, Time

_MATCHING = 1.0  # time to discover readers [s]
_CONNECTING = 5.0  # longest time for known readers to be connected [s]
_TICK = 0.02  # period of a clock that the bag does not contain [s]
_LATEST_NS = 2**31 * 10**9  # largest stamp of a message
_SENT = 2.0  # time for the last messages to reach their readers [s]
_START = 90.0  # time for living nodes to become active [s]
_POLL = 0.1  # [s]

Progress = Callable[[str], None]


class Player(BackgroundNode):
    """Publishes the messages of a bag in place of their recorded publishers.

    Messages are published in the order of the bag and at the pace of their log times, byte for byte as recorded, except
    that colour recorded as JPEG is published as images. A bag without a clock gets one with the log time.
    """

    def __init__(self, bag: Bag, playlist: Playlist, feed: bool = False) -> None:
        """Looks at the graph for 4 s.

        Args:
            bag: the bag.
            playlist: its topics to play.
            feed: whether living nodes that wait for a robot's body process the messages.

        Raises:
            ConfigurationError: another player runs, or another node publishes a topic of the playlist.
        """
        self._bag = bag
        self._tracks = playlist.tracks
        super().__init__(PLAYER, playlist.namespace)
        try:
            self._refuse_company(feed)
            self._publishers: dict[str, Publisher[Any]] = {
                track.recorded: self._node.create_publisher(track.msg_class, track.name, track.profile)
                for track in self._tracks
            }
            self._ticked = 0.0
            self._clock = None if self._has_clock() else self._make_clock()
            self._body = DummyBridge(self._node) if feed else None
            self.start()
        except BaseException:
            self.close()  # otherwise the middleware would be torn down with the interpreter
            raise

    def wait_for_readers(self, progress: Progress = lambda _: None) -> None:
        """Waits until existing readers are connected and the nodes to feed are active.

        Args:
            progress: receives each new line on what is missing.

        Raises:
            GraphError: the nodes are not active after 90 s.
        """
        time.sleep(_MATCHING)
        deadline = time.monotonic() + _CONNECTING
        while not all(map(self._is_connected, self._publishers.values())) and time.monotonic() < deadline:
            time.sleep(_POLL)
        if self._body is not None:
            with TaskClient(self._node.get_namespace(), follow=()) as client:
                client.wait_until_active(_START, progress)

    def play(
        self,
        rate: float = 1.0,
        on_message: Callable[[], None] = lambda: None,
        on_damage: Callable[[Damage], None] | None = None,
        progress: Progress = lambda _: None,
    ) -> int:
        """Publishes all messages and returns their number.

        Args:
            rate: seconds of the recording per second.
            on_message: called after each message.
            on_damage: as in Bag.messages.
            progress: receives a line on each jump of the log times, which are followed (see PlaybackClock).
        """
        if not 0 < rate < float("inf"):
            raise ConfigurationError(f"a bag cannot be played at rate {rate:g}; give a number above 0")
        pace = PlaybackClock(rate)
        count = 0
        jpegs = {track.recorded for track in self._tracks if track.is_jpeg}
        for raw in self._bag.messages(on_damage, topics=self._publishers.keys()):
            jump = pace.go_to(raw.stamp_ns)
            if jump > 0:
                progress(
                    f"{raw.topic}: after a pause of {jump:.0f} s, of which {LONGEST_WAIT:.0f} s are played"
                )
            elif jump < 0:
                progress(f"{raw.topic}: the log time jumps back by {-jump:.0f} s")
            self._wait(pace)
            try:
                data = _image(raw.data) if raw.topic in jpegs else raw.data
            except StorageError as error:
                progress(f"{raw.topic}: {error}")
                continue
            self._publishers[raw.topic].publish(data)
            on_message()
            count += 1
        self._show(pace)
        until = time.monotonic() + _SENT
        for publisher in self._publishers.values():
            publisher.wait_for_all_acked(Duration(seconds=max(0.0, until - time.monotonic())))
        return count

    def _refuse_company(self, feed: bool) -> None:
        """Refuses other publishers of the same topics, whose messages could not be distinguished from the bag's. Living
        nodes to feed have an executor of their own.

        Another player that is still checking publishes nothing yet, but its node exists: of two players, the later one
        stays.
        """
        time.sleep(DISCOVERY)
        domain = os.environ.get("ROS_DOMAIN_ID", "0")
        namespace = self._node.get_namespace()
        if self._node.get_node_names_and_namespaces().count((PLAYER, namespace)) > 1:
            raise ConfigurationError(
                f"another {PLAYER} is in namespace {namespace} of ROS domain {domain}. End it, play into "
                "another namespace, or set ROS_DOMAIN_ID to a number of your own"
            )
        for name in (*(track.name for track in self._tracks), topics.CLOCK):
            others = {info.node_name for info in self._node.get_publishers_info_by_topic(name)}
            others -= {EXECUTOR} if feed else set()
            if others:
                raise ConfigurationError(
                    f"{min(others)} publishes {name} in ROS domain {domain} already. End it, play into another "
                    "namespace, or set ROS_DOMAIN_ID to a number of your own"
                )

    def _is_connected(self, publisher: Publisher[Any]) -> bool:
        return is_connected(publisher, self._node.get_subscriptions_info_by_topic(publisher.topic_name))

    def _has_clock(self) -> bool:
        return any(track.msg_class is msg_class(Clock) for track in self._tracks)

    def _make_clock(self) -> Publisher[Any]:
        profile = PROFILES[topics.TOPICS[topics.CLOCK].delivery]
        return self._node.create_publisher(msg_class(Clock), topics.CLOCK, profile)

    def _wait(self, pace: PlaybackClock) -> None:
        """Waits until a message is due, while the clock advances."""
        while True:
            if time.monotonic() - self._ticked >= _TICK:
                self._show(pace)
            left = pace.left()
            if left <= 0:
                return
            time.sleep(min(left, _TICK) if self._clock is not None else left)

    def _show(self, pace: PlaybackClock) -> None:
        """Publishes the clock, if it is this player's and the log time fits its message."""
        self._ticked = time.monotonic()
        now = pace.log_time()
        if self._clock is not None and 0 <= now < _LATEST_NS:
            self._clock.publish(to_msg(Clock(Time.from_nanoseconds(now))))


def _image(data: bytes) -> bytes:
    return to_cdr(from_jpeg(from_cdr(data, CompressedImage)))
