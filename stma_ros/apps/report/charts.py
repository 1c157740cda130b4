"""Small charts of figures over the time of a run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from markupsafe import Markup

from stma_ros.apps.report.svg import css, element, points
from stma_ros.roles.registry import ROLE_NAMES
from stma_ros.visual.figures import Chart, charts

Values: TypeAlias = Sequence[tuple[float, float]]
"""(time [s], value), in the order of time."""

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 320.0, 150.0, 40.0, 22.0, 8.0
_MOST_POINTS = 400  # points of a line: enough for its width, few enough for a small file
_TICKS = 3


@dataclass(frozen=True)
class Drawing:
    """A chart with the names, colours (CSS) and last values of its lines."""

    title: str
    picture: Markup
    lines: tuple[tuple[str, str, str], ...]


def drawings(series: Mapping[str, Values], starts: Sequence[float], unit: str) -> list[Drawing]:
    """Returns a drawing for every chart with values. starts: begin of each task [s]; unit: of the time, "s" or
    "commands"."""
    times = [time for values in series.values() for time, _ in values]
    if not times:
        return []
    span = (min(times), max(times))
    return [
        _drawing(chart, series, span, starts, unit)
        for chart in charts(ROLE_NAMES)
        if any(series.get(path) for path, _, _ in chart.lines)
    ]


def _drawing(
    chart: Chart, series: Mapping[str, Values], span: tuple[float, float], starts: Sequence[float], unit: str
) -> Drawing:
    shown = [(name, colour, series[path]) for path, name, colour in chart.lines if series.get(path)]
    top = _round_up(max(value for _, _, values in shown for _, value in values))
    begin, length = span[0], max(span[1] - span[0], 1e-9)

    def place(time: float, value: float) -> tuple[float, float]:
        across = _LEFT + (time - begin) / length * (_WIDTH - _LEFT - 4)
        return across, _HEIGHT - _BOTTOM - value / top * (_HEIGHT - _BOTTOM - _TOP)

    lines = [
        element(
            "polyline",
            points=points(_stairs([place(*pair) for pair in _thinned(values)], place(span[1], 0.0)[0])),
            stroke=css(colour),
            class_="line",
        )
        for _, colour, values in shown
    ]
    last_values = ", ".join(f"{name} {_written(values[-1][1])}" for name, _, values in shown)
    picture = element(
        "svg",
        element("title", f"{chart.title} over time"),
        *_grid(place, span, top, unit),
        *(_start(place(time, 0.0)[0]) for time in starts[1:] if span[0] < time < span[1]),
        *lines,
        viewBox=f"0 0 {_WIDTH:.0f} {_HEIGHT:.0f}",
        role="img",
        class_="chart",
        aria_label=f"{chart.title} over time, at the end: {last_values}",
    )
    return Drawing(
        chart.title, picture, tuple((name, css(colour), _written(v[-1][1])) for name, colour, v in shown)
    )


def _grid(
    place: Callable[[float, float], tuple[float, float]], span: tuple[float, float], top: float, unit: str
) -> Iterator[Markup]:
    for tick in range(_TICKS + 1):
        value = top * tick / _TICKS
        left, y = place(span[0], value)
        yield element("line", x1=left, y1=y, x2=_WIDTH - 4, y2=y, class_="grid-line")
        yield element("text", _written(value), x=left - 5, y=y + 3.5, text_anchor="end", class_="tick")
    for time, anchor in ((span[0], "start"), (span[1], "end")):
        x, y = place(time, 0.0)
        yield element("text", f"{time:.0f} {unit}", x=x, y=y + 15, text_anchor=anchor, class_="tick")


def _start(x: float) -> Markup:
    return element(
        "line",
        element("title", "a task begins"),
        x1=x,
        y1=_TOP,
        x2=x,
        y2=_HEIGHT - _BOTTOM,
        class_="task-line",
    )


def _thinned(values: Values) -> Values:
    stride = math.ceil(len(values) / _MOST_POINTS)
    return [*values[:-1:stride], values[-1]]


def _stairs(places: Sequence[tuple[float, float]], end: float) -> Iterator[tuple[float, float]]:
    """A step curve: each value holds until the next one."""
    for (x, y), (following, _) in pairwise(places):
        yield x, y
        yield following, y
    yield places[-1]
    yield end, places[-1][1]


def _round_up(value: float) -> float:
    """Returns the next number that divides well into ticks; 3 for zero."""
    if value <= 0:
        return float(_TICKS)
    scale: float = 10.0 ** math.floor(math.log10(value / _TICKS))
    steps = (scale * step for step in (1, 1.5, 2, 3, 4, 5, 10))
    return next(_TICKS * step for step in steps if _TICKS * step >= value * (1 - 1e-9))


def _written(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == round(value) else f"{value:.3g}"
