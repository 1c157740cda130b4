"""Hits: the voxels in which the pixels of a depth image end.

A voxel's count is int8: 0 never observed, positive occupied, negative free. Hits weigh more than misses, because a
surface seen at a grazing angle is missed more often than it is sampled. Both ends are clamped low, so that the map
follows a door: `LIMIT` misses free a voxel, or one that is far in front of the measured depth, and two hits make it
occupied again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.depth_view import LANES, ColumnBox, Float3, View
from stma_ros.types.jit import kernel

HIT = 3
LIMIT = 4
MARK = 64
"""Added to a count while its frame is integrated: this voxel was hit and must not be carved."""


@kernel
def mark_hits(
    cells: NDArray[np.int8],
    box: ColumnBox,
    depth_mm: NDArray[np.uint16],
    T_map_camera: NDArray[np.float64],
    view: View,
    stride: int,
    max_range: float,
    bias: float,
    hits: NDArray[np.int64],
) -> int:
    """Raises and marks each voxel that a pixel ends in, once. Nearer than `view.near` the robot may see itself.

    Args:
        cells: (rows, cols, layers) counts.
        box: columns that contain the view.
        depth_mm: (H, W) uint16 [mm]; 0 and `SATURATED` = not measured.
        T_map_camera: 4x4 pose of the optical frame.
        view: the camera.
        stride: every `stride`-th row and column is used.
        max_range: depths from here on hit nothing [mm].
        bias: carries a point into the solid behind it [mm], so that a wall whose face lies on a voxel's boundary always
            lands on the same side.
        hits: the flat indices of these voxels are written here; as long as there are pixels.

    Returns:
        The number of voxels hit.
    """
    height, width = depth_mm.shape
    flat = cells.reshape(-1)
    layers = cells.shape[2]
    rays = _rays(T_map_camera, view)
    eye = (np.float32(rays[0, 0]), np.float32(rays[0, 1]), np.float32(rays[0, 2]))
    step = (np.float32(rays[2, 0] * stride), np.float32(rays[2, 1] * stride), np.float32(rays[2, 2] * stride))
    sampled = -(-width // stride)
    line, ends = np.zeros(sampled + LANES, np.uint16), np.empty(sampled + LANES, np.int64)
    above, todo = np.full(sampled + LANES, -1, np.int64), np.empty(sampled, np.int64)
    first = (box.row * cells.shape[1] + box.col) * layers
    found = 0
    for v in range(0, height, stride):
        for k in range(sampled):
            line[k] = depth_mm[v, k * stride]
        start = (
            np.float32(rays[1, 0] + v * rays[3, 0]),
            np.float32(rays[1, 1] + v * rays[3, 1]),
            np.float32(rays[1, 2] + v * rays[3, 2]),
        )
        _end_voxels(
            line[: (sampled + LANES - 1) // LANES * LANES],
            np.float32(bias),
            np.float32(view.near),
            np.float32(max_range),
            eye,
            start,
            step,
            box,
            cells.shape[1] * layers,
            layers,
            ends,
        )
        changes = _without_repeats(ends, above, sampled, todo)
        for k in range(changes):
            index = first + todo[k]
            count = flat[index]
            if count < MARK - LIMIT:
                count += HIT
                if count >= 0:  # zero means never observed
                    count = min(max(count, 1), LIMIT)
                flat[index] = count + MARK
                hits[found] = index
                found += 1
        ends, above = above, ends
    return found


@kernel
def _rays(T_map_camera: NDArray[np.float64], view: View) -> NDArray[np.float64]:
    """Returns (4, 3) the camera [voxels from the box's corner], the ray of pixel (0, 0) [voxels per mm of depth], and
    its change from column to column and from row to row."""
    rays = np.empty((4, 3))
    scale = 1e-3 / view.resolution
    corner = (view.x, view.y, view.z)
    for axis in range(3):
        rays[0, axis] = (T_map_camera[axis, 3] - corner[axis]) / view.resolution
        rays[2, axis] = T_map_camera[axis, 0] / view.fx * scale
        rays[3, axis] = T_map_camera[axis, 1] / view.fy * scale
        rays[1, axis] = T_map_camera[axis, 2] * scale - view.cx * rays[2, axis] - view.cy * rays[3, axis]
    return rays


@kernel
def _end_voxels(
    line: NDArray[np.uint16],
    bias: np.float32,
    near: np.float32,
    far: np.float32,
    eye: Float3,
    start: Float3,
    step: Float3,
    box: ColumnBox,
    row_size: int,
    layers: int,
    ends: NDArray[np.int64],
) -> None:
    """Writes to `ends` in which voxel each pixel of a line ends, counted from the box's corner; -1 = in none."""
    cols, rows, top = np.float32(box.cols), np.float32(box.rows), np.float32(layers)
    zero = np.float32(0)
    for k in range(len(line)):
        u, measured = np.float32(np.int32(k)), np.float32(line[k])
        depth = measured + bias
        x = eye[0] + depth * (start[0] + u * step[0])
        y = eye[1] + depth * (start[1] + u * step[1])
        z = eye[2] + depth * (start[2] + u * step[2])
        valid = (measured >= near) & (measured < far) & (x >= zero) & (y >= zero) & (z >= zero)
        valid &= (x < cols) & (y < rows) & (z < top)
        end = np.int64(np.int32(y)) * row_size + np.int64(np.int32(x)) * layers + np.int64(np.int32(z))
        ends[k] = end if valid else np.int64(-1)


@kernel
def _without_repeats(
    ends: NDArray[np.int64], above: NDArray[np.int64], count: int, changes: NDArray[np.int64]
) -> int:
    """Copies the first `count` voxels that are neither -1 nor those of the pixel to the left or above; returns how
    many. Written without a branch, which would be mispredicted."""
    found, left = 0, np.int64(-1)
    for k in range(count):
        end = ends[k]
        changes[found] = end
        found += (end != left) & (end != above[k]) & (end >= 0)
        left = end
    return found


@kernel
def unmark_hits(cells: NDArray[np.int8], hits: NDArray[np.int64]) -> None:
    """Takes the marks of `mark_hits` away."""
    flat = cells.reshape(-1)
    for index in hits:
        flat[index] -= MARK
