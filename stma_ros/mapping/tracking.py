"""Ids that stay with a region of the map while its cells change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.int64]
"""The cells of a region as `GridGeometry.global_keys`."""
Score = Callable[[int, int, int], float]
"""How alike two regions are, from the cells they share and the sizes of the old and the new one."""


def intersection_over_union(shared: int, old: int, new: int) -> float:
    return shared / (old + new - shared)


def share_of_smaller(shared: int, old: int, new: int) -> float:
    """For regions that grow as they are explored: a part of a room is that room."""
    return shared / min(old, new)


@dataclass(frozen=True)
class SavedRegions:
    """What a RegionTracker knows."""

    next_id: int
    regions: Mapping[int, Keys]


class RegionTracker:
    """Hands out ids 1, 2, ... in order and never twice; a region like one of the last update keeps its id.

    The most alike pairs are matched first (then those that share more cells, then the older id), each region
    once, down to `min_score`.
    """

    def __init__(self, score: Score, min_score: float) -> None:
        self._score, self._min_score = score, min_score
        self._next_id = 1
        self._regions: dict[int, Keys] = {}
        self._moved_by = 0

    def saved(self) -> SavedRegions:
        return SavedRegions(self._next_id, dict(self._regions))

    def restore(self, saved: SavedRegions) -> None:
        """Go on where a tracker was when it was saved."""
        self._next_id, self._regions = saved.next_id, dict(saved.regions)

    def map_moved(self, cells: int) -> None:
        """The map was moved under the regions, by this many cells at most: the next update looks as far round each
        for what is left of it."""
        self._moved_by = max(self._moved_by, cells)

    def update(self, regions: Sequence[Keys]) -> list[int]:
        """One id per region, in their order. Regions must not overlap one another."""
        pairs = sorted(self._pairs(regions))
        self._moved_by = 0
        taken: dict[int, int] = {}
        for _, _, old_id, index in pairs:
            if index not in taken and old_id not in taken.values():
                taken[index] = old_id
        ids = []
        for index in range(len(regions)):
            if index not in taken:
                taken[index] = self._next_id
                self._next_id += 1
            ids.append(taken[index])
        self._regions = dict(zip(ids, regions, strict=True))
        return ids

    @property
    def regions(self) -> dict[int, Keys]:
        """The regions of the last update by id."""
        return self._regions

    def _pairs(self, regions: Sequence[Keys]) -> list[tuple[float, int, int, int]]:
        """(-score, -shared cells, old id, new index) of the pairs alike enough."""
        if not self._regions or not regions:
            return []
        old_ids = list(self._regions)
        old_keys = np.concatenate(list(self._regions.values()))
        old_owner = np.repeat(np.arange(len(old_ids)), [len(keys) for keys in self._regions.values()])
        if self._moved_by:
            old_keys, old_owner = _grown(old_keys, old_owner, self._moved_by)
        new_owner = np.repeat(np.arange(len(regions)), [len(keys) for keys in regions])
        _, in_old, in_new = np.intersect1d(
            old_keys,
            np.concatenate(regions),
            assume_unique=True,
            return_indices=True,
        )
        codes, counts = np.unique(old_owner[in_old] * len(regions) + new_owner[in_new], return_counts=True)
        pairs = []
        for code, shared in zip(codes.tolist(), counts.tolist(), strict=True):
            old_id, index = old_ids[code // len(regions)], code % len(regions)
            old_size, size = len(self._regions[old_id]), len(regions[index])
            # A grown region shares more than it has.
            score = self._score(min(shared, old_size, size) if self._moved_by else shared, old_size, size)
            if score >= self._min_score:
                pairs.append((-score, -shared, old_id, index))
        return pairs


def _grown(keys: Keys, owner: NDArray[np.int64], cells: int) -> tuple[Keys, NDArray[np.int64]]:
    """The regions with every cell within `cells` of them; a cell that is near to two goes to the nearer one."""
    rows, cols = np.indices((2 * cells + 1, 2 * cells + 1)) - cells
    nearest_first = np.argsort((rows**2 + cols**2).ravel(), kind="stable")
    steps = ((rows << 32) + cols).ravel()[nearest_first]
    grown, first = np.unique((keys + steps[:, None]).ravel(), return_index=True)
    return grown, np.tile(owner, len(steps))[first]
