"""The two passes over one depth image: hits, and free space.

A voxel's count is int8: 0 never observed, positive occupied, negative free. Hits weigh more than misses, because a
surface seen at a grazing angle is missed more often than it is sampled. Both ends are clamped low, so that the map
follows a door: `LIMIT` misses free a voxel, or one that is far in front of the measured depth, and two hits make it
occupied again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.jit import kernel

HIT = 3
LIMIT = 4
_GAP = 0.5  # voxels: so far from a pixel without depth others are asked
_MARK = 64  # added to a count while its frame is integrated: this voxel was hit and must not be carved


@kernel
def mark_hits(
    counts: NDArray[np.int8],
    depth_mm: NDArray[np.uint16],
    stride: int,
    far_mm: float,
    bias_mm: float,
    rays: NDArray[np.float32],
    eye: NDArray[np.float32],
    hits: NDArray[np.int64],
) -> int:
    """Raise and mark each voxel that a depth pixel ends in; write their flat indices to `hits`, return how
    many.

    `eye` (3) is the camera in voxel units (x, y, z) from the grid's corner. `rays` (3, 3) float32 has as rows
    the steps per mm of depth of a unit ray: constant, per column u, per row v. `bias_mm` carries a point into
    the solid behind it, so that a wall whose face lies on a voxel boundary always lands on the same side.
    """
    layers, rows, cols = counts.shape
    height, width = depth_mm.shape
    flat = counts.reshape(-1)
    found = 0
    for v in range(0, height, stride):
        row_x = rays[0, 0] + np.float32(v) * rays[2, 0]
        row_y = rays[0, 1] + np.float32(v) * rays[2, 1]
        row_z = rays[0, 2] + np.float32(v) * rays[2, 2]
        for u in range(0, width, stride):
            measured = np.float32(depth_mm[v, u])
            if measured == 0 or measured >= far_mm:
                continue
            depth = measured + np.float32(bias_mm)
            x = eye[0] + depth * (row_x + np.float32(u) * rays[1, 0])
            y = eye[1] + depth * (row_y + np.float32(u) * rays[1, 1])
            z = eye[2] + depth * (row_z + np.float32(u) * rays[1, 2])
            if x < 0 or y < 0 or z < 0 or x >= cols or y >= rows or z >= layers:
                continue
            index = (np.int64(z) * rows + np.int64(y)) * cols + np.int64(x)
            count = flat[index]
            if count < _MARK - LIMIT:
                count += HIT
                if count >= 0:  # zero means never observed
                    count = min(max(count, 1), LIMIT)
                flat[index] = count + _MARK
                hits[found] = index
                found += 1
    return found


@kernel
def unmark_hits(counts: NDArray[np.int8], hits: NDArray[np.int64]) -> None:
    flat = counts.reshape(-1)
    for index in hits:
        flat[index] -= _MARK


@kernel
def _clip(low: float, high: float, constant: float, slope: float) -> tuple[float, float]:
    """Returns the part of [low, high] where constant + slope * i >= 0."""
    if slope > 1e-9:
        return max(low, -constant / slope), high
    if slope < -1e-9:
        return low, min(high, -constant / slope)
    return (low, high) if constant >= 0 else (1.0, 0.0)


@kernel
def _nearest_around(depth_mm: NDArray[np.uint16], u: int, v: int, reach: int) -> int:
    """Returns the least depth [mm] of the four pixels at a distance of `reach`; 0 if none was measured."""
    height, width = depth_mm.shape
    nearest = 0
    for side in range(4):
        row = v + (reach if side == 0 else -reach if side == 1 else 0)
        col = u + (reach if side == 2 else -reach if side == 3 else 0)
        if 0 <= row < height and 0 <= col < width:
            measured = int(depth_mm[row, col])
            if measured > 0 and (nearest == 0 or measured < nearest):
                nearest = measured
    return nearest


@kernel
def carve_free(
    counts: NDArray[np.int8],
    depth_mm: NDArray[np.uint16],
    box: NDArray[np.int64],
    camera_from_voxel: NDArray[np.float64],
    center_u: float,
    center_v: float,
    near_mm: float,
    far_mm: float,
    margin_mm: float,
    clear_mm: float,
) -> None:
    """Lower each unmarked voxel whose center lies more than `margin_mm` in front of what its pixel measured; free it at
    once if it lies more than `clear_mm` before that. Cameras measure nothing along edges: for such a pixel the nearest
    depth around it speaks, or a voxel before an edge might never be freed.

    `camera_from_voxel` (3, 4) takes voxel coordinates (x, y, z, 1) to (fx X, fy Y, Z) in mm in the optical
    frame, so that a pixel is one division away. `box` holds the cells (row, row, layer, layer) that bound the
    frustum; along x each row is clipped to the frustum's planes, so that the inner loop sees hardly a voxel
    in vain.
    """
    height, width = depth_mm.shape
    cols = counts.shape[2]
    m = camera_from_voxel
    step_x, step_y, step_z = np.float32(m[0, 0]), np.float32(m[1, 0]), np.float32(m[2, 0])
    left, right = center_u + 0.5, width - 0.5 - center_u
    top, bottom = center_v + 0.5, height - 0.5 - center_v
    shift_u, shift_v = np.float32(center_u + 0.5), np.float32(center_v + 0.5)
    gap = _GAP * np.sqrt(m[0, 0] ** 2 + m[0, 1] ** 2 + m[0, 2] ** 2)  # in pixels at 1 mm
    margin, clear = np.float32(margin_mm), np.float32(clear_mm)
    for layer in range(box[2], box[3]):
        for row in range(box[0], box[1]):
            y, z = row + 0.5, layer + 0.5
            cam_x = m[0, 0] * 0.5 + m[0, 1] * y + m[0, 2] * z + m[0, 3]
            cam_y = m[1, 0] * 0.5 + m[1, 1] * y + m[1, 2] * z + m[1, 3]
            cam_z = m[2, 0] * 0.5 + m[2, 1] * y + m[2, 2] * z + m[2, 3]
            low, high = _clip(0.0, cols - 1.0, cam_z - near_mm, m[2, 0])
            low, high = _clip(low, high, far_mm - cam_z, -m[2, 0])
            low, high = _clip(low, high, cam_x + left * cam_z, m[0, 0] + left * m[2, 0])
            low, high = _clip(low, high, right * cam_z - cam_x, right * m[2, 0] - m[0, 0])
            low, high = _clip(low, high, cam_y + top * cam_z, m[1, 0] + top * m[2, 0])
            low, high = _clip(low, high, bottom * cam_z - cam_y, bottom * m[2, 0] - m[1, 0])
            if low > high:
                continue
            base_x, base_y, base_z = np.float32(cam_x), np.float32(cam_y), np.float32(cam_z)
            for col in range(int(np.ceil(low)), int(np.floor(high)) + 1):
                count = counts[layer, row, col]
                if count == -LIMIT or count >= _MARK - LIMIT:
                    continue
                offset = np.float32(col)
                depth = base_z + offset * step_z
                scale = np.float32(1.0) / depth
                u = int((base_x + offset * step_x) * scale + shift_u)
                v = int((base_y + offset * step_y) * scale + shift_v)
                if u < 0 or v < 0 or u >= width or v >= height:  # float32 rounding at the frustum's edge
                    continue
                measured = np.float32(depth_mm[v, u])
                if measured == 0 and count > 0:
                    reach = max(1, int(gap * scale + 0.5))
                    measured = np.float32(_nearest_around(depth_mm, u, v, reach))
                if measured > 0 and depth < measured - margin:
                    gone = count == 1 or (count > 0 and depth < measured - clear)
                    counts[layer, row, col] = -1 if gone else count - 1
