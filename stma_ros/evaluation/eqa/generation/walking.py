"""Shortest paths of the robot's base from one place to all others, on the true free space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from stma_ros.worlds.robot.clearance import RESOLUTION, Cell
from stma_ros.worlds.robot.geometry import FloatArray, Placement
from stma_ros.worlds.robot.motion import Ground, way_length

_SOURCE_COST: Final = 1e-6
"""Added to the cost of a source [m]: an edge without cost is no edge in a sparse graph."""

_STEPS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Steps to half of the neighbours; the graph has no direction."""


class WalkingDistances:
    """The cells that the base can reach from its start, and the lengths of paths between them.

    Distances are those on the raster, over eight neighbours without cutting corners, up to 8 % longer than those of
    straight lines; `route_length` follows the straightened path instead.

    Attributes:
        cells: (N, 2) int rows and columns of the reachable cells.
        points: (N, 2) float64 their centres [m].
    """

    def __init__(self, ground: Ground, start: Placement) -> None:
        """start: a place of the base."""
        self._ground, self._start = ground, start
        self._clearance, reachable = ground.reachable_from(start)
        self.cells: NDArray[np.int64] = np.argwhere(reachable)
        x, y = self._clearance.centres
        self.points: FloatArray = np.stack([x[0, self.cells[:, 1]], y[self.cells[:, 0], 0]], axis=1)
        self._node = np.full(reachable.shape, -1, np.int64)
        self._node[tuple(self.cells.T)] = np.arange(len(self.cells))
        self._edges = self._find_edges()
        self.start_node = self.nearest(start.x, start.y)

    def nearest(self, x: float, y: float) -> int:
        """Returns the number of the reachable cell nearest to a point."""
        return int(np.argmin(np.hypot(self.points[:, 0] - x, self.points[:, 1] - y)))

    def lattice(self, every: int) -> NDArray[np.int64]:
        """Returns the numbers of the cells in every `every`-th row and column, and of the start."""
        on = (self.cells % every == 0).all(axis=1)
        on[self.start_node] = True
        return np.flatnonzero(on)

    def from_start(self) -> FloatArray:
        """Returns the distances (N,) from the start [m]."""
        return self.after({self.start_node: 0.0})

    def after(self, costs: dict[int, float]) -> FloatArray:
        """Returns the lowest cost (N,) of getting anywhere [m]: that of one of the cells in `costs`, and the way from
        there."""
        return self._search(costs)[0]

    def route_length(self, stops: Sequence[int]) -> float:
        """Returns the length of the path from the start over cells in their order, with straight lines where the base
        can drive them [m]."""
        total, here, node = 0.0, self._start, self.start_node
        for stop in stops:
            way = self._ground.straightened(here, self._path(node, stop))
            total += way_length(here, way)
            x, y = self.points[stop].tolist()
            here, node = Placement(x, y, 0.0), stop
        return total

    def _path(self, first: int, last: int) -> list[Cell]:
        """Returns the cells of the shortest path on the raster after the first one."""
        if first == last:
            return [(int(self.cells[last, 0]), int(self.cells[last, 1]))]
        _, before = self._search({first: 0.0})
        path, node = [], last
        while node != first:
            path.append((int(self.cells[node, 0]), int(self.cells[node, 1])))
            node = int(before[node])
        return path[::-1]

    def _search(self, costs: dict[int, float]) -> tuple[FloatArray, NDArray[np.int32]]:
        count = len(self.cells)
        rows, columns, lengths = self._edges
        sources = np.fromiter(costs, np.int64, len(costs))
        given = np.fromiter(costs.values(), np.float64, len(costs)) + _SOURCE_COST
        graph = coo_array(
            (
                np.concatenate([lengths, lengths, given]),
                (
                    np.concatenate([rows, columns, np.full(len(sources), count)]),
                    np.concatenate([columns, rows, sources]),
                ),
            ),
            shape=(count + 1, count + 1),
        ).tocsr()
        distances, before = dijkstra(graph, indices=count, return_predecessors=True)
        return distances[:count] - _SOURCE_COST, before[:count]

    def _find_edges(self) -> tuple[NDArray[np.int64], NDArray[np.int64], FloatArray]:
        rows, columns, lengths = [], [], []
        padded = np.pad(self._node, 1, constant_values=-1)
        node = padded[1:-1, 1:-1]
        for down, right in _STEPS:
            other = padded[1 + down : padded.shape[0] - 1 + down, 1 + right : padded.shape[1] - 1 + right]
            joined = (node >= 0) & (other >= 0)
            if down and right:
                below = padded[2:, 1:-1]
                beside = padded[1:-1, 1 + right : padded.shape[1] - 1 + right]
                joined &= (below >= 0) & (beside >= 0)
            rows.append(node[joined])
            columns.append(other[joined])
            lengths.append(np.full(int(joined.sum()), RESOLUTION * float(np.hypot(down, right))))
        return np.concatenate(rows), np.concatenate(columns), np.concatenate(lengths)
