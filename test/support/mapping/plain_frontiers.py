"""The rules of `stma_ros.mapping.frontiers.boundary_rules` as they are stated: slow, whole, one thing after another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from stma_ros.mapping.distance import Field, Mask
from stma_ros.mapping.frontiers.boundary_rules import FrontierConfig
from stma_ros.mapping.frontiers.region import FrontierRegion
from stma_ros.mapping.grid import Cells
from stma_ros.mapping.occupancy import FREE, OCCUPIED, UNKNOWN, OccupancySlice

_EIGHT_CONNECTED = np.ones((3, 3), np.int8)
_NEIGHBOURHOOD = np.argwhere(_EIGHT_CONNECTED) - 1


def plain_frontiers(
    occupancy: OccupancySlice, distance: Field, config: FrontierConfig | None = None
) -> list[FrontierRegion]:
    """Returns what `find_frontiers` is to return."""
    config = config or FrontierConfig()
    resolution = occupancy.geometry.resolution
    reached = np.isfinite(distance)
    unknown = np.pad(occupancy.data == UNKNOWN, 1, constant_values=True)
    near_unknown = unknown[:-2, 1:-1] | unknown[2:, 1:-1] | unknown[1:-1, :-2] | unknown[1:-1, 2:]
    near_reached = ndimage.binary_dilation(reached, _EIGHT_CONNECTED)
    labels, count = ndimage.label((occupancy.data == FREE) & near_unknown & near_reached, _EIGHT_CONNECTED)
    clusters = [np.argwhere(labels == label).astype(np.int32) for label in range(1, count + 1)]
    lengths = [_length(cluster) * resolution for cluster in clusters]
    long = [c for c, length in zip(clusters, lengths, strict=True) if length >= config.min_length]
    short = [c for c, length in zip(clusters, lengths, strict=True) if length < config.min_length]
    unexplored = _unexplored(occupancy, reached)
    for chosen in (long, [cluster for cluster in short if not _is_crack(cluster, occupancy)]):
        frontiers = [
            _describe(piece, occupancy, unexplored, distance, config)
            for cluster in chosen
            for piece in _cut(cluster, config.max_length / resolution)
        ]
        frontiers = [each for each in frontiers if each.unknown_area >= config.min_unknown_area]
        if frontiers:
            return frontiers
    return []


def _unexplored(occupancy: OccupancySlice, reached: Mask) -> Mask:
    """Returns all but obstacles and the free cells that are 4-connected to reached ones."""
    joined = ndimage.binary_propagation(reached, mask=(occupancy.data == FREE) | reached)
    return (occupancy.data != OCCUPIED) & ~joined


def _around(cells: Cells, occupancy: OccupancySlice) -> Cells:
    around = (cells[:, None] + _NEIGHBOURHOOD).reshape(-1, 2)
    return around[((around >= 0) & (around < occupancy.geometry.shape)).all(axis=1)]


def _is_crack(cells: Cells, occupancy: OccupancySlice) -> bool:
    around = _around(cells, occupancy)
    return bool((occupancy.data[around[:, 0], around[:, 1]] == OCCUPIED).any())


def _along_principal_axis(cells: Cells) -> NDArray[np.float64]:
    offset = cells - cells.mean(axis=0)
    (rr, rc), (_, cc) = offset.T @ offset
    cross, difference = (0.0 if abs(value) < 1e-9 * (rr + cc) else value for value in (rc, rr - cc))
    angle = 0.5 * np.arctan2(2.0 * cross, difference)
    return offset @ (np.cos(angle), np.sin(angle))


def _length(cells: Cells) -> float:
    return max(float(len(cells)), float(np.ptp(_along_principal_axis(cells))) + 1.0)


def _cut(cells: Cells, max_extent: float) -> Iterator[Cells]:
    along = _along_principal_axis(cells)
    low, high = along.min(), along.max()
    if high - low <= max_extent:
        yield cells
        return
    near = along <= (low + high) / 2.0 + 1e-9
    yield from _cut(cells[near], max_extent)
    yield from _cut(cells[~near], max_extent)


def _unknown_behind(
    cells: Cells, center: NDArray[np.int32], occupancy: OccupancySlice, unexplored: Mask, reach: int
) -> Cells:
    """Returns the unknown cells that are connected to `cells` over unexplored ones within `reach`; there is nothing but
    unknown cells beyond the grid."""
    window = np.s_[center[0] : center[0] + 2 * reach + 1, center[1] : center[1] + 2 * reach + 1]
    rows, cols = np.ogrid[-reach : reach + 1, -reach : reach + 1]
    near = rows**2 + cols**2 <= reach**2
    open_cells = np.pad(unexplored, reach, constant_values=True)[window] & near
    unknown = np.pad(occupancy.data == UNKNOWN, reach, constant_values=True)[window]
    sources = np.zeros(near.shape, bool)
    inside = cells - center + reach
    inside = inside[((inside >= -1) & (inside <= 2 * reach + 1)).all(axis=1)]
    for step in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        beside = inside + step
        beside = beside[((beside >= 0) & (beside <= 2 * reach)).all(axis=1)]
        sources[beside[:, 0], beside[:, 1]] = True
    flooded = ndimage.binary_propagation(sources & open_cells, mask=open_cells)
    return np.argwhere(flooded & unknown) + center - reach


def _describe(
    cells: Cells, occupancy: OccupancySlice, unexplored: Mask, distance: Field, config: FrontierConfig
) -> FrontierRegion:
    geometry = occupancy.geometry
    center = cells[((cells - cells.mean(axis=0)) ** 2).sum(axis=1).argmin()]
    around = _around(cells, occupancy)
    around = around[np.isfinite(distance[around[:, 0], around[:, 1]])]
    row, col = around[((around - center) ** 2).sum(axis=1).argmin()].tolist()
    reach = int(config.view_range / geometry.resolution)
    unknown = _unknown_behind(cells, center, occupancy, unexplored, reach)
    unknown_row, unknown_col = unknown.mean(axis=0) if len(unknown) else (0.0, 0.0)
    return FrontierRegion(
        id=0,
        center=geometry.center(*center.tolist()),
        viewpoint=(*geometry.center(row, col), float(np.arctan2(unknown_row - row, unknown_col - col))),
        distance=float(distance[row, col]),
        length=_length(cells) * geometry.resolution,
        unknown_area=len(unknown) * geometry.resolution**2,
        cells=cells,
    )
