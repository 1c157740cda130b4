"""The published rules for frontiers: the border between the floor that was seen from near and the rest.

Sources: Pred-EQA, supplement 3.2; 3D-Mem, `update_frontier_map`, whose defaults these are; explore-eqa before them.
Where they leave something to chance or to the simulator, these rules do not: K-Means starts from evenly spread means,
bearings are unwrapped at their widest gap, and a frontier that the robot cannot reach is dropped instead of being
approached in a straight line. Heights are measured from the floor. Islands of earlier frontiers do not count.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stma_ros.mapping.distance import Field, Mask
from stma_ros.mapping.frontiers import published_kernels as kernels
from stma_ros.mapping.frontiers.description_kernels import along_principal_axis
from stma_ros.mapping.frontiers.explored_area import ExploredConfig, Window
from stma_ros.mapping.frontiers.region import FrontierRegion
from stma_ros.mapping.frontiers.tracker import ChangeRule
from stma_ros.mapping.grid import Cells, GridGeometry
from stma_ros.mapping.voxel_grid import VoxelGrid
from stma_ros.types.settings import setting

_EDGE_CELLS = 2, 12
"""An edge cell belongs to regions with this many cells within two cells of it."""
_ALIKE = 5
"""Number of edge cells that are compared by distance."""
_OVERLAP = 0.02
"""IoU from which a region is a part of another one."""


@dataclass(frozen=True)
class PublishedFrontierConfig:
    """Parameters of the published rules. Areas are those of the published numbers of cells of 0.1 m."""

    frontier_height: float = setting(
        0.4,
        "published frontiers: height above the floor at which a place must be free",
        unit="m",
        low=0,
        high=2,
    )
    frontier_floor_depth: float = setting(
        0.2,
        "published frontiers: a place that is empty this deep below the floor is no floor",
        unit="m",
        low=0,
    )
    frontier_explored_range: float = setting(
        1.7, "published frontiers: horizontal range within which the camera explores", unit="m", low=0.1
    )
    frontier_explored_depth: float = setting(
        3.0, "published frontiers: depth within which the camera explores", unit="m", low=0.1
    )
    frontier_explored_margin: float = setting(
        1.0, "published frontiers: voxels by which a depth must exceed that of an empty voxel", low=0
    )
    frontier_explored_radius: float = setting(
        0.7,
        "published frontiers: radius around the robot within which free floor is explored",
        unit="m",
        low=0,
    )
    frontier_neighbours_min: int = setting(
        8, "published frontiers: unexplored neighbours of a cell of a frontier, at least", low=0, high=9
    )
    frontier_neighbours_max: int = setting(
        9, "published frontiers: unexplored neighbours of a cell of a frontier, at most", low=0, high=9
    )
    frontier_edge_min: int = setting(
        4, "published frontiers: unexplored neighbours of a cell of an edge, at least", low=0, high=9
    )
    frontier_edge_max: int = setting(
        6, "published frontiers: unexplored neighbours of a cell of an edge, at most", low=0, high=9
    )
    frontier_min_area: float = setting(
        0.2, "published frontiers: smaller ones are dropped", unit="m^2", low=0
    )
    frontier_max_span: float = setting(
        150.0,
        "published frontiers: those that span more, as seen by the robot, are split",
        unit="deg",
        low=1,
        high=360,
    )
    frontier_same_iou: float = setting(
        0.95,
        "published frontiers: intersection over union above which a frontier is unchanged",
        low=0,
        high=1,
    )
    frontier_same_area: float = setting(
        0.75, "published frontiers: an unchanged frontier differs by less than this", unit="m^2", low=0
    )
    frontier_few_area: float = setting(
        0.03,
        "published frontiers: a frontier that differs by no more than this is unchanged",
        unit="m^2",
        low=0,
    )
    frontier_stand_off: float = setting(
        0.6,
        "published frontiers: distance from an edge within which the robot must be able to stand",
        unit="m",
        low=0,
    )

    @property
    def explored(self) -> ExploredConfig:
        """What counts as explored."""
        return ExploredConfig(
            view_range=self.frontier_explored_range,
            max_depth=self.frontier_explored_depth,
            margin=self.frontier_explored_margin,
            radius=self.frontier_explored_radius,
        )

    def change_rule(self, resolution: float) -> ChangeRule:
        """Returns when a frontier counts as unchanged, on cells of an edge length [m]."""
        cell = resolution**2
        few = (
            self.frontier_few_area / cell * (1 + 1e-9)
        )  # a quotient may come out below the number that it is
        return ChangeRule(self.frontier_same_iou, self.frontier_same_area / cell, few)

    def navigable(self, voxels: VoxelGrid, window: Window = np.s_[:, :]) -> Mask:
        """Returns where the floor is free, in the whole map or a part of it: nothing at the height of the slice, and no
        hole."""
        # The height may be that of the upper end, over which there is no layer.
        slice_layer = min(voxels.layer(self.frontier_height), len(voxels.counts) - 1)
        floor_layer = voxels.layer(-self.frontier_floor_depth)
        mask: Mask = (voxels.counts[slice_layer][window] < 0) & (voxels.counts[floor_layer][window] >= 0)
        return mask


@dataclass(frozen=True)
class _Held:
    """A frontier that is shown until its region changes.

    Attributes:
        frontier: as it was made.
        corner: (row, column) of the grid's corner in the map, to which the cells refer.
        edge: (row, column) in the map.
    """

    frontier: FrontierRegion
    corner: tuple[int, int]
    edge: tuple[int, int]


@dataclass(frozen=True)
class _Region:
    """Cells of a frontier, and their mean bearing from the robot [rad]."""

    cells: Cells
    bearing: float


class PublishedFrontierFinder:
    """Finds frontiers by the published rules. A frontier whose region is unchanged stays as it was made."""

    def __init__(self, config: PublishedFrontierConfig | None = None) -> None:
        self._config = config or PublishedFrontierConfig()
        self._held: list[_Held] = []

    def reset(self) -> None:
        """Forgets the frontiers of before, as when the map has moved."""
        self._held = []

    def update(
        self,
        navigable: Mask,
        explored: Mask,
        geometry: GridGeometry,
        distance: Field,
        robot: tuple[float, float],
    ) -> list[FrontierRegion]:
        """Returns the frontiers without ids: those that are unchanged, then the new ones in the order of rows.

        Args:
            navigable: (rows, cols) where the floor is free.
            explored: (rows, cols) what was seen from near.
            geometry: where the cells lie.
            distance: (rows, cols) distance field from the robot's cell [m].
            robot: map point (x, y) of the robot [m].
        """
        start = nearest_cell(navigable, geometry.cell(*robot))
        if start is None or not np.isfinite(distance).any():
            self._held = []
            return []
        island = kernels.island_of(navigable, *start)
        regions = self._regions(island, explored, geometry, geometry.cell(*robot))
        kept, new = self._unchanged(regions, geometry, distance)
        new = _without(new, kept, geometry)
        made = self._made(new, island, explored, geometry, distance, geometry.cell(*robot))
        self._held = [*kept, *made]
        return [held.frontier for held in self._held]

    def _regions(
        self, island: Mask, explored: Mask, geometry: GridGeometry, robot: tuple[int, int]
    ) -> list[_Region]:
        config = self._config
        cells = kernels.cells_by_neighbours(
            island, explored, config.frontier_neighbours_min, config.frontier_neighbours_max
        )
        fewest = int(np.ceil(config.frontier_min_area / geometry.resolution**2 * (1 - 1e-9)))
        cells, ends = kernels.clusters_of(cells, *geometry.shape, max(fewest, 2))  # DBSCAN drops single cells
        ends, bearings = kernels.split_by_bearing(cells, ends, *robot, np.deg2rad(config.frontier_max_span))
        starts = [0, *ends[:-1].tolist()]
        return (
            [
                _Region(cells[start:end], bearing)
                for start, end, bearing in zip(starts, ends.tolist(), bearings.tolist(), strict=True)
            ]
            if len(ends)
            else []
        )

    def _unchanged(
        self, regions: list[_Region], geometry: GridGeometry, distance: Field
    ) -> tuple[list[_Held], list[_Region]]:
        """Returns the frontiers of before that are unchanged, and the regions that are not theirs.

        A frontier is also unchanged if it is now split into regions that cover it, or if it and others are merged into
        a region that they cover.
        """
        rule = self._config.change_rule(geometry.resolution)
        labels = _labels([region.cells for region in regions], geometry.shape)
        sizes = np.array([len(region.cells) for region in regions], np.int64)
        held = [self._moved(each, geometry, distance) for each in self._held]
        shared = np.array(
            [kernels.overlaps(each.frontier.cells, labels, len(regions)) for each in held], np.int64
        ).reshape(len(held), len(regions))
        old_sizes = np.array([len(each.frontier.cells) for each in held], np.int64)
        ious = shared / np.maximum(old_sizes[:, None] + sizes - shared, 1)
        free = np.ones(len(regions), np.bool_)
        kept: dict[int, _Held] = {}
        for k, each in enumerate(held):
            if k in kept or np.isinf(each.frontier.distance):
                continue
            same = [
                n
                for n in np.flatnonzero(free & (shared[k] > 0)).tolist()
                if rule.is_unchanged(int(shared[k, n]), int(old_sizes[k]), int(sizes[n]))
            ]
            parts = np.flatnonzero(free & (ious[k] > _OVERLAP))
            if same:
                kept[k] = each
                free[max(same, key=lambda n: ious[k, n])] = False
            elif len(parts) >= 2 and rule.min_iou < ious[k, parts].sum() <= 1:
                kept[k] = each
                free[parts] = False
            elif len(parts) == 1:
                merged = np.flatnonzero(ious[:, parts[0]] > _OVERLAP)
                covers = sizes[parts[0]] > rule.min_iou * old_sizes[merged].sum()
                if len(merged) >= 2 and rule.min_iou < ious[merged, parts[0]].sum() <= 1 and covers:
                    kept.update(
                        (n, held[n]) for n in merged.tolist() if np.isfinite(held[n].frontier.distance)
                    )
                    free[parts] = False
        return list(kept.values()), [region for region, is_free in zip(regions, free, strict=True) if is_free]

    def _moved(self, held: _Held, geometry: GridGeometry, distance: Field) -> _Held:
        """Returns a frontier on the cells of another grid, with the way to it now; inf if there is none."""
        frontier, corner = held.frontier, (geometry.row0, geometry.col0)
        shift = np.array(held.corner, np.int32) - np.array(corner, np.int32)
        cells = frontier.cells + shift if shift.any() else frontier.cells
        row, col = held.edge[0] - corner[0], held.edge[1] - corner[1]
        reach = self._config.frontier_stand_off / geometry.resolution
        view = kernels.nearest_reached(distance, row, col, reach)
        moved = _frontier(cells, (row, col), view, geometry, distance)
        return _Held(moved, corner, held.edge)

    def _made(
        self,
        regions: list[_Region],
        island: Mask,
        explored: Mask,
        geometry: GridGeometry,
        distance: Field,
        robot: tuple[int, int],
    ) -> list[_Held]:
        """Returns the frontiers of new regions, without those that cannot be reached."""
        config = self._config
        edges = kernels.cells_by_neighbours(
            island, explored, config.frontier_edge_min, config.frontier_edge_max
        )
        if not regions or not len(edges):
            return []
        labels = _labels([region.cells for region in regions], geometry.shape)
        owners, indices = kernels.edges_of(edges, labels, *_EDGE_CELLS)
        reach = config.frontier_stand_off / geometry.resolution
        made = []
        for number, region in enumerate(regions, start=1):
            own = edges[indices[owners == number]]
            candidates = own if len(own) else edges
            chosen, *view = kernels.choose_edge(candidates, *robot, region.bearing, _ALIKE, distance, reach)
            if chosen < 0:
                continue
            row, col = candidates[chosen].tolist()
            frontier = _frontier(region.cells, (row, col), (view[0], view[1]), geometry, distance)
            edge = geometry.row0 + row, geometry.col0 + col
            made.append(_Held(frontier, (geometry.row0, geometry.col0), edge))
        return made


def nearest_cell(mask: Mask, cell: tuple[int, int]) -> tuple[int, int] | None:
    """Returns the marked cell (row, column) nearest to a cell, or None if none is marked."""
    row, col = cell
    if 0 <= row < mask.shape[0] and 0 <= col < mask.shape[1] and mask[row, col]:
        return cell
    cells = np.argwhere(mask)
    if not len(cells):
        return None
    nearest = cells[((cells - cell) ** 2).sum(axis=1).argmin()]
    return int(nearest[0]), int(nearest[1])


def _labels(regions: list[Cells], shape: tuple[int, int]) -> kernels.Labels:
    labels = np.zeros(shape, np.int32)
    for number, cells in enumerate(regions, start=1):
        labels[cells[:, 0], cells[:, 1]] = number
    return labels


def _without(regions: list[_Region], kept: list[_Held], geometry: GridGeometry) -> list[_Region]:
    """Returns what is left of regions without the cells of frontiers; those of which nothing is left are dropped."""
    if not kept or not regions:
        return regions
    taken = _labels([held.frontier.cells for held in kept], geometry.shape)
    left = [
        _Region(region.cells[taken[region.cells[:, 0], region.cells[:, 1]] == 0], region.bearing)
        for region in regions
    ]
    return [region for region in left if len(region.cells)]


def _frontier(
    cells: Cells, edge: tuple[int, int], view: tuple[int, int], geometry: GridGeometry, distance: Field
) -> FrontierRegion:
    """Returns the frontier of a region with an edge cell, and a cell to look from; (-1, -1) = there is none."""
    low, high = along_principal_axis(cells, np.empty(len(cells), np.float64))
    mean = cells.sum(axis=0) / len(cells)
    yaw = float(np.arctan2(mean[0] - view[0], mean[1] - view[1]))
    return FrontierRegion(
        id=0,
        center=geometry.center(*edge),
        viewpoint=(*geometry.center(*view), yaw),
        distance=float(distance[view]) if view[0] >= 0 else np.inf,
        length=(high - low + 1.0) * geometry.resolution,
        unknown_area=len(cells) * geometry.resolution**2,
        cells=cells,
    )
