"""Open3D's VoxelBlockGrid, a TSDF of surfaces, as something that integrates depth frames."""

from __future__ import annotations

import numpy as np

from stma_ros.evaluation.mapping_frames import DepthFrame
from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.transforms import inverse
from stma_ros.types.errors import MissingDependencyError

try:
    import open3d as o3d
except (ImportError, OSError) as error:  # OSError: a Debian library that Open3D loads is missing
    raise MissingDependencyError(
        f"mapping is compared with Open3D, which cannot be loaded ({error}). Install the extra with "
        "pip install 'stma_ros[house]' and, on Debian, apt-get install libusb-1.0-0 libgl1"
    ) from error

_BLOCK = 8  # voxels along a block's edge
_BLOCKS = 20_000  # that there is room for at the start; the grid makes more when they are full


class VoxelBlockGrid:
    """Blocks of voxels near surfaces, with signed distance and weight."""

    def __init__(self, resolution: float, max_range: float, camera: PinholeCamera) -> None:
        """Makes an empty grid. Lengths are in [m]; all frames are of one camera."""
        self._max_range = max_range
        k = np.array([[camera.fx, 0, camera.cx], [0, camera.fy, camera.cy], [0, 0, 1]])
        self._intrinsics = o3d.core.Tensor.from_numpy(k)
        self._grid = o3d.t.geometry.VoxelBlockGrid(
            attr_names=("tsdf", "weight"),
            attr_dtypes=(o3d.core.float32, o3d.core.float32),
            attr_channels=(o3d.core.SizeVector([1]), o3d.core.SizeVector([1])),
            voxel_size=resolution,
            block_resolution=_BLOCK,
            block_count=_BLOCKS,
        )

    def integrate(self, frame: DepthFrame) -> None:
        depth = o3d.t.geometry.Image(o3d.core.Tensor.from_numpy(frame.depth_mm))
        extrinsics = o3d.core.Tensor.from_numpy(inverse(frame.pose))
        scale, farthest = 1000.0, self._max_range
        blocks = self._grid.compute_unique_block_coordinates(
            depth, self._intrinsics, extrinsics, scale, farthest
        )
        self._grid.integrate(blocks, depth, self._intrinsics, extrinsics, scale, farthest)
