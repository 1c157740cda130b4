"""When two views of an object are from different places."""

from __future__ import annotations

import math
from collections.abc import Sequence

ELSEWHERE = 0.4
"""From this far away [m], a view is further evidence: a detector repeats its mistakes at the same place."""


def is_elsewhere(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether two positions of a camera (3,) [m] are that far apart; False where one of them is not known (NaN)."""
    return math.dist(one, other) >= ELSEWHERE
