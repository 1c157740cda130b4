"""A voxel grid of hit and miss counts that grows with what the camera sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import DepthImage, PinholeCamera
from stma_ros.mapping.depth_view import View, depth_extent, view_bounds
from stma_ros.mapping.free_space_kernels import carve_free
from stma_ros.mapping.grid import GridGeometry
from stma_ros.mapping.hit_kernels import mark_hits, unmark_hits
from stma_ros.mapping.transforms import Pose
from stma_ros.mapping.voxel_columns import VoxelColumns
from stma_ros.types.errors import PoseJumpError
from stma_ros.types.planar import turned

HIT_MISS = "hit_miss"
"""Counts of hits and misses: voxels become occupied, free, and occupied again."""

BINARY = "binary"
"""The rule of 3D-Mem: a voxel is unknown, which includes occupied, until a depth image shows it to be free by more than
a voxel; it stays free. Surfaces are not told from what was never seen, so that there are no walls to tell rooms by."""

RULES = HIT_MISS, BINARY

_CHUNK = 32  # cells by which the volume grows
_SAMPLES_PER_VOXEL = 2.5  # depth pixels across a voxel at full range; denser images are thinned to this
_SURFACE_BIAS = 0.1  # voxels
_CARVING_MARGIN = 0.5  # voxels: a voxel whose center is nearer than this to a surface may hold it
_CLEARLY_BEHIND = (
    0.15  # [m] a voxel this far in front of the measured depth is free at once, as after a door has opened
)


@dataclass(frozen=True)
class VoxelGridConfig:
    """Settings of a voxel grid. Heights are above the floor."""

    resolution: float = 0.05  # [m]
    min_range: float = 0.1  # [m] nothing is mapped nearer to the camera, where the robot may see itself
    max_range: float = 5.0  # [m] nothing is mapped farther away
    min_height: float = -0.3  # [m] lower end: deep enough to tell a drop from a floor
    max_height: float = 2.2  # [m] upper end
    max_extent: float = 200.0  # [m] along x or y; a frame that would need more is refused
    rule: str = HIT_MISS  # how a frame changes the voxels in view: HIT_MISS or BINARY
    floor: float = 0.0  # [m] z of the floor in the map frame

    def __post_init__(self) -> None:
        if not 0 < self.resolution <= 1 or not 0 <= self.min_range < self.max_range:
            raise ValueError(
                f"not a voxel grid: {self}; need 0 < resolution <= 1 and 0 <= min_range < max_range"
            )
        if self.max_height - self.min_height < self.resolution:
            raise ValueError(f"not a voxel grid: {self}; max_height must lie above min_height")
        if self.rule not in RULES:
            raise ValueError(f"not a voxel grid: {self}; rule is {' or '.join(RULES)}")

    @property
    def bottom(self) -> float:
        """z of the lower end in the map frame [m]."""
        return self.floor + self.min_height


class VoxelGrid:
    """Evidence of occupancy for each voxel.

    Attributes:
        config: the settings.
        geometry: where the cells of a layer lie.
        counts: (layers, rows, cols) int8; > 0 occupied, < 0 free, 0 never observed. Layer k spans the heights
            above the floor from min_height + k * resolution to one resolution more.
    """

    def __init__(self, config: VoxelGridConfig | None = None) -> None:
        self.config = config or VoxelGridConfig()
        layers = round((self.config.max_height - self.config.min_height) / self.config.resolution)
        self.geometry = GridGeometry(self.config.resolution)
        self.counts: NDArray[np.int8] = np.zeros((layers, 0, 0), np.int8)
        self._columns: VoxelColumns | None = None

    @classmethod
    def of(cls, config: VoxelGridConfig, geometry: GridGeometry, counts: NDArray[np.int8]) -> VoxelGrid:
        """Returns a grid with copied contents. Raises ValueError if they do not fit together."""
        grid = cls(config)
        if counts.shape != (len(grid.counts), *geometry.shape) or geometry.resolution != config.resolution:
            raise ValueError(
                f"voxels {counts.shape} on {geometry} are not those of a map with {config}; "
                "use them with the settings that they were made with"
            )
        if counts.size:
            grid._grow(geometry)
            grid.counts[:] = counts
        return grid

    def copy(self) -> VoxelGrid:
        """Returns an independent copy."""
        return VoxelGrid.of(self.config, self.geometry, self.counts)

    @property
    def columns(self) -> VoxelColumns:
        """The memory of `counts`. Whoever writes there marks what was changed.

        Raises:
            ValueError: the grid has no cell yet.
        """
        if self._columns is None:
            raise ValueError("an empty grid has no columns; cover an area first")
        return self._columns

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
        """Returns the layer whose lower face is nearest to a height above the floor [m], clamped to [0, layers]."""
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
                f"the map would grow to {grown.cols * res:.0f} x {grown.rows * res:.0f} m, and no map is larger than "
                f"{self.config.max_extent:.0f} m: the pose has jumped, the intrinsics are wrong, or this place is "
                "too large for one map; give each part of it a memory of its own"
            )
        self._grow(grown)

    def _grow(self, geometry: GridGeometry) -> None:
        if self._columns is None:
            max_cells = max(round(self.config.max_extent / self.config.resolution), *geometry.shape)
            self._columns = VoxelColumns(geometry, max_cells, len(self.counts))
        self.geometry, self.counts = geometry, self._columns.view(geometry)

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
        reach = float(np.hypot(half[0], half[1]))
        top, left = self.geometry.cell(center[0] - reach, center[1] - reach)
        bottom, right = self.geometry.cell(center[0] + reach, center[1] + reach)
        rows = np.arange(max(top, 0), min(bottom + 1, self.geometry.rows))
        cols = np.arange(max(left, 0), min(right + 1, self.geometry.cols))
        if not len(rows) or not len(cols):
            return
        (x0, y0), away = self.geometry.origin, np.empty((len(rows), len(cols), 2))
        away[..., 0] = x0 + (cols[None] + 0.5) * res - center[0]
        away[..., 1] = y0 + (rows[:, None] + 0.5) * res - center[1]
        covered = np.all(np.abs(turned(away, -yaw)) <= half[:2], axis=2)
        heights = self.config.bottom + (np.arange(len(self.counts)) + 0.5) * res
        for layer in np.flatnonzero(np.abs(heights - center[2]) <= half[2]):
            inside = self.counts[layer, rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
            inside[covered & (inside > 0)] = 0
        row, col = self.geometry.row0 + int(rows[0]), self.geometry.col0 + int(cols[0])
        self.columns.changes.mark(self.columns.box(row, col, len(rows), len(cols)))

    def integrate(self, depth_mm: DepthImage, camera: PinholeCamera, T_map_camera: Pose) -> int:
        """Integrates one depth image.

        Depths beyond `max_range` free the space in front of them. A voxel in which some pixel ends counts as hit even
        if other pixels see past it, so thin objects stay.

        Args:
            depth_mm: (H, W) uint16 [mm]; 0 and 65535 = not measured.
            camera: intrinsics of the image.
            T_map_camera: 4x4 pose of the optical frame in the map frame.

        Returns:
            The number of voxels hit; 0 under the binary rule, which does not tell them.

        Raises:
            ValueError: the image is not the camera's, or the pose is not finite; the grid is then unchanged.
            PoseJumpError: the pose is too far away; the grid is then unchanged.
        """
        camera.check_depth(depth_mm)
        if T_map_camera.shape != (4, 4) or not np.isfinite(T_map_camera).all():
            raise ValueError(
                f"camera pose is not finite: {T_map_camera.tolist()}; check odometry and transforms"
            )
        config, res = self.config, self.config.resolution
        depth_mm, pose = np.ascontiguousarray(depth_mm).view(), np.array(T_map_camera, np.float64)
        depth_mm.setflags(
            write=False
        )  # whether it was or not: the kernels are compiled for one type of array
        far = min(config.max_range, depth_extent(depth_mm) * 1e-3)
        if far <= 0:
            return 0
        intrinsics = camera.fx, camera.fy, camera.cx, camera.cy
        bounds = view_bounds(pose, intrinsics, camera.width, camera.height, far + res)
        self.cover(*bounds)
        col, row, last_col, last_row = (int(np.floor(bound / res)) for bound in bounds)
        columns = self.columns
        box = columns.box(row, col, last_row + 1 - row, last_col + 1 - col)
        columns.changes.mark(box)
        margin = 1.0 if config.rule == BINARY else _CARVING_MARGIN
        view = View(
            *intrinsics,
            col * res,
            row * res,
            config.bottom,
            res,
            max(config.min_range, 1e-3) * 1e3,
            far * 1e3,
            margin * res * 1e3,
            _CLEARLY_BEHIND * 1e3,
        )
        cells, binary = columns.cells, config.rule == BINARY
        if binary:
            carve_free(cells, box, depth_mm, pose, view, binary)
            return 0
        stride = max(1, int(res * min(camera.fx, camera.fy) / (config.max_range * _SAMPLES_PER_VOXEL)))
        hits = np.empty(-(-camera.height // stride) * -(-camera.width // stride), np.int64)
        far_mm, bias_mm = config.max_range * 1e3, _SURFACE_BIAS * res * 1e3
        found = mark_hits(cells, box, depth_mm, pose, view, stride, far_mm, bias_mm, hits)
        carve_free(cells, box, depth_mm, pose, view, binary)
        unmark_hits(cells, hits[:found])
        return found
