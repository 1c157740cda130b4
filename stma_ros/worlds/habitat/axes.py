"""Converts between the axes of the home and those of Habitat. No other module converts axes.

Map: x east, y north, z up, yaw counter-clockwise from x. Habitat (and glTF): x right, y up, z towards the viewer. The
point (x, y, z) of the home is (x, z, -y) in Habitat. Metres, radians; rotations are quaternions (w, x, y, z).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Rotation = tuple[float, float, float, float]


def points_to_habitat(points: NDArray[Any]) -> FloatArray:
    """Converts points or vectors (N, 3) from the axes of the home to Habitat's."""
    x, y, z = np.asarray(points, np.float64).T
    return np.stack([x, z, -y], axis=1)


def points_to_map(points: NDArray[Any]) -> FloatArray:
    """Converts points or vectors (N, 3) from Habitat's axes to those of the home."""
    x, y, z = np.asarray(points, np.float64).T
    return np.stack([x, -z, y], axis=1)


def yaw_to_habitat(yaw: float) -> Rotation:
    """Returns Habitat's rotation by `yaw` about the vertical."""
    return math.cos(yaw / 2), 0.0, math.sin(yaw / 2), 0.0


def camera_to_habitat(position: NDArray[Any], yaw: float, pitch_down: float) -> tuple[FloatArray, Rotation]:
    """Converts the pose of a camera to Habitat's axes, where a camera looks along its -z and its y is up.

    Args:
        position: (3,) in the home.
        yaw: direction of view in the home [rad].
        pitch_down: angle of the direction of view below the horizon [rad].

    Returns:
        The position (3,) and the rotation in Habitat's axes.
    """
    turn, tilt = (yaw - math.pi / 2) / 2, -pitch_down / 2  # -z is the home's north
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
    """Converts a raster of the floor from Habitat's axes to those of the home.

    Args:
        origin: lower corner (x, z) [m].
        resolution: side of a cell [m].
        cells: rows along Habitat's z, columns along its x.

    Returns:
        The lower corner (x, y) in the home [m], and the cells with rows along its y and columns along its x.
    """
    x, z = origin
    return (x, -(z + len(cells) * resolution)), cells[::-1]
