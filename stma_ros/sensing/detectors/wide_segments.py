"""Reports segments that are hardly one thing."""

from __future__ import annotations

from collections.abc import Iterable

from stma_ros.memory.nouns import listed
from stma_ros.sensing.detectors.port import DetectedObject
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode

WIDE = 3.0
"""Extent of a segment beyond which it is hardly one thing [m]."""


class WideSegments:
    """Reports segments that several things seem to share, once for each category."""

    def __init__(self, remedy: str) -> None:
        """Makes one.

        Args:
            remedy: What its user can do.
        """
        self._remedy = remedy
        self._reported: set[str] = set()

    def report(self, objects: Iterable[DetectedObject]) -> Error:
        """Returns an error that names each category of which a region is too wide and which was not reported before;
        none if there is no such."""
        found: dict[str, float] = {}
        for each in objects:
            extent = 0.0 if each.segment is None else max(each.segment.size[:2])
            if extent > WIDE and each.category not in self._reported:
                found[each.category] = max(extent, found.get(each.category, 0.0))
        if not found:
            return Error()
        self._reported |= found.keys()
        regions = listed(
            [f"a region of {category!r} is {extent:.1f} m across" for category, extent in found.items()]
        )
        return Error(ErrorCode.DETECTOR_FAILED, f"{regions}, hardly one thing: {self._remedy}")
