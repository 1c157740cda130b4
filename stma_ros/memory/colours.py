"""The everyday word for a measured colour."""

from __future__ import annotations

import colorsys

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


def colour_word(color: ColorRGBA) -> str:
    """One of the eleven basic colour words; empty for a colour that was not measured (a = 0).

    Pale light and shade shift a colour's value more than its hue, so hue decides wherever there is enough of it.
    """
    if color.a == 0:
        return ""
    hue, saturation, value = colorsys.rgb_to_hsv(color.r, color.g, color.b)
    degrees = hue * 360
    if value < 0.12:
        return "black"
    if saturation < 0.12:
        return "white" if value > 0.75 else "grey" if value > 0.25 else "black"
    word = next((name for end, name in _HUES if degrees < end), "red")
    if word in ("red", "orange") and degrees >= 8 and value < 0.62:
        return "brown"
    if word in ("red", "pink") and saturation < 0.55 and value > 0.6:
        return "pink"
    return word
