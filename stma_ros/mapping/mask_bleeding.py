"""Pixels along the edges of a mask that belong to what lies before or behind the object.

The mask of a detector is a few pixels too large here and there. Of the strips that it takes from its surroundings, the
depth goes on outside of the mask, and not inside.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.depth_noise import depth_noise
from stma_ros.types.jit import kernel

STEP = 0.04
"""Surfaces that lie farther apart in depth than this [m], plus four sigma of noise, are not connected."""

THICK = 2
"""A part with a pixel that lies this far from its edge [px] is too wide for a strip."""

CONTINUED = 0.3
"""Share of a strip's outer edge beyond which its surface goes on."""


def without_bleeding(
    inverse: NDArray[np.float32], segments: NDArray[np.uint16], noise: float
) -> NDArray[np.uint16]:
    """Returns the segments without the strips of their surroundings; these pixels get the id 0.

    Args:
        inverse: (H, W) inverse depth [1 / mm]; 0 = not measured.
        segments: (H, W) ids; 0 = none.
        noise: of the depth, in multiples of `depth_noise`.
    """
    slack = 1e3 * (STEP + 4 * noise * depth_noise(np.arange(6554) * 0.01))
    cleaned = segments.copy()
    _clean(inverse, segments, slack.astype(np.float32), cleaned)
    return cleaned


@kernel
def _goes_on(
    inverse: NDArray[np.float32], v: int, u: int, dv: int, du: int, slack: NDArray[np.float32]
) -> bool:
    """Whether the surface at (v, u) goes on at (v + dv, u + du): with a small step, or in the direction of the pixels
    before or behind; on a flat surface, inverse depth is linear in the image."""
    height, width = inverse.shape
    here, there = inverse[v, u], inverse[v + dv, u + du]
    limit = slack[min(int(np.float32(0.1) / here), len(slack) - 1)] * here * there
    if abs(here - there) <= limit:
        return True
    for v0, u0, near, far in ((v - dv, u - du, here, there), (v + 2 * dv, u + 2 * du, there, here)):
        if 0 <= v0 < height and 0 <= u0 < width and inverse[v0, u0] > 0:
            slope = near - inverse[v0, u0]
            if abs(slope) <= 2 * limit and abs(near + slope - far) <= limit:
                return True
    return False


@kernel
def _root(parents: NDArray[np.int32], pixel: int) -> int:
    while parents[pixel] != pixel:
        parents[pixel] = parents[parents[pixel]]
        pixel = parents[pixel]
    return pixel


@kernel
def _clean(
    inverse: NDArray[np.float32],
    segments: NDArray[np.uint16],
    slack: NDArray[np.float32],
    cleaned: NDArray[np.uint16],
) -> None:
    height, width = segments.shape
    parents = np.arange(height * width).astype(np.int32)
    for v in range(height):
        for u in range(width):
            if segments[v, u] == 0 or inverse[v, u] == 0:
                continue
            for dv, du in ((0, -1), (-1, 0)):
                v1, u1 = v + dv, u + du
                if v1 < 0 or u1 < 0 or segments[v1, u1] != segments[v, u] or inverse[v1, u1] == 0:
                    continue
                if _goes_on(inverse, v, u, dv, du, slack):
                    one, other = _root(parents, v * width + u), _root(parents, v1 * width + u1)
                    parents[max(one, other)] = min(one, other)
    sizes = np.zeros(height * width, np.int32)
    for pixel in range(height * width):
        parents[pixel] = _root(parents, pixel)
        sizes[parents[pixel]] += 1
    largest = np.zeros(1 << 16, np.int32)  # of each segment
    main = np.full(1 << 16, -1, np.int32)
    thick = np.zeros(height * width, np.bool_)
    outer, continued = np.zeros(height * width, np.int32), np.zeros(height * width, np.int32)
    for v in range(height):
        for u in range(width):
            own = segments[v, u]
            if own == 0 or inverse[v, u] == 0:
                continue
            part = parents[v * width + u]
            if sizes[part] > largest[own]:
                largest[own], main[own] = sizes[part], part
            for dv, du in ((0, -1), (0, 1), (-1, 0), (1, 0)):
                v1, u1 = v + dv, u + du
                if not (0 <= v1 < height and 0 <= u1 < width) or segments[v1, u1] == own:
                    continue
                if inverse[v1, u1] > 0:
                    outer[part] += 1
                    continued[part] += _goes_on(inverse, v, u, dv, du, slack)
            if not thick[part] and THICK <= v < height - THICK and THICK <= u < width - THICK:
                wide = True
                for dv in range(-THICK, THICK + 1):
                    for du in range(-THICK, THICK + 1):
                        wide = wide and parents[(v + dv) * width + u + du] == part
                thick[part] = wide
    for v in range(height):
        for u in range(width):
            own, part = segments[v, u], parents[v * width + u]
            if own == 0 or inverse[v, u] == 0 or part == main[own] or thick[part]:
                continue
            if continued[part] > CONTINUED * outer[part]:
                cleaned[v, u] = 0
