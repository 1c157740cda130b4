"""The appearance of a flat, independent of the renderer: light of its rooms, pattern of its floors. Lengths in [m]."""

from __future__ import annotations

from typing import Any

import numpy as np

LAMP_HEIGHT = 2.35
"""Height of the lamp in the middle of each room."""

AMBIENT, SKY, BOUNCE, LAMP = 0.5, 0.05, 0.45, 0.42
"""Shares of the light: uniform, additional from above, reflected from the floor to faces that look down, and lamp."""

PLANK, PLANK_JOINT, PLANK_SHIFT = (1.2, 0.18), 0.008, 0.444
"""Length and width of a board, the joint between two boards, and the offset of the next row."""

TILE, TILE_JOINT = 0.4, 0.012
"""Side of a tile, and the joint between two tiles."""

DARK_PLANK_JOINT, DARK_TILE_JOINT = 0.8, 0.84
"""Brightness of the joints."""


def plank_shade(row: Any, board: Any) -> Any:
    """Returns the brightness of boards by their row and number (floats)."""
    return 0.94 + 0.1 * np.modf(np.abs(np.sin(row * 12.9898 + board * 78.233)) * 43.7585)[0]


def tile_shade(checker: Any) -> Any:
    """Returns the brightness of tiles: every second one is a little brighter. checker: 0 or 1."""
    return 0.97 + 0.05 * checker
