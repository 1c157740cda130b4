"""Rectangles and boxes of any yaw."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.worlds.robot.boxes import Box
from stma_ros.worlds.robot.geometry import ConvexPolygon, OrientedRect, Placement, Rect

lengths, yaws = st.floats(0.05, 3.0), st.floats(-math.pi, math.pi)
places = st.floats(-4.0, 4.0)
rects = st.builds(OrientedRect, places, places, lengths, lengths, yaws)


def turned(rect: OrientedRect, by: Placement) -> OrientedRect:
    return replace(rect, **dict(zip("xy", by.point(rect.x, rect.y), strict=True)), yaw=rect.yaw + by.yaw)


@given(a=rects, b=rects, frame=st.builds(Placement, places, places, yaws))
def test_overlap_and_gap_of_rectangles_do_not_depend_on_the_frame(
    a: OrientedRect, b: OrientedRect, frame: Placement
) -> None:
    moved = turned(a, frame).gap(turned(b, frame))
    assert moved == pytest.approx(a.gap(b), abs=1e-6)
    assert a.gap(b) == pytest.approx(b.gap(a), abs=1e-9)


@given(a=rects, b=rects)
def test_rectangles_apart_have_a_gap_no_larger_than_between_any_two_of_their_points(
    a: OrientedRect, b: OrientedRect
) -> None:
    points = [a.point(u * a.half_x, v * a.half_y) for u in (-1, 0, 1) for v in (-1, 0, 1)]
    assert a.gap(b) <= min(b.distance(*point) for point in points) + 1e-9
    if any(b.contains(*point) for point in points):
        assert a.overlaps(b)


@given(rect=rects, x=places, y=places)
def test_the_nearest_point_of_a_rectangle_is_as_far_away_as_the_rectangle(
    rect: OrientedRect, x: float, y: float
) -> None:
    near_x, near_y = rect.nearest(x, y)
    assert rect.grown(1e-9).contains(near_x, near_y)
    assert math.hypot(near_x - x, near_y - y) == pytest.approx(rect.distance(x, y), abs=1e-9)
    assert float(rect.distances(np.array(x), np.array(y))) == pytest.approx(rect.distance(x, y), abs=1e-9)


@given(rect=rects, yaw=yaws)
def test_the_rectangle_around_others_holds_them_at_any_yaw(rect: OrientedRect, yaw: float) -> None:
    around = OrientedRect.around([rect, OrientedRect(1.0, 1.0, 0.1, 0.2)], yaw)
    assert all(around.grown(1e-9).contains(*corner) for corner in rect.corners)
    same = OrientedRect.around([rect], rect.yaw)
    assert (same.x, same.y, same.half_x, same.half_y) == pytest.approx(
        (rect.x, rect.y, rect.half_x, rect.half_y)
    )


@given(rect=rects)
def test_a_line_crosses_a_rectangle_through_its_centre_and_not_beside_it(rect: OrientedRect) -> None:
    far = rect.half_x + 1.0
    assert rect.is_crossed(*rect.point(-far, 0.0), *rect.point(far, 0.0))
    beside = rect.half_y + 0.01
    assert not rect.is_crossed(*rect.point(-far, beside), *rect.point(far, beside))
    assert not rect.is_crossed(*rect.point(-far, 0.0), *rect.point(-far + 0.9, 0.0))


def test_a_rectangle_of_a_local_frame_keeps_its_sides_in_the_map() -> None:
    rect = Placement(1.0, 2.0, 0.5).rect(Rect(0.0, -0.5, 2.0, 0.5))
    assert (rect.half_x, rect.half_y, rect.yaw) == (1.0, 0.5, 0.5)
    assert rect.centre == pytest.approx((1.0 + math.cos(0.5), 2.0 + math.sin(0.5)))


@given(yaw=yaws, other=yaws)
def test_a_box_around_points_has_their_extents_in_its_own_axes(yaw: float, other: float) -> None:
    corners = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-0.4, 0.4) for z in (0.0, 0.7)])
    cosine, sine = math.cos(yaw), math.sin(yaw)
    points = corners @ np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]]) + (
        2.0,
        3.0,
        0.1,
    )
    box = Box.around(points, yaw)
    assert box.centre == pytest.approx((2.0, 3.0, 0.45))
    assert box.size == pytest.approx((2.0, 0.8, 0.7))
    loose = Box.around(points, other)
    assert all(loose.distance(*point) < 1e-9 for point in points.tolist())


def test_the_gap_of_two_boxes_counts_height() -> None:
    low = Box((0.0, 0.0, 0.5), (1.0, 1.0, 1.0), 0.3)
    assert low.gap(Box((0.0, 0.0, 2.0), (0.2, 0.2, 1.0), 1.0)) == pytest.approx(0.5)
    assert low.gap(Box((0.2, 0.0, 1.2), (0.2, 0.2, 1.0), 1.0)) == 0.0
    assert low.distance(0.0, 0.0, 1.3) == pytest.approx(0.3)


trapezoids = st.builds(
    lambda width, left, right: ConvexPolygon(((0.0, 0.0), (width, 0.0), (width, right), (0.0, left))),
    st.floats(1.0, 5.0),
    st.floats(1.0, 5.0),
    st.floats(1.0, 5.0),
)


@given(area=trapezoids, x=places, y=places)
def test_a_polygon_agrees_with_itself_about_what_is_inside(area: ConvexPolygon, x: float, y: float) -> None:
    assert area.contains(*area.centre)
    assert area.contains(x, y) == (area.distance(x, y) == 0.0)
    beyond = float(area.outside(np.array(x), np.array(y)))
    assert beyond <= area.distance(x, y) + 1e-9
    if area.distance(x, y) > 1e-6:
        assert beyond > 0.0


@given(area=trapezoids, margin=st.floats(-0.3, 0.3))
def test_a_grown_polygon_has_its_sides_moved_outwards(area: ConvexPolygon, margin: float) -> None:
    grown = area.grown(margin)
    for (side, _), (moved, _) in zip(area.sides, grown.sides, strict=True):
        assert side.local(moved.x, moved.y)[1] == pytest.approx(-margin, abs=1e-9)
        assert math.remainder(moved.yaw - side.yaw, math.tau) == pytest.approx(0.0, abs=1e-6)


@given(area=trapezoids, step=st.floats(0.3, 1.1))
def test_tiles_clipped_to_a_polygon_fill_it_without_overlap(area: ConvexPolygon, step: float) -> None:
    tiles = [
        area.clipped(Rect(i * step, j * step, (i + 1) * step, (j + 1) * step))
        for i in range(18)
        for j in range(18)
    ]
    assert sum(tile.area for tile in tiles if tile is not None) == pytest.approx(area.area, rel=1e-6)


@given(area=trapezoids, rect=rects)
def test_a_polygon_covers_a_rectangle_when_none_of_its_corners_is_outside(
    area: ConvexPolygon, rect: OrientedRect
) -> None:
    assert area.covers(rect) == all(area.distance(*corner) == 0.0 for corner in rect.corners)
