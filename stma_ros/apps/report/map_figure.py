"""Draws the map of a task: occupancy, rooms, objects and the robot's path."""

from __future__ import annotations

import io
import math
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

import numpy as np
from markupsafe import Markup
from PIL import Image as PillowImage

from stma_ros.apps.report.evidence import Cited
from stma_ros.apps.report.evidence_marks import cited_marks, kept_marks
from stma_ros.apps.report.frontier_marks import open_marks, visit_marks
from stma_ros.apps.report.map_frame import Frame, LabelSpace, half_extents
from stma_ros.apps.report.svg import css, data_uri, element, points, time_colour
from stma_ros.apps.report.task_run import TaskRun, Waypoint
from stma_ros.types.scene_graph import ObjectNode, RoomNode
from stma_ros.types.standard import OccupancyGrid
from stma_ros.types.vocabulary import IN, ON
from stma_ros.visual.colours import of_room
from stma_ros.visual.naming import labels
from stma_ros.visual.objects import standing

_MARGIN = 0.4  # around the known area [m]
_FREE, _OCCUPIED = (255, 255, 255, 255), (62, 70, 86, 255)
_UNTURNED = 0.05  # yaw of a box that is drawn along the axes of the map [deg]
_END, _END_RADIUS = 0.85, 1.36  # scale of the marks of start and end [font heights], and their radius in it
_SEGMENTS = 160  # of the trajectory: enough for a smooth gradient, few enough for a small file


def map_figure(run: TaskRun, targets: Collection[str], cited: Sequence[Cited] = ()) -> Markup | None:
    """Returns an SVG in metres, None without a map.

    Args:
        run: the task.
        targets: ids of the objects of the task.
        cited: pictures that the answer rests on.
    """
    grid = run.grid
    if grid is None or not grid.data.size or grid.data.size != grid.info.width * grid.info.height:
        return None
    frame = _frame(grid, run.trajectory)
    objects = list(standing(run.graph).values()) if run.graph else []
    carried = {t.subject for t in run.graph.relations if t.predicate in (IN, ON)} if run.graph else set()
    space = LabelSpace(frame, objects)
    rooms = run.graph.rooms if run.graph else ()
    names = labels(run.graph)
    # The order of placing gives priority to labels where there is no room for all.
    ordered = sorted(objects, key=lambda node: (node.id not in targets, -node.size.x * node.size.y))
    for node in (node for node in objects if node.id in targets):
        space.reserve(*frame.place(node.center.x, node.center.y), _ring_radius(node))
    ends = [
        (*frame.place(waypoint.x, waypoint.y), _END_RADIUS * _END * frame.font)
        for waypoint in (*run.trajectory[:1], *run.trajectory[-1:])
    ]
    for end in ends:
        space.reserve(*end)
    evidence = cited_marks(run, cited, frame, space)
    visits = visit_marks(run, frame, space, ends)
    left = open_marks(run, frame, space)
    texts = [
        *(_object_label(node, frame, space, names, True) for node in ordered if node.id in targets),
        *(_room_label(room, frame, space, names) for room in rooms),
        # Objects in or on others are named in the scene graph; the map has no room for them.
        *(
            _object_label(node, frame, space, names, False)
            for node in ordered
            if node.id not in targets and node.id not in carried
        ),
    ]
    parts = [
        _picture(grid, frame),
        *(_room(room, index, frame, names) for index, room in enumerate(rooms)),
        *(_object_box(node, frame, names, node.id in targets) for node in reversed(ordered)),
        *kept_marks(run, cited, frame),
        *evidence,
        _trajectory(run.trajectory, frame),
        *left,
        *visits,
        *_ends(run, frame),
        *texts,
        _scale_bar(frame),
    ]
    mover = "camera" if run.is_hand_held else "robot"
    return element(
        "svg",
        element("title", f"Map of the task: {run.task.text}" if run.task.text else "Map"),
        *parts,
        viewBox=f"0 0 {frame.width:.3f} {frame.height:.3f}",
        role="img",
        class_="map",
        aria_label=f"Map with {len(rooms)} rooms and {len(objects)} objects, and the way of the {mover}",
        style=f"aspect-ratio: {frame.width:.3f} / {frame.height:.3f}",
    )


def _frame(grid: OccupancyGrid, trajectory: Sequence[Waypoint]) -> Frame:
    cells = _cells(grid)
    rows, columns = np.nonzero(cells >= 0)
    size, origin = grid.info.resolution, grid.info.origin.position
    xs = [origin.x + size * c for c in (columns.min(), columns.max() + 1)] if columns.size else [origin.x]
    ys = [origin.y + size * r for r in (rows.min(), rows.max() + 1)] if rows.size else [origin.y]
    xs += [point.x for point in trajectory]
    ys += [point.y for point in trajectory]
    left, bottom = min(xs) - _MARGIN, min(ys) - _MARGIN
    return Frame(left, bottom, max(xs) + _MARGIN - left, max(ys) + _MARGIN - bottom)


def _cells(grid: OccupancyGrid) -> np.ndarray[tuple[int, int], np.dtype[np.int8]]:
    return grid.data.reshape(grid.info.height, grid.info.width)


def _picture(grid: OccupancyGrid, frame: Frame) -> Markup:
    cells = _cells(grid)[::-1]
    pixels = np.zeros((*cells.shape, 4), np.uint8)  # unknown cells are transparent
    pixels[(cells >= 0) & (cells < 50)] = _FREE
    pixels[cells >= 50] = _OCCUPIED
    stream = io.BytesIO()
    PillowImage.fromarray(pixels).quantize(8).save(stream, "PNG", optimize=True)
    size, origin = grid.info.resolution, grid.info.origin.position
    x, y = frame.place(origin.x, origin.y + size * grid.info.height)
    return element(
        "image",
        href=data_uri(stream.getvalue(), "image/png"),
        x=x,
        y=y,
        width=size * grid.info.width,
        height=size * grid.info.height,
        preserveAspectRatio="none",
        class_="cells",
    )


def _room(room: RoomNode, index: int, frame: Frame, names: Mapping[str, str]) -> Markup:
    colour = css(of_room(index))
    return element(
        "polygon",
        element("title", f"{names[room.id]} ({room.id}), {room.area:.1f} m² known"),
        points=points(frame.place(corner.x, corner.y) for corner in room.footprint.points),
        fill=colour,
        fill_opacity=0.11,
        stroke=colour,
        stroke_opacity=0.8,
        stroke_width=0.035,
        stroke_dasharray="0.16 0.1",
    )


def _room_label(room: RoomNode, frame: Frame, space: LabelSpace, names: Mapping[str, str]) -> Markup:
    x, y = frame.place(room.center.x, room.center.y)
    name, font = names[room.id], 1.35 * frame.font
    offsets = (0.0, -1.2, 1.2, -2.4, 2.4, -3.6, 3.6)
    spot = space.place(x, y, name, font, offsets, clear=True, bold=True) or space.place(
        x, y, name, font, offsets, bold=True
    )
    if spot is None:
        return Markup("")
    return element("text", name, x=spot[0], y=spot[1] + 0.35 * font, font_size=font, class_="room-name")


def _object_box(node: ObjectNode, frame: Frame, names: Mapping[str, str], is_target: bool) -> Markup:
    # A surface may be thin, and small objects must still be visible on the map.
    width, height = max(node.size.x, 0.08), max(node.size.y, 0.08)
    cx, cy = frame.place(node.center.x, node.center.y)
    turn = -math.degrees(node.yaw)  # SVG turns clockwise
    box = element(
        "rect",
        x=cx - width / 2,
        y=cy - height / 2,
        width=width,
        height=height,
        rx=0.03,
        transform=f"rotate({turn:.1f} {cx:.3f} {cy:.3f})" if abs(turn) > _UNTURNED else None,
        class_="thing target" if is_target else "thing",
    )
    state = "".join(f", {state}" for state in node.state_names)
    tooltip = element("title", f"{names[node.id]}{state}; confidence {node.confidence:.2f}")
    if not is_target:
        return element("g", box, tooltip)
    ring = element("circle", cx=cx, cy=cy, r=_ring_radius(node), class_="target-ring")
    return element("g", ring, box, tooltip)


def _ring_radius(node: ObjectNode) -> float:
    return max(node.size.x, node.size.y, 0.08) / 2 + 0.16


def _object_label(
    node: ObjectNode, frame: Frame, space: LabelSpace, names: Mapping[str, str], is_target: bool
) -> Markup:
    x, y = frame.place(node.center.x, node.center.y)
    font = frame.font * (1.25 if is_target else 0.9)
    below = half_extents(node)[1] / font + 0.7
    if is_target:
        below = _ring_radius(node) / font + 0.7
    offsets = (-below, below, -below - 1.2, below + 1.2) if is_target else (0.0, -below, below)
    spot = space.place(x, y, names[node.id], font, offsets, bold=is_target)
    if spot is None:
        return Markup("")
    kind = "thing-name target-name" if is_target else "thing-name"
    return element("text", names[node.id], x=spot[0], y=spot[1] + 0.35 * font, font_size=font, class_=kind)


def _trajectory(trajectory: Sequence[Waypoint], frame: Frame) -> Markup:
    if len(trajectory) < 2:
        return Markup("")
    stride = max(1, math.ceil((len(trajectory) - 1) / _SEGMENTS))
    waypoints = [*trajectory[:-1:stride], trajectory[-1]]
    start, span = waypoints[0].time, max(waypoints[-1].time - waypoints[0].time, 1e-9)
    lines = []
    for one, other in pairwise(waypoints):
        (x1, y1), (x2, y2) = frame.place(one.x, one.y), frame.place(other.x, other.y)
        if math.hypot(x2 - x1, y2 - y1) > 1e-3:
            colour = time_colour(((one.time + other.time) / 2 - start) / span)
            lines.append(element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour))
    return element("g", *lines, stroke_width=0.3 * frame.font, stroke_linecap="round", opacity=0.9)


def _ends(run: TaskRun, frame: Frame) -> list[Markup]:
    trajectory = run.trajectory
    if not trajectory:
        return []
    size = _END * frame.font
    marks = []
    for waypoint, colour, name in (
        (trajectory[0], time_colour(0), "start"),
        (trajectory[-1], time_colour(1), "end"),
    ):
        x, y = frame.place(waypoint.x, waypoint.y)
        turn = -math.degrees(waypoint.yaw)  # SVG turns clockwise
        arrow = points(((1.0, 0.0), (-0.7, -0.65), (-0.35, 0.0), (-0.7, 0.65)))
        marks.append(
            element(
                "g",
                element("title", f"{name} pose at {waypoint.time - run.begin:.1f} s"),
                element("circle", r=1.25, fill="#fff", stroke=colour, stroke_width=0.22),
                element("polygon", points=arrow, fill=colour),
                transform=f"translate({x:.3f} {y:.3f}) rotate({turn:.1f}) scale({size:.3f})",
            )
        )
    return marks


def _scale_bar(frame: Frame) -> Markup:
    length = 2.0 if max(frame.width, frame.height) > 12 else 1.0
    x, y, tick = 0.15, frame.height - 0.18, 0.25 * frame.font
    line = f"M{x} {y - tick:.3f}V{y}H{x + length}V{y - tick:.3f}"
    return element(
        "g",
        element("path", d=line, fill="none", stroke_width=0.1 * frame.font, class_="scale"),
        element(
            "text",
            f"{length:g} m",
            x=x + length / 2,
            y=y - 0.5 * frame.font,
            font_size=frame.font,
            class_="scale-name",
        ),
    )
