"""Registration of a keyframe: its rotation against the remembered objects.

Odometry drifts between two corrections of the localisation, in heading most of all. Objects a few metres away are then
measured next to their places, and small objects that stand side by side are confused. The whole keyframe is off by one
rotation about the camera, so the known objects in it determine that rotation together, although none of them could
alone (scan matching, with objects for points).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory import assignment
from stma_ros.memory.assignment import Appearances
from stma_ros.memory.boxes import Corner
from stma_ros.types.planar import turned

TURNS: NDArray[np.float64] = np.linspace(-0.16, 0.16, 33, dtype=np.float64)
"""Angles that are tried [rad]."""

REACH = 0.12
"""At this distance from its place [m] an object supports an angle to 37 %, at twice the distance to 2 %."""

SUPPORT, SUPPORTERS = 0.6, 3
"""An angle needs SUPPORTERS objects that each support it to at least this degree."""

GAIN = 1.0
"""An angle has to fit better than no rotation by as much as one more object at its place."""


def best_turn(seen: Appearances, known: Appearances, viewpoint: Corner) -> tuple[float, NDArray[np.int64]]:
    """Finds the rotation that brings the boxes of a keyframe to those of the known objects.

    Args:
        seen: appearances of the detections.
        known: appearances of the known objects.
        viewpoint: (3,) position of the camera [m]; the rotation is about the upright axis through it.

    Returns:
        The angle [rad], counter-clockwise, and the indices of the known objects that support it; 0 and none where too
            few agree.
    """
    nothing = np.empty(0, np.int64)
    possible = assignment.same_kind(seen, known)
    possible &= ~(known.colored[None] & (assignment.unlikeness(seen, known) >= assignment.ALIKE))
    if (possible.any(axis=1)).sum() < SUPPORTERS:
        return 0.0, nothing
    boxes = known.boxes
    middles = np.stack([rotated(seen.boxes.middle, turn, viewpoint) for turn in TURNS])[:, :, None]
    apart = turned(middles - boxes.middle, -boxes.yaw)
    half, known_half = seen.boxes.half_along(boxes)[None], boxes.extent / 2
    beyond = (half - apart - known_half).clip(0) + (half + apart - known_half).clip(0)
    off = np.linalg.norm(beyond, axis=3) + 0.3 * np.linalg.norm(apart, axis=3)
    fit = np.where(possible, np.exp(-np.square(off / REACH)), 0.0)  # (turns, seen, known)
    agreed = fit.max(axis=2)
    total = agreed.sum(axis=1)
    best, none = int(total.argmax()), len(TURNS) // 2
    supporting = agreed[best] >= SUPPORT
    if total[best] < total[none] + GAIN or supporting.sum() < SUPPORTERS:
        return 0.0, nothing
    return float(TURNS[best]), fit[best].argmax(axis=1)[supporting]


def rotated(points: NDArray[np.float64], turn: float, viewpoint: Corner) -> NDArray[np.float64]:
    """Returns points (N, 3) [m], rotated by `turn` [rad] about the upright axis through `viewpoint` (3,)."""
    return viewpoint + turned(points - viewpoint, turn)
