"""Draws a measure over time, of a recorded run and its replays, as a small SVG."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from stma_ros.apps.console import figure
from stma_ros.apps.report.svg import element, points
from stma_ros.evaluation.offline.measures import Series

COLOURS = ("#2b5cab", "#d95c14", "#1a9896", "#a23b72", "#7a6a00")
"""Colours of the recorded run, and of its replays in turn."""

_WIDTH, _HEIGHT = 320.0, 130.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 38.0, 8.0, 10.0, 22.0


def series_figure(title: str, lines: Sequence[tuple[str, Series]], duration: float) -> Markup:
    """Draws step curves; the x axis from 0 to `duration` [s], the y axis from 0."""
    top = _ceiling(max(value for _, series in lines for value in series.values), title)
    parts = [*_axes(top, duration)]
    for number, (name, series) in enumerate(lines):
        colour = COLOURS[number % len(COLOURS)]
        corners: list[tuple[float, float]] = []
        for time, value in zip(series.times, series.values, strict=True):
            x, y = _x(time, duration), _y(value, top)
            corners += [(x, corners[-1][1]), (x, y)] if corners else [(x, y)]
        corners.append((_x(duration, duration), corners[-1][1]))
        dash = None if number == 0 else "5 3"
        line = element(
            "polyline",
            points=points(corners),
            fill="none",
            stroke=colour,
            stroke_width=1.8,
            stroke_dasharray=dash,
        )
        end = figure(series.values[-1])
        parts.append(element("g", element("title", f"{name}: {end} at the end"), line))
    drawing = element(
        "svg",
        *parts,
        class_="series",
        viewBox=f"0 0 {_WIDTH:g} {_HEIGHT:g}",
        role="img",
        aria_label=f"{title}: "
        + "; ".join(f"{name} {figure(series.values[-1])} at the end" for name, series in lines),
    )
    ends = ", ".join(figure(series.values[-1]) for _, series in lines)
    return element("figure", element("figcaption", title, " ", element("b", ends)), drawing)


def _ceiling(value: float, title: str) -> float:
    """Returns a round upper bound."""
    if title.endswith("[%]"):
        return 100.0
    if title.endswith("F1"):
        return 1.0
    step = 1e-3
    while True:
        for factor in (1, 2, 5):
            if factor * step >= value:
                return factor * step
        step *= 10


def _axes(top: float, duration: float) -> list[Markup]:
    drawn = []
    for share in (0.0, 0.5, 1.0):
        y = _y(share * top, top)
        drawn.append(element("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y, y2=y, class_="grid"))
        drawn.append(element("text", figure(share * top), x=_LEFT - 5, y=y + 3.5, text_anchor="end"))
    for share, anchor in ((0.0, "start"), (1.0, "end")):
        seconds = f"{share * duration:.0f} s"
        drawn.append(element("text", seconds, x=_x(share, 1.0), y=_HEIGHT - 6, text_anchor=anchor))
    return drawn


def _x(time: float, duration: float) -> float:
    share = min(max(time / duration, 0.0), 1.0) if duration else 0.0
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _y(value: float, top: float) -> float:
    return _TOP + (1 - value / top) * (_HEIGHT - _TOP - _BOTTOM)
