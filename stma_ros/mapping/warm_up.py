"""Compiles the kernels before the robot moves."""

from __future__ import annotations

from functools import cache

import numpy as np

from stma_ros.mapping.approach_pose import find_approach_pose
from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.distance import bridged, distance_field, snap, traversable
from stma_ros.mapping.front_pose import find_front_pose
from stma_ros.mapping.frontiers.boundary_rules import FrontierConfig, FrontierFinder
from stma_ros.mapping.occupancy import OCCUPIED, mark_robot_footprint, navigable_slice, wall_slice
from stma_ros.mapping.paths import shortest_path
from stma_ros.mapping.rooms import segment_rooms
from stma_ros.mapping.segments import find_segments
from stma_ros.mapping.smooth_surfaces import main_part, smooth_surfaces
from stma_ros.mapping.transforms import camera_mount
from stma_ros.mapping.visibility import box_visibility
from stma_ros.mapping.voxel_grid import VoxelGrid


@cache
def warm_up() -> None:
    """Runs the algorithms of every map once on a tiny frame: twenty seconds the first time, half a second when compiled
    code is cached.

    Whoever maps calls this at the start, so that the first frame takes no longer than the next.
    """
    camera, pose = PinholeCamera.from_horizontal_fov(8, 6, 1.5), camera_mount(0.0, 0.0, 1.2, 0.3)
    depth = np.full((6, 8), 1500, np.uint16)
    find_segments(depth, camera, pose, np.ones((6, 8), np.uint16), [1], 5.0, 1.0)
    smooth_surfaces(depth, 1.0)
    main_part(depth, depth > 0, 1.0)
    box_visibility(depth, camera, pose, np.array([[1.1, 0.1, 0.6]]), np.full(3, 0.2), np.zeros(1))
    voxels = VoxelGrid()
    voxels.integrate(depth, camera, pose)
    mark_robot_footprint(voxels, 0.0, 0.0)
    navigable, walls = navigable_slice(voxels), wall_slice(voxels)
    passable = traversable(bridged(navigable))
    start = snap(passable, navigable.geometry, 0.0, 0.0)
    assert start is not None  # the footprint that was just marked
    distance = distance_field(passable, [start], navigable.geometry.resolution)
    shortest_path(distance, start)
    finder = FrontierFinder(FrontierConfig(min_length=np.inf))  # all are short, which takes more kernels
    finder.update(navigable, distance)
    finder.update(navigable, np.full_like(distance, np.inf))
    segment_rooms(navigable, walls)
    find_approach_pose(voxels, walls.data == OCCUPIED, distance, (0.7, 0.0, 0.5), (0.1, 0.1, 0.1))
    find_front_pose(navigable, walls.data == OCCUPIED, distance, (0.7, 0.0, 0.5), (0.1, 0.1, 0.1), 0.0)
