"""Errors of programs that use a memory in the wrong way, as opposed to faults of sensors."""

from __future__ import annotations

from stma_ros.types.errors import StmaError


class LateFrameError(StmaError):
    """A frame that is not newer than the frames before it."""


class MemoryClosedError(StmaError):
    """A memory that is used after `close`."""
