"""Tests of the store of snapshots: bounded, ordered, and one of each view."""

from __future__ import annotations

import math
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from stma_ros.memory.snapshots import (
    SAME_DIRECTION,
    SAME_PLACE,
    SnapshotStore,
    shows_the_same,
    snapshot_id,
)
from stma_ros.types.exploration import Snapshot
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import Pose, Time


def snapshot(number: int, x: float = 0.0, y: float = 0.0, yaw: float = 0.0) -> Snapshot:
    return Snapshot(id=f"snapshot_{number}", stamp=Time(number), camera=Pose.planar(x, y, yaw))


PLACES = st.tuples(st.floats(-5, 5), st.floats(-5, 5), st.floats(-math.pi, math.pi))


@given(st.lists(PLACES, max_size=30), st.integers(1, 10))
def test_store_holds_at_most_its_limit_of_different_views_and_always_the_newest(places, limit):
    store = SnapshotStore(limit)
    given_ = [snapshot(number, *place) for number, place in enumerate(places)]
    for each in given_:
        store.add([each])
    kept = store.snapshots
    assert len(kept) <= limit
    assert [each.stamp for each in kept] == sorted(each.stamp for each in kept)
    assert not any(shows_the_same(a, b) for k, a in enumerate(kept) for b in kept[:k])
    assert kept[-1:] == tuple(given_[-1:])


def test_newer_picture_of_the_same_view_replaces_the_older():
    store = SnapshotStore(9, [snapshot(1), snapshot(2, x=2.0)])
    store.add([snapshot(3, x=SAME_PLACE / 2, yaw=SAME_DIRECTION / 2)])
    assert [each.id for each in store.snapshots] == ["snapshot_2", "snapshot_3"]


def test_same_place_in_another_direction_is_another_view():
    assert not shows_the_same(snapshot(1), snapshot(2, yaw=2 * SAME_DIRECTION))
    assert shows_the_same(snapshot(1, yaw=math.pi), snapshot(2, yaw=-math.pi))


def test_only_named_snapshots_are_kept():
    store = SnapshotStore(9, [snapshot(1), snapshot(2, x=2.0), snapshot(3, x=4.0)])
    store.keep({"snapshot_2", "snapshot_9"})
    assert [each.id for each in store.snapshots] == ["snapshot_2"]


def test_store_keeps_what_a_late_answer_adds_to_a_picture():
    store = SnapshotStore(9, [snapshot(1), snapshot(2, x=2.0)])
    stamps = [each.stamp for each in store.snapshots]
    named = replace(snapshot(1), id=snapshot_id(Time(1)))
    store.add([named])
    found = (Detection(),)
    store.revise(Time(1), found)
    store.revise(Time(7), found)
    assert [each.stamp for each in store.snapshots] == [stamps[1], Time(1)]
    assert [each.detections for each in store.snapshots] == [(), found]
