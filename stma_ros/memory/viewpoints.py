"""When two views of an object are from different places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from stma_ros.memory.boxes import Corner

Position: TypeAlias = tuple[float, ...]
"""(3,) position of a camera [m]."""

ELSEWHERE = 0.4
"""From this far away [m], a view is further evidence: a detector repeats its mistakes at the same place."""


def is_elsewhere(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether two positions of a camera (3,) [m] are that far apart; False where one of them is not known (NaN)."""
    return math.dist(one, other) >= ELSEWHERE


def position_of(viewpoint: Corner | None) -> Position | None:
    """Returns a viewpoint (3,) as plain values; None = not known."""
    return None if viewpoint is None else tuple(float(each) for each in viewpoint)


def is_here(one: Position | None, other: Position | None) -> bool:
    """Whether two positions are one place: not known to be elsewhere."""
    return one is None or other is None or not is_elsewhere(one, other)
