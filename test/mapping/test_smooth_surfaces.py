"""Tests of dividing a depth image into smooth surfaces and connected parts."""

from __future__ import annotations

import numpy as np
import pytest

from stma_ros.mapping.smooth_surfaces import main_part, smooth_surfaces


def floor_and_wall() -> tuple[np.ndarray, int]:
    """Returns depth [mm] of a floor before a wall at 4 m, and the first row of the floor."""
    rows = np.arange(120)
    floor = 1e3 * 1.2 * 100 / np.maximum(rows - 59.5, 1e-3)
    depth = np.minimum(np.repeat(floor[:, None], 160, axis=1), 4000)
    return np.rint(depth).astype(np.uint16), int(np.flatnonzero(floor < 4000)[0])


def test_smooth_surfaces_end_at_a_crease() -> None:
    depth, first = floor_and_wall()
    surfaces = smooth_surfaces(depth, 0.0)
    wall, floor = surfaces[: first - 3, 3:-3], surfaces[first + 3 :, 3:-3]
    assert len(np.unique(wall)) == len(np.unique(floor)) == 1
    assert wall[0, 0] != floor[0, 0]


def test_smooth_surfaces_end_at_a_small_step() -> None:
    depth = np.full((120, 160), 2000, np.uint16)
    depth[40:80, 50:110] = 1990
    surfaces = smooth_surfaces(depth, 0.0)
    assert surfaces[60, 80] != surfaces[10, 10]


def test_smooth_surfaces_stay_whole_under_the_stated_noise() -> None:
    depth = np.full((120, 160), 2000.0) + np.random.default_rng(0).normal(0, 6, (120, 160))
    surfaces = smooth_surfaces(np.rint(depth).astype(np.uint16), 1.0)
    assert np.bincount(surfaces.ravel()).max() > 0.9 * depth.size


def test_smooth_surfaces_leave_out_what_is_not_measured() -> None:
    depth = np.full((120, 160), 2000, np.uint16)
    depth[:, 80:90] = 0
    surfaces = smooth_surfaces(depth, 0.0)
    assert (surfaces[:, 80:90] == 0).all()
    assert (surfaces[:, :80] > 0).all()
    assert surfaces[60, 40] != surfaces[60, 120]


def test_main_part_is_the_frame_around_a_larger_surface_behind_it() -> None:
    depth = np.full((60, 60), 3000, np.uint16)
    depth[:, :8] = depth[:, -8:] = depth[:8] = 2000
    wanted = np.ones(depth.shape, bool)
    wanted[8:, 8:17] = wanted[8:, 43:52] = False
    frame = depth == 2000
    assert (wanted & ~frame).sum() > frame.sum()
    part, share = main_part(depth, wanted, 0.0)
    assert (part == frame).all()
    assert share == pytest.approx(1.0)
