"""Passes over a depth image that join neighbouring pixels of one surface.

They call one another, so they share a file: numba keeps compiled code until the caller's own file changes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.jit import kernel

THICK = 2
"""A part with a pixel that lies this far from its edge [px] is too wide for a strip."""

FLAT, GRAZING, STEEP = 2.0, 3.0, 8.0
"""Steps between neighbours, in multiples of the slack, that a surface seen at a grazing angle may have: beside a strip,
where one pixel in line shows it, and where two do."""

CONTINUED = 0.3
"""Share of a strip's outer edge beyond which its surface goes on."""


@kernel
def _root(parents: NDArray[np.int32], pixel: int) -> int:
    while parents[pixel] != pixel:
        parents[pixel] = parents[parents[pixel]]
        pixel = parents[pixel]
    return pixel


@kernel
def _join(parents: NDArray[np.int32], one: int, other: int) -> None:
    """Joins the sets of two pixels; the first pixel of a set is its root."""
    one, other = _root(parents, one), _root(parents, other)
    parents[max(one, other)] = min(one, other)


@kernel
def _number(parents: NDArray[np.int32], wanted: NDArray[np.bool_], numbers: NDArray[np.int32]) -> None:
    """Numbers the sets of pixels in the order of their first ones, from 1."""
    height, width = wanted.shape
    count = 0
    for v in range(height):
        for u in range(width):
            if not wanted[v, u]:
                continue
            root = _root(parents, v * width + u)  # the first of its pixels
            if root == v * width + u:
                count += 1
                numbers[v, u] = count
            else:
                numbers[v, u] = numbers[root // width, root % width]


@kernel
def _goes_on(
    inverse: NDArray[np.float32],
    v: int,
    u: int,
    dv: int,
    du: int,
    slack: NDArray[np.float32],
    steepest: float,
) -> bool:
    """Whether the surface at (v, u) goes on at (v + dv, u + du): with a small step, or in the direction of the pixels
    before or behind; on a flat surface, inverse depth is linear in the image.

    Steps of up to GRAZING times the slack need one pixel in line, larger ones up to `steepest` times need two: a camera
    may measure one pixel half-way between two things that hide one another.
    """
    height, width = inverse.shape
    here, there = inverse[v, u], inverse[v + dv, u + du]
    limit = slack[min(int(np.float32(0.1) / here), len(slack) - 1)] * here * there
    if abs(here - there) <= limit:
        return True
    for sign, near, far in ((-1, here, there), (1, there, here)):
        first = (1 + sign) // 2 + sign  # pixels from (v, u) on along (dv, du)
        v0, u0 = v + first * dv, u + first * du
        if not (0 <= v0 < height and 0 <= u0 < width) or inverse[v0, u0] == 0:
            continue
        slope = near - inverse[v0, u0]
        if abs(slope) > steepest * limit or abs(near + slope - far) > limit:
            continue
        if abs(slope) <= GRAZING * limit:
            return True
        v1, u1 = v0 + sign * dv, u0 + sign * du
        if not (0 <= v1 < height and 0 <= u1 < width) or inverse[v1, u1] == 0:
            continue
        if abs(inverse[v0, u0] - inverse[v1, u1] - slope) <= limit:
            return True
    return False


@kernel
def remove_strips(
    inverse: NDArray[np.float32],
    segments: NDArray[np.uint16],
    wanted: NDArray[np.bool_],
    slack: NDArray[np.float32],
    cleaned: NDArray[np.uint16],
) -> None:
    """Sets the id of pixels in strips of a segment's surroundings to 0 in `cleaned`, a copy of `segments`.

    Args:
        inverse: (H, W) inverse depth [1 / mm]; 0 = not measured.
        segments: (H, W) ids; 0 = none.
        wanted: by id, whether the segment is to be cleaned.
        slack: by depth in cm, largest step in depth on one surface [mm].
        cleaned: (H, W) output.
    """
    height, width = segments.shape
    parents = np.full(height * width, -1, np.int32)
    for v in range(height):
        for u in range(width):
            own = segments[v, u]
            if own == 0 or not wanted[own] or inverse[v, u] == 0:
                continue
            pixel = v * width + u
            parents[pixel] = pixel
            beside = u > 0 and segments[v, u - 1] == own and inverse[v, u - 1] > 0
            if beside and _goes_on(inverse, v, u, 0, -1, slack, FLAT):
                parents[pixel] = parents[pixel - 1]
            above = v > 0 and segments[v - 1, u] == own and inverse[v - 1, u] > 0
            is_joined = above and parents[pixel] == parents[pixel - width]  # as most are
            if above and not is_joined and _goes_on(inverse, v, u, -1, 0, slack, FLAT):
                _join(parents, pixel, pixel - width)
    sizes = np.zeros(height * width, np.int32)
    for pixel in range(height * width):
        if parents[pixel] >= 0:
            parents[pixel] = _root(parents, pixel)
            sizes[parents[pixel]] += 1
    largest = np.zeros(1 << 16, np.int32)  # of each segment
    main = np.full(1 << 16, -1, np.int32)
    thick = np.zeros(height * width, np.bool_)
    outer, continued = np.zeros(height * width, np.int32), np.zeros(height * width, np.int32)
    for v in range(height):
        for u in range(width):
            own, part = segments[v, u], parents[v * width + u]
            if part < 0:
                continue
            if sizes[part] > largest[own]:
                largest[own], main[own] = sizes[part], part
            for dv, du in ((0, -1), (0, 1), (-1, 0), (1, 0)):
                v1, u1 = v + dv, u + du
                if not (0 <= v1 < height and 0 <= u1 < width) or segments[v1, u1] == own:
                    continue
                if inverse[v1, u1] > 0:
                    outer[part] += 1
                    continued[part] += _goes_on(inverse, v, u, dv, du, slack, FLAT)
            if not thick[part] and THICK <= v < height - THICK and THICK <= u < width - THICK:
                wide = True
                for dv in range(-THICK, THICK + 1):
                    for du in range(-THICK, THICK + 1):
                        wide = wide and parents[(v + dv) * width + u + du] == part
                thick[part] = wide
    for v in range(height):
        for u in range(width):
            own, part = segments[v, u], parents[v * width + u]
            if part < 0 or part == main[own] or thick[part]:
                continue
            if continued[part] > CONTINUED * outer[part]:
                cleaned[v, u] = 0


@kernel
def _is_straight(
    inverse: NDArray[np.float32], v: int, u: int, dv: int, du: int, slack: NDArray[np.float32]
) -> bool:
    """Whether the surface at (v, u) goes on straight at (v + dv, u + du). On a flat surface, inverse depth is linear in
    the image: the slopes of the two pixels before, of those behind and of the step between agree."""
    height, width = inverse.shape
    here, there = inverse[v, u], inverse[v + dv, u + du]
    limit = slack[min(int(np.float32(0.1) / min(here, there)), len(slack) - 1)] * here * there
    step = there - here
    before, behind = np.float32(0), np.float32(0)
    known = 0
    v0, u0 = v - 2 * dv, u - 2 * du
    if 0 <= v0 < height and 0 <= u0 < width and inverse[v0, u0] > 0:
        before = (here - inverse[v0, u0]) / 2
        known += 1
        if abs(step - before) > 2 * limit:
            return False
    v0, u0 = v + 3 * dv, u + 3 * du
    if 0 <= v0 < height and 0 <= u0 < width and inverse[v0, u0] > 0:
        behind = (inverse[v0, u0] - there) / 2
        known += 1
        if abs(step - behind) > 2 * limit:
            return False
    return known == 1 or (known == 2 and abs(before - behind) <= limit)


@kernel
def divide_at_creases(
    inverse: NDArray[np.float32], slack: NDArray[np.float32], surfaces: NDArray[np.int32]
) -> None:
    """Numbers the surfaces that no crease and no step divides, from 1.

    Args:
        inverse: (H, W) inverse depth [1 / mm]; 0 = not measured.
        slack: by depth in cm, largest deviation from a straight line [mm].
        surfaces: (H, W) output, zero.
    """
    height, width = inverse.shape
    parents = np.arange(height * width).astype(np.int32)
    for v in range(height):
        for u in range(width):
            if inverse[v, u] == 0:
                continue
            for dv, du in ((0, -1), (-1, 0)):
                v1, u1 = v + dv, u + du
                if v1 < 0 or u1 < 0 or inverse[v1, u1] == 0:
                    continue
                if _is_straight(inverse, v, u, dv, du, slack):
                    _join(parents, v * width + u, v1 * width + u1)
    _number(parents, inverse > 0, surfaces)


@kernel
def divide_at_steps(
    inverse: NDArray[np.float32],
    wanted: NDArray[np.bool_],
    slack: NDArray[np.float32],
    parts: NDArray[np.int32],
) -> None:
    """Numbers the parts of the wanted pixels that no step divides, from 1.

    Args:
        inverse: (H, W) inverse depth [1 / mm].
        wanted: (H, W) pixels; they are measured.
        slack: by depth in cm, largest step in depth on one surface [mm].
        parts: (H, W) output, zero.
    """
    height, width = inverse.shape
    parents = np.arange(height * width).astype(np.int32)
    for v in range(height):
        for u in range(width):
            if not wanted[v, u]:
                continue
            for dv, du in ((0, -1), (-1, 0), (-1, -1), (-1, 1)):
                v1, u1 = v + dv, u + du
                if v1 < 0 or u1 < 0 or u1 >= width or not wanted[v1, u1]:
                    continue
                if _goes_on(inverse, v, u, dv, du, slack, STEEP):
                    _join(parents, v * width + u, v1 * width + u1)
    _number(parents, wanted, parts)
