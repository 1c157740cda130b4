"""Surfaces that a map shows in a piece of furniture, and whether there is room above them.

Whatever was mapped counts: a table's top, the boards of a shelf, the inside of an open cabinet, the bottom of a sink.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.voxel_grid import VoxelGrid
from stma_ros.types.planar import turned

Points = NDArray[np.float64]
Shares = NDArray[np.float64]
Indices = NDArray[np.int64]

_EDGE = 0.03
"""A thing stands at least this far from the edge of a surface [m], or part of it counts as unsupported."""

_HEADROOM = 0.02
"""Space that is left above a thing [m]."""

_SLACK = 1
"""Layers above and below a level that belong to it: a surface between two layers is mapped in either."""


@dataclass(frozen=True)
class Surfaces:
    """The levels of a volume, for a thing at each of N places.

    Attributes:
        height: (L, N) height of the surface beneath it [m]; NaN where there is none.
        support: (L, N) share of its area beneath which the surface was seen.
        blocked: (L, N) share of the space that it would take up in which something was seen.
    """

    height: Shares
    support: Shares
    blocked: Shares


@dataclass(frozen=True)
class _Windows:
    """Cells from row `top` to before row `bottom`, and from column `left` to before column `right`, each (N,)."""

    top: Indices
    bottom: Indices
    left: Indices
    right: Indices

    @property
    def area(self) -> Shares:
        """(N,) numbers of cells."""
        return ((self.bottom - self.top) * (self.right - self.left)).astype(np.float64)


@dataclass(frozen=True)
class BoxVolume:
    """The part of a map in an upright box, along the axes of the box.

    Attributes:
        counts: (layers, rows, cols) int8, see VoxelGrid; rows along the box's x axis, cols along its y axis.
        cell: edge of a cell [m].
        bottom: z of the lower face of the first layer in the map frame [m].
    """

    counts: NDArray[np.int8]
    cell: float
    bottom: float

    @classmethod
    def of(
        cls, voxels: VoxelGrid, center: Sequence[float], size: Sequence[float], yaw: float, above: float
    ) -> BoxVolume:
        """Returns what a map shows in and beside a box, up to `above` [m] it; center, size and yaw as in
        `find_approach_pose`."""
        cell = voxels.config.resolution
        rows, cols = (round(side / cell) + 2 for side in size[:2])
        along = (np.arange(rows) + 0.5 - rows / 2) * cell
        across = (np.arange(cols) + 0.5 - cols / 2) * cell
        points = np.stack(np.meshgrid(along, across, indexing="ij"), axis=-1)
        points = turned(points, yaw) + np.asarray(center[:2], np.float64)
        floor = voxels.config.floor
        low = voxels.layer(center[2] - size[2] / 2 - cell - floor)
        high = voxels.layer(center[2] + size[2] / 2 + above - floor)
        counts = voxels.at(points, low, high)
        return cls(counts, cell, voxels.config.bottom + low * cell)

    def surfaces(self, places: Points, half: Sequence[float], height: float) -> Surfaces:
        """Returns the levels for a thing at each of the places.

        Args:
            places: (N, 2) where its middle would be, along the box's axes from the box's centre [m].
            half: half of its sides along these axes [m].
            height: its height [m].
        """
        occupied = self.counts > 0
        layers = len(occupied)
        top = np.zeros_like(occupied)
        top[:-1] = occupied[:-1] & ~occupied[1:]
        around, within = self._windows(places, half, _EDGE), self._windows(places, half, 0.0)
        seen, filled = _sums(top, around), _sums(occupied, within)
        at = self.bottom + (np.arange(layers) + 0.5) * self.cell
        near = _windowed(seen, -_SLACK, _SLACK + 1)
        summed = _windowed(seen * at[:, None], -_SLACK, _SLACK + 1)
        tall = max(int((height + _HEADROOM) / self.cell) - _SLACK, 1)
        over = _windowed(filled, _SLACK + 1, _SLACK + 1 + tall)
        with np.errstate(invalid="ignore"):
            surface = np.where(near > 0, summed / near, np.nan)
        return Surfaces(surface, np.minimum(near / around.area, 1.0), over / (within.area * tall))

    def free_share(self, places: Points, half: Sequence[float], low: float, high: float) -> Shares:
        """Returns (N,) the share of the space from height `low` to `high` [m] that was seen to be free, for the areas
        of `surfaces`."""
        layers = len(self.counts)
        first, last = (round((z - self.bottom) / self.cell) for z in (low, high))
        first = min(max(first, 0), layers - 1)
        last = min(max(last, first + 1), layers)
        windows = self._windows(places, half, 0.0)
        share: Shares = _sums(self.counts[first:last] < 0, windows).sum(axis=0) / (
            windows.area * (last - first)
        )
        return share

    def _windows(self, places: Points, half: Sequence[float], margin: float) -> _Windows:
        edges = []
        for axis, count in enumerate(self.counts.shape[1:]):
            low, high = (places[:, axis] + sign * (half[axis] + margin) for sign in (-1, 1))
            first, last = (np.round(edge / self.cell + count / 2).astype(np.int64) for edge in (low, high))
            first = first.clip(0, count - 1)
            edges += [first, np.maximum(last.clip(0, count), first + 1)]
        return _Windows(*edges)


def _sums(values: NDArray[np.bool_], windows: _Windows) -> Shares:
    """Returns (L, N) the number of true cells in each layer of N windows."""
    layers, rows, cols = values.shape
    whole = np.zeros((layers, rows + 1, cols + 1))
    whole[:, 1:, 1:] = values.cumsum(axis=1).cumsum(axis=2)
    top, bottom, left, right = windows.top, windows.bottom, windows.left, windows.right
    sums: Shares = (
        whole[:, bottom, right] - whole[:, top, right] - whole[:, bottom, left] + whole[:, top, left]
    )
    return sums


def _windowed(values: Shares, begin: int, end: int) -> Shares:
    """Returns (L, N) the sums over the layers from `begin` to before `end` of each layer."""
    layers = len(values)
    total = np.zeros((layers + 1, values.shape[1]))
    total[1:] = values.cumsum(axis=0)
    index = np.arange(layers)
    windows: Shares = total[(index + end).clip(0, layers)] - total[(index + begin).clip(0, layers)]
    return windows
