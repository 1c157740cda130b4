"""The computations for every pixel of an image, each in a single pass.

All in float32 and in a fixed order, so that an image is the same on every machine. Images are (H, W).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.jit import kernel

FloatImage = NDArray[np.float32]

EVERY = 2
"""Within a triangle, shadows are cast for every second pixel of every second row."""


@kernel
def turn_rays(optical: FloatImage, rotation: FloatImage, rays: FloatImage) -> None:
    """Writes the directions of the rays (H, W, 6: origin, direction), whose optical directions (H, W, 3) have z = 1.

    rotation (3, 3): from the optical frame to the map. No library's product, as its order of summation may differ.
    """
    for v in range(optical.shape[0]):
        for u in range(optical.shape[1]):
            x, y = optical[v, u, 0], optical[v, u, 1]
            for axis in range(3):
                rays[v, u, 3 + axis] = x * rotation[axis, 0] + y * rotation[axis, 1] + rotation[axis, 2]


@kernel
def measure(
    distance: FloatImage,
    primitive: NDArray[np.uint32],
    longest: np.float32,
    owner_of: NDArray[np.int32],
    triangle: NDArray[np.int32],
    depth: NDArray[np.uint16],
    owner: NDArray[np.int32],
) -> None:
    """Writes the triangle, its owner, and the planar depth [mm] of each pixel; the depth is 0 beyond `longest` [m].

    owner_of: (T + 1). For a ray without a hit the triangle is T and the distance is set to 0.
    """
    for v in range(distance.shape[0]):
        for u in range(distance.shape[1]):
            far = distance[v, u]
            of = np.int64(primitive[v, u])
            if not np.isfinite(far):
                far, of = np.float32(0), np.int64(len(owner_of) - 1)
                distance[v, u] = far
            triangle[v, u], owner[v, u] = of, owner_of[of]
            depth[v, u] = np.uint16(np.rint(far * np.float32(1000))) if far <= longest else np.uint16(0)


@kernel
def shadow_rays(
    rays: FloatImage,
    distance: FloatImage,
    triangle: NDArray[np.int32],
    lamp: FloatImage,
    by_lamp: FloatImage,
    off_surface: np.float32,
    to_lamp: FloatImage,
    asked: FloatImage,
) -> int:
    """Writes the distance of each pixel's hit to its lamp [m], and the rays (N, 6: origin, direction to the lamp) that
    test whether the lamp is hidden. Returns their number.

    distance: in lengths of the rays' directions. lamp (T, 3), by_lamp (T): of each triangle, 0 = turned away.
    """
    count = 0
    for v in range(triangle.shape[0]):
        for u in range(triangle.shape[1]):
            of = triangle[v, u]
            x = rays[v, u, 0] + rays[v, u, 3] * distance[v, u]
            y = rays[v, u, 1] + rays[v, u, 4] * distance[v, u]
            z = rays[v, u, 2] + rays[v, u, 5] * distance[v, u]
            to_x, to_y, to_z = lamp[of, 0] - x, lamp[of, 1] - y, lamp[of, 2] - z
            to_lamp[v, u] = np.sqrt(to_x * to_x + to_y * to_y + to_z * to_z)
            if by_lamp[of] > 0 and _has_own_shadow(triangle, v, u):
                ray = asked[count]
                ray[0], ray[1], ray[2] = (
                    x + off_surface * to_x,
                    y + off_surface * to_y,
                    z + off_surface * to_z,
                )
                ray[3], ray[4], ray[5] = to_x, to_y, to_z
                count += 1
    return count


@kernel
def _has_own_shadow(triangle: NDArray[np.int32], v: int, u: int) -> bool:
    """Whether a pixel has a shadow ray of its own; the others use the ray of their representative pixel."""
    first_v, first_u = v - v % EVERY, u - u % EVERY
    return (first_v == v and first_u == u) or triangle[first_v, first_u] != triangle[v, u]


@kernel
def add_light(
    rays: FloatImage,
    distance: FloatImage,
    triangle: NDArray[np.int32],
    by_lamp: FloatImage,
    by_headlight: FloatImage,
    steady: FloatImage,
    to_lamp: FloatImage,
    blocked: NDArray[np.bool_],
    shadow: np.float32,
    share: FloatImage,
    light: FloatImage,
) -> None:
    """Writes the light of each pixel: of its lamp, reduced by `shadow` where the rays of `shadow_rays` were `blocked`,
    of the headlight, and the constant part.

    share: receives each pixel's share of its lamp's light.
    """
    count = 0
    for v in range(triangle.shape[0]):
        for u in range(triangle.shape[1]):
            of = triangle[v, u]
            share[v, u] = 1
            if not _has_own_shadow(triangle, v, u):
                share[v, u] = share[v - v % EVERY, u - u % EVERY]
            elif by_lamp[of] > 0:
                if blocked[count]:
                    share[v, u] -= shadow
                count += 1
            x, y, z = rays[v, u, 3], rays[v, u, 4], rays[v, u, 5]
            seen_from = np.sqrt(x * x + y * y + z * z) * max(distance[v, u], np.float32(1e-6))
            light[v, u] = (
                by_lamp[of] * share[v, u] / to_lamp[v, u] + by_headlight[of] / seen_from + steady[of]
            )


@kernel
def paint(
    colour: FloatImage, triangle: NDArray[np.int32], light: FloatImage, picture: NDArray[np.uint8]
) -> None:
    """Writes the image (H, W, 3): each triangle's colour (T, 3) [0..255] in its light."""
    for v in range(triangle.shape[0]):
        for u in range(triangle.shape[1]):
            for channel in range(3):
                value = colour[triangle[v, u], channel] * light[v, u]
                picture[v, u, channel] = np.uint8(min(value, np.float32(255)))
