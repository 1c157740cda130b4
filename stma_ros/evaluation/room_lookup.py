"""Finds the room around a point."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from stma_ros.types.standard import Point, Point32
from stma_ros.types.truth import GroundTruthRoom


def room_at(point: Point, rooms: Iterable[GroundTruthRoom]) -> str:
    """Returns the name of the room around a point, at any height; empty where there is none."""
    return next((room.name for room in rooms if _is_inside(point, room.footprint.points)), "")


def _is_inside(point: Point, polygon: Sequence[Point32]) -> bool:
    """Tests the parity of crossings of a ray along +x."""
    inside = False
    for a, b in zip(polygon, (*polygon[1:], *polygon[:1]), strict=True):
        if (a.y > point.y) != (b.y > point.y):
            inside ^= point.x < a.x + (point.y - a.y) * (b.x - a.x) / (b.y - a.y)
    return inside
