"""The choice of a place on or in a piece of furniture, from its box, the map and the boxes of things."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from stma_ros.library.scene.free_places import APART, FailedPlace, PlacingLimits, choose_place
from stma_ros.mapping.surfaces import BoxVolume
from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.boxes import Box
from stma_ros.types.planar import turned
from stma_ros.types.standard import Pose
from support.mapping.furniture_voxels import fill, map_of

MUG = (0.1, 0.08, 0.1)
TABLE = Box(np.array([0.0, 0.0, 0.375]), np.array([1.4, 0.8, 0.75]))
TOP = PlacingLimits(low=0.05, high=0.85, best=0.9, top=math.inf, stood_on=(), guesses=(0.75,))
ROBOT = (1.5, 0.2)


def volume(piece: Box, boards: tuple[float, ...] = (0.75,), *on_it: Box) -> BoxVolume:
    voxels = map_of(piece, boards)
    for box in on_it:
        fill(voxels, box, box.top - box.extent[2], box.top)
    return BoxVolume.of(voxels, piece.middle.tolist(), piece.extent.tolist(), piece.yaw, above=0.3)


def unseen(piece: Box) -> BoxVolume:
    return BoxVolume.of(map_of(Box(np.full(3, 50.0), np.ones(3)), ()), piece.middle.tolist(), [1, 1, 1], 0, 0)


def put(pose: Pose | None, size: tuple[float, float, float]) -> Box:
    assert pose is not None
    at = pose.position
    return Box(np.array([at.x, at.y, at.z + size[2] / 2]), np.array(size), pose.yaw)


def corners(box: Box) -> NDArray[np.float64]:
    signs = np.array([(-1, -1), (-1, 1), (1, 1), (1, -1)], np.float64)
    return turned(signs * box.extent[:2] / 2, box.yaw) + box.middle[:2]


THINGS = st.lists(st.tuples(st.floats(-0.6, 0.6), st.floats(-0.3, 0.3), st.floats(-3, 3)), max_size=5)


@settings(deadline=None)
@given(
    yaw=st.floats(-math.pi, math.pi),
    x=st.floats(-20, 20),
    y=st.floats(-20, 20),
    things=THINGS,
    bearing=st.floats(-math.pi, math.pi),
    length=st.floats(0.05, 0.35),
)
def test_chosen_place_is_on_the_piece_and_clear_of_all_known_boxes_in_any_frame(
    yaw: float, x: float, y: float, things: list[tuple[float, float, float]], bearing: float, length: float
) -> None:
    table = Box(np.array([x, y, 0.375]), TABLE.extent, yaw)
    others = []
    for along, across, turn in things:
        at = turned(np.array([along, across]), yaw) + np.array([x, y])
        others.append(Box(np.array([*at, 0.825]), np.array([0.12, 0.2, 0.15]), turn))
    size = (length, 0.05, 0.12)
    robot = x + 1.5 * math.cos(bearing), y + 1.5 * math.sin(bearing)
    mine = put(choose_place(table, volume(table, (0.75,), *others), size, TOP, others, robot), size)
    local = np.abs(turned(corners(mine) - table.middle[:2], -yaw))
    assert (local <= table.extent[:2] / 2 + 1e-6).all()
    assert mine.top - size[2] == pytest.approx(0.75, abs=0.05)
    if others:
        assert BoxArray.of([mine]).gaps(BoxArray.of(others)).min() >= APART - 1e-6


def test_choice_turns_with_the_frame() -> None:
    others = [Box(np.array([0.5, 0.2, 0.8]), np.array([0.2, 0.1, 0.1]), 0.3)]
    plain = put(choose_place(TABLE, unseen(TABLE), MUG, TOP, others, ROBOT), MUG)
    turn = 0.7
    moved = [Box(turned(box.middle, turn), box.extent, box.yaw + turn) for box in (TABLE, *others)]
    robot = tuple(turned(np.array(ROBOT), turn).tolist())
    again = put(choose_place(moved[0], unseen(TABLE), MUG, TOP, moved[1:], robot), MUG)
    assert again.middle == pytest.approx(turned(plain.middle, turn), abs=1e-6)


def test_place_is_on_the_robots_side() -> None:
    for robot in (ROBOT, (-1.5, 0.0), (0.0, 1.2)):
        mine = put(choose_place(TABLE, volume(TABLE), MUG, TOP, (), robot), MUG)
        assert math.dist(mine.middle[:2], robot) < math.dist((0, 0), robot) - 0.2


@pytest.mark.parametrize("yaw", [0.0, 0.7])
def test_place_is_beside_what_the_thing_is_to_be_near(yaw: float) -> None:
    table = Box(TABLE.middle, TABLE.extent, yaw)
    lamp = Box(np.array([*turned(np.array([0.1, 0.3]), yaw), 0.85]), np.array([0.1, 0.1, 0.2]), yaw + 0.3)
    robot = turned(np.array(ROBOT), yaw)

    def gap(beside: Box | None) -> float:
        chosen = choose_place(table, volume(table), MUG, TOP, [lamp], (robot[0], robot[1]), beside=beside)
        return float(BoxArray.of([put(chosen, MUG)]).gaps(BoxArray.of([lamp]))[0, 0])

    assert APART - 1e-6 <= gap(lamp) < 0.15 < gap(None)


def test_place_is_not_behind_another_thing() -> None:
    before = Box(np.array([0.55, 0.2, 0.85]), np.array([0.1, 0.1, 0.2]))
    mine = put(choose_place(TABLE, volume(TABLE), MUG, TOP, [before], ROBOT), MUG)
    seen = [math.atan2(box.middle[1] - ROBOT[1], box.middle[0] - ROBOT[0]) for box in (mine, before)]
    assert abs(math.remainder(seen[0] - seen[1], 2 * math.pi)) > 0.05


def test_seat_is_chosen_below_the_top_of_the_back() -> None:
    sofa = Box(np.array([0.0, 0.0, 0.42]), np.array([0.9, 1.8, 0.84]))
    voxels = map_of(sofa, (0.44,))
    fill(voxels, Box(np.array([-0.38, 0.0, 0.6]), np.array([0.14, 1.8, 0.84])), 0.4, 0.84)
    seat = BoxVolume.of(voxels, sofa.middle.tolist(), sofa.extent.tolist(), 0.0, above=0.3)
    limits = PlacingLimits(low=0.05, high=0.94, best=0.9, top=math.inf, stood_on=(), guesses=(0.84,))
    mine = put(choose_place(sofa, seat, MUG, limits, (), (1.5, 0.0)), MUG)
    assert mine.top - MUG[2] == pytest.approx(0.44, abs=0.05)


def test_unknown_thing_that_the_map_shows_is_avoided() -> None:
    clutter = Box(np.array([0.55, 0.2, 0.9]), np.array([0.3, 0.4, 0.3]))
    mine = put(choose_place(TABLE, volume(TABLE, (0.75,), clutter), MUG, TOP, (), ROBOT), MUG)
    assert not clutter.contains(np.array([*mine.middle[:2], 0.9]))


def test_surface_that_was_not_seen_is_guessed() -> None:
    mine = put(choose_place(TABLE, unseen(TABLE), MUG, TOP, (), ROBOT), MUG)
    assert mine.top - MUG[2] == pytest.approx(0.75)


def test_surface_that_is_seen_at_an_awkward_height_comes_before_one_that_is_guessed() -> None:
    bunk = Box(np.array([0.0, 0.0, 0.825]), np.array([0.95, 1.9, 1.65]))
    seen = BoxVolume.of(map_of(bunk, (0.2,)), bunk.middle.tolist(), bunk.extent.tolist(), 0.0, above=0.3)
    seen.counts[seen.counts < 0] = 0
    limits = PlacingLimits(
        low=0.05, high=1.75, best=0.9, top=math.inf, stood_on=(), guesses=(1.35, 0.85, 0.45)
    )
    mine = put(choose_place(bunk, seen, MUG, limits, (), (0.0, 1.6)), MUG)
    assert mine.top - MUG[2] == pytest.approx(0.2, abs=0.05)


def test_guesses_go_on_to_heights_that_an_attempt_has_not_shown() -> None:
    limits = PlacingLimits(
        low=0.05, high=1.75, best=0.9, top=math.inf, stood_on=(), guesses=(1.35, 1.05, 0.75, 0.45, 0.15)
    )
    shelf = Box(np.array([0.0, 0.0, 0.83]), np.array([0.4, 0.4, 1.65]))
    failed: list[FailedPlace] = []
    heights = []
    for _ in range(5):
        pose = choose_place(shelf, unseen(shelf), MUG, limits, (), ROBOT, failed)
        if pose is None:
            break
        heights.append(pose.position.z)
        failed.append(FailedPlace(np.array([pose.position.x, pose.position.y, pose.position.z]), True))
    assert sorted(heights, reverse=True) == [1.35, 1.05, 0.75, 0.45, 0.15]


def test_space_that_is_seen_to_be_empty_is_no_surface() -> None:
    assert choose_place(TABLE, volume(TABLE, ()), MUG, TOP, (), ROBOT) is None


def test_long_thing_lies_along_a_shelf_that_is_less_deep() -> None:
    board = Box(np.array([0.0, 0.0, 0.45]), np.array([0.3, 0.9, 0.9]), 0.4)
    umbrella = (0.7, 0.06, 0.06)
    limits = PlacingLimits(low=0.05, high=1.0, best=0.9, top=math.inf, stood_on=(), guesses=(0.9,))
    pose = choose_place(board, volume(board, (0.9,)), umbrella, limits, (), (1.2, 0.0))
    assert abs(math.sin(put(pose, umbrella).yaw - (0.4 + math.pi / 2))) < 1e-6


@pytest.mark.parametrize(("no_surface", "away"), [(False, 0.25), (True, 0.5)])
def test_next_choice_keeps_away_from_a_place_that_failed(no_surface: bool, away: float) -> None:
    first = put(choose_place(TABLE, volume(TABLE), MUG, TOP, (), ROBOT), MUG)
    failed = FailedPlace(first.middle - (0, 0, MUG[2] / 2), no_surface)
    second = put(choose_place(TABLE, volume(TABLE), MUG, TOP, (), ROBOT, [failed]), MUG)
    assert math.dist(first.middle[:2], second.middle[:2]) > away


def test_no_height_of_a_place_without_a_surface_is_tried_next() -> None:
    case = Box(np.array([0.0, 0.0, 0.6]), np.array([0.4, 1.6, 1.2]))
    limits = PlacingLimits(low=0.05, high=1.2, best=0.9, top=math.inf, stood_on=(), guesses=(1.2,))
    shown = volume(case, (0.3, 0.9))
    first = put(choose_place(case, shown, MUG, limits, (), ROBOT), MUG)
    failed = FailedPlace(first.middle - (0, 0, MUG[2] / 2), no_surface=True)
    second = put(choose_place(case, shown, MUG, limits, (), ROBOT, [failed]), MUG)
    assert math.dist(first.middle[:2], second.middle[:2]) > 0.3


def test_a_full_piece_has_no_place() -> None:
    others = [Box(np.array([0.0, 0.0, 0.9]), np.array([1.4, 0.8, 0.3]))]
    assert choose_place(TABLE, volume(TABLE), MUG, TOP, others, ROBOT) is None
