"""Drawn pictures for the examples of roles with pictures."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.models.images import Picture, picture

_WALL, _FLOOR, _TABLE = (215, 212, 205), (150, 140, 128), (120, 86, 56)
_RED, _DARK = (200, 28, 32), (38, 36, 34)


def table_top() -> Picture:
    """Returns a picture of a red block on a brown table in front of a wall."""
    pixels = _room()
    pixels[140:] = _TABLE
    pixels[98:154, 126:182] = _RED
    return picture(pixels)


def bare_wall() -> Picture:
    """Returns a picture of a wall above the floor."""
    return picture(_room())


def open_door() -> Picture:
    """Returns a picture of a door in a wall, with a dark room behind it."""
    pixels = _room()
    pixels[40:170, 110:190] = _DARK
    return picture(pixels)


def _room() -> NDArray[np.uint8]:
    pixels = np.full((224, 308, 3), _WALL, np.uint8)
    pixels[170:] = _FLOOR
    return pixels
