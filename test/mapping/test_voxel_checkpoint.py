"""Tests of taking a voxel grid back to a saved state."""

from __future__ import annotations

import numpy as np
import pytest

from stma_ros.mapping.occupancy import IncrementalSlice, navigable_slice
from stma_ros.mapping.voxel_checkpoint import VoxelCheckpoint
from stma_ros.mapping.voxel_grid import VoxelGrid, VoxelGridConfig
from support.mapping.box_world import FLAT_ROOMS, flat, map_of, two_rooms, visit

CONFIG = VoxelGridConfig(0.1)


def _contents(voxels):
    """Returns the counts that are not 0, by their global places."""
    layer, row, col = np.nonzero(voxels.counts)
    places = zip(layer, row + voxels.geometry.row0, col + voxels.geometry.col0, strict=True)
    return dict(zip(places, voxels.counts[layer, row, col], strict=True))


@pytest.mark.parametrize("seed", range(1000, 1006))
def test_restored_grid_has_the_contents_that_it_had_when_they_were_saved(seed):
    rng, boxes, voxels = np.random.default_rng(seed), flat(), VoxelGrid(CONFIG)
    checkpoint, saved = VoxelCheckpoint(voxels), {}
    for x, y in rng.permutation(list(FLAT_ROOMS.values())):
        visit(voxels, boxes, float(x), float(y), yaws=rng.uniform(-3, 3, 2))
        if rng.random() < 0.4:
            checkpoint.save()
            saved = _contents(voxels)
        elif rng.random() < 0.6:
            checkpoint.restore()
            assert _contents(voxels) == saved
    checkpoint.restore()
    assert _contents(voxels) == saved


def test_checkpoint_of_a_grid_with_contents_restores_them():
    voxels = map_of(two_rooms(), [(2.0, 2.0)], VoxelGrid(CONFIG))
    saved, checkpoint = _contents(voxels), VoxelCheckpoint(voxels)
    visit(voxels, two_rooms(), 6.0, 2.0)
    assert _contents(voxels) != saved
    checkpoint.restore()
    assert _contents(voxels) == saved


def test_slices_follow_a_restored_grid():
    voxels = map_of(two_rooms(), [(2.0, 2.0)], VoxelGrid(CONFIG))
    checkpoint, navigable = VoxelCheckpoint(voxels), IncrementalSlice.navigable()
    visit(voxels, two_rooms(), 6.0, 2.0)
    navigable.update(voxels)
    checkpoint.restore()
    np.testing.assert_array_equal(navigable.update(voxels).data, navigable_slice(voxels).data)


def test_restoring_reads_only_what_has_changed():
    voxels = map_of(flat(), FLAT_ROOMS.values(), VoxelGrid(CONFIG))
    checkpoint = VoxelCheckpoint(voxels)
    row, col = voxels.geometry.cell(13.5, 11.0)
    voxels.counts[3, row, col] = 2  # behind the back of the checkpoint
    visit(voxels, flat(), *FLAT_ROOMS["a"], yaws=(3.0,))
    checkpoint.restore()
    assert voxels.counts[3, row, col] == 2
