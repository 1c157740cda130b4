"""SVG elements that several figures share."""

from __future__ import annotations

import base64
from collections.abc import Iterable

from markupsafe import Markup

_TIME_COLOURS = ((43, 76, 155), (26, 152, 150), (224, 160, 38), (209, 73, 91))


def element(tag: str, *children: str | Markup, **attributes: object) -> Markup:
    """Returns one element, escaped; `_` stands for `-` in attributes' names, except for a trailing one."""
    written = Markup("").join(
        Markup(' {}="{}"').format(name.rstrip("_").replace("_", "-"), _number(value))
        for name, value in attributes.items()
        if value is not None
    )
    content = Markup("").join(children)
    return Markup("<{0}{1}>{2}</{0}>").format(Markup(tag), written, content)


def points(corners: Iterable[tuple[float, float]]) -> str:
    """The `points` attribute of a line or polygon."""
    return " ".join(f"{x:.3f},{y:.3f}" for x, y in corners)


def data_uri(content: bytes, media_type: str) -> str:
    return f"data:{media_type};base64,{base64.b64encode(content).decode()}"


def time_colour(share: float) -> str:
    """Returns the colour of a point in time, 0 = the begin, 1 = the end; readable on white and distinct in grey."""
    place = min(max(share, 0.0), 1.0) * (len(_TIME_COLOURS) - 1)
    index = min(int(place), len(_TIME_COLOURS) - 2)
    weight = place - index
    mixed = (
        round((1 - weight) * a + weight * b)
        for a, b in zip(_TIME_COLOURS[index], _TIME_COLOURS[index + 1], strict=True)
    )
    return css(mixed)


def css(colour: Iterable[int]) -> str:
    """Formats red, green, blue from 0 to 255 for CSS."""
    return "#" + "".join(f"{channel:02x}" for channel in colour)


def _number(value: object) -> object:
    return f"{value:.4g}" if isinstance(value, float) else value
