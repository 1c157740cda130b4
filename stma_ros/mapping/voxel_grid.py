"""A voxel grid of hit and miss counts that grows with what the camera sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import DepthImage, PinholeCamera
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.transforms import Pose, apply, inverse
from stma_ros.mapping.voxel_kernels import carve_free, mark_hits, unmark_hits
from stma_ros.types.errors import PoseJumpError
from stma_ros.types.planar import turned

_CHUNK = 32  # cells by which the volume grows
_SAMPLES_PER_VOXEL = 2.5  # depth pixels across a voxel at full range; denser images are thinned to this
_SURFACE_BIAS = 0.1  # voxels
_CARVING_MARGIN = 0.5  # voxels: a voxel whose center is nearer than this to a surface may hold it
_CLEARLY_BEHIND = (
    0.15  # [m] a voxel this far in front of the measured depth is free at once, as after a door has opened
)


@dataclass(frozen=True)
class VoxelGridConfig:
    """Settings of a voxel grid. Heights are in the map frame, whose z = 0 is the floor."""

    resolution: float = 0.05  # [m]
    min_range: float = 0.1  # [m] no voxel is freed nearer to the camera, where the robot may see itself
    max_range: float = 5.0  # [m] nothing is mapped farther away
    min_height: float = -0.3  # [m] lower end: deep enough to tell a drop from a floor
    max_height: float = 2.2  # [m] upper end
    max_extent: float = 200.0  # [m] along x or y; a frame that would need more is refused

    def __post_init__(self) -> None:
        if not 0 < self.resolution <= 1 or not 0 <= self.min_range < self.max_range:
            raise ValueError(
                f"not a voxel grid: {self}; need 0 < resolution <= 1 and 0 <= min_range < max_range"
            )
        if self.max_height - self.min_height < self.resolution:
            raise ValueError(f"not a voxel grid: {self}; max_height must lie above min_height")


class VoxelGrid:
    """Evidence of occupancy for each voxel.

    Attributes:
        config: the settings.
        geometry: where the cells of a layer lie.
        counts: (layers, rows, cols) int8; > 0 occupied, < 0 free, 0 never observed. Layer k spans the heights
            min_height + k * resolution to one resolution more.
    """

    def __init__(self, config: VoxelGridConfig | None = None) -> None:
        self.config = config or VoxelGridConfig()
        layers = round((self.config.max_height - self.config.min_height) / self.config.resolution)
        self.geometry = GridGeometry(self.config.resolution)
        self.counts: NDArray[np.int8] = np.zeros((layers, 0, 0), np.int8)

    @classmethod
    def of(cls, config: VoxelGridConfig, geometry: GridGeometry, counts: NDArray[np.int8]) -> VoxelGrid:
        """Returns a grid with copied contents. Raises ValueError if they do not fit together."""
        grid = cls(config)
        if counts.shape != (len(grid.counts), *geometry.shape) or geometry.resolution != config.resolution:
            raise ValueError(
                f"voxels {counts.shape} on {geometry} are not those of a map with {config}; "
                "use them with the settings that they were made with"
            )
        grid.geometry, grid.counts = geometry, counts.astype(np.int8)
        return grid

    def copy(self) -> VoxelGrid:
        """Returns an independent copy."""
        return VoxelGrid.of(self.config, self.geometry, self.counts)

    @property
    def occupied(self) -> NDArray[np.bool_]:
        """(layers, rows, cols) whether each voxel is occupied."""
        return self.counts > 0

    @property
    def free(self) -> NDArray[np.bool_]:
        """(layers, rows, cols) whether each voxel is free."""
        return self.counts < 0

    @property
    def unknown(self) -> NDArray[np.bool_]:
        """(layers, rows, cols) whether each voxel was never observed."""
        return np.equal(self.counts, 0)

    def layer(self, height: float) -> int:
        """Returns the layer whose lower face is nearest to `height` [m], clamped to [0, layers]."""
        layer = round((height - self.config.min_height) / self.config.resolution)
        return min(max(layer, 0), len(self.counts))

    def cover(self, x_min: float, y_min: float, x_max: float, y_max: float) -> None:
        """Grows the grid so that it contains a rectangle [m].

        Raises:
            PoseJumpError: the grid would exceed the configured extent; it is then unchanged.
        """
        old, res = self.geometry, self.config.resolution
        # Chunks of cells, by the cells' own arithmetic: a hair below 0 is in the cell below.
        row0, col0 = (int(np.floor(low / res)) // _CHUNK * _CHUNK for low in (y_min, x_min))
        row1, col1 = ((int(np.floor(high / res)) // _CHUNK + 1) * _CHUNK for high in (y_max, x_max))
        if old.rows:
            row0, col0 = min(row0, old.row0), min(col0, old.col0)
            row1, col1 = max(row1, old.row0 + old.rows), max(col1, old.col0 + old.cols)
        grown = GridGeometry(res, row0, col0, row1 - row0, col1 - col0)
        if grown == old:
            return
        if max(grown.shape) * res > self.config.max_extent:
            raise PoseJumpError(
                f"the map would grow to {grown.cols * res:.0f} x {grown.rows * res:.0f} m (max_extent is "
                f"{self.config.max_extent:.0f} m): the pose has jumped, or this place needs a larger one"
            )
        counts = np.zeros((len(self.counts), *grown.shape), np.int8)
        row, col = old.row0 - row0, old.col0 - col0
        counts[:, row : row + old.rows, col : col + old.cols] = self.counts
        self.geometry, self.counts = grown, counts

    def at(self, points: NDArray[np.float64], low: int, high: int) -> NDArray[np.int8]:
        """Returns (high - low, ...) the counts at map points (..., 2) [m], in the layers from `low` to before `high`;
        0 outside of the grid."""
        rows, cols, inside = self.geometry.cells_at(points)
        found = np.zeros((high - low, *inside.shape), np.int8)
        found[:, inside] = self.counts[low:high, rows[inside], cols[inside]]
        return found

    def forget(self, center: Sequence[float], size: Sequence[float], yaw: float = 0.0) -> None:
        """Makes the occupied voxels of an upright box unknown again: centre (x, y, z) and sides along its own axes [m],
        heading of these axes [rad]."""
        res, half = self.config.resolution, np.asarray(size, np.float64) / 2 + self.config.resolution
        rows, cols = np.arange(self.geometry.rows), np.arange(self.geometry.cols)
        (x0, y0), away = self.geometry.origin, np.empty((len(rows), len(cols), 2))
        away[..., 0] = x0 + (cols[None] + 0.5) * res - center[0]
        away[..., 1] = y0 + (rows[:, None] + 0.5) * res - center[1]
        covered = np.all(np.abs(turned(away, -yaw)) <= half[:2], axis=2)
        heights = self.config.min_height + (np.arange(len(self.counts)) + 0.5) * res
        for layer in np.flatnonzero(np.abs(heights - center[2]) <= half[2]):
            inside = self.counts[layer]
            inside[covered & (inside > 0)] = 0

    def integrate(self, depth_mm: DepthImage, camera: PinholeCamera, T_map_camera: Pose) -> int:
        """Integrates one depth image.

        Depths beyond `max_range` free the space in front of them. A voxel in which some pixel ends counts as hit even
        if other pixels see past it, so thin objects stay.

        Args:
            depth_mm: (H, W) uint16 [mm]; 0 = not measured.
            camera: intrinsics of the image.
            T_map_camera: 4x4 pose of the optical frame in the map frame.

        Returns:
            The number of voxels hit.

        Raises:
            ValueError: the image is not the camera's, or the pose is not finite; the grid is then unchanged.
            PoseJumpError: the pose is too far away; the grid is then unchanged.
        """
        camera.check_depth(depth_mm)
        if T_map_camera.shape != (4, 4) or not np.isfinite(T_map_camera).all():
            raise ValueError(
                f"camera pose is not finite: {T_map_camera.tolist()}; check odometry and transforms"
            )
        depth_mm = np.ascontiguousarray(depth_mm)
        res = self.config.resolution
        far = min(self.config.max_range, float(depth_mm.max()) * 1e-3)
        if far <= 0:
            return 0
        frustum = self._frustum(camera, T_map_camera, far + res)
        low, high = frustum.min(axis=0), frustum.max(axis=0)
        self.cover(low[0], low[1], high[0], high[1])
        T_map_voxel = np.diag((res, res, res, 1.0))
        T_map_voxel[:3, 3] = (*self.geometry.origin, self.config.min_height)
        hits = self._mark_hits(depth_mm, camera, T_map_camera, T_map_voxel)
        scale = np.diag((camera.fx, camera.fy, 1.0)) * 1e3
        camera_from_voxel = scale @ (inverse(T_map_camera) @ T_map_voxel)[:3]
        offset = np.floor((frustum - T_map_voxel[:3, 3]) / res)
        bounds = [(int(offset[:, axis].min()), int(offset[:, axis].max()) + 1) for axis in (1, 2)]
        sizes = self.geometry.rows, len(self.counts)
        box = np.array([np.clip(pair, 0, size) for pair, size in zip(bounds, sizes, strict=True)]).ravel()
        carve_free(
            self.counts,
            depth_mm,
            box.astype(np.int64),
            camera_from_voxel,
            camera.cx,
            camera.cy,
            max(self.config.min_range, 1e-3) * 1e3,
            far * 1e3,
            _CARVING_MARGIN * res * 1e3,
            _CLEARLY_BEHIND * 1e3,
        )
        unmark_hits(self.counts, hits)
        return len(hits)

    def _mark_hits(
        self, depth_mm: DepthImage, camera: PinholeCamera, T_map_camera: Pose, T_map_voxel: Pose
    ) -> NDArray[np.int64]:
        res = self.config.resolution
        stride = max(1, int(res * min(camera.fx, camera.fy) / (self.config.max_range * _SAMPLES_PER_VOXEL)))
        axes = T_map_camera[:3, :3].T  # rows: the optical axes in the map
        along_u, along_v = axes[0] / camera.fx, axes[1] / camera.fy
        rays = np.stack((axes[2] - camera.cx * along_u - camera.cy * along_v, along_u, along_v)) * (
            1e-3 / res
        )
        eye = (T_map_camera[:3, 3] - T_map_voxel[:3, 3]) / res
        hits = np.empty(-(-camera.height // stride) * -(-camera.width // stride), np.int64)
        found = mark_hits(
            self.counts,
            depth_mm,
            stride,
            self.config.max_range * 1e3,
            _SURFACE_BIAS * res * 1e3,
            rays.astype(np.float32),
            eye.astype(np.float32),
            hits,
        )
        return hits[:found]

    @staticmethod
    def _frustum(camera: PinholeCamera, T_map_camera: Pose, far: float) -> NDArray[np.float64]:
        """Returns the camera's position and the four far corners of its view, (5, 3) in the map frame [m]."""
        u = (np.array([-0.5, camera.width - 0.5]) - camera.cx) / camera.fx * far
        v = (np.array([-0.5, camera.height - 0.5]) - camera.cy) / camera.fy * far
        corners = [(0.0, 0.0, 0.0), *((x, y, far) for x in u for y in v)]
        return apply(T_map_camera, corners)
