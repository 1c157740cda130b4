"""Names of measured colours, and distances between them."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.standard import ColorRGBA

# Upper end of each hue [degrees], going round from red.
_HUES = (
    (15, "red"),
    (45, "orange"),
    (70, "yellow"),
    (165, "green"),
    (260, "blue"),
    (295, "purple"),
    (345, "pink"),
)

BASIC_COLOURS = ("black", "white", "grey", "brown", *(name for _, name in _HUES))
"""The words that `colour_word` knows."""

WHITE_FROM = 0.57
"""Value from which on a colour without hue is white: far from the lamp, a white object is little brighter than a medium
grey one near it."""

PALE, PALE_AS_LIGHT = 0.12, 0.25
"""Saturation below which a colour has no hue, and below which a bright warm one has none: light sources are warm rather
than cold."""


def colour_word(color: ColorRGBA) -> str:
    """Returns one of the eleven basic colour words; empty for a colour that was not measured (a = 0).

    Light and shade change a colour's value more than its hue, so hue decides where there is enough of it.
    """
    if color.a == 0:
        return ""
    hue, saturation, value = colorsys.rgb_to_hsv(color.r, color.g, color.b)
    degrees = hue * 360
    # In the dark a small difference of the channels is noise, or the colour of the light.
    if value < 0.12 or (value < 0.25 and saturation * value < 0.08):
        return "black"
    pale = PALE_AS_LIGHT if 20 <= degrees < 70 and value > WHITE_FROM else PALE
    if saturation < pale:
        return "white" if value > WHITE_FROM else "grey" if value > 0.25 else "black"
    word = next((name for end, name in _HUES if degrees < end), "red")
    if 8 <= degrees < 45 and value < 0.62:
        return "brown"
    if word in ("red", "pink") and saturation < 0.55 and value > 0.6:
        return "pink"
    return word


_DARKEST = 0.05
"""Intensity [0..1] below which a colour is noise; it is compared as if it had this intensity."""


def color_offsets(colors: Sequence[ColorRGBA]) -> NDArray[np.float64]:
    """Returns (N, 4) float64 points whose Euclidean distances say how unlike N colours look; NaN for a colour that was
    not measured.

    Light and shade scale all channels alike, so the share of each channel counts in full, and the intensity little. Two
    views of one object lie within about 0.3, everyday colours of different names 0.6 and more.
    """
    rgb = np.array([(c.r, c.g, c.b) for c in colors], np.float64).reshape(-1, 3)
    intensity = rgb.mean(axis=1, keepdims=True).clip(_DARKEST)
    hue = (rgb - rgb.mean(axis=1, keepdims=True)) / intensity
    points: NDArray[np.float64] = np.hstack([hue, 0.3 * np.log(intensity)])
    points[[c.a == 0 for c in colors]] = np.nan
    return points


def blended(one: ColorRGBA, other: ColorRGBA, weight: float) -> ColorRGBA:
    """Returns the mean of two colours, `other` with this `weight` [0..1]; one that was not measured has none."""
    if one.a == 0 or other.a == 0:
        return one if other.a == 0 else other
    keep = 1 - weight
    return ColorRGBA(
        keep * one.r + weight * other.r, keep * one.g + weight * other.g, keep * one.b + weight * other.b, 1.0
    )
