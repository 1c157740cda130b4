"""Compiles the kernels of the published rules before the robot moves; maps with other rules do not need them."""

from __future__ import annotations

from functools import cache

import numpy as np

from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.frontiers.explored_area import ExploredArea
from stma_ros.mapping.frontiers.published_rules import PublishedFrontierConfig, PublishedFrontierFinder
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.transforms import camera_mount
from stma_ros.mapping.voxel_grid import VoxelGrid


@cache
def warm_up_published_rules() -> None:
    """Runs the rules once on a tiny frame and a tiny map."""
    camera, pose = PinholeCamera.from_horizontal_fov(8, 6, 1.5), camera_mount(0.0, 0.0, 1.2, 0.3)
    depth = np.full((6, 8), 1500, np.uint16)
    voxels = VoxelGrid()
    voxels.integrate(depth, camera, pose)
    config = PublishedFrontierConfig(frontier_min_area=0.0)
    area = ExploredArea(config.explored)
    area.look(depth, camera, pose, voxels)
    floor, explored = np.ones((9, 9), np.bool_), np.zeros((9, 9), np.bool_)
    explored[:, :4] = True
    finder = PublishedFrontierFinder(config)
    for _ in range(2):  # the second time, there are frontiers of before
        finder.update(
            floor, explored, GridGeometry(0.1, 0, 0, 9, 9), np.zeros((9, 9), np.float32), (0.2, 0.5)
        )
