"""Where the labels of a drawing go: on the page, clear of one another and of what they must not cover."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass

from stma_ros.worlds.house.geometry import Rect

_GLYPH, _LINE = 0.6, 1.1  # width of a character and height of a line, in font sizes
_OFF_PAGE = 100.0  # a label that is cut off is of no use
_TRIM = 0.01  # between a label and the edge of what it is written on [m]
_LATER = 1e-4  # [m^2] of covering that the next candidate in the list is worth


@dataclass(frozen=True)
class Label:
    """One line of text around its middle; `size` of the font [m on the map]. `upright`: read from below."""

    text: str
    x: float
    y: float
    size: float
    upright: bool = False

    @property
    def box(self) -> Rect:
        """The area that it covers, about."""
        length, height = text_length(self.text, self.size), _LINE * self.size
        half_x, half_y = (height / 2, length / 2) if self.upright else (length / 2, height / 2)
        return Rect(self.x - half_x, self.y - half_y, self.x + half_x, self.y + half_y)


class LabelPlacer:
    """Chooses among candidates the one that covers least of what was placed or is to be avoided before."""

    def __init__(self, page: Rect) -> None:
        self._page = page
        self._taken: list[tuple[Rect, float]] = []

    def avoid(self, area: Rect, weight: float) -> None:
        self._taken.append((area, weight))

    def place(self, candidates: Iterable[Label], on: Rect | None = None, clear: float = 0.0) -> Label:
        """Of equals the first. `on`: an avoided area that this label may cover; `clear` [m] around the label
        should stay free too."""
        costs = ((self._cost(label.box.grown(clear), on), label) for label in candidates)
        ranked = ((cost + k * _LATER, k, label) for k, (cost, label) in enumerate(costs))
        label = min(ranked, key=lambda entry: entry[:2])[2]
        self.avoid(label.box, 3.0)
        return label

    def _cost(self, box: Rect, on: Rect | None) -> float:
        covered = sum(weight * area.common_area(box) for area, weight in self._taken if area != on)
        return covered + _OFF_PAGE * (box.area - self._page.common_area(box))


def text_length(text: str, size: float) -> float:
    """Of a line of text, about [m on the map]."""
    return _GLYPH * size * len(text)


def inside(text: str, area: Rect, size: float) -> list[Label]:
    """Candidates within an area, the middle first; none where it does not fit."""
    x, y = area.centre
    shares = sorted(itertools.product((0.0, 0.15, -0.15, 0.3, -0.3), repeat=2), key=lambda s: math.hypot(*s))
    places = [(x + along * area.width, y + across * area.depth) for along, across in shares]
    found = [Label(text, *place, size, upright) for upright in (False, True) for place in places]
    return [label for label in found if area.grown(-_TRIM).covers(label.box)]


def beside(text: str, area: Rect, size: float) -> list[Label]:
    """Candidates around an area, nearest first: right, left, above, below, then the corners."""
    x, y = area.centre
    away_x, away_y = text_length(text, size) / 2, _LINE * size / 2
    right, left, above, below = area.x1 + away_x, area.x0 - away_x, area.y1 + away_y, area.y0 - away_y
    middles = [(right, y), (left, y), (x, above), (x, below)]
    corners = [(right, above), (left, above), (right, below), (left, below)]
    flush = [(edge, row) for row in (above, below) for edge in (area.x0 + away_x, area.x1 - away_x)]
    return [Label(text, *place, size) for place in (*middles, *flush, *corners)]
