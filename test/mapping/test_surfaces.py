"""Surfaces in the map of a piece of furniture, and the room above them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.mapping.surfaces import BoxVolume, Surfaces
from stma_ros.mapping.voxel_grid import VoxelGrid
from stma_ros.memory.boxes import Box
from support.mapping.furniture_voxels import fill, map_of

YAWS = st.floats(-math.pi, math.pi)
MIDDLE = np.zeros((1, 2))
CELL = 0.05


def volume(voxels: VoxelGrid, piece: Box) -> BoxVolume:
    return BoxVolume.of(voxels, piece.middle.tolist(), piece.extent.tolist(), piece.yaw, above=0.4)


def usable(surfaces: Surfaces) -> list[float]:
    """Returns the heights at which a thing in the middle stands firmly and has room."""
    good = (surfaces.support[:, 0] > 0.9) & (surfaces.blocked[:, 0] == 0)
    return sorted({round(float(z), 2) for z in surfaces.height[good, 0]})


@given(yaw=YAWS, x=st.floats(-3, 3), y=st.floats(-3, 3))
def test_each_board_of_a_shelf_is_a_surface_at_its_height_in_any_frame(
    yaw: float, x: float, y: float
) -> None:
    piece = Box(np.array([x, y, 0.6]), np.array([0.8, 1.2, 1.2]), yaw)
    surfaces = volume(map_of(piece, (0.4, 0.8)), piece).surfaces(MIDDLE, (0.05, 0.05), 0.2)
    heights = usable(surfaces)
    assert all(min(abs(z - board) for board in (0.4, 0.8)) <= CELL for z in heights)
    assert all(min(abs(z - board) for z in heights) <= CELL for board in (0.4, 0.8))


def test_a_board_with_too_little_room_above_it_is_blocked() -> None:
    piece = Box(np.array([0.0, 0.0, 0.6]), np.array([0.8, 1.2, 1.2]))
    seen = volume(map_of(piece, (0.4, 0.7)), piece)
    assert min(usable(seen.surfaces(MIDDLE, (0.05, 0.05), 0.2))) == pytest.approx(0.4, abs=CELL)
    assert min(usable(seen.surfaces(MIDDLE, (0.05, 0.05), 0.4))) == pytest.approx(0.7, abs=CELL)


def test_a_thing_on_a_surface_blocks_only_the_space_above_itself() -> None:
    piece = Box(np.array([0.0, 0.0, 0.4]), np.array([1.2, 0.8, 0.8]))
    voxels = map_of(piece, (0.8,))
    fill(voxels, Box(np.array([0.3, 0.0, 0.9]), np.array([0.2, 0.2, 0.2])), 0.8, 1.0)
    surfaces = volume(voxels, piece).surfaces(np.array([[0.3, 0.0], [-0.3, 0.0]]), (0.05, 0.05), 0.15)
    board = np.nanargmin(np.abs(surfaces.height[:, 1] - 0.8))
    assert surfaces.blocked[board].tolist() == [1.0, 0.0]


def test_a_place_at_the_edge_is_supported_only_in_part() -> None:
    piece = Box(np.array([0.0, 0.0, 0.4]), np.array([1.2, 0.8, 0.8]))
    places = np.array([[0.0, 0.0], [0.6, 0.0]])
    support = volume(map_of(piece, (0.8,)), piece).surfaces(places, (0.1, 0.1), 0.1).support.max(axis=0)
    assert support[0] == 1.0
    assert 0.3 < support[1] < 0.8


def test_free_share_tells_seen_free_space_from_space_that_was_not_seen() -> None:
    piece = Box(np.array([0.0, 0.0, 0.4]), np.array([1.2, 0.8, 0.8]))
    voxels = map_of(piece, (0.3,))
    assert volume(voxels, piece).free_share(MIDDLE, (0.1, 0.1), 0.4, 0.7).tolist() == [1.0]
    assert volume(voxels, piece).free_share(MIDDLE, (0.1, 0.1), 0.25, 0.3).tolist() == [0.0]
    voxels.counts[:] = 0
    assert volume(voxels, piece).free_share(MIDDLE, (0.1, 0.1), 0.4, 0.7).tolist() == [0.0]


def test_space_outside_of_the_map_was_not_seen() -> None:
    piece = Box(np.array([40.0, 40.0, 0.4]), np.array([1.2, 0.8, 0.8]))
    far = volume(map_of(Box(np.zeros(3), np.ones(3)), (0.8,)), piece)
    assert not far.counts.any()
    assert not far.surfaces(MIDDLE, (0.1, 0.1), 0.1).support.any()
