"""The rules by which a depth image changes voxels, stated in plain numpy in double precision, for tests of the kernels.

Rounding decides about a voxel whose centre lies on the edge between two pixels, or just as far in front of a surface as
a rule asks for. Such voxels are named beside each result, and not compared.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.transforms import Pose, apply, inverse
from stma_ros.mapping.voxel_grid import VoxelGrid

Mask = NDArray[np.bool_]

_PIXELS, _DEPTH, _VOXELS = 2e-4, 2e-3, 1e-4  # [px], [mm], [voxels]: less is left to rounding
_NOT_MEASURED = (0, 65535)


@dataclass(frozen=True)
class Projection:
    """Where the centres of all voxels of a grid are in an image: arrays of (layers, rows, cols).

    Attributes:
        depth: along the optical axis [mm].
        u, v: nearest pixel.
        inside: whether it is in the image.
        unsure: whether rounding decides about that.
    """

    depth: NDArray[np.float64]
    u: NDArray[np.int64]
    v: NDArray[np.int64]
    inside: Mask
    unsure: Mask

    @classmethod
    def of(cls, voxels: VoxelGrid, camera: PinholeCamera, T_map_camera: Pose) -> Projection:
        res, (x0, y0) = voxels.config.resolution, voxels.geometry.origin
        layer, row, col = np.indices(voxels.counts.shape)
        corner = np.array((x0, y0, voxels.config.min_height))
        centres = corner + np.stack((col, row, layer), axis=-1) * res + res / 2
        points = apply(inverse(T_map_camera), centres)
        depth = points[..., 2] * 1e3
        in_front = points[..., 2] > 1e-4
        z = np.where(in_front, points[..., 2], 1.0)
        u, v = (
            points[..., 0] * camera.fx / z + camera.cx,
            points[..., 1] * camera.fy / z + camera.cy,
        )
        pixel_u, pixel_v = np.round(u).astype(np.int64), np.round(v).astype(np.int64)
        inside = in_front & (pixel_u >= 0) & (pixel_u < camera.width)
        inside &= (pixel_v >= 0) & (pixel_v < camera.height)
        unsure = np.abs(np.abs([u - np.floor(u), v - np.floor(v)]) - 0.5).min(axis=0) < _PIXELS
        return cls(depth, pixel_u, pixel_v, inside, unsure & in_front)

    def measured(self, depth_mm: NDArray[np.uint16]) -> NDArray[np.float64]:
        """Returns what the voxels' pixels measured [mm]; 0 = nothing, or the pixel is not in the image."""
        u, v = (np.where(self.inside, index, 0) for index in (self.u, self.v))
        found = np.where(self.inside, depth_mm[v, u], 0)
        return np.where(np.isin(found, _NOT_MEASURED), 0, found).astype(np.float64)


def seen_free(
    voxels: VoxelGrid, depth_mm: NDArray[np.uint16], camera: PinholeCamera, T_map_camera: Pose
) -> tuple[Mask, Mask]:
    """Returns the voxels that 3D-Mem frees (src/tsdf_base.py), and those about which rounding decides: in view, nearer
    than the range, and more than a voxel in front of what their pixel measured."""
    at = Projection.of(voxels, camera, T_map_camera)
    measured, voxel = at.measured(depth_mm), voxels.config.resolution * 1e3
    far = voxels.config.max_range * 1e3
    free = at.inside & (at.depth > 0) & (at.depth < far) & (measured > 0) & (measured - at.depth > voxel)
    unsure = at.unsure | (np.abs(measured - at.depth - voxel) < _DEPTH) | (np.abs(at.depth - far) < _DEPTH)
    return free, unsure | (np.abs(at.depth) < 2)


def hits_and_misses(
    voxels: VoxelGrid, depth_mm: NDArray[np.uint16], camera: PinholeCamera, T_map_camera: Pose
) -> tuple[NDArray[np.int8], Mask]:
    """Returns the counts after one frame by the rule of `hit_kernels` and `free_space_kernels`, and the voxels about
    which rounding decides."""
    config, counts = voxels.config, voxels.counts.astype(np.int64)
    near, far = config.min_range * 1e3, config.max_range * 1e3
    margin, clear = 0.5 * config.resolution * 1e3, 150.0
    hit, unsure = _hits(voxels, depth_mm, camera, T_map_camera)
    raised = np.where(counts + 3 >= 0, np.clip(counts + 3, 1, 4), counts + 3)

    at = Projection.of(voxels, camera, T_map_camera)
    measured = at.measured(depth_mm)
    blind = at.inside & (measured == 0) & (counts > 0)
    reach = np.maximum(
        1, (0.5 * config.resolution * 1e3 * camera.fx / np.maximum(at.depth, 1) + 0.5).astype(int)
    )
    measured = np.where(blind, _nearest_around(depth_mm, at, reach), measured)
    in_range = at.inside & (at.depth >= near) & (at.depth <= far)
    missed = in_range & (measured > 0) & (at.depth < measured - margin)
    gone = (counts == 1) | ((counts > 0) & (at.depth < measured - clear))
    lowered = np.where(gone, -1, np.maximum(counts - 1, -4))
    for limit in (measured - margin, measured - clear, near, far):
        unsure |= np.abs(at.depth - limit) < _DEPTH
    reached = 0.5 * config.resolution * 1e3 * camera.fx / np.maximum(at.depth, 1) + 0.5
    unsure |= at.unsure | (blind & (np.abs(reached - np.round(reached)) < _PIXELS))
    after = np.where(hit, raised, np.where(missed, lowered, counts))
    return after.astype(np.int8), unsure


def _hits(
    voxels: VoxelGrid, depth_mm: NDArray[np.uint16], camera: PinholeCamera, T_map_camera: Pose
) -> tuple[Mask, Mask]:
    config, res = voxels.config, voxels.config.resolution
    stride = max(1, int(res * min(camera.fx, camera.fy) / (config.max_range * 2.5)))
    v, u = np.mgrid[: camera.height : stride, : camera.width : stride]
    depth = depth_mm[::stride, ::stride].astype(np.float64) * 1e-3
    usable = ~np.isin(depth_mm[::stride, ::stride], _NOT_MEASURED) & (depth < config.max_range)
    usable &= depth >= config.min_range
    behind = depth + 0.1 * res
    points = apply(
        T_map_camera,
        np.stack(
            ((u - camera.cx) / camera.fx * behind, (v - camera.cy) / camera.fy * behind, behind), axis=-1
        )[usable],
    )
    places = (points - (*voxels.geometry.origin, config.min_height)) / res
    hit = _marked(places, voxels.counts.shape)
    shifts = np.array(np.meshgrid(*[(-_VOXELS, _VOXELS)] * 3)).reshape(3, -1).T
    on_an_edge = np.array([np.floor(places + shift) != np.floor(places) for shift in shifts]).any(axis=(0, 2))
    unsure = np.any([_marked(places[on_an_edge] + shift, hit.shape) for shift in shifts], axis=0)
    return hit, unsure & ~_marked(places[~on_an_edge], hit.shape)


def _marked(places: NDArray[np.float64], shape: tuple[int, ...]) -> Mask:
    """Returns the voxels of a grid that contain points (N, 3) as (col, row, layer)."""
    col, row, layer = np.floor(places).astype(np.int64).T
    inside, mask = (layer >= 0) & (layer < shape[0]), np.zeros(shape, bool)
    mask[layer[inside], row[inside], col[inside]] = True
    return mask


def _nearest_around(
    depth_mm: NDArray[np.uint16], at: Projection, reach: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Returns the least depth [mm] of the four pixels at a distance of `reach`; 0 = none was measured."""
    height, width = depth_mm.shape
    nearest = np.full(at.depth.shape, np.inf)
    for dv, du in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        v, u = at.v + dv * reach, at.u + du * reach
        inside = at.inside & (v >= 0) & (v < height) & (u >= 0) & (u < width)
        found = depth_mm[np.where(inside, v, 0), np.where(inside, u, 0)].astype(np.float64)
        nearest = np.where(inside & ~np.isin(found, _NOT_MEASURED), np.minimum(nearest, found), nearest)
    return np.where(np.isfinite(nearest), nearest, 0)
