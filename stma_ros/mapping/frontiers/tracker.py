"""Ids of frontiers that last, and whether a frontier has changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from stma_ros.mapping.frontiers.region import FrontierRegion
from stma_ros.mapping.grid import Cells, GridGeometry
from stma_ros.mapping.tracking import Keys, RegionIds, RegionTracker, intersection_over_union


@dataclass(frozen=True)
class ChangeRule:
    """When a frontier counts as unchanged, by the rule of 3D-Mem: its IoU with the one before exceeds `min_iou` and
    fewer than `max_cells` differ, or at most `few_cells` differ."""

    min_iou: float = 0.95
    max_cells: float = 75
    few_cells: float = 3

    def is_unchanged(self, shared: int, old: int, new: int) -> bool:
        """Returns whether a frontier of `new` cells, of which `shared` are of the `old` ones, counts as unchanged."""
        differing = old + new - 2 * shared
        is_same = intersection_over_union(shared, old, new) > self.min_iou and differing < self.max_cells
        return is_same or differing <= self.few_cells


class FrontierTracker:
    """Assigns ids to frontiers that last over updates, and detects changes.

    An id stays while at least `min_iou` of the cells stay.
    """

    def __init__(
        self, min_iou: float = 0.5, rule: ChangeRule = ChangeRule(), ids: RegionIds | None = None
    ) -> None:
        self.regions = RegionTracker(intersection_over_union, min_iou, ids)
        self._rule = rule
        self._corner = (0, 0)
        self._keys: dict[int, tuple[Cells, Keys]] = {}

    def update(self, found: Iterable[FrontierRegion], geometry: GridGeometry) -> list[FrontierRegion]:
        """Returns the frontiers that were found on a grid with their ids, sorted by id."""
        found = tuple(found)
        regions = self._keys_of(found, geometry)
        previous = self.regions.regions
        ids = self.regions.update(regions)
        tracked = [
            FrontierRegion(  # spelt out: `replace` takes three times as long
                frontier_id,
                frontier.center,
                frontier.viewpoint,
                frontier.distance,
                frontier.length,
                frontier.unknown_area,
                self._has_changed(previous.get(frontier_id), keys),
                frontier.cells,
            )
            for frontier, frontier_id, keys in zip(found, ids, regions, strict=True)
        ]
        return sorted(tracked, key=lambda frontier: frontier.id)

    def _keys_of(self, found: Sequence[FrontierRegion], geometry: GridGeometry) -> list[Keys]:
        """Returns the cells of frontiers as keys: the very arrays of before where the cells are."""
        corner = geometry.row0, geometry.col0
        before = self._keys if corner == self._corner else {}
        here = [
            before.get(id(frontier.cells)) or (frontier.cells, geometry.global_keys(frontier.cells))
            for frontier in found
        ]
        self._corner, self._keys = corner, {id(cells): (cells, keys) for cells, keys in here}
        return [keys for _, keys in here]

    def _has_changed(self, old: Keys | None, new: Keys) -> bool:
        if old is None:
            return True
        if old is new:
            return False
        shared = len(np.intersect1d(old, new, assume_unique=True))
        return not self._rule.is_unchanged(shared, len(old), len(new))
