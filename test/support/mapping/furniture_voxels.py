"""Voxels of furniture at any angle, written into a map by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.voxel_grid import VoxelGrid
from stma_ros.memory.boxes import Box
from stma_ros.types.planar import turned

OCCUPIED, FREE = 10, -10


def map_of(piece: Box, boards: Sequence[float], reach: float = 1.0) -> VoxelGrid:
    """Returns a map that shows boards of the size of a piece at these heights [m], and free space around them."""
    voxels = VoxelGrid()
    x, y, _ = piece.middle.tolist()
    half = float(np.hypot(*piece.extent[:2])) / 2 + reach
    voxels.cover(x - half, y - half, x + half, y + half)
    voxels.counts[:] = FREE
    for height in boards:
        fill(voxels, piece, height - 0.01, height)
    return voxels


def fill(voxels: VoxelGrid, box: Box, low: float, high: float) -> None:
    """Marks the space of a box between two heights [m] as occupied."""
    config, geometry = voxels.config, voxels.geometry
    (x0, y0), res = geometry.origin, config.resolution
    rows, cols = np.arange(geometry.rows), np.arange(geometry.cols)
    centres: NDArray[np.float64] = np.stack(
        np.broadcast_arrays(x0 + (cols[None] + 0.5) * res, y0 + (rows[:, None] + 0.5) * res), axis=-1
    )
    covered = np.all(np.abs(turned(centres - box.middle[:2], -box.yaw)) <= box.extent[:2] / 2, axis=2)
    first, last = (int(np.floor((z - config.min_height) / res + 1e-6)) for z in (low, high))
    for layer in range(first, max(last, first + 1)):
        voxels.counts[layer][covered] = OCCUPIED
