"""Bounds the camera images that wait for a component that is slower than the camera."""

from __future__ import annotations

import threading
from typing import Any

from stma_ros.types import topics
from stma_ros.types.standard import NANOSECONDS_PER_SECOND
from stma_ros.types.topics import Delivery


class CameraBacklog:
    """Counts the bytes of images in an inbox, and turns whole frames away while there are too many. Thread-safe.

    Attributes:
        dropped: Number of frames that were turned away.
    """

    def __init__(self, limit: int) -> None:
        """Makes an empty backlog. limit: bytes of images that may wait; 0 = any number."""
        self.dropped = 0
        self._limit = limit
        self._waiting = 0
        self._admitted = -1  # stamp of the newest frame that was admitted [ns]
        self._refused = -1  # of the newest one that was not
        self._lock = threading.Lock()

    def admit(self, topic: str, message: Any) -> bool:
        """Takes a ROS message into account that is to be enqueued.

        Returns:
            Whether it may be enqueued. Parts of a frame of which others were admitted are, so that it is complete.
        """
        if topics.TOPICS[topic].delivery is not Delivery.SENSOR:
            return True
        stamp = message.header.stamp.sec * NANOSECONDS_PER_SECOND + message.header.stamp.nanosec
        with self._lock:
            if stamp > self._admitted and (stamp <= self._refused or self._is_full()):
                self.dropped += stamp > self._refused
                self._refused = max(self._refused, stamp)
                return False
            self._admitted = max(self._admitted, stamp)
            self._waiting += _size(message)
            return True

    def take(self, topic: str, message: Any) -> None:
        """Takes a message into account that has left the inbox."""
        if topics.TOPICS[topic].delivery is Delivery.SENSOR:
            with self._lock:
                self._waiting = max(0, self._waiting - _size(message))

    def clear(self) -> None:
        """Forgets what waits, as the inbox was emptied."""
        with self._lock:
            self._waiting, self._admitted, self._refused = 0, -1, -1

    def _is_full(self) -> bool:
        return 0 < self._limit <= self._waiting


def _size(message: Any) -> int:
    return len(getattr(message, "data", b""))
