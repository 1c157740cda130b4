"""How far a keyframe is turned against what is remembered.

Odometry drifts between two corrections of the localisation, most of all in turning, and what lies a few metres away
then seems to lie beside its place: small things that stand side by side are taken for one another, or for new ones.
All that a keyframe shows is off by one turn about the camera, so the known things in it tell that turn together,
though none could alone (scan matching, with things for points).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory import assignment
from stma_ros.memory.assignment import Appearances
from stma_ros.memory.boxes import Corner

TURNS: NDArray[np.float64] = np.linspace(-0.16, 0.16, 33)
"""What is tried [rad]."""

REACH = 0.12
"""A thing this far from its place [m] speaks for a turn to less than a half; twice as far, hardly at all."""

SUPPORT, SUPPORTERS = 0.6, 3
"""A turn needs this many things that agree on it to this degree."""

GAIN = 1.0
"""And has to fit better than none by as much as one more thing in its place."""


def best_turn(seen: Appearances, known: Appearances, viewpoint: Corner) -> tuple[float, NDArray[np.int64]]:
    """By what angle about the upright axis through `viewpoint` (3,) [m] the boxes in `seen` must be turned to lie
    where the known ones are [rad], and indices of the known ones that say so; 0 and none where too little does."""
    nothing = np.empty(0, np.int64)
    possible = assignment.same_kind(seen, known)
    possible &= ~(known.colored[None] & (assignment.unlikeness(seen, known) >= assignment.ALIKE))
    if (possible.any(axis=1)).sum() < SUPPORTERS:
        return 0.0, nothing
    middles = np.stack([rotated(seen.middle, turn, viewpoint) for turn in TURNS])[:, :, None]
    half = ((seen.high - seen.low) / 2)[None, :, None]
    beyond = (known.low - middles + half).clip(0) + (middles + half - known.high).clip(0)
    off = np.linalg.norm(beyond, axis=3) + 0.3 * np.linalg.norm(middles - known.middle, axis=3)
    fit = np.where(possible, np.exp(-np.square(off / REACH)), 0.0)  # (turns, seen, known)
    agreed = fit.max(axis=2)
    total = agreed.sum(axis=1)
    best, none = int(total.argmax()), len(TURNS) // 2
    supporting = agreed[best] >= SUPPORT
    if total[best] < total[none] + GAIN or supporting.sum() < SUPPORTERS:
        return 0.0, nothing
    return float(TURNS[best]), fit[best].argmax(axis=1)[supporting]


def rotated(points: NDArray[np.float64], turn: float, viewpoint: Corner) -> NDArray[np.float64]:
    """Points (N, 3) [m], turned by `turn` [rad] about the upright axis through `viewpoint` (3,)."""
    cosine, sine = np.cos(turn), np.sin(turn)
    away = points - viewpoint
    x, y = away[:, 0], away[:, 1]
    around: NDArray[np.float64] = viewpoint + np.stack(
        (cosine * x - sine * y, sine * x + cosine * y, away[:, 2]), 1
    )
    return around
