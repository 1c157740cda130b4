"""Marks of frontiers on the map: those that were chosen, with their steps, and those that were left at the end."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby

from markupsafe import Markup

from stma_ros.apps.report.map_frame import Disc, Frame, LabelSpace
from stma_ros.apps.report.svg import element, points
from stma_ros.apps.report.task_run import TaskRun
from stma_ros.types.vocabulary import SKILL_EXPLORE
from stma_ros.visual.drawing_context import is_somewhere

_RADIUS = 0.75  # of a mark [font heights]
_DIAMOND = 0.5  # half of the diagonal of an open frontier [font heights]
_DIGIT = 0.5  # width of a digit [font heights]
_LISTED = 3  # steps, or rows of them, that one mark lists; of more it lists the first and the last


@dataclass
class _Visit:
    """A mark of the steps at which the robot went to a place. x, y: in the drawing; font: height of its text."""

    x: float
    y: float
    font: float
    steps: list[int]
    names: list[str]

    @property
    def label(self) -> str:
        parts = list(_runs(self.steps))
        return ", ".join(parts) if len(parts) <= _LISTED else f"{parts[0]}, …, {parts[-1]}"

    @property
    def radius(self) -> float:
        return _RADIUS * self.font

    @property
    def half_width(self) -> float:
        if len(self.steps) == 1:
            return self.radius
        return 0.5 * _DIGIT * self.font * len(self.label) + 0.6 * self.radius

    def overlaps(self, other: _Visit) -> bool:
        return (
            abs(self.x - other.x) < self.half_width + other.half_width
            and abs(self.y - other.y) < self.radius + other.radius
        )

    def move_off(self, x: float, y: float, radius: float) -> None:
        """Moves the mark until it covers no round mark at (x, y)."""
        across, down = self.x - x, self.y - y
        apart = math.hypot(across, down)
        least = radius + (self.half_width if abs(across) > abs(down) else self.radius)
        if apart < least:
            away = (across / apart, down / apart) if apart > 0 else (0.0, 1.0)
            self.x, self.y = x + least * away[0], y + least * away[1]

    def join(self, other: _Visit) -> None:
        """Takes over the steps of another mark, and moves into the middle of both."""
        self.x, self.y = (self.x + other.x) / 2, (self.y + other.y) / 2
        self.steps = sorted({*self.steps, *other.steps})
        self.names += other.names


def _runs(steps: Sequence[int]) -> Iterator[str]:
    """Yields ascending steps, those that follow one another as "3-6"."""
    for _, those in groupby(enumerate(steps), lambda pair: pair[1] - pair[0]):
        run = [step for _, step in those]
        yield from (f"{run[0]}-{run[-1]}",) if len(run) > 2 else map(str, run)


def visit_marks(run: TaskRun, frame: Frame, space: LabelSpace, ends: Sequence[Disc]) -> list[Markup]:
    """Draws the frontiers that were chosen, those whose marks would overlap as one mark, and reserves their areas.

    Args:
        run: the task.
        frame: the visible part of the map.
        space: room for labels.
        ends: marks that must not be covered.
    """
    marks = []
    for visit in _visits(run, frame, ends):
        radius, half = visit.radius, visit.half_width
        space.reserve_area((visit.x - half, visit.y - radius, visit.x + half, visit.y + radius))
        names = ", ".join(dict.fromkeys(visit.names))
        plural = "s" if len(visit.steps) > 1 else ""
        text = element(
            "text",
            visit.label,
            x=visit.x,
            y=visit.y + 0.3 * frame.font,
            font_size=0.85 * frame.font,
            class_="frontier-step",
        )
        title = f"step{plural} {', '.join(map(str, visit.steps))}: explored {names}"
        marks.append(element("g", element("title", title), _outline(visit), text))
    return marks


def _outline(visit: _Visit) -> Markup:
    radius, half = visit.radius, visit.half_width
    if len(visit.steps) == 1:
        return element("circle", cx=visit.x, cy=visit.y, r=radius, class_="frontier")
    x, y = visit.x - half, visit.y - radius
    return element("rect", x=x, y=y, width=2 * half, height=2 * radius, rx=radius, class_="frontier")


def _visits(run: TaskRun, frame: Frame, ends: Sequence[Disc]) -> list[_Visit]:
    visits: list[_Visit] = []
    for step in run.ordered_steps:
        skill = step.skill
        if skill is None or skill.action.skill != SKILL_EXPLORE or not skill.targets:
            continue
        target = skill.targets[0]
        if is_somewhere(target.pose):
            x, y = frame.place(target.pose.position.x, target.pose.position.y)
            visits.append(_Visit(x, y, frame.font, [step.number], [target.id]))
    _move_off(visits, ends)
    while (pair := next((p for p in combinations(visits, 2) if p[0].overlaps(p[1])), None)) is not None:
        pair[0].join(pair[1])
        visits.remove(pair[1])
    _move_off(visits, ends)
    return visits


def _move_off(visits: Iterable[_Visit], ends: Sequence[Disc]) -> None:
    for visit in visits:
        for end in ends:
            visit.move_off(*end)


def open_marks(run: TaskRun, frame: Frame, space: LabelSpace) -> list[Markup]:
    """Draws the frontiers that the last belief shows, with the lengths of the ways to them."""
    return list(_open_marks(run, frame, space))


def _open_marks(run: TaskRun, frame: Frame, space: LabelSpace) -> Iterator[Markup]:
    font = frame.font
    for view, center in run.open_frontiers:
        x, y = frame.place(center.x, center.y)
        size = _DIAMOND * font
        corners = ((x, y - size), (x + size, y), (x, y + size), (x - size, y))
        length = f"{view.length:.1f} m" if math.isfinite(view.length) else ""
        parts = [
            element("title", f"{view.frontier}, open at the end{length and f', {length} of way'}"),
            element("polygon", points=points(corners), class_="open-frontier"),
        ]
        space.reserve(x, y, size)
        spot = space.place(x, y, length, 0.85 * font, (1.3, -1.3, 2.2, -2.2)) if length else None
        if spot is not None:
            parts.append(
                element(
                    "text",
                    length,
                    x=spot[0],
                    y=spot[1] + 0.3 * font,
                    font_size=0.85 * font,
                    class_="open-length",
                )
            )
        yield element("g", *parts)
