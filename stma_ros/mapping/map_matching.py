"""Whether two maps show the same place: what rises from the floor must stand where it stood."""

from __future__ import annotations

import enum

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation

from stma_ros.mapping.voxel_grid import VoxelGrid

_ABOVE_FLOOR = 0.25
"""Lower end of what is compared [m]: floors are alike everywhere."""

_DOUBTFUL = 4.5
"""Contradicted surface [m^2], in either map, from which on it can be another place: a door that was shut since, and
that is all the robot sees, makes 3."""

_CONTRADICTED = 0.25
"""Share of the surface that both maps know something about from which on it then is another place. Measured:
in another flat 0.3 to 1 as soon as there is enough to judge by; at home 0.03, at most 0.2 with drift and doors shut."""

_ENOUGH, _CONFIRMED = 7.5, 0.1
"""With as much surface compared [m^2] and at most this share contradicted it is the same place: less may be the outer
walls of two flats that happen to fall together."""


class MapMatch(enum.Enum):
    UNDECIDED = "too little is known in both"
    SAME = "the same place"
    ANOTHER = "another place"


def match_maps(remembered: VoxelGrid, seen: VoxelGrid) -> MapMatch:
    """Judges two maps of one resolution in one frame. Whatever lies within a voxel's distance agrees."""
    contradicted, compared = contradictions(remembered, seen)
    cell = remembered.config.resolution**2
    if contradicted * cell >= _DOUBTFUL and contradicted > _CONTRADICTED * compared:
        return MapMatch.ANOTHER
    if compared * cell >= _ENOUGH and contradicted <= _CONFIRMED * compared:
        return MapMatch.SAME
    return MapMatch.UNDECIDED


def contradictions(remembered: VoxelGrid, seen: VoxelGrid) -> tuple[int, int]:
    """How many surface voxels of either map the other holds for free, and how many it knows anything about."""
    one, other = _common(remembered, seen)
    contradicted = compared = 0
    for surface, judge in ((one > 0, other), (other > 0, one)):
        known = surface & (judge != 0)
        confirmed = known & binary_dilation(judge > 0, np.ones((3, 3, 3), bool))
        compared += int(np.count_nonzero(known))
        contradicted += int(np.count_nonzero(known & ~confirmed))
    return contradicted, compared


def _common(one: VoxelGrid, other: VoxelGrid) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """The part of the two volumes that both cover, above the floor."""
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
