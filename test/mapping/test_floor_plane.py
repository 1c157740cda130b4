"""Tests of finding the floor among points, under tables, between walls and with noise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.mapping.floor_plane import FloorPlane, find_floor

SEEDS = st.integers(0, 2**32 - 1)


def patch(
    rng: np.random.Generator, count: int, x: float, y: float, z: float, at: tuple[float, float] = (0, 0)
) -> np.ndarray:
    """Returns points of a level rectangle of x times y [m] at height z."""
    spread = rng.uniform(-0.5, 0.5, (count, 2)) * (x, y) + at
    return np.column_stack([spread, np.full(count, z)])


def wall(rng: np.random.Generator, count: int, at: float) -> np.ndarray:
    return np.column_stack([np.full(count, at), rng.uniform(-2.5, 2.5, count), rng.uniform(0, 2.5, count)])


def room(rng: np.random.Generator, floor: int = 1500, clutter: int = 1500, ceiling: int = 300) -> np.ndarray:
    """Returns points of a floor at z = 0 and of tables, walls, a ceiling and things in the air above it."""
    parts = [
        patch(rng, floor, 4.0, 4.0, 0.0),
        patch(rng, clutter, 1.6, 0.9, rng.uniform(0.4, 1.0), (0.5, 0.8)),
        patch(rng, clutter // 2, 0.9, 0.9, rng.uniform(0.3, 0.5), (-1.0, -1.0)),
        wall(rng, clutter // 2, 2.5),
        wall(rng, clutter // 2, -2.5),
        patch(rng, ceiling, 4.0, 4.0, 2.5),
        rng.uniform((-2.5, -2.5, 0.0), (2.5, 2.5, 2.5), (clutter // 3, 3)),
    ]
    return np.concatenate(parts)


def turned(points: np.ndarray, roll: float, pitch: float, height: float) -> tuple[np.ndarray, np.ndarray]:
    """Returns the points and the normal of their floor after a rotation and a shift along z."""
    a, b = math.cos(roll), math.sin(roll)
    c, d = math.cos(pitch), math.sin(pitch)
    turn = np.array([[c, 0, d], [0, 1, 0], [-d, 0, c]]) @ np.array([[1, 0, 0], [0, a, -b], [0, b, a]])
    return points @ turn.T + (0.0, 0.0, height), turn[:, 2]


def error(found: FloorPlane | None, normal: np.ndarray, height: float) -> tuple[float, float]:
    """Returns the error of the normal [rad] and of the height under the middle [m]."""
    assert found is not None
    angle = math.acos(min(1.0, float(found.normal @ normal)))
    return angle, abs(float(found.above((0.0, 0.0, height))))


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.floats(-0.2, 0.2), st.floats(-0.2, 0.2), st.floats(-3, 3), st.floats(0, 0.012))
def test_floor_is_found_below_clutter_at_any_height_and_tilt(
    seed: int, roll: float, pitch: float, height: float, noise: float
) -> None:
    rng = np.random.default_rng(seed)
    points, normal = turned(room(rng), roll, pitch, height)
    points += rng.normal(0, noise, points.shape)
    angle, offset = error(find_floor(points, np.random.default_rng(0)), normal, height)
    assert angle < math.radians(1.0)
    assert offset < 0.02


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.floats(-math.pi, math.pi), st.floats(-math.pi, math.pi))
def test_floor_is_found_in_a_world_of_any_axes_when_up_is_roughly_known(
    seed: int, roll: float, pitch: float
) -> None:
    rng = np.random.default_rng(seed)
    points, normal = turned(room(rng), roll, pitch, 1.0)
    guess = normal + rng.normal(0, 0.06, 3)
    angle, offset = error(find_floor(points, np.random.default_rng(0), guess), normal, 1.0)
    assert angle < math.radians(1.0)
    assert offset < 0.02


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_floor_that_is_seen_less_than_a_table_is_found_below_it(seed: int) -> None:
    points = room(np.random.default_rng(seed), floor=500, clutter=2000)
    angle, offset = error(find_floor(points, np.random.default_rng(0)), np.array([0.0, 0, 1]), 0.0)
    assert angle < math.radians(1.5)
    assert offset < 0.03


def test_thick_noise_of_a_floor_is_not_a_lower_floor() -> None:
    rng = np.random.default_rng(3)
    points = room(rng)
    points[:, 2] += rng.normal(0, 0.03, len(points))
    angle, offset = error(find_floor(points, np.random.default_rng(0)), np.array([0.0, 0, 1]), 0.0)
    assert angle < math.radians(1.0)
    assert offset < 0.02


def test_some_points_below_the_floor_do_not_hide_it() -> None:
    """Mirrors and shiny tiles show points where nothing is."""
    rng = np.random.default_rng(4)
    stray = rng.uniform((-2, -2, -2.5), (2, 2, 0), (150, 3))
    points = np.concatenate([room(rng), stray])
    assert error(find_floor(points, np.random.default_rng(0)), np.array([0.0, 0, 1]), 0.0)[1] < 0.02


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.integers(350, 700), st.floats(-0.2, 0.2))
def test_ceiling_that_is_mirrored_in_the_floor_is_not_a_lower_floor(
    seed: int, count: int, tilt: float
) -> None:
    rng = np.random.default_rng(seed)
    mirrored = patch(rng, count, 1.5, 1.5, -2.5, (1.0, 0.0))
    points, normal = turned(np.concatenate([room(rng), mirrored]), tilt, tilt, 1.0)
    found = find_floor(points, np.random.default_rng(0))
    angle, offset = error(found, normal, 1.0)
    assert angle < math.radians(1.0)
    assert offset < 0.02
    assert found is not None
    assert found.mirrored == pytest.approx(2.5, abs=0.05)


def test_floor_that_is_seen_only_under_a_large_table_is_found() -> None:
    rng = np.random.default_rng(7)
    points = np.concatenate([patch(rng, 2000, 2.0, 1.5, 0.8), patch(rng, 400, 2.2, 1.5, 0.0)])
    assert error(find_floor(points, np.random.default_rng(0)), np.array([0.0, 0, 1]), 0.0)[1] < 0.02


def test_lower_part_of_a_room_is_the_floor_though_it_is_seen_less() -> None:
    rng = np.random.default_rng(6)
    points = np.concatenate([patch(rng, 2000, 4.0, 4.0, 0.0), patch(rng, 300, 2.0, 2.0, -0.5, (3.2, 0.0))])
    found = find_floor(points, np.random.default_rng(0))
    assert error(found, np.array([0.0, 0, 1]), -0.5)[1] < 0.02
    assert found is not None
    assert found.mirrored == 0.0


@pytest.mark.parametrize(
    "points",
    [
        np.empty((0, 3)),
        np.full((50, 3), np.nan),
        np.zeros((100, 3)),
        np.column_stack([np.linspace(-2, 2, 300), np.zeros(300), np.zeros(300)]),
        wall(np.random.default_rng(0), 2000, 1.0),
        np.random.default_rng(0).uniform(-2, 2, (2000, 3)),
    ],
    ids=["nothing", "nan", "one point", "a line", "a wall", "dust"],
)
def test_no_floor_is_found_where_there_is_none(points: np.ndarray) -> None:
    assert find_floor(points, np.random.default_rng(0)) is None


def test_same_generator_finds_the_same_floor() -> None:
    points = room(np.random.default_rng(5))
    one, other = (find_floor(points, np.random.default_rng(7)) for _ in range(2))
    assert one is not None
    assert other is not None
    assert (one.offset, one.normal.tolist()) == (other.offset, other.normal.tolist())


def test_plane_gives_its_tilt_and_distances() -> None:
    plane = FloorPlane(np.array([0.0, math.sin(0.1), math.cos(0.1)]), 0.5, np.zeros(3), 1.0)
    assert plane.tilt == pytest.approx(0.1)
    assert plane.above([plane.normal, 0 * plane.normal]).tolist() == pytest.approx([0.5, -0.5])
