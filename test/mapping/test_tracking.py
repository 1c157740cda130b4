"""Tests of ids of regions."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.mapping.tracking import RegionIds, RegionTracker, intersection_over_union


@settings(deadline=None)
@given(st.lists(st.sets(st.integers(0, 30), min_size=1), max_size=8))
def test_region_tracker_pairs_regions_and_ids_one_to_one(updates):
    tracker = RegionTracker(intersection_over_union, 0.5)
    highest = 0
    for cells in updates:
        keys = np.array(sorted(cells), np.int64)
        regions = [part for part in (keys[keys < 15], keys[keys >= 15]) if len(part)]
        ids = tracker.update(regions)
        assert len(set(ids)) == len(ids)
        assert tracker.update(regions) == ids
        assert all(new == highest + k for k, new in enumerate((i for i in ids if i > highest), start=1))
        highest = max(highest, *ids)


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 3), min_size=12, max_size=12), min_size=2, max_size=5), st.data())
def test_region_that_is_the_very_array_of_before_has_the_id_that_an_equal_one_has(updates, data):
    plain, with_same = (RegionTracker(intersection_over_union, 0.5) for _ in range(2))
    before = []
    for owners in updates:
        moved_by = data.draw(st.integers(0, 1))
        plain.map_moved(moved_by)
        with_same.map_moved(moved_by)
        regions = [np.flatnonzero(np.array(owners) == owner) for owner in sorted(set(owners))]
        same = [next((old for old in before if np.array_equal(old, new)), new) for new in regions]
        assert with_same.update(same) == plain.update(regions)
        before = same


def test_trackers_that_share_ids_never_use_the_same_one():
    ids = RegionIds()
    one, other = (RegionTracker(intersection_over_union, 0.5, ids) for _ in range(2))
    region, elsewhere = np.arange(5, dtype=np.int64), np.arange(10, 15, dtype=np.int64)
    assert one.update([region]) == [1]
    assert other.update([region]) == [2]
    assert one.update([region, elsewhere]) == [1, 3]
    restored = RegionTracker(intersection_over_union, 0.5, RegionIds())
    restored.restore(other.saved())
    assert restored.update([region, elsewhere]) == [2, 4]
