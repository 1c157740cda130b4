"""Free space: the voxels in front of what a depth image measured.

Loops are split so that the compiler makes vector instructions of them: the projection of a column's voxels, the
scattered reading of their pixels, the update of their counts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.depth_view import LANES, SATURATED, ColumnBox, Float3, View
from stma_ros.mapping.hit_kernels import LIMIT, MARK
from stma_ros.types.jit import kernel

_GAP = 0.5  # voxels: so far from a pixel without depth others are asked


@kernel
def carve_free(
    cells: NDArray[np.int8],
    box: ColumnBox,
    depth_mm: NDArray[np.uint16],
    T_map_camera: NDArray[np.float64],
    view: View,
    binary: bool,
) -> None:
    """Frees the voxels whose centres lie in front of what their pixels measured.

    Binary: a voxel that is seen to be free becomes -1, whatever it was. Else its count is lowered, see `hit_kernels`,
    unless it is marked. Cameras measure nothing along edges: for such a pixel the nearest depth around it speaks, or an
    occupied voxel before an edge might never be freed.

    Args:
        cells: (rows, cols, layers) counts.
        box: columns that contain the view.
        depth_mm: (H, W) uint16 [mm]; 0 and `SATURATED` = not measured.
        T_map_camera: 4x4 pose of the optical frame.
        view: the camera, and how far before a surface space is free.
        binary: the rule.
    """
    height, width = depth_mm.shape
    flat = depth_mm.reshape(-1)
    layers = cells.shape[2]
    m = _projection(T_map_camera, view)
    planes, lower = _planes(m, width, height, view)
    low, high = np.empty(box.cols, np.float32), np.empty(box.cols, np.float32)
    pixels, limits = np.empty(layers + LANES, np.int32), np.empty(layers + LANES, np.float32)
    measured = np.empty(layers, np.uint16)
    step = (np.float32(m[0, 2]), np.float32(m[1, 2]), np.float32(m[2, 2]))
    size, shift = (np.int32(width), np.int32(height)), (np.float32(view.cx + 0.5), np.float32(view.cy + 0.5))
    margin, clear = np.float32(view.margin), np.float32(view.clear - view.margin)
    gap = _GAP * np.sqrt(m[0, 0] ** 2 + m[0, 1] ** 2 + m[0, 2] ** 2)  # in pixels at 1 mm
    for row in range(box.rows):
        _spans(planes, lower, row + 0.5, layers, low, high)
        for col in range(box.cols):
            first = int(np.ceil(low[col] - np.float32(0.5)))
            count = int(np.floor(high[col] - np.float32(0.5))) + 1 - first
            if count <= 0:
                continue
            x, y, z = col + 0.5, row + 0.5, first + 0.5
            start = (
                np.float32(m[0, 0] * x + m[0, 1] * y + m[0, 2] * z + m[0, 3]),
                np.float32(m[1, 0] * x + m[1, 1] * y + m[1, 2] * z + m[1, 3]),
                np.float32(m[2, 0] * x + m[2, 1] * y + m[2, 2] * z + m[2, 3]),
            )
            column = cells[box.row + row, box.col + col, first : first + count]
            _project(count, start, step, size, shift, margin, pixels, limits)
            for k in range(count):
                measured[k] = flat[np.uint32(pixels[k])]
            if binary:
                _free(column, measured, limits)
            elif _lower(column, measured, limits, clear):
                _ask_around(column, measured, limits, pixels, depth_mm, margin, clear, gap)


@kernel
def _projection(T_map_camera: NDArray[np.float64], view: View) -> NDArray[np.float64]:
    """Returns (3, 4) what takes voxel coordinates (x, y, z, 1) from the box's corner to (fx X, fy Y, Z) [mm] in the
    optical frame, so that a pixel is one division away."""
    m = np.empty((3, 4))
    corner = (view.x - T_map_camera[0, 3], view.y - T_map_camera[1, 3], view.z - T_map_camera[2, 3])
    for row in range(3):
        scale = 1e3 * (view.fx if row == 0 else view.fy if row == 1 else 1.0)
        offset = 0.0
        for axis in range(3):
            m[row, axis] = T_map_camera[axis, row] * view.resolution * scale
            offset += T_map_camera[axis, row] * corner[axis]
        m[row, 3] = offset * scale
    return m


@kernel
def _planes(m: NDArray[np.float64], width: int, height: int, view: View) -> tuple[NDArray[np.float64], int]:
    """Returns where columns cross the six planes of the view, and how many of these bound it from below.

    Each row (a, b, c) is one plane: the column at (x, y) crosses it at height a x + b y + c, all in voxels. The planes
    that bound from below come first.
    """
    left, right = view.cx + 0.5, width - 0.5 - view.cx
    top, bottom = view.cy + 0.5, height - 0.5 - view.cy
    crossings = np.empty((6, 3))
    lower, upper = 0, 6
    for plane in range(6):
        side = (
            m[2],
            -m[2],
            m[0] + left * m[2],
            right * m[2] - m[0],
            m[1] + top * m[2],
            bottom * m[2] - m[1],
        )[plane]
        constant = side[3] + (-view.near if plane == 0 else view.far if plane == 1 else 0.0)
        slope = side[2]
        if abs(slope) < 1e-9:  # parallel to the columns: a crossing very low or very high tells the side
            slope = 1e-9
        if slope > 0:
            place = lower
            lower += 1
        else:
            upper -= 1
            place = upper
        crossings[place] = (-side[0] / slope, -side[1] / slope, -constant / slope)
    return crossings, lower


@kernel
def _spans(
    planes: NDArray[np.float64],
    lower: int,
    y: float,
    layers: int,
    low: NDArray[np.float32],
    high: NDArray[np.float32],
) -> None:
    """Writes between which heights each column of a row is in view; see `_planes`."""
    low[:] = 0
    high[:] = layers
    for plane in range(6):
        step = np.float32(planes[plane, 0])
        start = np.float32(planes[plane, 0] * 0.5 + planes[plane, 1] * y + planes[plane, 2])
        if plane < lower:
            for col in range(len(low)):
                low[col] = max(low[col], start + np.float32(np.int32(col)) * step)
        else:
            for col in range(len(low)):
                high[col] = min(high[col], start + np.float32(np.int32(col)) * step)


@kernel
def _project(
    count: int,
    start: Float3,
    step: Float3,
    size: tuple[np.int32, np.int32],
    shift: tuple[np.float32, np.float32],
    margin: np.float32,
    pixels: NDArray[np.int32],
    limits: NDArray[np.float32],
) -> None:
    """Writes the flat index of each voxel's pixel, and the depth [mm] beyond which a measurement frees the voxel. A
    voxel outside of the image gets pixel 0 and a limit that nothing exceeds."""
    width, height = size
    for k in range((count + LANES - 1) // LANES * LANES):
        offset = np.float32(np.int32(k))
        depth = start[2] + offset * step[2]
        scale = np.float32(1.0) / depth
        u = np.int32((start[0] + offset * step[0]) * scale + shift[0])
        v = np.int32((start[1] + offset * step[1]) * scale + shift[1])
        seen = (np.uint32(u) < np.uint32(width)) & (np.uint32(v) < np.uint32(height))
        pixels[k] = v * width + u if seen else np.int32(0)
        limits[k] = depth + margin if seen else np.float32(1e9)


@kernel
def _free(column: NDArray[np.int8], measured: NDArray[np.uint16], limits: NDArray[np.float32]) -> None:
    for k in range(len(column)):
        free = (np.float32(measured[k]) > limits[k]) & (measured[k] != np.uint16(SATURATED))
        column[k] = np.int8(-1) if free else column[k]


@kernel
def _lower(
    column: NDArray[np.int8], measured: NDArray[np.uint16], limits: NDArray[np.float32], clear: np.float32
) -> bool:
    """Lowers the counts of the voxels that are seen to be free, unless they are marked. Returns whether some occupied
    voxel's pixel was not measured."""
    blind = np.uint8(0)
    for k in range(len(column)):
        count, pixel = column[k], measured[k]
        known = (pixel != np.uint16(0)) & (pixel != np.uint16(SATURATED))
        depth, limit = np.float32(pixel), limits[k]
        open_ = (count > np.int8(-LIMIT)) & (count < np.int8(MARK - LIMIT))
        gone = (count == np.int8(1)) | ((count > np.int8(0)) & (depth > limit + clear))
        lowered = np.int8(-1) if gone else np.int8(count - np.int8(1))
        blind |= np.uint8((not known) & (count > np.int8(0)) & open_)
        column[k] = lowered if known & (depth > limit) & open_ else count
    return bool(blind)


@kernel
def _ask_around(
    column: NDArray[np.int8],
    measured: NDArray[np.uint16],
    limits: NDArray[np.float32],
    pixels: NDArray[np.int32],
    depth_mm: NDArray[np.uint16],
    margin: np.float32,
    clear: np.float32,
    gap: float,
) -> None:
    """Lowers the counts of occupied voxels whose pixels were not measured by the least depth around them."""
    width = depth_mm.shape[1]
    for k in range(len(column)):
        count = column[k]
        if count <= 0 or count >= MARK - LIMIT or (measured[k] != 0 and measured[k] != SATURATED):
            continue
        reach = max(1, int(gap / (limits[k] - margin) + 0.5))
        depth = np.float32(_nearest_around(depth_mm, pixels[k] % width, pixels[k] // width, reach))
        if depth > limits[k]:
            column[k] = -1 if count == 1 or depth > limits[k] + clear else count - 1


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
            if 0 < measured < SATURATED and (nearest == 0 or measured < nearest):
                nearest = measured
    return nearest
