"""Places the labels of a drawing without overlaps."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from stma_ros.worlds.robot.geometry import FloatArray, Rect

_GLYPH, _LINE = 0.6, 1.1  # width of a character and height of a line, in font sizes
_OFF_PAGE = 100.0  # weight of the area of a label outside of the page
_TRIM = 0.01  # between a label and the edge of the area that it is written on [m]
_LATER = 1e-4  # covered area that the next candidate in the list is worth [m^2]


@dataclass(frozen=True)
class Label:
    """One line of text around its middle. size: of the font [m on the map]. upright: rotated, read from the
    right side."""

    text: str
    x: float
    y: float
    size: float
    upright: bool = False

    @property
    def box(self) -> Rect:
        """The area that the label covers, approximately."""
        length, height = text_length(self.text, self.size), _LINE * self.size
        half_x, half_y = (height / 2, length / 2) if self.upright else (length / 2, height / 2)
        return Rect(self.x - half_x, self.y - half_y, self.x + half_x, self.y + half_y)


class LabelPlacer:
    """Selects the candidate that covers the least of earlier labels and of areas to avoid."""

    def __init__(self, page: Rect) -> None:
        self._page = page
        self._taken: list[Rect] = []
        self._weights: list[float] = []

    def avoid(self, area: Rect, weight: float) -> None:
        self._taken.append(area)
        self._weights.append(weight)

    def place(self, candidates: Iterable[Label], on: Rect | None = None, clear: float = 0.0) -> Label:
        """Places the best candidate, the first of equals.

        Args:
            candidates: possible labels.
            on: an avoided area that this label may cover.
            clear: margin around the label that should stay free too [m].
        """
        labels = list(candidates)
        boxes = _corners(label.box.grown(clear) for label in labels)
        weights = np.array([w * (area != on) for area, w in zip(self._taken, self._weights, strict=True)])
        costs = (_common_areas(boxes, _corners(self._taken)) * weights).sum(axis=1)
        on_page = _common_areas(boxes, _corners([self._page]))[:, 0]
        costs += _OFF_PAGE * ((boxes[:, 2:] - boxes[:, :2]).prod(axis=1) - on_page)
        label = labels[int(np.argmin(costs + _LATER * np.arange(len(labels))))]
        self.avoid(label.box, 3.0)
        return label


def _corners(areas: Iterable[Rect]) -> FloatArray:
    """Converts areas to an array (N, 4): x0, y0, x1, y1."""
    return np.array([(area.x0, area.y0, area.x1, area.y1) for area in areas], float).reshape(-1, 4)


def _common_areas(ones: FloatArray, others: FloatArray) -> FloatArray:
    """Returns the areas (N, M) of the intersections of two lists of rectangles."""
    low = np.maximum(ones[:, None, :2], others[None, :, :2])
    high = np.minimum(ones[:, None, 2:], others[None, :, 2:])
    areas: FloatArray = (high - low).clip(0).prod(axis=2)
    return areas


def text_length(text: str, size: float) -> float:
    """Returns the approximate length of a line of text [m on the map]."""
    return _GLYPH * size * len(text)


def inside(text: str, area: Rect, size: float) -> list[Label]:
    """Returns candidates within an area, the middle first; none where the text does not fit."""
    x, y = area.centre
    shares = sorted(itertools.product((0.0, 0.15, -0.15, 0.3, -0.3), repeat=2), key=lambda s: math.hypot(*s))
    places = [(x + along * area.width, y + across * area.depth) for along, across in shares]
    found = [Label(text, *place, size, upright) for upright in (False, True) for place in places]
    return [label for label in found if area.grown(-_TRIM).covers(label.box)]


def around(text: str, area: Rect, size: float) -> list[Label]:
    """Returns candidates around an area, nearest first: right, left, above, below, then the corners."""
    x, y = area.centre
    away_x, away_y = text_length(text, size) / 2, _LINE * size / 2
    right, left, above, below = area.x1 + away_x, area.x0 - away_x, area.y1 + away_y, area.y0 - away_y
    middles = [(right, y), (left, y), (x, above), (x, below)]
    corners = [(right, above), (left, above), (right, below), (left, below)]
    flush = [(edge, row) for row in (above, below) for edge in (area.x0 + away_x, area.x1 - away_x)]
    return [Label(text, *place, size) for place in (*middles, *flush, *corners)]
