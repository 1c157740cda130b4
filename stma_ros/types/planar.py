"""Turns about the vertical."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def turned(points: ArrayLike, yaw: ArrayLike) -> NDArray[np.float64]:
    """Returns points, turned about the vertical axis through the origin.

    Turned by -yaw, the coordinates of a point are those along axes that point in the direction `yaw`.

    Args:
        points: (..., 2) or (..., 3) [m].
        yaw: angles [rad], counter-clockwise, whose shape broadcasts with (...).
    """
    given = np.asarray(points, np.float64)
    cosine, sine = np.cos(yaw), np.sin(yaw)
    x, y = given[..., 0], given[..., 1]
    first, second = cosine * x - sine * y, sine * x + cosine * y
    result: NDArray[np.float64] = np.empty((*first.shape, given.shape[-1]))
    result[..., 0], result[..., 1] = first, second
    result[..., 2:] = given[..., 2:]
    return result


def enclosing_sides(sides: ArrayLike, turn: ArrayLike) -> NDArray[np.float64]:
    """Returns the sides of the boxes along the axes that enclose upright boxes, turned about the vertical.

    Args:
        sides: (..., 2) or (..., 3), along their own axes [m].
        turn: angles [rad] whose shape broadcasts with (...).
    """
    given = np.asarray(sides, np.float64)
    cosine, sine = np.abs(np.cos(turn)), np.abs(np.sin(turn))
    x, y = given[..., 0], given[..., 1]
    first, second = cosine * x + sine * y, sine * x + cosine * y
    result: NDArray[np.float64] = np.empty((*first.shape, given.shape[-1]))
    result[..., 0], result[..., 1] = first, second
    result[..., 2:] = given[..., 2:]
    return result


def off_quarter(angle: Any) -> Any:
    """Returns by how much angles differ from the nearest quarter turn [rad], from -pi/4 to pi/4.

    Args:
        angle: a number or an array [rad].
    """
    return (angle + math.pi / 4) % (math.pi / 2) - math.pi / 4
