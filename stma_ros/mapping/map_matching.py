"""Determines whether two maps show the same place: structures above the floor must be at the same places."""

from __future__ import annotations

import enum

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation

from stma_ros.mapping.voxel_grid import VoxelGrid

_ABOVE_FLOOR = 0.25
"""Lower end of the compared heights [m]: floors are alike everywhere."""

_DOUBTFUL = 4.5
"""Contradicted surface [m^2] from which on it can be another place: a door that was closed since, with nothing else in
view, makes 3."""

_CONTRADICTED = 0.25
"""Contradicted share of the compared surface from which on it is another place. Measured: in another flat 0.3 to 1 as
soon as enough is seen; at home 0.03, and at most 0.2 with drift and closed doors."""

_ENOUGH, _CONFIRMED = 7.5, 0.1
"""With this much compared surface [m^2] and at most this share contradicted it is the same place; less may be the outer
walls of two flats that happen to coincide."""


class MapMatch(enum.Enum):
    """Result of a comparison of two maps."""

    UNDECIDED = "too little is known in both"
    SAME = "the same place"
    ANOTHER = "another place"


def match_maps(remembered: VoxelGrid, seen: VoxelGrid) -> MapMatch:
    """Compares two maps of one resolution in one frame; differences within a voxel are ignored."""
    contradicted, compared = contradictions(remembered, seen)
    cell = remembered.config.resolution**2
    if contradicted * cell >= _DOUBTFUL and contradicted > _CONTRADICTED * compared:
        return MapMatch.ANOTHER
    if compared * cell >= _ENOUGH and contradicted <= _CONFIRMED * compared:
        return MapMatch.SAME
    return MapMatch.UNDECIDED


def contradictions(remembered: VoxelGrid, seen: VoxelGrid) -> tuple[int, int]:
    """Returns how many surface voxels of either map are free in the other one, and how many are known in it."""
    one, other = _common(remembered, seen)
    contradicted = compared = 0
    for surface, judge in ((one > 0, other), (other > 0, one)):
        known = surface & (judge != 0)
        confirmed = known & binary_dilation(judge > 0, np.ones((3, 3, 3), bool))
        compared += int(np.count_nonzero(known))
        contradicted += int(np.count_nonzero(known & ~confirmed))
    return contradicted, compared


def _common(one: VoxelGrid, other: VoxelGrid) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Returns the part of the two volumes that both cover, above the floor."""
    grids = one.geometry, other.geometry
    row0, col0 = max(g.row0 for g in grids), max(g.col0 for g in grids)
    row1, col1 = min(g.row0 + g.rows for g in grids), min(g.col0 + g.cols for g in grids)
    rows, cols = max(row1 - row0, 0), max(col1 - col0, 0)
    first, second = (
        grid.counts[
            grid.layer(_ABOVE_FLOOR) :,
            row0 - grid.geometry.row0 : row0 - grid.geometry.row0 + rows,
            col0 - grid.geometry.col0 : col0 - grid.geometry.col0 + cols,
        ]
        for grid in (one, other)
    )
    return first, second
