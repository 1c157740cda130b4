"""Ids that stay with a region of the map while its cells change."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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


class RegionTracker:
    """Hands out ids 1, 2, ... in order and never twice; a region like one of the last update keeps its id.

    The most alike pairs are matched first (then those that share more cells, then the older id), each region
    once, down to `min_score`.
    """

    def __init__(self, score: Score, min_score: float) -> None:
        self._score, self._min_score = score, min_score
        self._next_id = 1
        self._regions: dict[int, Keys] = {}

    def update(self, regions: Sequence[Keys]) -> list[int]:
        """One id per region, in their order. Regions must not overlap one another."""
        pairs = sorted(self._pairs(regions))
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
        old_owner = np.repeat(np.arange(len(old_ids)), [len(keys) for keys in self._regions.values()])
        new_owner = np.repeat(np.arange(len(regions)), [len(keys) for keys in regions])
        _, in_old, in_new = np.intersect1d(
            np.concatenate(list(self._regions.values())),
            np.concatenate(regions),
            assume_unique=True,
            return_indices=True,
        )
        codes, counts = np.unique(old_owner[in_old] * len(regions) + new_owner[in_new], return_counts=True)
        pairs = []
        for code, shared in zip(codes.tolist(), counts.tolist(), strict=True):
            old_id, index = old_ids[code // len(regions)], code % len(regions)
            score = self._score(shared, len(self._regions[old_id]), len(regions[index]))
            if score >= self._min_score:
                pairs.append((-score, -shared, old_id, index))
        return pairs
