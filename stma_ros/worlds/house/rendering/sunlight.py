"""Sunlight that falls through the windows of a flat onto floors and furniture."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import open3d as o3d
from numpy.typing import NDArray

from stma_ros.types.jit import kernel
from stma_ros.worlds.house.building.shell import Window
from stma_ros.worlds.house.rendering.pixel_kernels import EVERY, FloatImage

_STREAM = 42  # number of the random stream
_CLOUDY = 0.25  # share of the episodes without sun
_HOURS = (8.0, 18.0)  # of an episode
_HIGHEST = math.radians(55)  # elevation of the sun at noon
_BRIGHT = np.float32(0.5)  # light that the sun adds to a face that looks at it
_OFF_SURFACE = np.float32(0.004)  # start of shadow rays, as a share of the way to the window
_MARGIN = np.float32(0.02)  # of a room [m]


def sun_of(flat_seed: int, episode_seed: int) -> NDArray[np.float64] | None:
    """Returns the direction to the sun (3,) in an episode, None for a cloudy one.

    North is drawn from the flat, the time of the day from the episode.
    """
    north = float(np.random.default_rng((flat_seed, _STREAM)).uniform(-math.pi, math.pi))
    rng = np.random.default_rng((flat_seed, episode_seed, _STREAM))
    if rng.random() < _CLOUDY:
        return None
    after_noon = float(rng.uniform(*_HOURS)) - 12.0
    azimuth = north + math.radians(15) * after_noon
    elevation = _HIGHEST * math.cos(math.pi * after_noon / 15)
    return np.array(
        [
            math.cos(elevation) * math.cos(azimuth),
            math.cos(elevation) * math.sin(azimuth),
            math.sin(elevation),
        ]
    )


class Sunlight:
    """The light of the sun on one mesh.

    Args:
        windows: of the flat.
        direction: to the sun (3,).
        normal: (T, 3) of the triangles, one more for no triangle.
        dark: (T,) bool, the triangles that do not shine.
        scene: the mesh for shadow rays.
    """

    def __init__(
        self,
        windows: Sequence[Window],
        direction: NDArray[np.float64],
        normal: FloatImage,
        dark: NDArray[np.bool_],
        scene: o3d.t.geometry.RaycastingScene,
    ) -> None:
        facing = [w for w in windows if -w.inward * direction[1 if w.along_x else 0] > 0]
        self._openings = np.array(
            [
                (w.floor.x0, w.floor.y0, w.floor.x1, w.floor.y1, w.at, w.start, w.end, w.bottom, w.top)
                for w in facing
            ],
            np.float32,
        ).reshape(-1, 9)
        self._axis = np.array([1 if w.along_x else 0 for w in facing], np.int32)
        self._direction = direction.astype(np.float32)
        towards: FloatImage = (normal * self._direction).sum(axis=1, dtype=np.float32)
        self._towards = np.where(dark, towards, np.float32(0))
        self._scene = scene

    def add(
        self,
        rays: FloatImage,
        distance: FloatImage,
        triangle: NDArray[np.int32],
        side: FloatImage,
        light: FloatImage,
    ) -> None:
        """Adds the sun to the light of each pixel.

        Args:
            rays: (H, W, 6), origin (the same for all) and direction.
            distance: (H, W), in lengths of the directions.
            triangle: (H, W), index of the triangle at the hit.
            side: (T), sign of the side of each triangle that the camera sees.
            light: (H, W), is changed.
        """
        if not len(self._openings):
            return
        by_sun = np.maximum(side * self._towards, 0) * _BRIGHT
        ray_of = np.empty(triangle.shape, np.int32)
        asked = np.empty((triangle.size, 6), np.float32)
        count = _sunbeams(
            rays,
            distance,
            triangle,
            by_sun,
            self._direction,
            self._openings,
            self._axis,
            _OFF_SURFACE,
            _MARGIN,
            ray_of,
            asked,
        )
        if count:
            blocked = self._scene.test_occlusions(
                o3d.core.Tensor.from_numpy(asked[:count]), 0.0, 0.97
            ).numpy()
            _add(triangle, by_sun, ray_of, blocked, light)


@kernel
def _sunbeams(
    rays: FloatImage,
    distance: FloatImage,
    triangle: NDArray[np.int32],
    by_sun: FloatImage,
    direction: FloatImage,
    openings: FloatImage,
    axis: NDArray[np.int32],
    off_surface: np.float32,
    margin: np.float32,
    ray_of: NDArray[np.int32],
    asked: FloatImage,
) -> int:
    """Writes the ray to its window for each pixel in the beam of one, -1 for the others; returns the number of rays.

    Within a triangle, every second pixel of every second row has a ray of its own.
    """
    count = 0
    point = np.empty(3, np.float32)
    for v in range(triangle.shape[0]):
        for u in range(triangle.shape[1]):
            ray_of[v, u] = -1
            of = triangle[v, u]
            if by_sun[of] <= 0:
                continue
            for k in range(3):
                point[k] = rays[v, u, k] + rays[v, u, 3 + k] * distance[v, u]
            for w in range(len(axis)):
                box = openings[w]
                if not (
                    box[0] - margin < point[0] < box[2] + margin
                    and box[1] - margin < point[1] < box[3] + margin
                ):
                    continue
                across = axis[w]
                far = (box[4] - point[across]) / direction[across]
                along = point[1 - across] + far * direction[1 - across]
                height = point[2] + far * direction[2]
                if far <= 0 or not (box[5] < along < box[6] and box[7] < height < box[8]):
                    continue
                first_v, first_u = v - v % EVERY, u - u % EVERY
                if (
                    ray_of[first_v, first_u] >= 0
                    and triangle[first_v, first_u] == of
                    and (first_v < v or first_u < u)
                ):
                    ray_of[v, u] = ray_of[first_v, first_u]
                else:
                    ray_of[v, u] = count
                    for k in range(3):
                        asked[count, k] = point[k] + off_surface * far * direction[k]
                        asked[count, 3 + k] = far * direction[k]
                    count += 1
                break
    return count


@kernel
def _add(
    triangle: NDArray[np.int32],
    by_sun: FloatImage,
    ray_of: NDArray[np.int32],
    blocked: NDArray[np.bool_],
    light: FloatImage,
) -> None:
    for v in range(triangle.shape[0]):
        for u in range(triangle.shape[1]):
            ray = ray_of[v, u]
            if ray >= 0 and not blocked[ray]:
                light[v, u] += by_sun[triangle[v, u]]
