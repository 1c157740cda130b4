"""Marks on the map from where pictures were taken: those that were kept, and those that the answer rests on."""

from __future__ import annotations

import math
from collections.abc import Sequence

from markupsafe import Markup

from stma_ros.apps.report.evidence import Cited
from stma_ros.apps.report.map_frame import Frame, LabelSpace
from stma_ros.apps.report.svg import element, points
from stma_ros.apps.report.task_run import TaskRun
from stma_ros.visual.drawing_context import is_somewhere
from stma_ros.visual.snapshots import field_of_view

_KEPT, _CITED = 3.0, 7.5  # lengths of fields of view [font heights]
_BADGE = 1.0  # radius of a letter's badge [font heights]
_ARC = 8  # parts of the far edge of a field of view


def kept_marks(run: TaskRun, cited: Sequence[Cited], frame: Frame) -> list[Markup]:
    """Draws the fields of view of the snapshots that were kept at the end and are not cited."""
    ids = {each.snapshot for each in cited}
    marks = []
    for snapshot in run.kept_snapshots:
        if snapshot.id not in ids and (view := field_of_view(snapshot.camera, run.camera)) is not None:
            title = element("title", f"picture of {snapshot.stamp.seconds - run.begin:.1f} s, kept")
            marks.append(element("g", title, _fan(view, _KEPT * frame.font, frame, "kept-view")))
    return marks


def cited_marks(run: TaskRun, cited: Sequence[Cited], frame: Frame, space: LabelSpace) -> list[Markup]:
    """Draws from where each cited picture was taken, with lines to the things that it shows. Their badges are reserved
    in `space`."""
    marks = []
    for each in cited:
        view = field_of_view(each.camera, run.camera)
        if view is None:
            continue
        (x, y), right, left = view
        reach, middle = _CITED * frame.font, (right + left) / 2
        seen = [d.center for d in each.subjects if is_somewhere(d.center)]
        badge = frame.place(x + 0.7 * reach * math.cos(middle), y + 0.7 * reach * math.sin(middle))
        radius = _BADGE * frame.font
        space.reserve(*badge, radius)
        begin = frame.place(x, y)
        lines = [
            part
            for point in seen
            for end in (frame.place(point.x, point.y),)
            for part in (
                element("line", x1=begin[0], y1=begin[1], x2=end[0], y2=end[1], class_="sight"),
                element("circle", cx=end[0], cy=end[1], r=0.35 * frame.font, class_="sighted"),
            )
        ]
        marks.append(
            element(
                "g",
                element("title", f"evidence {each.letter}, seen at {each.frame.time - run.begin:.1f} s"),
                _fan(view, reach, frame, "cited-view"),
                *lines,
                element("circle", cx=badge[0], cy=badge[1], r=radius, class_="badge-disc"),
                element(
                    "text",
                    each.letter,
                    x=badge[0],
                    y=badge[1] + 0.4 * frame.font,
                    font_size=1.15 * frame.font,
                    class_="badge-letter",
                ),
            )
        )
    return marks


def _fan(view: tuple[tuple[float, float], float, float], reach: float, frame: Frame, kind: str) -> Markup:
    (x, y), right, left = view
    angles = [right + (left - right) * part / _ARC for part in range(_ARC + 1)]
    edge = [frame.place(x + reach * math.cos(a), y + reach * math.sin(a)) for a in angles]
    return element("polygon", points=points((frame.place(x, y), *edge)), class_=kind)
