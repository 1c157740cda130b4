"""Finds lost messages by the sequence numbers of their publishers."""

from __future__ import annotations

from rclpy.subscription import MessageInfo


class GapDetector:
    """Follows every publisher's sequence numbers; without them, as in some middleware, it finds no gaps."""

    def __init__(self) -> None:
        self._last: dict[tuple[str, bytes], int] = {}

    def lost(self, topic: str, info: MessageInfo) -> int:
        """Returns the number of missing messages between the publisher's previous message and this one."""
        number, publisher = info["publication_sequence_number"], info["publisher_gid"]
        if number is None or publisher is None:
            return 0
        key = (topic, bytes(publisher["data"]))
        previous = self._last.get(key, number - 1)
        self._last[key] = number
        return max(0, number - previous - 1)
