"""Axis-aligned boxes in the map frame, and the distances between them."""

from __future__ import annotations

import math

from stma_ros.worlds.robot.geometry import Rect

Box = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Centre and extents along the axes of the map [m]."""


def footprint_of(box: Box) -> Rect:
    (x, y, _), (width, depth, _) = box
    return Rect(x - width / 2, y - depth / 2, x + width / 2, y + depth / 2)


def gap(a: Box, b: Box) -> float:
    """Returns the distance between two boxes, 0 where they touch or overlap [m]."""
    return math.hypot(*(max(abs(a[0][k] - b[0][k]) - (a[1][k] + b[1][k]) / 2, 0.0) for k in range(3)))
