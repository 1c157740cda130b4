"""Defines colours with one meaning in every viewer and in the report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np

from stma_ros.types.standard import ColorRGBA
from stma_ros.visual.drawables import Colours

RGB: TypeAlias = tuple[int, int, int]

UNSEEN: RGB = (184, 190, 201)
"""Colour of an object whose own colour was never observed."""
TARGET: RGB = (217, 92, 20)
"""Colour of the target of an action."""
FRONTIER: RGB = (235, 130, 230)
"""Colour of a frontier."""
TOWARDS: RGB = (15, 118, 110)
"""Colour of the mark that shows where a frontier is in a picture."""
KEPT: RGB = (43, 92, 171)
"""Colour of the view of a snapshot that is kept."""

CATEGORIES: Sequence[RGB] = (
    (38, 84, 166),
    (0, 121, 107),
    (122, 62, 157),
    (173, 20, 87),
    (69, 90, 100),
    (46, 125, 50),
)
"""Colours of boxes around detections, dark enough for white text."""

ROOMS: Sequence[RGB] = (
    (76, 120, 168),
    (114, 183, 178),
    (238, 202, 59),
    (178, 121, 162),
    (89, 161, 79),
    (255, 157, 166),
    (157, 117, 93),
    (186, 176, 172),
)
"""Colours by the rooms' order in the scene graph."""


def of_category(category: str) -> RGB:
    """Returns the colour of a category, the same in every run."""
    return CATEGORIES[sum(category.encode()) % len(CATEGORIES)]


def of_room(index: int) -> RGB:
    return ROOMS[index % len(ROOMS)]


def seen(colour: ColorRGBA) -> RGB:
    """Returns an object's mean observed colour."""
    if not colour.a > 0:
        return UNSEEN
    red, green, blue = np.nan_to_num((colour.r, colour.g, colour.b), nan=0.0).clip(0.0, 1.0)
    return round(255 * red), round(255 * green), round(255 * blue)


def rows(colours: Iterable[RGB], alpha: int = 255) -> Colours:
    """Returns an array of colours (N, 4) uint8."""
    listed = [(*colour, alpha) for colour in colours]
    return np.array(listed, np.uint8).reshape(-1, 4)
