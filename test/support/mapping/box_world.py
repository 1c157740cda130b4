"""A world of axis-aligned boxes, ray-cast analytically, for tests of maps."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.occupancy import mark_robot_footprint
from stma_ros.mapping.transforms import Pose, camera_mount
from stma_ros.mapping.voxel_grid import VoxelGrid
from stma_ros.types.jit import kernel
from support.mapping.poses import planar_pose

Box = tuple[float, float, float, float, float, float]
"""(x0, y0, z0, x1, y1, z1) [m]."""

CAMERA = PinholeCamera.from_horizontal_fov(320, 240, np.deg2rad(90.4))  # vertical field of view 74 degrees
MOUNT = camera_mount(0.0, 0.0, 1.2, pitch=0.3)
WALL = 0.1
CEILING = 2.5
LINTEL = 2.05
ALL_ROUND = tuple(np.arange(8) * np.pi / 4)


@kernel
def _cast(
    origin: NDArray[np.float64], directions: NDArray[np.float64], boxes: NDArray[np.float64]
) -> NDArray[np.float64]:
    depth = np.full(len(directions), np.inf)
    for k in range(len(directions)):
        slowness = 1.0 / (directions[k] + 1e-12)
        for box in boxes:
            enter, leave = 0.0, depth[k]
            for axis in range(3):
                one = (box[axis] - origin[axis]) * slowness[axis]
                other = (box[axis + 3] - origin[axis]) * slowness[axis]
                enter, leave = max(enter, min(one, other)), min(leave, max(one, other))
                if enter > leave:
                    break
            if enter <= leave:
                depth[k] = enter
    return depth


def look(
    boxes: Iterable[Box], T_map_camera: Pose, camera: PinholeCamera = CAMERA, max_depth: float = 10.0
) -> NDArray[np.uint16]:
    """Returns the depth image (H, W) uint16 [mm] of `boxes`; 0 beyond `max_depth` [m]."""
    v, u = np.mgrid[: camera.height, : camera.width]
    rays = np.stack(((u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy, np.ones(u.shape)), axis=-1)
    directions = (
        rays.reshape(-1, 3) @ T_map_camera[:3, :3].T
    )  # unit z in the optical frame: ray length is depth
    depth = _cast(T_map_camera[:3, 3].copy(), directions, np.array(list(boxes), np.float64)).reshape(u.shape)
    return np.where(depth < max_depth, np.round(np.minimum(depth, 60) * 1000), 0).astype(np.uint16)


@lru_cache(maxsize=256)
def _view(
    boxes: tuple[Box, ...], x: float, y: float, yaw: float, camera: PinholeCamera
) -> NDArray[np.uint16]:
    """Returns `look` from a cache: many tests use the same poses."""
    return look(boxes, planar_pose(x, y, yaw) @ MOUNT, camera)


def visit(
    voxels: VoxelGrid,
    boxes: Iterable[Box],
    x: float,
    y: float,
    yaws: Iterable[float] = ALL_ROUND,
    camera: PinholeCamera = CAMERA,
) -> None:
    """Maps the views from (x, y) in the directions `yaws`."""
    boxes = tuple(boxes)
    for yaw in yaws:
        T_map_camera = planar_pose(x, y, float(yaw)) @ MOUNT
        voxels.integrate(_view(boxes, x, y, float(yaw), camera), camera, T_map_camera)
        mark_robot_footprint(voxels, x, y)


def shell(x0: float, y0: float, x1: float, y1: float) -> list[Box]:
    """Returns floor, ceiling and outer walls of the inner rectangle."""
    a, b, c, d = x0 - WALL, y0 - WALL, x1 + WALL, y1 + WALL
    return [
        (a, b, -0.1, c, d, 0.0),
        (a, b, CEILING, c, d, CEILING + 0.1),
        (a, b, 0, x0, d, CEILING),
        (x1, b, 0, c, d, CEILING),
        (a, b, 0, c, y0, CEILING),
        (a, y1, 0, c, d, CEILING),
    ]


def wall_x(x: float, y0: float, y1: float, doors: Iterable[tuple[float, float]] = ()) -> list[Box]:
    """Returns a wall from y0 to y1 whose near face is at x, with doorways (y from, y to) under lintels."""
    pieces, start = [], y0
    for low, high in doors:
        pieces += [(x, start, 0.0, x + WALL, low, CEILING), (x, low, LINTEL, x + WALL, high, CEILING)]
        start = high
    return [*pieces, (x, start, 0.0, x + WALL, y1, CEILING)]


def wall_y(y: float, x0: float, x1: float, doors: Iterable[tuple[float, float]] = ()) -> list[Box]:
    """Returns a wall like `wall_x`, with the axes exchanged."""
    return [(b, a, c, e, d, f) for a, b, c, d, e, f in wall_x(y, x0, x1, doors)]


def table(x: float, y: float, length: float = 1.2, width: float = 0.8, height: float = 0.75) -> list[Box]:
    """Returns a table centred at (x, y): a top of 4 cm and four legs of 5 cm."""
    half_x, half_y, leg = length / 2, width / 2, 0.05
    legs = [
        (
            x + sx * (half_x - leg / 2) - leg / 2,
            y + sy * (half_y - leg / 2) - leg / 2,
            0.0,
            x + sx * (half_x - leg / 2) + leg / 2,
            y + sy * (half_y - leg / 2) + leg / 2,
            height,
        )
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    return [(x - half_x, y - half_y, height - 0.04, x + half_x, y + half_y, height), *legs]


DOOR = (1.5, 2.4)


def two_rooms(door: tuple[float, float] | None = DOOR) -> list[Box]:
    """Returns two rooms of 4 x 4 m, x 0..4 and 4.1..8.1, with or without a doorway of 0.9 m in the wall between."""
    return shell(0, 0, 8.1, 4) + wall_x(4.0, 0.0, 4.0, [door] if door else [])


FLAT_ROOMS = {
    "hall": (7.0, 5.25),
    "a": (2.3, 2.3),
    "b": (7.0, 2.3),
    "c": (11.7, 2.3),
    "d": (3.4, 9.0),
    "e": (10.6, 9.0),
}
"""A place to stand in each room of `flat`."""


def flat() -> list[Box]:
    """Returns a flat of 14 x 12 m: a hall of 1.3 m across the middle, three rooms on one side, two on the other,
    furniture."""
    walls = (
        shell(0, 0, 14, 12)
        + wall_y(4.5, 0, 14, [(1.8, 2.7), (6.5, 7.5), (11.2, 12.1)])
        + wall_y(5.9, 0, 14, [(3.0, 3.9), (10.0, 11.0)])
        + wall_x(4.6, 0, 4.5)
        + wall_x(9.3, 0, 4.5)
        + wall_x(6.9, 6.0, 12)
    )
    tables = table(3.3, 3.4) + table(8.0, 1.0) + table(2.0, 10.8, 1.8, 0.9) + table(12.3, 7.5)
    sofa = [(9.0, 10.9, 0.0, 11.2, 11.8, 0.8)]
    tall = [(0.0, 0.0, 0.0, 0.6, 1.8, 2.0), (13.4, 9.5, 0.0, 14.0, 11.0, 2.0), (4.7, 0.0, 0.0, 5.4, 0.6, 1.8)]
    return walls + tables + sofa + tall


def map_of(
    boxes: Iterable[Box], stops: Iterable[tuple[float, float]], voxels: VoxelGrid | None = None
) -> VoxelGrid:
    """Returns a new map (or `voxels`) after a look all around from each of `stops`."""
    voxels = voxels or VoxelGrid()
    boxes = list(boxes)
    for x, y in stops:
        visit(voxels, boxes, x, y)
    return voxels
