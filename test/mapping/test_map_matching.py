"""Tests of matching maps: a home is recognised from another view and after changes, and distinguished from others."""

from __future__ import annotations

import pytest

from stma_ros.mapping.map_matching import MapMatch, match_maps
from stma_ros.mapping.voxel_grid import VoxelGrid
from support.mapping.box_world import WALL, Box, visit


def room(width: float, depth: float, *furniture: Box, x: float = 0.0) -> tuple[Box, ...]:
    """Four walls and a floor around furniture; the lower left corner at (x, 0)."""
    walls = (
        (x - WALL, -WALL, 0.0, x + width + WALL, 0.0, 2.5),
        (x - WALL, depth, 0.0, x + width + WALL, depth + WALL, 2.5),
        (x - WALL, 0.0, 0.0, x, depth, 2.5),
        (x + width, 0.0, 0.0, x + width + WALL, depth, 2.5),
    )
    return (*walls, (x - 5.0, -5.0, -0.1, x + 15.0, 15.0, 0.0), *furniture)


SOFA: Box = (0.5, 3.0, 0.0, 2.3, 3.9, 0.8)
SHELF: Box = (4.4, 0.5, 0.0, 4.9, 1.5, 1.9)
HOME = room(5.0, 4.0, SOFA, SHELF)


def seen(boxes: tuple[Box, ...], x: float, y: float, *yaws: float) -> VoxelGrid:
    voxels = VoxelGrid()
    visit(voxels, boxes, x, y, yaws) if yaws else visit(voxels, boxes, x, y)
    return voxels


REMEMBERED = seen(HOME, 2.5, 2.0)


@pytest.mark.parametrize(("x", "y", "yaw"), [(1.0, 1.0, 0.8), (4.0, 3.0, 3.6), (2.5, 1.0, 1.6)])
def test_match_maps_recognises_the_home_from_a_single_view(x: float, y: float, yaw: float) -> None:
    assert match_maps(REMEMBERED, seen(HOME, x, y, yaw)) is MapMatch.SAME


def test_match_maps_recognises_the_home_after_the_sofa_was_moved() -> None:
    moved = room(5.0, 4.0, (2.7, 3.0, 0.0, 4.5, 3.9, 0.8), SHELF)
    assert match_maps(REMEMBERED, seen(moved, 2.0, 1.5)) is MapMatch.SAME


@pytest.mark.parametrize("other", [room(3.5, 6.0), room(3.9, 3.2), room(9.0, 5.0, SHELF, x=-1.0)])
def test_match_maps_detects_another_place(other: tuple[Box, ...]) -> None:
    assert match_maps(REMEMBERED, seen(other, 2.0, 2.5)) is MapMatch.ANOTHER


def test_match_maps_is_undecided_without_common_surface() -> None:
    assert match_maps(REMEMBERED, VoxelGrid()) is MapMatch.UNDECIDED
    assert match_maps(VoxelGrid(), REMEMBERED) is MapMatch.UNDECIDED
    assert match_maps(REMEMBERED, seen(room(4.0, 4.0, x=20.0), 22.0, 2.0)) is MapMatch.UNDECIDED
