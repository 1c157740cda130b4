"""Tests of the floor that was seen from near."""

from __future__ import annotations

import numpy as np

from stma_ros.mapping.frontiers.explored_area import ExploredArea
from stma_ros.mapping.frontiers.published_rules import PublishedFrontierConfig
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.voxel_grid import VoxelGrid, VoxelGridConfig
from support.mapping.box_world import ALL_ROUND, CAMERA, MOUNT, look, shell, two_rooms, wall_x
from support.mapping.poses import planar_pose

CONFIG = PublishedFrontierConfig()


def _after_a_look(boxes, x, y, yaws=ALL_ROUND):
    voxels = VoxelGrid(VoxelGridConfig(resolution=0.1))
    area = ExploredArea(CONFIG.explored)
    for yaw in yaws:
        pose = planar_pose(x, y, float(yaw)) @ MOUNT
        depth = look(boxes, pose)
        voxels.integrate(depth, CAMERA, pose)
        area.look(depth, CAMERA, pose, voxels)
    return area


def _distances(area, x, y):
    rows, cols = np.indices(area.mask.shape)
    points = area.geometry.centers(np.stack((rows.ravel(), cols.ravel()), axis=1))
    return np.hypot(*(points - (x, y)).T).reshape(area.mask.shape)


def test_look_all_round_explores_a_disc_around_the_camera():
    area = _after_a_look(shell(0, 0, 8, 8), 4.0, 4.0)
    away = _distances(area, 4.0, 4.0)
    assert not area.mask[away >= 1.7].any()
    assert area.mask[(away < 1.6) & (away > 0.3)].all()


def test_look_explores_in_its_direction_only():
    area = _after_a_look(shell(0, 0, 8, 8), 4.0, 4.0, yaws=[0.0])
    assert area.mask[area.geometry.cell(5.2, 4.0)]
    assert not area.mask[area.geometry.cell(2.8, 4.0)]


def test_wall_hides_what_is_near():
    area = _after_a_look(two_rooms(door=None), 3.5, 2.0)
    assert area.mask[area.geometry.cell(3.0, 2.0)]
    assert not area.mask[area.geometry.cell(4.6, 2.0)]


def test_frame_without_depth_explores_nothing():
    voxels = VoxelGrid()
    pose = planar_pose(1.0, 1.0, 0.0) @ MOUNT
    depth = look(shell(0, 0, 4, 4) + wall_x(2.0, 0, 4), pose)
    voxels.integrate(depth, CAMERA, pose)
    area = ExploredArea(CONFIG.explored)
    area.look(np.zeros_like(depth), CAMERA, pose, voxels)
    assert not area.mask.any()


def test_free_floor_around_the_robot_is_explored():
    geometry = GridGeometry(0.1, -20, -20, 40, 40)
    navigable = np.ones(geometry.shape, bool)
    navigable[:, :18] = False
    area = ExploredArea(CONFIG.explored)
    area.stand(0.05, 0.05, geometry, navigable.__getitem__)
    away = _distances(area, 0.05, 0.05)
    np.testing.assert_array_equal(area.mask, navigable & (away < 0.7 - 1e-9))


def test_area_stays_where_it_is_when_the_grid_grows_and_copies_are_independent():
    geometry = GridGeometry(0.1, -10, -10, 20, 20)
    area = ExploredArea(CONFIG.explored)
    area.stand(0.0, 0.0, geometry, np.ones(geometry.shape, bool).__getitem__)
    before = area.copy()
    area.cover(GridGeometry(0.1, -15, -30, 60, 50))
    np.testing.assert_array_equal(np.argwhere(area.mask) - (15, 30), np.argwhere(before.mask) - (10, 10))
    area.stand(1.5, 0.0, area.geometry, np.ones(area.mask.shape, bool).__getitem__)
    assert area.mask.sum() > before.mask.sum()
    assert before.geometry == geometry
