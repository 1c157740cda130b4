"""Ids that stay with a region of the map while its cells change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.int64]
"""The cells of a region as `GridGeometry.global_keys`."""
Score = Callable[[int, int, int], float]
"""Similarity of two regions, from the number of shared cells and the sizes of the old and the new one."""


MOST_GROWN = 20
"""Cells by which regions are grown at most to be found after the map was moved: the time grows with the square. What
moved farther and shares nothing with its grown surroundings is new."""


def intersection_over_union(shared: int, old: int, new: int) -> float:
    """Returns the intersection over union of two regions."""
    return shared / (old + new - shared)


def share_of_smaller(shared: int, old: int, new: int) -> float:
    """Returns the shared part of the smaller region: for regions that grow while they are explored."""
    return shared / min(old, new)


@dataclass(frozen=True)
class SavedRegions:
    """The contents of a RegionTracker."""

    next_id: int
    regions: Mapping[int, Keys]


class RegionIds:
    """Ids 1, 2, ... in order, never twice. Trackers that share them never use the same one.

    Attributes:
        next_id: the next one.
    """

    def __init__(self) -> None:
        self.next_id = 1

    def take(self) -> int:
        """Returns an id that was not used before."""
        self.next_id += 1
        return self.next_id - 1


class RegionTracker:
    """Assigns ids; a region that is similar to one of the last update keeps its id.

    The most similar pairs are matched first (then those that share more cells, then the older id), each region once,
    down to `min_score`.
    """

    def __init__(
        self, score: Score, min_score: float, ids: RegionIds | None = None, *, largest_first: bool = False
    ) -> None:
        """Begins with no region.

        Args:
            score: similarity of two regions.
            min_score: least similarity of regions with the same id.
            ids: of new regions; by default this tracker's own.
            largest_first: match the pairs that share the most cells first, the more similar ones among equals.
        """
        self._score, self._min_score, self._largest_first = score, min_score, largest_first
        self._ids = ids or RegionIds()
        self._regions: dict[int, Keys] = {}
        self._moved_by = 0

    def saved(self) -> SavedRegions:
        """Returns the contents as plain values."""
        return SavedRegions(self._ids.next_id, dict(self._regions))

    def restore(self, saved: SavedRegions) -> None:
        """Replaces the contents by saved ones."""
        self._ids.next_id = max(self._ids.next_id, saved.next_id)
        self._regions = dict(saved.regions)

    def map_moved(self, cells: int) -> None:
        """Records that the map was moved under the regions by at most this many cells; the next update allows for
        it."""
        self._moved_by = max(self._moved_by, min(cells, MOST_GROWN))

    def update(self, regions: Sequence[Keys]) -> list[int]:
        """Returns one id for each region, in their order. Regions must not overlap.

        A region that is passed as the very array of the last update keeps its id without being compared.
        """
        same = {} if self._moved_by else {id(keys): old_id for old_id, keys in self._regions.items()}
        ids = [same.get(id(keys)) for keys in regions]
        taken = set(ids)
        old = {old_id: keys for old_id, keys in self._regions.items() if old_id not in taken}
        new = [index for index, old_id in enumerate(ids) if old_id is None]
        for _, _, old_id, index in sorted(self._pairs(old, {index: regions[index] for index in new})):
            if ids[index] is None and old_id not in taken:
                ids[index] = old_id
                taken.add(old_id)
        self._moved_by = 0
        given = [self._ids.take() if old_id is None else old_id for old_id in ids]
        self._regions = dict(zip(given, regions, strict=True))
        return given

    @property
    def regions(self) -> dict[int, Keys]:
        """The regions of the last update by id."""
        return self._regions

    def _pairs(self, old: Mapping[int, Keys], new: Mapping[int, Keys]) -> list[tuple[float, float, int, int]]:
        """Returns (-score, -shared cells, old id, new index) of the pairs that are similar enough; the first two in the
        order in which they count."""
        if not old or not new:
            return []
        old_keys, old_owner = _joined(old)
        if self._moved_by:
            old_keys, old_owner = _grown(old_keys, old_owner, self._moved_by)
        new_keys, new_owner = _joined(new)
        _, in_old, in_new = np.intersect1d(old_keys, new_keys, assume_unique=True, return_indices=True)
        base = max(new) + 1
        codes, counts = np.unique(old_owner[in_old] * base + new_owner[in_new], return_counts=True)
        pairs: list[tuple[float, float, int, int]] = []
        for code, shared in zip(codes.tolist(), counts.tolist(), strict=True):
            old_id, index = divmod(code, base)
            old_size, size = len(old[old_id]), len(new[index])
            # A grown region shares more than it has.
            score = self._score(min(shared, old_size, size) if self._moved_by else shared, old_size, size)
            if score >= self._min_score:
                first, then = (-shared, -score) if self._largest_first else (-score, -shared)
                pairs.append((first, then, old_id, index))
        return pairs


def _joined(regions: Mapping[int, Keys]) -> tuple[Keys, NDArray[np.int64]]:
    """Returns the cells of all regions, and the number under which the region of each is listed."""
    sizes = [len(keys) for keys in regions.values()]
    return np.concatenate(list(regions.values())), np.repeat(np.array(list(regions), np.int64), sizes)


def _grown(keys: Keys, owner: NDArray[np.int64], cells: int) -> tuple[Keys, NDArray[np.int64]]:
    """Returns the regions grown by `cells`; a cell that is near to two regions goes to the nearer one."""
    rows, cols = np.indices((2 * cells + 1, 2 * cells + 1)) - cells
    nearest_first = np.argsort((rows**2 + cols**2).ravel(), kind="stable")
    steps = ((rows << 32) + cols).ravel()[nearest_first]
    grown, first = np.unique((keys + steps[:, None]).ravel(), return_index=True)
    return grown, np.tile(owner, len(steps))[first]
