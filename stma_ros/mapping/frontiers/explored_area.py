"""The floor that was seen from near, by the published rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import DepthImage, PinholeCamera
from stma_ros.mapping.distance import Mask
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.transforms import Pose, inverse
from stma_ros.mapping.voxel_grid import VoxelGrid
from stma_ros.types.jit import kernel, read_only

Window = tuple[slice, slice]
"""Rows and columns of a part of a grid."""


@dataclass(frozen=True)
class ExploredConfig:
    """What counts as seen from near."""

    view_range: float  # [m] horizontal distance from the camera
    max_depth: float  # [m] along the optical axis
    margin: float  # [voxels] by which a depth must lie beyond a voxel that is seen to be empty
    radius: float  # [m] around the robot, free floor counts as seen


class ExploredArea:
    """The columns of a voxel grid of which something was seen to be empty from near.

    Source: `integrate` and `agent_step` of 3D-Mem (`explored_depth`, `surrounding_explored_radius`); Pred-EQA,
    supplement 3.2. There, the robot moves between looks in steps of 1 m, and the disc is marked before the first look
    from a new place; here it is marked with each image.

    Attributes:
        geometry: where the cells lie.
        mask: (rows, cols) whether each column was explored.
    """

    def __init__(self, config: ExploredConfig) -> None:
        self._config = config
        self.geometry = GridGeometry(1.0)
        self.mask: Mask = np.zeros((0, 0), np.bool_)

    @classmethod
    def of(cls, config: ExploredConfig, geometry: GridGeometry, mask: Mask) -> ExploredArea:
        """Returns an area with copied contents."""
        area = cls(config)
        area.geometry, area.mask = geometry, mask.copy()
        return area

    def copy(self) -> ExploredArea:
        """Returns an independent copy."""
        return ExploredArea.of(self._config, self.geometry, self.mask)

    def cover(self, geometry: GridGeometry) -> None:
        """Moves the mask to a grid of the same resolution that contains the old one."""
        if geometry == self.geometry:
            return
        grown = np.zeros(geometry.shape, np.bool_)
        rows, cols = self.mask.shape
        if self.mask.size:
            row, col = self.geometry.row0 - geometry.row0, self.geometry.col0 - geometry.col0
            grown[row : row + rows, col : col + cols] = self.mask
        self.geometry, self.mask = geometry, grown

    def look(
        self, depth_mm: DepthImage, camera: PinholeCamera, T_map_camera: Pose, voxels: VoxelGrid
    ) -> None:
        """Marks the columns near the camera in which an image shows an empty voxel.

        Args:
            depth_mm: (H, W) uint16 depth [mm]; 0 = not measured.
            camera: intrinsics of the image.
            T_map_camera: 4x4 pose of the optical frame in the map frame.
            voxels: the grid into which the image was integrated.
        """
        self.cover(voxels.geometry)
        resolution = voxels.geometry.resolution
        x0, y0 = voxels.geometry.origin
        T_map_voxel = np.diag((resolution, resolution, resolution, 1.0))
        T_map_voxel[:3, 3] = x0, y0, voxels.config.bottom
        T_map_voxel[:3, 3] += resolution / 2  # the centres
        _look(
            self.mask,
            len(voxels.counts),
            read_only(np.ascontiguousarray(depth_mm)),
            (inverse(T_map_camera) @ T_map_voxel)[:3],
            np.array((camera.fx, camera.fy, camera.cx, camera.cy)),
            (float(T_map_camera[1, 3]) - y0) / resolution - 0.5,
            (float(T_map_camera[0, 3]) - x0) / resolution - 0.5,
            self._config.view_range / resolution,
            self._config.max_depth,
            self._config.margin * resolution,
        )

    def stand(self, x: float, y: float, geometry: GridGeometry, navigable: Callable[[Window], Mask]) -> None:
        """Marks the navigable cells around a robot at map point (x, y) [m].

        Args:
            x, y: of the robot.
            geometry: of the map's cells.
            navigable: returns which cells of a part of the map are navigable.
        """
        self.cover(geometry)
        row, col = geometry.cell(x, y)
        reach = self._config.radius / geometry.resolution
        top, left = max(row - int(reach), 0), max(col - int(reach), 0)
        window = np.s_[top : max(row + int(reach) + 1, 0), left : max(col + int(reach) + 1, 0)]
        rows, cols = np.indices(self.mask[window].shape)
        near = np.hypot(rows + (top - row), cols + (left - col)) < reach
        self.mask[window] |= near & navigable(window)


@kernel
def _look(
    mask: Mask,
    layers: int,
    depth_mm: NDArray[np.uint16],
    camera_from_voxel: NDArray[np.float64],
    intrinsics: NDArray[np.float64],
    camera_row: float,
    camera_col: float,
    reach: float,
    max_depth: float,
    margin: float,
) -> None:
    rows, cols = mask.shape
    height, width = depth_mm.shape
    fx, fy, cx, cy = intrinsics
    up_x, up_y, up_z = camera_from_voxel[:, 2]
    for row in range(max(int(camera_row - reach), 0), min(int(camera_row + reach) + 2, rows)):
        for col in range(max(int(camera_col - reach), 0), min(int(camera_col + reach) + 2, cols)):
            if mask[row, col] or np.hypot(row - camera_row, col - camera_col) >= reach:
                continue
            low_x = camera_from_voxel[0, 0] * col + camera_from_voxel[0, 1] * row + camera_from_voxel[0, 3]
            low_y = camera_from_voxel[1, 0] * col + camera_from_voxel[1, 1] * row + camera_from_voxel[1, 3]
            low_z = camera_from_voxel[2, 0] * col + camera_from_voxel[2, 1] * row + camera_from_voxel[2, 3]
            for layer in range(layers):
                x, y, z = low_x + up_x * layer, low_y + up_y * layer, low_z + up_z * layer
                if not 0 < z < max_depth:
                    continue
                u, v = np.round(x * fx / z + cx), np.round(y * fy / z + cy)
                if not (0 <= u < width and 0 <= v < height):
                    continue
                depth = depth_mm[int(v), int(u)] * 1e-3
                if depth > 0 and depth - z > margin:
                    mask[row, col] = True
                    break
