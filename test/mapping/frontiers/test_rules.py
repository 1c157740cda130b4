"""Tests of maps that find their frontiers by either set of rules."""

from __future__ import annotations

import numpy as np
import pytest

from stma_ros.mapping.frontiers.boundary_rules import FrontierConfig
from stma_ros.mapping.frontiers.published_rules import PublishedFrontierConfig
from stma_ros.mapping.spatial_map import SpatialMap, SpatialMapConfig
from stma_ros.mapping.transforms import inverse
from stma_ros.mapping.voxel_grid import VoxelGridConfig
from support.mapping.box_world import ALL_ROUND, CAMERA, MOUNT, flat, look, two_rooms
from support.mapping.poses import planar_pose

VOXELS = VoxelGridConfig(resolution=0.1, max_range=3.0)
PUBLISHED = SpatialMapConfig(VOXELS, PublishedFrontierConfig())


def _visit(spatial_map, x, y):
    for yaw in ALL_ROUND:
        pose = planar_pose(x, y, float(yaw))
        spatial_map.integrate(look(two_rooms(), pose @ MOUNT), CAMERA, pose @ MOUNT, (x, y))


@pytest.mark.parametrize("config", [FrontierConfig(), PublishedFrontierConfig()])
def test_following_the_nearest_frontier_explores_two_rooms(config):
    spatial_map = SpatialMap(SpatialMapConfig(VOXELS, config))
    x, y = 1.0, 1.0
    for _ in range(25):
        _visit(spatial_map, x, y)
        snapshot = spatial_map.snapshot((x, y))
        if not snapshot.frontiers:
            break
        for frontier in snapshot.frontiers:
            assert snapshot.passable[snapshot.occupancy.geometry.cell(*frontier.viewpoint[:2])]
            assert np.isfinite(frontier.distance)
        x, y, _ = min(snapshot.frontiers, key=lambda frontier: (frontier.distance, frontier.id)).viewpoint
    assert not snapshot.frontiers
    for corner in ((0.5, 0.5), (7.5, 0.5), (7.5, 3.5), (0.5, 3.5)):
        assert snapshot.occupancy.data[snapshot.occupancy.geometry.cell(*corner)] == 0


def test_published_rules_go_on_where_the_map_is_known_from_afar_only():
    own, published = SpatialMap(SpatialMapConfig(VOXELS)), SpatialMap(PUBLISHED)
    for spatial_map in (own, published):
        for x, y in ((0.8, 0.8), (0.8, 3.2)):
            _visit(spatial_map, x, y)
    (frontier,) = published.snapshot((0.8, 0.8)).frontiers
    assert 1.5 < frontier.center[0] < 3.0
    assert all(found.center[0] > 3.0 for found in own.snapshot((0.8, 0.8)).frontiers)


def test_explored_area_is_restored():
    spatial_map = SpatialMap(PUBLISHED)
    _visit(spatial_map, 1.0, 1.0)
    before = spatial_map.snapshot((1.0, 1.0)).frontiers
    assert before
    back = SpatialMap.restored(PUBLISHED, spatial_map.saved())
    after = back.snapshot((1.0, 1.0)).frontiers
    assert [(each.id, each.center) for each in after] == [(each.id, each.center) for each in before]


def test_map_that_was_saved_under_other_rules_is_looked_at_again():
    spatial_map = SpatialMap(SpatialMapConfig(VOXELS))
    _visit(spatial_map, 1.0, 1.0)
    back = SpatialMap.restored(PUBLISHED, spatial_map.saved())
    assert not back.snapshot((1.0, 1.0)).frontiers  # nothing was seen from near yet
    _visit(back, 1.0, 1.0)
    assert back.snapshot((1.0, 1.0)).frontiers


def _explored_on_a_walk(drift, is_corrected):
    """Returns the cells that a robot explores along the hall of a flat whose odometry drifts [m per step]."""
    spatial_map, steps = SpatialMap(PUBLISHED), 12
    for k in range(steps):
        pose, error = planar_pose(1.0 + 0.5 * k, 5.25, 0.0), planar_pose(0.0, drift * k, 0.0)
        localization = inverse(error) if is_corrected and k == steps - 1 else np.eye(4)
        believed = localization @ error @ pose
        base = float(believed[0, 3]), float(believed[1, 3])
        depth = look(flat(), pose @ MOUNT)
        spatial_map.integrate(depth, CAMERA, believed @ MOUNT, base, k, localization)
    saved = spatial_map.saved()
    return {tuple(cell) for cell in saved.geometry.centers(np.argwhere(saved.explored)).round(2).tolist()}


def test_explored_area_moves_with_a_correction():
    true = _explored_on_a_walk(0.0, is_corrected=True)
    corrected = _explored_on_a_walk(0.04, is_corrected=True)
    drifted = _explored_on_a_walk(0.04, is_corrected=False)
    assert len(corrected & true) / len(corrected | true) > 0.95
    assert len(drifted & true) / len(drifted | true) < 0.9
