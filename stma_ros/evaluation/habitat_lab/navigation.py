"""Computes measures of paths, as the navigation benchmarks define them (Anderson et al. 2018, arXiv:1807.06757)."""

from __future__ import annotations

SPL = "spl"
"""The key of a measure: success weighted by path length [%]."""

SOFT_SPL = "soft_spl"
"""The key of a measure: SPL with the gained share of the distance in place of success [%]."""

DISTANCE_TO_GOAL = "distance_to_goal"
"""The key of a measure: the length of the shortest path from the end to the goal [m]."""

PATH_LENGTH = "path_length"
"""The key of a measure: the driven distance [m]."""

SHORTEST_PATH = "shortest_path"
"""The key of a measure: length of the shortest path from the start to the goal, by the benchmark [m]."""


def spl(success: bool, shortest: float, driven: float) -> float:
    """Returns success weighted by path length [%]. shortest, driven: path lengths [m]. A robot that starts at the goal
    and stays there scores 100."""
    return 100.0 * success * efficiency(shortest, driven)


def soft_spl(shortest: float, driven: float, left: float) -> float:
    """Returns the soft SPL [%]. left: length of the shortest path from the end to the goal [m]."""
    gained = max(0.0, 1 - left / shortest) if shortest > 0 else float(left == 0)
    return 100 * gained * efficiency(shortest, driven)


def efficiency(shortest: float, driven: float) -> float:
    """Returns the shortest path length divided by the driven length, at most 1."""
    return shortest / max(shortest, driven) if max(shortest, driven) > 0 else 1.0
