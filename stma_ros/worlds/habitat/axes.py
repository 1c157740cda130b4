"""Converts between the axes of the map and those of Habitat; no other module does.

Map: x east, y north, z up, yaw counter-clockwise from x. Habitat (and glTF): x right, y up, z towards the viewer. What
is at (x, y, z) in the map is at (x, z, -y) in Habitat. Metres, radians; rotations are quaternions (w, x, y, z).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Rotation = tuple[float, float, float, float]


def points_to_habitat(points: NDArray[Any]) -> FloatArray:
    """Points or vectors (N, 3) of the map in Habitat's axes."""
    x, y, z = np.asarray(points, np.float64).T
    return np.stack([x, z, -y], axis=1)


def points_to_map(points: NDArray[Any]) -> FloatArray:
    """Points or vectors (N, 3) in Habitat's axes in those of the map."""
    x, y, z = np.asarray(points, np.float64).T
    return np.stack([x, -z, y], axis=1)


def yaw_to_habitat(yaw: float) -> Rotation:
    """The rotation by `yaw` about the vertical."""
    return math.cos(yaw / 2), 0.0, math.sin(yaw / 2), 0.0


def camera_to_habitat(position: NDArray[Any], yaw: float, pitch_down: float) -> tuple[FloatArray, Rotation]:
    """Position (3,) and rotation of a camera that is at `position` (3,) in the map, and looks along `yaw` and
    `pitch_down` below the horizon. Habitat's cameras look along their -z, their y is up."""
    turn, tilt = (yaw - math.pi / 2) / 2, -pitch_down / 2  # -z is the map's north
    rotation = (
        math.cos(turn) * math.cos(tilt),
        math.cos(turn) * math.sin(tilt),
        math.sin(turn) * math.cos(tilt),
        -math.sin(turn) * math.sin(tilt),
    )
    return points_to_habitat(np.asarray(position, np.float64)[None])[0], rotation


def raster_to_map(
    origin: tuple[float, float], resolution: float, cells: NDArray[np.bool_]
) -> tuple[tuple[float, float], NDArray[np.bool_]]:
    """A raster of the floor whose rows count along Habitat's z and columns along its x, as one whose rows count along
    the map's y: its lower corner (x, y) [m], and its cells. origin: the lower corner (x, z) [m]."""
    x, z = origin
    return (x, -(z + len(cells) * resolution)), cells[::-1]
