"""What a memory refuses that is a mistake of the program, not of a sensor."""

from __future__ import annotations

from stma_ros.types.errors import StmaError


class LateFrameError(StmaError):
    """A frame that is not newer than the frames before it."""


class MemoryClosedError(StmaError):
    """A memory that is used after `close`."""
