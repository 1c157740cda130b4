"""Our rules for frontiers: the border between the known space that can be reached and the unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np

from stma_ros.mapping.distance import Field, Mask
from stma_ros.mapping.frontiers import boundary_kernels as kernels
from stma_ros.mapping.frontiers.description_kernels import (
    Ends,
    are_cracks,
    boxes_in_tiles,
    cut,
    describe,
    measure,
    positions,
)
from stma_ros.mapping.frontiers.region import FrontierRegion
from stma_ros.mapping.grid import Cells, GridGeometry
from stma_ros.mapping.occupancy import OccupancySlice
from stma_ros.types.jit import read_only


@dataclass(frozen=True)
class FrontierConfig:
    """Sizes of frontiers."""

    min_length: float = (
        0.2  # [m] shorter ones come last; a robot of 0.3 m radius uses 0.3 m of a 0.9 m doorway
    )
    max_length: float = 3.0  # [m] longer ones are cut in two, and again
    view_range: float = 2.0  # [m] how far behind a frontier the unknown is counted
    min_unknown_area: float = 0.4  # [m^2] frontiers with less behind them are dropped: it is seen in passing


_LABEL, _FIRST, _IS_SHORT, _BOX = 0, 1, 2, slice(3, 7)
"""Columns of the table of clusters: label, flat index of the first cell, whether it is shorter than frontiers are to
be, and first row, first column, last row and last column. There are hundreds of clusters, and NumPy sorts and selects
the rows faster than Python does."""


class _Cluster:
    """Connected cells of frontiers.

    Attributes:
        cells: flat indices, in order.
        pieces: the frontiers that it is cut into; None = to be made.
    """

    __slots__ = ("cells", "pieces")

    def __init__(self, cells: kernels.FlatCells) -> None:
        self.cells = cells
        self.pieces: list[_Piece] | None = None


class _Piece:
    """A frontier with the cell of its viewpoint.

    Attributes:
        frontier: with the length of the way to it at the last update.
        view_cell: flat index in the grid, without a border.
    """

    __slots__ = ("frontier", "view_cell")

    def __init__(self, frontier: FrontierRegion, view_cell: int) -> None:
        self.frontier, self.view_cell = frontier, view_cell

    def at(self, distance: float) -> FrontierRegion:
        """Returns the frontier with another length of the way to it [m]."""
        old = self.frontier
        self.frontier = FrontierRegion(  # spelt out: `replace` takes three times as long
            0, old.center, old.viewpoint, distance, old.length, old.unknown_area, True, old.cells
        )
        return self.frontier


class FrontierFinder:
    """Finds the frontiers that the robot can reach, again and again while the map changes.

    A frontier cell is free, has an unknown 4-neighbour (beyond the grid all is unknown) and is reachable or next to a
    reachable cell. Behind it lies unexplored space: unknown, or free but cut off.

    Short frontiers count only where there are no others, unless they end at obstacles: in the shadow of a table's legs
    the floor is seen in strips, and the way on may be two cells wide until the robot goes there.

    What was found before is used again where nothing changed; the result does not depend on it.
    """

    def __init__(self, config: FrontierConfig | None = None) -> None:
        self._config = config or FrontierConfig()
        self._geometry = GridGeometry(np.nan)

    def update(self, occupancy: OccupancySlice, distance: Field) -> list[FrontierRegion]:
        """Returns the frontiers without ids, in the order of the grid's rows.

        Args:
            occupancy: the slice in which the robot drives.
            distance: (rows, cols) distance field from the robot's cell [m].
        """
        if occupancy.geometry != self._geometry:
            self._begin(occupancy, distance)
        else:
            self._follow(occupancy, distance)
        found = self._frontiers(self._clusters_where(self._table[:, _IS_SHORT] == 0), distance)
        if not found:
            short = self._clusters_where(self._table[:, _IS_SHORT] == 1)
            found = self._frontiers(self._without_cracks(short), distance)
        return found

    def _clusters_where(self, chosen: Mask) -> list[_Cluster]:
        return list(compress(self._clusters, chosen.tolist()))

    @property
    def _reach(self) -> int:
        """How far behind a frontier the unknown is counted [cells]."""
        return int(self._config.view_range / self._geometry.resolution)

    def _begin(self, occupancy: OccupancySlice, distance: Field) -> None:
        self._geometry = geometry = occupancy.geometry
        self._width = geometry.cols + 2
        size = (geometry.rows + 2) * self._width
        self._flags = np.zeros(size, np.uint8)
        self._labels = np.zeros(size, np.int32)
        self._visited = np.zeros(size, np.uint8)
        self._queue, self._changed = np.empty(size, np.int32), np.empty(size, np.int32)
        self._clusters: list[_Cluster] = []  # in the order of their first cells
        self._table = np.empty((0, 7), np.int32)  # of the clusters
        self._last_label = 0
        kernels.make_input(read_only(occupancy.data), read_only(distance), self._flags)
        self._update_clusters(np.ones(self._tiles, np.bool_))

    def _follow(self, occupancy: OccupancySlice, distance: Field) -> None:
        tiles = np.zeros(self._tiles, np.bool_)
        data, distance = read_only(occupancy.data), read_only(distance)
        count = kernels.update_input(data, distance, self._flags, tiles, self._changed)
        if not count:
            return
        changed = self._changed[:count]
        kernels.separate(self._flags, self._width, changed, tiles, self._visited, self._queue)
        self._update_clusters(tiles)
        boxes = np.ascontiguousarray(self._table[:, _BOX])
        for cluster in self._clusters_where(boxes_in_tiles(boxes, self._reach + 1, tiles)):
            cluster.pieces = None

    @property
    def _tiles(self) -> tuple[int, int]:
        """Numbers of rows and columns of tiles."""
        return -(-self._geometry.rows // kernels.TILE), -(-self._geometry.cols // kernels.TILE)

    def _update_clusters(self, tiles: kernels.Tiles) -> None:
        """Brings everything but the input up to date where tiles are marked."""
        kernels.join(self._flags, *self._geometry.shape, tiles, self._queue)
        count = kernels.update_edges(self._flags, *self._geometry.shape, tiles, self._queue)
        toggled = self._queue[:count]
        stale = np.zeros(self._last_label + 1, np.bool_)
        kernels.touched_clusters(toggled, self._labels, self._width, stale)
        are_stale = stale[self._table[:, _LABEL]]
        touched = self._clusters_where(are_stale)
        before = np.concatenate([toggled, *(cluster.cells for cluster in touched)])
        cells = np.sort(kernels.unlabel(before, self._flags, self._labels))
        ordered, ends = kernels.label_clusters(cells, self._labels, self._width, self._last_label + 1)
        lengths, boxes = measure(positions(ordered, self._width), ends)
        starts = np.zeros_like(ends)
        starts[1:] = ends[:-1]
        made = np.empty((len(ends), 7), np.int32)
        made[:, _LABEL] = np.arange(self._last_label + 1, self._last_label + 1 + len(ends))
        made[:, _FIRST] = ordered[starts]
        made[:, _IS_SHORT] = lengths * self._geometry.resolution < self._config.min_length
        made[:, _BOX] = boxes
        self._last_label += len(ends)
        clusters = self._clusters_where(~are_stale)
        clusters += [
            _Cluster(ordered[start:end]) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        ]
        table = np.concatenate((self._table[~are_stale], made))
        order = np.argsort(table[:, _FIRST])
        self._clusters, self._table = [clusters[k] for k in order.tolist()], table[order]

    def _without_cracks(self, clusters: Sequence[_Cluster]) -> list[_Cluster]:
        """Returns the clusters that no obstacle is next to."""
        if not clusters:
            return []
        cracks = are_cracks(*self._cells_of(clusters), self._flags, self._width)
        return [cluster for cluster, is_crack in zip(clusters, cracks.tolist(), strict=True) if not is_crack]

    def _cells_of(self, clusters: Sequence[_Cluster]) -> tuple[Cells, Ends]:
        """Returns the cells of all clusters, and where each ends."""
        cells = positions(np.concatenate([cluster.cells for cluster in clusters]), self._width)
        return cells, np.cumsum([len(cluster.cells) for cluster in clusters])

    def _frontiers(self, clusters: Sequence[_Cluster], distance: Field) -> list[FrontierRegion]:
        stale = [cluster for cluster in clusters if cluster.pieces is None]
        if stale:
            self._make_pieces(stale, distance)
        pieces = [piece for cluster in clusters for piece in cluster.pieces or ()]
        views = np.fromiter((piece.view_cell for piece in pieces), np.intp, len(pieces))
        distances = distance.ravel()[views].tolist()
        return [
            piece.frontier if piece.frontier.distance == there else piece.at(there)
            for piece, there in zip(pieces, distances, strict=True)
        ]

    def _make_pieces(self, clusters: Sequence[_Cluster], distance: Field) -> None:
        geometry = self._geometry
        cells, ends = self._cells_of(clusters)
        ends, owners, lengths = cut(cells, ends, self._config.max_length / geometry.resolution)
        whole, means = describe(cells, ends, self._flags, *geometry.shape, self._reach)
        areas = whole[:, 4] * geometry.resolution**2
        yaws = np.arctan2(means[:, 0] - whole[:, 2], means[:, 1] - whole[:, 3])
        rows = zip(
            [0, *ends[:-1].tolist()],
            ends.tolist(),
            owners.tolist(),
            geometry.centers(whole[:, :2]).tolist(),
            geometry.centers(whole[:, 2:4]).tolist(),
            yaws.tolist(),
            (lengths * geometry.resolution).tolist(),
            areas.tolist(),
            distance[whole[:, 2], whole[:, 3]].tolist(),
            (whole[:, 2] * geometry.cols + whole[:, 3]).tolist(),
            strict=True,
        )
        made: list[list[_Piece]] = [[] for _ in clusters]
        for start, end, owner, (x, y), (view_x, view_y), yaw, length, area, there, view_cell in rows:
            if area >= self._config.min_unknown_area:
                view = view_x, view_y, yaw
                frontier = FrontierRegion(0, (x, y), view, there, length, area, True, cells[start:end])
                made[owner].append(_Piece(frontier, view_cell))
        for cluster, pieces in zip(clusters, made, strict=True):
            cluster.pieces = pieces
