"""Tells of segments that are hardly one thing."""

from __future__ import annotations

from collections.abc import Iterable

from stma_ros.sensing.detectors.port import DetectedObject
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode

WIDE = 3.0
"""Extent of a segment from which on it is hardly one thing [m]."""


class WideSegments:
    """Tells of segments that several things seem to share, once for each category."""

    def __init__(self, remedy: str) -> None:
        """Makes one.

        Args:
            remedy: What its user can do.
        """
        self._remedy = remedy
        self._told: set[str] = set()

    def told(self, objects: Iterable[DetectedObject]) -> Error:
        """Returns what is to be told of one of the objects; none if all are of a usual size, or it was told before."""
        for each in objects:
            extent = 0.0 if each.segment is None else max(each.segment.size[:2])
            if extent > WIDE and each.category not in self._told:
                self._told.add(each.category)
                return Error(
                    ErrorCode.DETECTOR_FAILED,
                    f"a region of {each.category!r} is {extent:.1f} m across, hardly one thing: {self._remedy}",
                )
        return Error()
