"""The layout of Rerun's window."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
import rerun as rr
import rerun.blueprint as rrb
from numpy.typing import NDArray

from stma_ros.roles.registry import ROLE_NAMES
from stma_ros.visual import paths
from stma_ros.visual.figures import charts

TIMELINE = "time"
_DARK = (24, 27, 33)
_OF_EXPLORATIONS = (paths.FRONTIER_VIEWS, paths.EVIDENCE_PICTURES)
_PICTURES = (
    (paths.EVIDENCE_PICTURES, "Evidence"),
    (paths.FRONTIER_VIEWS, "Frontiers"),
    (paths.KEYFRAME, "Newest keyframe, with detections"),
    (paths.COLOR, "Camera"),
)
"""The tabs with pictures, those of explorations first."""


def layout(
    bounds: NDArray[np.float64] | None, span_ns: tuple[int, int], drawn: Collection[str]
) -> rrb.Blueprint:
    """Returns the layout.

    Args:
        bounds: (2, 2) corners of the known floor [m], None where there is none.
        span_ns: begin and end of the recording.
        drawn: the paths with content.
    """
    figures = _figures(drawn, span_ns)
    has_text = paths.WORLD_TEXT in drawn  # a text world has neither places nor a camera
    if has_text:
        main: rrb.Container = rrb.Horizontal(
            _pages(drawn, has_text=True), rrb.Vertical(_log(), figures), column_shares=[3, 2]
        )
    else:
        top = rrb.Horizontal(
            _space(bounds),
            rrb.GraphView(origin=paths.GRAPH, name="Scene graph"),
            _pages(drawn, has_text=False),
            column_shares=[9, 8, 6],
        )
        pictures = rrb.Tabs(
            *(
                rrb.Spatial2DView(origin=path, name=name)
                for path, name in _PICTURES
                if path in drawn or path not in _OF_EXPLORATIONS
            ),
            active_tab=0,
        )
        main = rrb.Vertical(
            top, rrb.Horizontal(pictures, _log(), figures, column_shares=[6, 7, 10]), row_shares=[5, 3]
        )
    return rrb.Blueprint(
        main,
        rrb.TimePanel(state="collapsed", timeline=TIMELINE, play_state="following"),
        rrb.SelectionPanel(state="collapsed"),
        rrb.BlueprintPanel(state="collapsed"),
        auto_layout=False,
        auto_views=False,
    )


def styles() -> Iterator[tuple[str, rr.SeriesLines]]:
    """Yields the style of each figure: a step curve."""
    for chart in charts(ROLE_NAMES):
        for path, name, colour in chart.lines:
            yield path, rr.SeriesLines(colors=colour, names=name, widths=2.0, interpolation_mode="StepAfter")


def _space(bounds: NDArray[np.float64] | None) -> rrb.Spatial3DView:
    eye = None
    if bounds is not None:
        (x, y), size = bounds.mean(axis=0), float(np.ptp(bounds, axis=0).max())
        eye = rrb.EyeControls3D(
            kind="Orbital",
            position=(x, y - 0.65 * size, 1.05 * size),
            look_target=(x, y, 0.0),
            eye_up=(0.0, 0.0, 1.0),
        )
    return rrb.Spatial3DView(
        origin=paths.WORLD,
        name="Map",
        background=_DARK,
        line_grid=False,
        eye_controls=eye,
        # Routes lead to all known objects: too many to be shown by default.
        overrides={paths.ROUTES: rrb.EntityBehavior(visible=False)},
    )


def _pages(drawn: Collection[str], *, has_text: bool) -> rrb.Vertical:
    plan: rrb.View | rrb.Container = rrb.TextDocumentView(origin=paths.PLAN, name="Plan and verdicts")
    if paths.CHECKLIST in drawn:
        checklist = rrb.TextDocumentView(origin=paths.CHECKLIST, name="Checklist")
        plan = rrb.Tabs(checklist, plan, active_tab=0)
    elif paths.EXPERIENCES in drawn:
        experiences = rrb.TextDocumentView(origin=paths.EXPERIENCES, name="Experiences")
        plan = rrb.Tabs(plan, experiences, active_tab=0)
    beliefs = rrb.Tabs(
        rrb.TextDocumentView(origin=paths.TEMPORAL_BELIEF, name="Temporal belief"),
        rrb.TextDocumentView(origin=paths.SPATIAL_BELIEF, name="Spatial belief"),
        active_tab=0,
    )
    return rrb.Vertical(
        rrb.TextDocumentView(origin=paths.TASK, name="Task"),
        plan,
        beliefs,
        *((rrb.TextDocumentView(origin=paths.WORLD_TEXT, name="Output of the world"),) if has_text else ()),
        row_shares=[4, 9, 10, *([8] if has_text else [])],
    )


def _log() -> rrb.TextLogView:
    return rrb.TextLogView(
        origin=paths.LOG,
        name="Plans, verdicts of the critic, outcomes",
        columns=rrb.archetypes.TextLogColumns(timeline_columns=[TIMELINE], text_log_columns=["body"]),
    )


def _figures(drawn: Collection[str], span_ns: tuple[int, int]) -> rrb.Container:
    first, last = (rr.TimeRangeBoundary.absolute(nanos=stamp_ns) for stamp_ns in span_ns)
    return rrb.Grid(
        *(
            rrb.TimeSeriesView(
                origin=chart.path,
                name=chart.title,
                plot_legend=rrb.Corner2D.LeftTop,
                axis_x=rrb.TimeAxis(view_range=rr.TimeRange(first, last)),
            )
            for chart in charts(ROLE_NAMES)
            if any(path in drawn for path, _, _ in chart.lines)
        )
    )
