"""The comparison of two engines, on hand-made images and floors."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from stma_ros.evaluation.engine_comparison.comparison import (
    Drive,
    Findings,
    PathComparison,
    Touch,
    ViewComparison,
    compare_drive,
    compare_path,
    compare_pictures,
    compare_touches,
    free_places,
    lines,
    states_of,
)
from stma_ros.evaluation.engine_comparison.figure import View, draw_views
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.robot.geometry import OrientedRect, Placement, Rect
from stma_ros.worlds.robot.motion import Ground, Obstacles
from stma_ros.worlds.robot.picture import Picture

ROOM = Rect(0.0, 0.0, 6.0, 4.0)
BOX = OrientedRect(3.0, 2.0, 0.5, 0.5)


def ground(*obstacles: OrientedRect) -> Ground:
    return Ground.among(ROOM, obstacles)


def moved(by: float) -> OrientedRect:
    return OrientedRect(BOX.x + by, BOX.y, BOX.half_x, BOX.half_y)


def picture(depth: int = 2000, shade: int = 100) -> Picture:
    shape = (10, 20)
    colour = np.full((*shape, 3), shade, np.uint8)
    return Picture(colour, np.full(shape, depth, np.uint16), np.zeros(shape, np.int32))


SEEN = np.full((10, 20), "wall")


def test_depths_agree_within_two_centimetres_where_both_engines_measure() -> None:
    one, two = picture(), picture()
    two.depth[0, :10] = 2020
    assert compare_pictures(one, two, SEEN, SEEN).depth == 1.0
    two.depth[0, :10] = 2021
    assert compare_pictures(one, two, SEEN, SEEN).depth == pytest.approx(0.95)
    one.depth[:], two.depth[:] = 15, 15
    two.depth[0, 0] = 0
    assert compare_pictures(one, two, SEEN, SEEN).depth == pytest.approx(199 / 200)
    one.depth[0, 0] = 0
    assert compare_pictures(one, two, SEEN, SEEN).depth == 1.0


def test_categories_and_colours_are_compared_by_pixel() -> None:
    other = SEEN.copy()
    other[:, :5] = "door"
    sight = compare_pictures(picture(shade=100), picture(shade=92), SEEN, other)
    assert sight.category == pytest.approx(0.75)
    assert sight.colour == pytest.approx(8.0)


def test_drives_differ_when_one_ends_elsewhere_or_without_a_bump() -> None:
    start, end = Placement(1.0, 2.0, 0.0), (4.0, 2.0)
    assert compare_drive(ground(BOX), ground(BOX), start, end) == Drive(True, 0.0)
    off = compare_drive(ground(BOX), ground(moved(0.2)), start, end)
    assert off.bump
    assert off.apart == pytest.approx(0.2, abs=0.051)
    past = compare_drive(ground(BOX), ground(), start, end)
    assert not past.bump
    assert past.apart == pytest.approx(4.0 - 2.25, abs=0.051)


def test_differing_collision_points_state_their_distance_from_the_edge() -> None:
    points = np.array([(1.0, 1.0), (3.0, 2.0), (2.2, 2.0), (3.76, 2.0)])
    touches = compare_touches(ground(BOX), ground(moved(0.03)), Obstacles([BOX]), points)
    assert [touch.same for touch in touches] == [True, True, True, False]
    assert touches[3].edge == pytest.approx(0.01)


def test_paths_are_compared_by_existence_and_length() -> None:
    start, goal = Placement(1.0, 2.0, 0.0), Placement(5.0, 2.0, 0.0)
    wall = OrientedRect(3.0, 2.0, 0.1, 2.0)
    same = compare_path(ground(BOX), ground(BOX), start, goal)
    assert same == PathComparison(True, 1.0)
    shorter = compare_path(ground(BOX), ground(), start, goal)
    assert shorter.same
    assert 0.8 < shorter.ratio < 0.97
    cut_off = compare_path(ground(BOX), ground(wall), start, goal)
    assert not cut_off.same
    assert math.isnan(cut_off.ratio)
    assert compare_path(ground(wall), ground(wall), start, goal).same


def test_free_places_are_free_in_both_engines() -> None:
    one, two = ground(BOX), ground(OrientedRect(1.0, 1.0, 0.4, 0.4))
    places = free_places(one, two, ROOM, np.random.default_rng(3))
    drawn = [next(places) for _ in range(200)]
    assert not any(floor.collides(place.x, place.y) for floor in (one, two) for place in drawn)
    assert np.ptp([place.x for place in drawn]) > 4


def test_the_second_state_of_a_flat_has_everything_open_on_and_full() -> None:
    flat = make_flat(1004, 4)
    found, opened = states_of(flat).values()
    assert found is flat.initial
    assert opened.open_names == flat.openable_names > found.open_names
    assert {piece.name for piece in flat.furniture if piece.is_device} <= opened.on_names
    assert {item.name for item in flat.items if item.is_vessel} == opened.full_names
    assert opened.spots == found.spots


def test_each_figure_of_the_comparison_is_checked_against_its_threshold() -> None:
    good = Findings(
        [ViewComparison(0.995, 1.0, 7.0)],
        [Drive(True, 0.05)],
        [Touch(True, 1.0)],
        [PathComparison(True, 1.02)],
    )
    assert not any(line.is_missed for line in lines(good))
    by_key = {line.key: line for line in lines(good)}
    assert by_key["depth"].value == pytest.approx(99.5)
    assert by_key["detour"].value == pytest.approx(2.0)

    def missed(bad: Findings) -> set[str]:
        return {line.key for line in lines(good + bad) if line.is_missed}

    assert missed(Findings(sights=[ViewComparison(0.98, 1.0, 0.0)])) == {"depth"}
    assert missed(Findings(sights=[ViewComparison(1.0, 0.9, 0.0)])) == {"category"}
    assert missed(Findings(drives=[Drive(False, 0.0)])) == {"bump"}
    assert missed(Findings(drives=[Drive(True, 0.06)])) == {"stop"}
    assert missed(Findings(touches=[Touch(False, 0.06)])) == {"touch", "edge"}
    assert missed(Findings(ways=[PathComparison(False, math.nan)])) == {"way"}
    assert {line.key for line in lines(Findings()) if line.is_missed} >= {
        "depth",
        "bump",
    }  # no measurement does not pass


def test_comparison_figure_shows_both_engines(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="draws figures: pip install 'stma_ros[plots]'")
    file = tmp_path / "views.png"
    other = SEEN.copy()
    other[:, :5] = ""
    draw_views([View("one", picture(), picture(2100, 90), SEEN, other)] * 2, file)
    with Image.open(file) as drawn:
        width, height = drawn.size
        assert width > 1200
        assert height > 400
        assert len(drawn.convert("RGB").getcolors(1 << 20) or ()) > 50
