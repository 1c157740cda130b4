"""Counts the messages of a bag, and bounds the images that wait to be written."""

from __future__ import annotations

import threading


class BagBacklog:
    """What waits to be written into a bag, and what became of the rest. Thread-safe.

    Attributes:
        waiting: number of messages that wait.
        written: number of messages in the bag.
        dropped: number of images that were turned away.
        failed: number of messages that could not be written.
    """

    def __init__(self, limit: int) -> None:
        """Begins with an empty bag. limit: size of the waiting messages beyond which no image may be added [bytes]."""
        self.waiting = self.written = self.dropped = self.failed = 0
        self._limit = limit
        self._size = 0
        self._lock = threading.Lock()

    @property
    def not_recorded(self) -> int:
        return self.dropped + self.failed

    @property
    def warning(self) -> str:
        """Describes a writer that is slower than the topics, or what is missing; empty = it keeps up and nothing is."""
        if self._size <= self._limit // 2:
            return f"{self.not_recorded} message(s) were not recorded" if self.not_recorded else ""
        return (
            f"{self._size / 1e6:.0f} MB wait to be written, and beyond {self._limit / 1e6:g} MB camera images are "
            f"dropped ({self.dropped} so far): exclude topics, lower the camera's rate, or record on a faster disk"
        )

    def admit(self, size: int, *, is_image: bool) -> bool:
        """Takes a message into account that is to wait; returns whether it may. size: in bytes."""
        with self._lock:
            if is_image and self._size + size > self._limit:
                self.dropped += 1
                return False
            self.waiting += 1
            self._size += size
            return True

    def end(self, size: int, *, is_written: bool) -> None:
        """Takes a message into account that waits no longer. size: in bytes."""
        with self._lock:
            self.waiting -= 1
            self._size -= size
            if is_written:
                self.written += 1
            else:
                self.failed += 1
