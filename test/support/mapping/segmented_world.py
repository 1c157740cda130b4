"""Views of objects made of boxes: depth, and the object that each pixel shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.depth_noise import depth_noise
from stma_ros.mapping.segments import Segment, find_segments
from stma_ros.mapping.transforms import Pose
from support.mapping.box_world import CAMERA, MOUNT, Box, look
from support.mapping.poses import planar_pose

Things = Mapping[int, Sequence[Box]]
ROOM: Sequence[Box] = (
    (-1, -3, 0, -0.9, 3, 2.5),
    (6, -3, 0, 6.1, 3, 2.5),
    (-1, 3, 0, 6, 3.1, 2.5),
    (-1, -3.1, 0, 6, -3, 2.5),
)
FLOOR_ID, WALL_ID = 1, 2
BUILDING: Things = {FLOOR_ID: [(-1, -3, -0.1, 6, 3, 0.0)], WALL_ID: ROOM}


def view(
    things: Things, x: float, y: float, yaw: float, camera: PinholeCamera = CAMERA
) -> tuple[NDArray[np.uint16], NDArray[np.uint16], Pose]:
    """Returns depth [mm], ids and the pose of a camera at (x, y) that looks along `yaw`."""
    pose = planar_pose(x, y, yaw) @ MOUNT
    ids = sorted([*things, *BUILDING])
    layers = np.stack([look({**BUILDING, **things}[number], pose, camera) for number in ids]).astype(np.int64)
    layers[layers == 0] = 1 << 20
    depth = layers.min(axis=0)
    return (
        np.where(depth < 1 << 16, depth, 0).astype(np.uint16),
        np.array(ids, np.uint16)[layers.argmin(axis=0)],
        pose,
    )


def noisy(depth_mm: NDArray[np.uint16], seed: int) -> NDArray[np.uint16]:
    """Returns the depth as a real camera measures it: with noise, and with mixed pixels at edges."""
    rng = np.random.default_rng(seed)
    depth = depth_mm * 1e-3
    mixed = depth.copy()
    for axis in (0, 1):
        neighbour = np.roll(depth, 1, axis)
        edge = (
            (np.abs(neighbour - depth) > 0.05)
            & (neighbour > 0)
            & (depth > 0)
            & (rng.random(depth.shape) < 0.5)
        )
        share = rng.random(depth.shape)
        mixed = np.where(edge, share * neighbour + (1 - share) * depth, mixed)
    measured = mixed + rng.normal(0, depth_noise(depth))
    return np.where(depth_mm > 0, np.clip(np.round(measured * 1e3), 1, 65535), 0).astype(np.uint16)


def segment(
    things: Things, number: int, x: float, y: float, yaw: float, camera: PinholeCamera = CAMERA
) -> Segment:
    depth, ids, pose = view(things, x, y, yaw, camera)
    (found,) = find_segments(depth, camera, pose, ids, [number], 6.0, 0.0)
    return found
