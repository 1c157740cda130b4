"""Bounds the camera images that wait for a component that is slower than the camera."""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

from stma_ros.types import topics
from stma_ros.types.standard import NANOSECONDS_PER_SECOND

_PARTS = frozenset(topics.FRAME)

_LATEST = 32
"""Number of frames whose other parts may still come."""


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
        self._admitted: deque[int] = deque(maxlen=_LATEST)  # stamps of frames [ns]
        self._refused: deque[int] = deque(maxlen=_LATEST)
        self._lock = threading.Lock()

    def admit(self, topic: str, message: Any) -> bool:
        """Takes a ROS message into account that is to be enqueued.

        Returns:
            Whether it may be enqueued. All parts of a frame are treated as the first one was.
        """
        if topic not in _PARTS:
            return True
        stamp = message.header.stamp.sec * NANOSECONDS_PER_SECOND + message.header.stamp.nanosec
        with self._lock:
            if stamp in self._refused:
                return False
            if stamp not in self._admitted:
                if 0 < self._limit <= self._waiting:
                    self._refused.append(stamp)
                    self.dropped += 1
                    return False
                self._admitted.append(stamp)
            self._waiting += _size(message)
            return True

    def take(self, topic: str, message: Any) -> None:
        """Takes a message into account that has left the inbox."""
        if topic in _PARTS:
            with self._lock:
                self._waiting = max(0, self._waiting - _size(message))

    def clear(self) -> None:
        """Forgets what waits, as the inbox was emptied."""
        with self._lock:
            self._waiting = 0
            self._admitted.clear()
            self._refused.clear()


def _size(message: Any) -> int:
    return len(getattr(message, "data", b""))
