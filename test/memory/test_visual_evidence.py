"""Tests of the evidence of all tasks: bounded, each view once, and the last sight of a thing outlives others."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.memory.visual_evidence import VisualEvidence
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.exploration import Snapshot
from stma_ros.types.sensing import Detection, ObjectHypothesis
from stma_ros.types.standard import CompressedImage, Point, Pose, Time, Vector3


def thing(category: str, x: float = 0.0, pixels: int = 100) -> Detection:
    box = BoundingBox3D.upright(Point(x, 0.0, 0.5), Vector3(0.3, 0.3, 0.3), 0.0)
    return Detection(hypotheses=(ObjectHypothesis(category=category, score=0.9),), box=box, pixels=pixels)


def snapshot(
    number: int, *things: Detection, x: float = 0.0, yaw: float = 0.0, picture: bytes = b""
) -> Snapshot:
    return Snapshot(
        id=f"snapshot_{number}",
        stamp=Time(number),
        camera=Pose.planar(x, 0.0, yaw),
        picture=CompressedImage(format="jpeg", data=np.frombuffer(picture, np.uint8)),
        detections=things,
    )


def ids(store: VisualEvidence) -> list[str]:
    return [each.id for each in store.snapshots]


THINGS = st.builds(thing, st.sampled_from(["mug", "sofa", "lamp"]), st.sampled_from([0.0, 2.0, 4.0]))
SNAPSHOTS = st.builds(
    lambda number, things, x, yaw, picture: snapshot(number, *things, x=x, yaw=yaw, picture=picture),
    st.integers(0, 40),
    st.lists(THINGS, max_size=3),
    st.sampled_from([0.0, 0.2, 3.0]) | st.floats(allow_nan=True, allow_infinity=True),
    st.floats(-math.pi, math.pi),
    st.sampled_from([b"", b"one", b"other"]),
)


@given(st.lists(SNAPSHOTS, max_size=25), st.integers(1, 8))
def test_store_never_holds_more_than_its_limit_and_is_in_the_order_of_stamps(given_, limit):
    store = VisualEvidence(limit)
    for each in given_:
        store.add([each])
        assert len(store) <= limit
        assert len(set(ids(store))) == len(store)
        stamps = [kept.stamp.nanoseconds for kept in store.snapshots]
        assert stamps == sorted(stamps)


@given(st.lists(SNAPSHOTS, max_size=25), st.integers(1, 8))
def test_adding_what_is_there_changes_nothing(given_, limit):
    store = VisualEvidence(limit, given_)
    before = store.snapshots
    store.add(before)
    assert store.snapshots == before
    assert VisualEvidence(limit, reversed(before)).snapshots == before


@given(st.lists(SNAPSHOTS, min_size=1, max_size=25), st.integers(1, 8))
def test_no_picture_is_kept_twice_and_the_newest_always_is(given_, limit):
    numbered = [
        snapshot(k, *each.detections, x=each.camera.position.x, picture=each.picture.data.tobytes())
        for k, each in enumerate(given_)
    ]
    store = VisualEvidence(limit, numbered)
    pictures = [each.picture.data.tobytes() for each in store.snapshots if each.picture.data.size]
    assert len(set(pictures)) == len(pictures)
    assert ids(store)[-1] == numbered[-1].id


def test_newer_view_from_the_same_pose_replaces_the_older_if_it_shows_all_of_it():
    old = snapshot(1, thing("mug"))
    assert ids(VisualEvidence(9, [old, snapshot(2, thing("mug", 0.3), thing("sofa", 2.0), x=0.1)])) == [
        "snapshot_2"
    ]
    assert ids(VisualEvidence(9, [old, snapshot(2)])) == ["snapshot_1", "snapshot_2"]
    assert ids(VisualEvidence(9, [old, snapshot(2, thing("mug", 1.0))])) == ["snapshot_1", "snapshot_2"]
    assert ids(VisualEvidence(9, [old, snapshot(2, thing("mug"), x=1.0)])) == ["snapshot_1", "snapshot_2"]


def test_what_newer_pictures_show_again_is_dropped_first():
    sofa = snapshot(1, thing("sofa"), x=0.0)
    lamp = snapshot(2, thing("lamp"), x=3.0)
    again = snapshot(3, thing("lamp"), x=6.0)
    assert ids(VisualEvidence(2, [sofa, lamp, again])) == ["snapshot_1", "snapshot_3"]


def test_a_far_view_does_not_stand_for_a_near_one():
    near = snapshot(1, thing("sofa", pixels=4000), x=0.0)
    lamp = snapshot(2, thing("lamp"), x=3.0)
    far = snapshot(3, thing("sofa", pixels=40), thing("lamp"), x=6.0)
    assert ids(VisualEvidence(2, [near, lamp, far])) == ["snapshot_1", "snapshot_3"]


def test_of_pictures_that_are_needed_alike_the_oldest_is_dropped():
    pictures = [snapshot(number, thing("sofa", 3.0 * number), x=3.0 * number) for number in range(4)]
    assert ids(VisualEvidence(2, pictures)) == ["snapshot_2", "snapshot_3"]


def test_unwanted_pictures_are_dropped_and_counted():
    store = VisualEvidence(9, [snapshot(1, thing("mug")), snapshot(2, thing("sofa"), x=3.0)])
    assert store.discard(lambda each: each.detections[0].category == "mug") == 1
    assert ids(store) == ["snapshot_2"]


def test_the_last_sight_of_a_thing_that_a_late_answer_names_outlives_others():
    store = VisualEvidence(2, [snapshot(1, x=0.0), snapshot(2, thing("sofa"), x=2.0)])
    assert store.revise(Time(1), (thing("mug"),))
    assert not store.revise(Time(9), ())
    store.add([snapshot(3, thing("sofa"), x=4.0)])
    assert ids(store) == ["snapshot_1", "snapshot_3"]
    assert store.discard(lambda each: any(found.category == "mug" for found in each.detections)) == 1
