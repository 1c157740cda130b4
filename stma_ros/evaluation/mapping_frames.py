"""Depth images of a flat for measurements of mapping."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stma_ros.evaluation.flats import MAPPING
from stma_ros.mapping.camera import DepthImage, PinholeCamera
from stma_ros.mapping.transforms import Pose
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.rendering.renderer import Renderer
from stma_ros.worlds.house.starting import start_pose
from stma_ros.worlds.robot.camera import Camera

_YAWS = 4  # directions of view from each place


@dataclass(frozen=True)
class DepthFrame:
    """A depth image without noise.

    Attributes:
        depth_mm: (H, W) uint16 [mm].
        pose: 4x4 pose of the optical frame in the map.
    """

    depth_mm: DepthImage
    pose: Pose


def flat_frames(
    seed: int, count: int, width: int, height: int
) -> tuple[PinholeCamera, tuple[DepthFrame, ...]]:
    """Renders views from places spread over the flat of a seed, all around from each.

    Raises:
        ConfigurationError: the seed is out of range.
        MissingDependencyError: Open3D cannot be loaded.
    """
    flat = make_flat(MAPPING.of(seed, 0)[0])
    camera = Camera(width=width, height=height)
    renderer = Renderer(flat, camera)
    frames = []
    for number in range(count):
        place = start_pose(flat, np.random.default_rng(number // _YAWS))
        base = replace(place, yaw=place.yaw + 2 * math.pi * (number % _YAWS) / _YAWS)
        pose: NDArray[np.float64] = np.eye(4)
        pose[:3, :3], pose[:3, 3] = camera.rotation(base.yaw), camera.origin(base)
        frames.append(DepthFrame(renderer.render(base, flat.initial).depth, pose))
    k = camera.intrinsics()
    return PinholeCamera(width, height, k[0, 0], k[1, 1], k[0, 2], k[1, 2]), tuple(frames)
