"""Colour and states of an object in one view: open or closed, on or off, full or empty.

States that a view does not show clearly are left out: a wrong state costs more than an unknown one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.door_state import SegmentedFrame, container_is_open, door_is_open, is_occluded
from stma_ros.mapping.segments import Segment
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.types import vocabulary as words
from stma_ros.types.standard import ColorRGBA

LIT_VALUE, LIT_SATURATION = 240, 0.35
"""Smallest value [0..255] and saturation of light that an object emits; surfaces that a lamp illuminates do not reach
both."""

LIT_PIXELS, LIT_SHARE = 3, 0.004
"""Smallest number and share of shining pixels: a display or a burner is small, but more than a single pixel."""

WATER_HUE, WATER_HUE_SLACK, WATER_SATURATION = 204.0, 4.0, 0.55
"""Hue of water and its tolerance [degrees], and its smallest saturation [0..1]; shade does not change them. The hue of
screens is 211, and that of crockery at least 218."""

WATER_PIXELS, WATER_SHARE = 3, 0.01

SIZE_OFF, SIZE_EMPTY = 0.004, 0.0012
"""Smallest solid angles [sr] of views that show that an object is off, or that it is empty."""

PIXELS_TO_MISS = 30
"""Smallest number of pixels of such views."""

FAR = 3.5
"""Largest distance at which an object is reported as off or empty [m]."""

OWN_SHARE = 0.1
"""Smallest share of pixels without light and water from which an object's own colour is determined."""

NO_COLOR = ColorRGBA(0.0, 0.0, 0.0, 0.0)

PIXELS_OF_A_COLOUR = 1000
"""Approximate number of pixels from which a colour is determined, at most."""


def own_color(category: str, color: NDArray[np.uint8], knowledge: CategoryKnowledge) -> ColorRGBA:
    """Returns the colour of an object without its light and the water in it.

    The colour therefore does not change when the object is switched on or filled. It is NO_COLOR if no other pixels are
    visible. The arguments are those of `states`.
    """
    color = color[:: max(1, len(color) // PIXELS_OF_A_COLOUR)]
    own = color
    if knowledge.is_device(category):
        own = own[~_shines(own)]
    if knowledge.is_vessel(category):
        own = own[~_is_water(own)]
    if len(own) < OWN_SHARE * len(color):
        return NO_COLOR
    # The middle colour: shadow and glare on a part of a thing, or a lid of another colour, leave it as it is.
    red, green, blue = np.median(own, axis=0) / 255
    return ColorRGBA(red, green, blue, 1.0)


def states(
    category: str,
    segment: Segment,
    sight: SegmentedFrame,
    color: NDArray[np.uint8],
    knowledge: CategoryKnowledge,
) -> tuple[str, ...]:
    """Returns the states [vocabulary.STATE_...] that a view shows, one for each dimension.

    Args:
        category: Category of the object, which determines its possible states.
        segment: Visible surface of the object.
        sight: Frame that the segment was cut from.
        color: (N, 3) uint8 RGB of evenly chosen pixels of the segment.
        knowledge: Knowledge of categories.
    """
    found = []
    if knowledge.is_openable(category):
        look = container_is_open if knowledge.is_container(category) else door_is_open
        found.append(_word(look(segment, sight), words.STATE_OPEN, words.STATE_CLOSED))
    if knowledge.is_device(category):
        lit = _is_there(_shines(color), LIT_PIXELS, LIT_SHARE)
        if lit is False and not _would_show(segment, sight, SIZE_OFF):
            lit = None
        found.append(_word(lit, words.STATE_ON, words.STATE_OFF))
    if knowledge.is_vessel(category):
        water = _is_there(_is_water(color), WATER_PIXELS, WATER_SHARE)
        if water is False and not _would_show(segment, sight, SIZE_EMPTY):
            water = None
        found.append(_word(water, words.STATE_FULL, words.STATE_EMPTY))
    return tuple(word for word in found if word)


def _word(value: bool | None, yes: str, no: str) -> str:
    return "" if value is None else yes if value else no


def _is_there(pixels: NDArray[np.bool_], least: int, share: float) -> bool | None:
    """Whether enough of the pixels show it; None when only a few do."""
    found = int(pixels.sum())
    if found >= max(least, share * len(pixels)):
        return True
    return False if found == 0 else None


def _would_show(segment: Segment, sight: SegmentedFrame, size: float) -> bool:
    return (
        not segment.truncated
        and len(segment.points) >= PIXELS_TO_MISS
        and sight.solid_angle(segment) >= size
        and sight.distance(segment) < FAR
        and not is_occluded(segment, sight)
    )


def _shines(color: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Returns which colours (N, 3) are those of a lit lamp; reflections in water are excluded."""
    red, green, blue = color.T
    high, low = np.maximum(np.maximum(red, green), blue), np.minimum(np.minimum(red, green), blue)
    shines: NDArray[np.bool_] = (high >= LIT_VALUE) & (low <= (1 - LIT_SATURATION) * high)
    return shines & ~_is_water(color) if shines.any() else shines


def _is_water(color: NDArray[np.uint8]) -> NDArray[np.bool_]:
    red, green, blue = color.astype(np.float32).T
    spread = np.maximum(blue - red, 1e-6)  # of the channels, where blue is the strongest and red the weakest
    hue = 60 * (4 + (red - green) / spread)
    is_blue = (blue > green) & (green > red)
    water: NDArray[np.bool_] = (
        is_blue & (np.abs(hue - WATER_HUE) < WATER_HUE_SLACK) & (spread >= WATER_SATURATION * blue)
    )
    return water
