"""Camera frames as arrays: a wall two metres ahead of the camera with coloured patches."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stma_ros.sensing.camera_frame import CameraFrame
from support.components.wall_frames import FOCAL, HEIGHT, WIDTH, Patch

FRIDGE = Patch("fridge", (10, 50), (20, 40), (240, 240, 240))
MUG = Patch("mug", (16, 36), (46, 66), (200, 30, 30))

OPTICAL: NDArray[np.float64] = np.array(
    [[0.0, 0.0, 1.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]]
)
"""The optical frame of a camera one metre above the map's origin that looks along +x."""

K: NDArray[np.float64] = np.array(
    [[FOCAL, 0, (WIDTH - 1) / 2], [0, FOCAL, (HEIGHT - 1) / 2], [0, 0, 1]], np.float64
)


def wall_arrays(stamp: float, *patches: Patch, y: float = 0.0, **change: Any) -> dict[str, Any]:
    """Returns the arguments of CameraFrame.from_arrays for a camera at (0, y, 1) in the map [m]."""
    color = np.full((HEIGHT, WIDTH, 3), 230, np.uint8)
    ids = np.ones((HEIGHT, WIDTH), np.uint16)
    labels = {1: "wall"}
    for number, patch in enumerate(patches, 2):
        area = slice(*patch.rows), slice(*patch.columns)
        color[area], ids[area], labels[number] = patch.rgb, number, patch.category
    pose = OPTICAL.copy()
    pose[1, 3] = y
    arguments: dict[str, Any] = {
        "depth": np.full((HEIGHT, WIDTH), 2000, np.uint16),
        "k": K,
        "camera_pose": pose,
        "stamp": stamp,
        "color": color,
        "segmentation": ids,
        "labels": labels,
    }
    return {name: value for name, value in {**arguments, **change}.items() if value is not None}


def wall_frame(stamp: float, *patches: Patch, y: float = 0.0, **change: Any) -> CameraFrame:
    """Returns the frame of these arrays.

    Args:
        change: arguments to replace; None leaves the argument out.
    """
    return CameraFrame.from_arrays(**wall_arrays(stamp, *patches, y=y, **change))
